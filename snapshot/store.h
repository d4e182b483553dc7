// The state of the cluster as columns and rows: events come in one at a time, in any order, and change only what they touch.
// The kernel's transactions go through SetTask, so events and decisions keep the same sums by the same code.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "snapshot/annotations.h"
#include "snapshot/budgets.h"
#include "snapshot/classes.h"
#include "snapshot/decode.h"
#include "snapshot/diagnostic.h"
#include "snapshot/ids.h"
#include "snapshot/loads.h"
#include "snapshot/names.h"
#include "snapshot/nodes.h"
#include "snapshot/objects.h"
#include "snapshot/quotas.h"

namespace basalt {

/// Kubernetes' classes of service, the first to be evicted first.
enum class ServiceClass : uint8_t { kBestEffort, kBurstable, kGuaranteed };

/// Volcano's ten task statuses.
enum class TaskStatus : uint8_t { kPending, kAllocated, kPipelined, kBinding, kBound, kRunning, kReleasing, kSucceeded, kFailed, kUnknown };
inline constexpr int kTaskStatusCount = 10;

/// Allocated class: holds resources of queue and job.
constexpr bool IsAllocated(TaskStatus s) {
  return s == TaskStatus::kAllocated || s == TaskStatus::kBinding || s == TaskStatus::kBound || s == TaskStatus::kRunning;
}
constexpr bool IsFinished(TaskStatus s) { return s == TaskStatus::kSucceeded || s == TaskStatus::kFailed; }

enum class GroupPhase : uint8_t { kEmpty, kPending, kInqueue, kRunning, kUnknown, kCompleted };

/// Exact amounts by ResourceId; missing entries are 0. Values are clamped when objects enter (kAmountMax), so sums of real clusters cannot overflow.
class Amounts {
 public:
  int64_t operator[](ResourceId id) const { return id.value < v_.size() ? v_[id.value] : 0; }
  size_t size() const { return v_.size(); }
  /// this += sign * amounts. Wraps instead of trapping where hostile input exceeds int64, so adding and removing always cancel.
  void Add(const std::vector<ResourceAmount>& amounts, int sign) {
    for (const auto& a : amounts) Add(a.id, sign > 0 ? a.amount : -a.amount);
  }
  void Add(ResourceId id, int64_t amount) {
    if (id.value >= v_.size()) v_.resize(id.value + 1, 0);
    v_[id.value] = static_cast<int64_t>(static_cast<uint64_t>(v_[id.value]) + static_cast<uint64_t>(amount));
  }
  void Clear() { v_.clear(); }

 private:
  std::vector<int64_t> v_;
};

/// Largest amount of one object in one dimension; a request is clamped to it, a node's allocatable to one less, so a saturated request never fits.
inline constexpr int64_t kAmountMax = int64_t{1} << 59;

struct PodRow {
  JobId job;
  ClassId cls;
  NodeId node;             ///< where the task is (bound, or placed by a transaction)
  StringId nominated;      ///< status.nominatedNodeName, kNone where empty
  int32_t priority = 1;      ///< of the task: spec.priority, or what the annotation volcano.sh/task-priority says
  int32_t pod_priority = 0;  ///< spec.priority
  StringId role;           ///< kNone where the pod names no role
  StringId namespace_, priority_class;
  int64_t creation_seconds = 0;
  int64_t name_index = -1; ///< last '-' part of a name with at least three parts, -1 where it is no whole number
  TaskStatus status = TaskStatus::kPending;
  TaskStatus before_eviction = TaskStatus::kRunning;  ///< with eviction_sent: what the API server says
  bool in_use = false, ours = false, gated = false, volcano_gate_only = false, preemptable = true, unsupported = false, deleting = false,
       mirror = false, preemption_never = false,
       preempted = false,  ///< condition DisruptionTarget, reason PreemptionByScheduler
       evicted = false,  ///< by the session that is open: Volcano's sums count it as leaving, Kubernetes' view of the node is without it
       eviction_sent = false,  ///< live: it is on its way out, though the API server does not say so yet
       role_annotated = false,  ///< the role comes from the annotation, not from the label
       revocable = false;  ///< may run on nodes of a revocable zone
  PodLabels labels;
  std::array<int64_t, 2> limits{};  ///< of its containers together: cpu milli, memory bytes; 0: none
  ServiceClass service = ServiceClass::kBestEffort;
  bool priority_given = false;
  int64_t start_seconds = 0;      ///< status.startTime; 0: not said
  int64_t scheduled_seconds = 0;  ///< since when the pod has its node, as the API says; 0: not said
  int64_t cooldown_ns = 0;        ///< how long after that it may not be disturbed (policy cdp); 0: not said
  uint64_t resource_version = 0;
  uint32_t at_in_job = 0, at_in_node = 0;
  StringId queue_hint;     ///< annotation scheduling.volcano.sh/queue-name, for an implied PodGroup
  int32_t group_min_hint = 1;
  std::string_view key;    ///< "namespace/name"; the text lives in the index
  std::string uid;
  // the PodScheduled condition as the API has it, to write only what differs
  bool condition_false = false;
  std::string condition_reason, condition_message;
};

struct GroupCondition {
  std::string type, status, reason, message, transition_id;
  int64_t transition_seconds = 0;  ///< since 1970; 0: not known
  /// As far as a reader cares: all but which session wrote it, and when.
  bool SameText(const GroupCondition& o) const { return type == o.type && status == o.status && reason == o.reason && message == o.message; }
};

struct JobRow {
  std::string_view key;    ///< "namespace/name" of the PodGroup; the text lives in the index
  std::string uid;
  StringId namespace_;
  bool in_use = false;
  bool has_group = false;  ///< a PodGroup object (or an implied one) is there; else the tasks are never scheduled
  bool implied = false;    ///< made up for pods without a PodGroup, as Volcano's controller would
  bool implied_stale = false;  ///< listed for Prepare() to renew the implied PodGroup
  QueueId queue;
  int32_t min_member = 0;
  std::vector<std::pair<StringId, int32_t>> task_min;  ///< minTaskMember, by role name
  int64_t task_min_total = 0;
  bool has_min_resources = false;
  std::vector<ResourceAmount> min_resources;           ///< in Volcano units
  std::vector<NamedAmount> min_named;                  ///< the same as it was written, quota names included
  StringId priority_class;
  int32_t priority = 0;    ///< resolved by Prepare()
  int64_t creation_seconds = 0;
  GroupPhase phase = GroupPhase::kEmpty;
  std::vector<GroupCondition> conditions;
  int32_t status_running = 0, status_succeeded = 0, status_failed = 0;
  bool preemptable = false;
  bool never_victim = false;  ///< marked as not preemptable: the actions that evict whole gangs pass it by
  StringId unsupported;    ///< JSON pointer of a rule that is not built yet
  DisruptionBudget budget;
  std::shared_ptr<const TaskTopology> topology;  ///< null where the annotations are absent
  int64_t sla_waiting_ns = 0;  ///< how long it may wait before policy sla lets it pass; 0: not said
  uint64_t resource_version = 0;

  std::vector<PodId> pods;
  std::array<int32_t, kTaskStatusCount> counts{};  ///< tasks by status
  int32_t pending_best_effort = 0;                 ///< Pending tasks without a request
  Amounts allocated;       ///< tasks in the allocated class
  Amounts pending;         ///< Pending tasks
  Amounts total;           ///< all tasks
  Amounts pipelined;       ///< Pipelined tasks (only inside a session)
  Amounts gated;           ///< gated tasks, except those held only by Volcano's own gate

  int32_t Count(TaskStatus s) const { return counts[static_cast<size_t>(s)]; }
  int32_t Ready() const {
    return Count(TaskStatus::kBound) + Count(TaskStatus::kBinding) + Count(TaskStatus::kRunning) + Count(TaskStatus::kAllocated) + Count(TaskStatus::kSucceeded);
  }
  int32_t Waiting() const { return Count(TaskStatus::kPipelined); }
  int32_t Valid() const { return Ready() + Waiting() + Count(TaskStatus::kPending); }
  bool IsPending() const { return phase == GroupPhase::kEmpty || phase == GroupPhase::kPending; }
};

struct QueueRow {
  StringId name;
  bool in_use = false;
  bool present = false;    ///< a Queue object is there (or implied: root, default)
  bool implied = false;
  int32_t weight = 1, priority = 0;
  bool reclaimable = true;
  StringId parent;         ///< kNone: root
  bool open = true;        ///< status.state is Open or unset
  StringId state;
  std::vector<ResourceAmount> capability, deserved, guarantee;
  int64_t creation_seconds = 0;
  /// Names of node groups (policy nodegroup).
  struct Affinity {
    bool present = false;  ///< an empty one is there too, and keeps the queue from inheriting its parent's
    std::vector<StringId> required, preferred, anti_required, anti_preferred;
    bool Unset() const { return required.empty() && preferred.empty() && anti_required.empty() && anti_preferred.empty(); }
  } affinity;
  GroupLimits group_limits;
  std::vector<std::string> hierarchy;          ///< annotation volcano.sh/hierarchy split at '/', empty where absent
  std::vector<std::string> hierarchy_weights;
  uint64_t resource_version = 0;
};

/// The nodes that this scheduler may place pods on where several divide the cluster (--scheduler-sharding-mode=hard).
struct Shard {
  bool restricts = false;                 ///< false: every node
  uint64_t version = 0;                   ///< rises with every change
  std::unordered_set<uint32_t> nodes;     ///< names
};

/// What happened to an upserted object.
enum class Applied : uint8_t { kAdded, kReplaced, kIgnoredOlder, kIrrelevant };

/// Which pods belong to us, and how offline differs from live.
struct StoreOptions {
  std::vector<std::string> scheduler_names = {"volcano"};  ///< "*": every name
  std::string default_queue = "default";
  bool implied_pod_groups = true;  ///< offline: pods of ours without a PodGroup get one
  bool implied_queues = true;      ///< `root` and the default queue exist even where no object says so
  /// Live: a placement whose bind was sent stands until the API server says more (an update of the pod that has no node yet says nothing), and a gang
  /// of which only a part is bound goes before all others.
  bool live = false;
  /// Nodes with none of these labels (key, value) are not taken in; empty: all are. A node that is known stays when its labels change, as in Volcano.
  std::vector<std::pair<std::string, std::string>> node_selector;
};

class Store {
 public:
  explicit Store(StoreOptions options = {});

  // ---- events ----
  /// Takes one decoded object in. Findings that concern the object alone go to *diagnostics.
  Applied Upsert(const Decoded& object, std::vector<Diagnostic>* diagnostics);
  /// Removes an object; unknown objects are ignored. name: "namespace/name" or "name". uid empty: any; else it has to agree.
  void Remove(objects::Kind kind, std::string_view key, std::string_view uid);
  /// The API server refused the bind of a placement: the task is pending again. False where this pod has no bind in flight.
  bool ForgetBind(std::string_view key, std::string_view uid);
  /// The pod is being evicted: it leaves its node and is no victim any more, whatever the API server says until it goes. was: what it says now.
  void EvictionSent(PodId pod, TaskStatus was);
  /// That eviction came to nothing: the pod is what the API server says. False where there is no such pod or eviction.
  bool ForgetEviction(std::string_view key, std::string_view uid);
  /// From the next cycle on pods are placed on these nodes only.
  void SetShard(const std::vector<std::string_view>& nodes);
  /// Keys of every object of a kind that an object (not an implication) put here.
  std::vector<std::string> Keys(objects::Kind kind) const;
  /// Brings everything derived up to date before a cycle: name ranks, priorities, image states, implied objects. O(changed) plus O(nodes) after
  /// a change of images.
  void Prepare();

  // ---- the primitive of transactions ----
  /// Moves a task to a status and node (kNone: on no node) and keeps every sum. Its own inverse: calling it with the old values undoes it exactly.
  /// evicted: only with kReleasing, see PodRow.
  void SetTask(PodId pod, TaskStatus status, NodeId node, bool evicted = false);

  // ---- look-ups ----
  /// Requests as the quota controller counts them: each under its own name and under "requests." or, for pods, "count/".
  std::vector<NamedAmount> QuotaUse(const std::vector<ResourceAmount>& requests);
  /// Interns a resource name that is asked for (by a pod, a queue, an argument): from then on the node columns have its amounts.
  ResourceId Resource(std::string_view name);
  struct NodeAmounts { int64_t allocatable, idle, future; };
  /// What a node has of any resource, asked for or not.
  NodeAmounts AmountsOn(NodeId node, ResourceId resource) const;
  std::string_view ResourceName(ResourceId id) const { return names.Text(resource_names_[id.value]); }
  size_t ResourceCount() const { return resource_names_.size(); }
  /// Resource ids in the order in which requests list them: cpu, memory, then by name.
  const std::vector<ResourceId>& ResourceOrder();
  NodeId FindNode(std::string_view name) const;
  NodeId FindNode(StringId name) const;
  JobId FindJob(std::string_view key) const;
  PodId FindPod(std::string_view key) const;
  QueueId FindQueue(std::string_view name) const;
  std::string_view NodeName(NodeId id) const { return names.Text(StringId{nodes.name[id.value]}); }
  std::string_view QueueName(QueueId id) const { return names.Text(queues[id.value].name); }
  /// Total order of pods and jobs by name, for ties; negative: a first.
  int CompareUid(PodId a, PodId b) const { return pods[a.value].uid.compare(pods[b.value].uid); }
  int CompareKey(JobId a, JobId b) const { return jobs[a.value].key.compare(jobs[b.value].key); }
  int CompareName(QueueId a, QueueId b) const { return QueueName(a).compare(QueueName(b)); }
  /// A pod that the cluster itself needs: of a system-critical priority class, or in kube-system.
  bool IsCritical(PodId pod) const;
  bool live() const { return options_.live; }
  /// The name this scheduler goes by in messages: the first that it schedules for.
  const std::string& scheduler_name() const { return options_.scheduler_names.front(); }
  const std::string& scheduler_conf() const { return scheduler_conf_; }
  bool has_scheduler_conf() const { return has_scheduler_conf_; }

  // ---- tables: read by scoring and kernel ----
  Names names;
  NodeTable nodes;
  std::vector<std::vector<PodId>> node_pods;     ///< residents by node row
  std::vector<PodRow> pods;
  std::vector<JobRow> jobs;
  std::vector<QueueRow> queues;
  std::vector<PodClass> classes;
  QuotaTable quotas;
  BudgetTable budgets;
  LoadTable loads;
  Shard shard;
  Amounts total_allocatable;                     ///< over present nodes
  size_t releasing_tasks = 0;                    ///< resident tasks that are on their way out: only they make room later

  /// Rows of `nodes` whose columns changed, in order of change; position = changes_base + index. Readers remember the position they have seen.
  std::vector<uint32_t> changed_nodes;
  uint64_t changes_base = 0;
  uint64_t ChangePosition() const { return changes_base + changed_nodes.size(); }
  /// By groups of kRowPad rows: the position behind the last change of one of them, for readers that are far behind the log.
  Column<uint64_t> group_changed;
  /// Forgets the log when it has grown long; readers whose position is older must refresh everything.
  void TrimChanges();

  /// Rises with every event and every SetTask outside an undone transaction; equal values mean equal state.
  uint64_t generation = 0;
  uint64_t nodes_generation = 0;  ///< rises when any Node object changes

  struct LabelPair { StringId key, value; };

 private:
  friend class ClassBuilder;
  NodeId NodeRowOf(std::string_view name);
  void UpsertNode(const objects::Node& node);
  bool Selected(const objects::Node& node) const;
  Applied UpsertPod(const objects::Pod& pod, std::vector<Diagnostic>* diagnostics);
  Applied UpsertPodGroup(const objects::PodGroup& group, std::vector<Diagnostic>* diagnostics);
  void UpsertQueue(const objects::Queue& queue, std::vector<Diagnostic>* diagnostics);
  void RemovePod(PodId id);
  void FreeNodeIfUnused(NodeId id);
  void FreeJobIfUnused(JobId id);
  JobId JobRowOf(std::string_view key);
  QueueId QueueRowOf(std::string_view name);
  void MarkImplied(JobId job);
  void Account(const PodRow& pod, int sign);     ///< node columns of a resident task
  void AccountKube(uint32_t row, const PodClass& cls, int sign);
  void SetAllocatable(NodeId id, ResourceId resource, int64_t amount);
  ResourceId NameResource(std::string_view name);  ///< interns a resource name, asked for or not
  void OwnColumns(ResourceId id);
  void KeepAllocatable(NodeId id, const std::vector<ResourceId>& named);  ///< sets to 0 what is not named
  void GrowNodeColumns();
  void FillLabels(NodeId id);
  uint32_t LabelColumnOf(StringId key);
  uint32_t TaintSetOf(std::span<const objects::Taint> taints);
  ClassId ClassOf(const objects::Pod& pod);
  void ReleaseClass(ClassId id);
  void ImplyGroups();
  void RefreshRanks();
  void RefreshImages();
  void RefreshPriorities();
  void Touch(uint32_t row) {
    changed_nodes.push_back(row);
    group_changed[row / kRowPad] = ChangePosition();
  }

  StoreOptions options_;
  std::vector<StringId> resource_names_;
  std::vector<ResourceId> resource_order_;
  std::vector<bool> resource_asked_;                           // by ResourceId
  std::vector<ResourceId> own_columns_;                        // asked for and on some node; the other columns read as zeros_
  Column<int64_t> zeros_;
  std::vector<std::vector<ResourceAmount>> node_other_;        // by node row: allocatable amounts of resources that nobody asked for, by id
  std::unordered_map<uint32_t, uint32_t> resource_by_name_, node_by_name_, queue_by_name_;
  struct KeyHash { using is_transparent = void; size_t operator()(std::string_view s) const { return HashText(s); } };
  struct KeyEqual { using is_transparent = void; bool operator()(std::string_view a, std::string_view b) const { return a == b; } };
  std::unordered_map<std::string, uint32_t, KeyHash, KeyEqual> pod_by_key_, job_by_key_;  // node-based: the keys' addresses are stable
  std::unordered_map<std::string, uint32_t> class_by_key_;
  std::vector<std::string> class_keys_;
  std::vector<uint32_t> free_nodes_, free_pods_, free_jobs_, free_classes_;
  std::vector<std::vector<LabelPair>> node_labels_;
  std::vector<uint64_t> node_versions_;
  std::vector<std::vector<std::pair<StringId, int64_t>>> node_image_sizes_;
  std::unordered_map<uint32_t, uint32_t> label_column_by_key_;
  std::unordered_map<std::string, uint32_t> taint_set_by_key_;
  std::vector<uint32_t> sorted_nodes_, unsorted_nodes_;
  bool images_dirty_ = true, priorities_dirty_ = true, ranks_dirty_ = false;
  struct PriorityClassRow { int32_t value; bool global_default; uint64_t resource_version; };
  std::unordered_map<uint32_t, PriorityClassRow> priority_classes_;
  std::vector<JobId> implied_;  // jobs of pods without a group annotation: Prepare() gives them an implied PodGroup
  std::string scheduler_conf_;
  bool has_scheduler_conf_ = false;
  SharedTexts label_texts_;
  uint64_t scheduler_conf_version_ = 0;
  uint64_t class_generation_ = 0;
};

}  // namespace basalt

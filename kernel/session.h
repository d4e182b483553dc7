// One cycle over the live columns: the policies' callbacks, transactions with an undo log, and what the cycle found.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "kernel/class_index.h"
#include "kernel/config.h"
#include "kernel/plan.h"
#include "kernel/policies/node_shard.h"
#include "kernel/policy.h"
#include "kernel/stage_times.h"
#include "snapshot/store.h"

namespace basalt {

/// A policy with the families that its switches leave on.
struct ActivePolicy {
  std::unique_ptr<Policy> policy;
  uint32_t families = 0;
  uint16_t catalogue_index = 0;
};
using PolicyTiers = std::vector<std::vector<ActivePolicy>>;

/// Builds the policies of a configuration; problems with their arguments are appended.
PolicyTiers BuildPolicies(const Config& config, std::vector<scoring::ArgumentProblem>* problems);

/// A transaction: applied at once, undone from its log in reverse. The log holds each task's earlier status and node; every other sum is exact
/// integer arithmetic, so applying the earlier pair restores it to the bit.
struct Statement {
  struct Entry {
    PodId pod;
    TaskStatus was_status;
    NodeId was_node;
    PodId by;               ///< of an eviction: for whom
    EvictionAction action;
    bool eviction;
  };
  std::vector<Entry> log;
};

class Session {
 public:
  Session(Store* store, const Config* config, PolicyTiers* tiers, ClassIndex* index, int64_t now_ns, Plan* plan, StageTimes* times);

  /// Opens the policies.
  void Open();
  /// Opens the policies, runs every action, closes: verdicts into the plan, uncommitted tasks back to where they were.
  void Run();

  // ---- callbacks by family (volcano-core, section 3.2) ----
  bool JobLess(JobId a, JobId b);
  bool QueueLess(QueueId a, QueueId b);
  bool TaskLess(PodId a, PodId b);
  /// The order in which a queue of tasks gives them out, whatever their rows: by TaskLess. Where that is no order (pods with and without an index in
  /// their names), what Volcano's heaps make of it: `heaps` is how many the tasks pass one after the other.
  void SortTasks(std::vector<PodId>* tasks, int heaps);
  bool JobValid(JobId job);
  bool JobReady(JobId job);
  bool JobPipelined(JobId job);
  bool JobEnqueueable(JobId job);
  void JobEnqueued(JobId job);
  bool Overused(QueueId queue);
  bool Allocatable(QueueId queue, PodId pod);
  bool JobStarving(JobId job);
  bool Preemptive(QueueId queue, const std::vector<PodId>& tasks);
  /// What the policies alone say of two jobs; 0: nothing.
  int JobOrderOfPolicies(JobId a, JobId b);
  /// Tiers of the policies that take part in a family.
  const std::vector<std::vector<Policy*>>& PoliciesOf(Family family) const { return by_family_[static_cast<size_t>(family)]; }

  // ---- transactions ----
  /// Places a task: kAllocated (room is free now) or kPipelined (room is being released).
  /// nominated: pods were evicted for it there.
  void Place(Statement* statement, PodId pod, TaskStatus status, NodeId node, bool nominated = false);
  /// Evicts a running task (Running or Bound): its room is on its way to being free.
  void Evict(Statement* statement, PodId pod, PodId by, EvictionAction action);
  /// Undoes the last entries of a transaction, until `size` are left.
  void Rewind(Statement* statement, size_t size);
  /// A committed eviction is taken back: the pod is what it was. evict: the other way round.
  void Spare(const Eviction& eviction, bool evict = false);
  /// Would the queue still let a task in that is placed already, were it asked now?
  bool StillAllocatable(PodId placed);
  /// Pods that no setting but `compat` evicts, whatever policies are configured.
  bool IsProtected(PodId pod) const { return config.evictions == Evictions::kMinimal && store.IsCritical(pod); }
  /// The bind requests of a transaction are sent: Allocated tasks become Binding and enter the plan.
  void Commit(Statement* statement);
  void Discard(Statement* statement);
  /// Backfill's immediate form: places, and if the job is ready sends every Allocated task of it.
  void AllocateNow(PodId pod, NodeId node);

  // ---- findings ----
  uint32_t AddFitError(FitError error);
  /// The pod with what policies say of nodes for it. Its rules hold until the next call.
  ClassView View(PodId pod);
  void SetFitError(PodId pod, uint32_t fit_error);
  uint32_t FitErrorOf(PodId pod) const { return fit_error_[pod.value]; }
  bool RoleFailed(JobId job, StringId role) const;

  // ---- state ----
  Store& store;
  const Config& config;
  ClassIndex& index;
  Plan& plan;
  const int64_t now_ns;

  /// Jobs of the session: a PodGroup and an existing queue. In key order, so that no outcome depends on rows.
  const std::vector<JobId>& jobs() const { return jobs_; }
  bool Takes(JobId id) const {  ///< the job takes part in the session
    return id && store.jobs[id.value].in_use && store.jobs[id.value].has_group && QueueExists(store.jobs[id.value].queue);
  }
  bool QueueExists(QueueId q) const { return q && store.queues[q.value].present; }
  const std::vector<StringId>& FailedRoles(JobId job) const { return failed_roles_[job.value]; }
  /// At this moment a rule may decide otherwise: the next cycle is not to be skipped then.
  void WakeAt(int64_t time_ns) { plan.next_wakeup_ns = plan.next_wakeup_ns ? std::min(plan.next_wakeup_ns, time_ns) : time_ns; }
  /// The rule that is not built yet and that the pod (or its group) uses; kNone: none.
  StringId Unsupported(PodId pod) const;

 private:
  void Close();
  void CloseJob(JobId job);
  bool Bindable(PodId pod, NodeId node) const;
  void Notify(PodId pod, int sign);
  void Undo(const Statement::Entry& entry);
  void FindNodePolicies();
  template <class F>
  void ForEach(Family family, const F& f);

  NodeShard node_shard_;
  struct NodePolicy { Policy* policy; bool filters, scores, before_predicates; };
  PolicyTiers& tiers_;
  StageTimes& times_;
  std::vector<NodePolicy> node_policies_;          ///< policies with node rules, in the order of the configuration
  struct KnownRules {
    uint64_t id = 0, version = 0;
    std::vector<uint64_t> of_versions;  ///< the policies' versions that `rules` stand for
    std::unique_ptr<NodeRules> rules;   ///< null where they were dropped: columns of many pods would fill the memory
  };
  std::map<std::vector<uint64_t>, KnownRules> node_rules_;  ///< by the policies' keys
  size_t rules_held_ = 0;
  std::vector<uint64_t> keys_, versions_;
  std::array<std::vector<std::vector<Policy*>>, kFamilyCount> by_family_;  ///< per family: tiers of policies that take part
  std::vector<JobId> jobs_;
  std::vector<uint32_t> fit_error_;                ///< by pod row
  std::vector<std::vector<StringId>> failed_roles_;///< by job row
  struct LastTransaction { TaskStatus status; NodeId node; bool set = false, nominated = false; };
  std::vector<LastTransaction> last_;              ///< by pod row: what a discarded transaction had given the task
  std::vector<uint8_t> nominated_;                 ///< by pod row: placed where pods were evicted for it
  std::vector<std::pair<PodId, TaskStatus>> revived_;  ///< evicted in a trial that was undone, though not Running before
  std::vector<PodId> touched_;                     ///< tasks that were placed in this session
};

/// The actions (kernel/actions/*.cc), by the catalogue.
void RunEnqueue(Session& session, const ActionOption& option);
void RunAllocate(Session& session, const ActionOption& option);
void RunBackfill(Session& session, const ActionOption& option);
void RunPreempt(Session& session, const ActionOption& option);
void RunReclaim(Session& session, const ActionOption& option);
void RunGangPreempt(Session& session, const ActionOption& option);
void RunGangReclaim(Session& session, const ActionOption& option);
void RunShuffle(Session& session, const ActionOption& option);

}  // namespace basalt

// Decoded API objects: what the decoder reads from JSON and everything else starts from.
// Plain data; strings are views into the input bytes or the batch's arena and live as long as both.
// Absent and null read alike. The kernel's columns and the plan verifier share these structs and nothing else.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "snapshot/quantity.h"

namespace basalt::objects {

using std::span;
using std::string_view;

/// Kinds that are decoded; others are counted and skipped.
enum class Kind : uint8_t {
  kNode, kPod, kPodGroup, kQueue, kHyperNode, kPriorityClass, kResourceQuota, kNamespace, kConfigMap, kPodDisruptionBudget, kMetricValue, kOther,
};
inline constexpr int kKindCount = static_cast<int>(Kind::kOther) + 1;

struct KeyValue { string_view key, value; };
struct Resource { string_view name; Quantity amount; };
using ResourceList = span<const Resource>;  ///< in the order of the input; names are unique

struct Meta {
  string_view name, namespace_, uid;
  uint64_t resource_version = 0;        ///< 0 where absent or not a number
  int64_t creation_seconds = 0;         ///< Unix time, 0 where absent
  bool deleting = false;                ///< deletionTimestamp is set
  string_view controller_uid;           ///< uid of the ownerReference with controller: true, else empty
  span<const KeyValue> labels, annotations;
};

enum class Operator : uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };
struct Requirement { string_view key; Operator op; span<const string_view> values; };
struct NodeSelectorTerm { span<const Requirement> expressions, fields; };
struct PreferredTerm { int32_t weight = 0; NodeSelectorTerm term; };

enum class TaintEffect : uint8_t { kNone, kNoSchedule, kPreferNoSchedule, kNoExecute };  ///< kNone: empty in a toleration (all effects)
struct Taint { string_view key, value; TaintEffect effect = TaintEffect::kNone; };
enum class TolerationOperator : uint8_t { kEqual, kExists, kOther };  ///< kOther: Gt, Lt; they never match here
struct Toleration { string_view key, value; TolerationOperator op = TolerationOperator::kEqual; TaintEffect effect = TaintEffect::kNone; };

enum class Protocol : uint8_t { kTcp, kUdp, kSctp };
struct HostPort { string_view ip; int32_t port = 0; Protocol protocol = Protocol::kTcp; };  ///< port > 0; ip "" and "0.0.0.0" alike are the wildcard

struct Container {
  string_view name, image;
  ResourceList requests, limits;
  span<const HostPort> host_ports;       ///< only entries with hostPort > 0
  bool restart_always = false;           ///< an init container that keeps running (sidecar)
};
/// status.containerStatuses / initContainerStatuses entries that have a `resources` section (in-place resize).
struct ContainerResources { string_view name; ResourceList requests; ResourceList allocated; };

enum class PodPhase : uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };

struct PodConditionView { string_view type, status, reason, message; };

struct Pod {
  Meta meta;
  string_view scheduler_name, node_name, nominated_node_name, priority_class_name;
  std::optional<int32_t> priority;
  PodPhase phase = PodPhase::kPending;   ///< absent reads as Pending
  bool preemption_never = false;
  bool mirror = false;                   ///< annotation kubernetes.io/config.mirror
  span<const string_view> scheduling_gates;
  span<const Container> containers, init_containers;
  ResourceList overhead;
  ResourceList pod_requests;             ///< spec.resources.requests (pod-level resources)
  span<const KeyValue> node_selector;
  bool has_node_selector = false;        ///< distinguishes absent from empty (both match every node)
  bool has_required_affinity = false;    ///< the required section is present (an empty list then matches no node)
  span<const NodeSelectorTerm> required_terms;
  span<const PreferredTerm> preferred_terms;
  span<const Toleration> tolerations;
  span<const ContainerResources> resized, resized_init;
  bool resize_infeasible = false;        ///< first PodResizePending condition has reason Infeasible
  int64_t scheduled_seconds = 0;         ///< since when the first PodScheduled condition that is True holds; 0: not said
  int64_t start_seconds = 0;             ///< status.startTime; 0: absent
  bool preempted = false;                ///< condition DisruptionTarget is True with reason PreemptionByScheduler
  std::optional<PodConditionView> scheduled_condition;  ///< the PodScheduled condition as it stands
  /// JSON pointer of the first use of a rule that is not built yet (pod affinity, DoNotSchedule spread, claims, volumes, shared GPUs);
  /// empty where there is none. Example "/spec/affinity/podAntiAffinity".
  string_view unsupported_field;
};

struct Image { span<const string_view> names; int64_t size_bytes = 0; };
struct Node {
  Meta meta;
  bool unschedulable = false;
  span<const Taint> taints;
  ResourceList allocatable, capacity;
  span<const Image> images;
};

struct PodGroupCondition { string_view type, status, reason, message, transition_id; int64_t transition_seconds = 0; };
struct TaskMin { string_view role; int32_t min = 0; };
struct PodGroup {
  Meta meta;
  int32_t min_member = 0;
  string_view queue, priority_class_name;
  bool has_min_resources = false;
  ResourceList min_resources;
  span<const TaskMin> min_task_member;
  string_view phase;                     ///< "" Pending Inqueue Running Unknown Completed
  span<const PodGroupCondition> conditions;
  int32_t running = 0, succeeded = 0, failed = 0;
  string_view unsupported_field;         ///< "/spec/networkTopology", "/spec/subGroupPolicy" or empty
};

/// spec.affinity of a queue: names of node groups.
struct QueueAffinity {
  bool present = false;                  ///< present but empty is not the same as absent: a child then inherits nothing
  span<const string_view> required, preferred, anti_required, anti_preferred;
};
struct Queue {
  Meta meta;
  QueueAffinity affinity;
  int32_t weight = 1;                    ///< absent reads as 1
  int32_t priority = 0;
  bool reclaimable = true;
  string_view parent, state;             ///< state absent reads as ""
  ResourceList capability, deserved, guarantee;
};

struct HyperNodeMember { bool is_hypernode = false; string_view exact_name, regex_pattern; bool has_label_match = false; };
struct HyperNode { Meta meta; int32_t tier = 0; string_view tier_name; span<const HyperNodeMember> members; };
struct PriorityClass { Meta meta; int32_t value = 0; bool global_default = false; bool preemption_never = false; };
struct ResourceQuota { Meta meta; ResourceList hard, used; };
struct Namespace { Meta meta; };
struct ConfigMap { Meta meta; bool has_scheduler_conf = false; string_view scheduler_conf; };  ///< data["volcano-scheduler.conf"]
struct PodDisruptionBudget {
  Meta meta;
  span<const KeyValue> match_labels;
  span<const Requirement> expressions;   ///< of the selector
  span<const string_view> disrupted_pods;  ///< names of pods whose eviction the API server has let pass already
  int32_t disruptions_allowed = 0;
};
/// A measured value of one node, as the custom metrics API lists them. It has no metadata: meta.name is "node/metric", the time is its version.
struct MetricValue {
  Meta meta;
  string_view node;                      ///< describedObject.name where its kind is Node, else empty
  string_view metric;
  Quantity value;
  int64_t seconds = 0;
};

}  // namespace basalt::objects

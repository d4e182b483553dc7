// The verifier's own picture of the input: plain copies of decoded objects. It shares nothing with the kernel's columns, on purpose.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "snapshot/decode.h"

namespace basalt::verify {

inline constexpr int kNone = -1;  ///< "no index"

/// Task statuses in the reference's order (volcano-core, section 2.4).
enum class Status : uint8_t { kPending, kAllocated, kPipelined, kBinding, kBound, kRunning, kReleasing, kSucceeded, kFailed, kUnknown };
inline constexpr int kStatusCount = 10;
std::string_view StatusName(Status status);
inline bool IsFinished(Status s) { return s == Status::kSucceeded || s == Status::kFailed; }
/// The class that counts as allocated in shares and gangs.
inline bool IsAllocated(Status s) { return s == Status::kBound || s == Status::kBinding || s == Status::kRunning || s == Status::kAllocated; }

/// Resource names as small numbers; cpu, memory and pods are fixed.
inline constexpr int kCpu = 0, kMemory = 1, kPods = 2;
class Dimensions {
 public:
  Dimensions();
  int Of(std::string_view name);
  std::string_view Name(int dim) const { return names_[static_cast<size_t>(dim)]; }
  int Count() const { return static_cast<int>(names_.size()); }
  /// "cpu 1500m", "memory 1024", "nvidia.com/gpu 2".
  std::string Text(int dim, int64_t value) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, int, std::less<>> index_;
};

/// Amounts in Volcano's units: milli-CPU, bytes, pods, scalars times 1000. Beyond kAmountLimit an amount counts as without bound: such a request
/// fits nowhere.
struct Amount { int dim; int64_t value; };
using Amounts = std::vector<Amount>;  ///< cpu, memory, then by name
inline constexpr int64_t kAmountLimit = int64_t{1} << 59;

using NamedQuantities = std::vector<std::pair<std::string, Quantity>>;

struct Port { std::string ip; int32_t port = 0; objects::Protocol protocol{}; };  ///< ip "": any
struct Requirement { std::string key; objects::Operator op{}; std::vector<std::string> values; };
struct Term { std::vector<Requirement> expressions, fields; };
struct Toleration { std::string key, value; objects::TolerationOperator op{}; objects::TaintEffect effect{}; };
struct Taint { std::string key, value; objects::TaintEffect effect{}; };

/// What a node is asked for: pods with an equal one share it.
struct PodClass {
  Amounts request;
  bool best_effort = false;  ///< asks for nothing but a pod's place
  std::vector<std::pair<std::string, std::string>> selector;
  bool has_required = false;
  std::vector<Term> required;
  std::vector<Toleration> tolerations;
  std::vector<Port> ports;
};

struct Pod {
  std::string key, uid, group_key, role, node_name, unsupported, queue_hint;
  uint64_t resource_version = 0;
  int64_t creation_seconds = 0;
  int32_t group_min_hint = 1;
  int cls = kNone, group = kNone, node = kNone;  ///< node: kNone also where the named node is not there
  Status status = Status::kPending;
  bool ours = false, gated = false, only_volcano_gate = false, implies_group = false;
  bool preemptable = true; ///< no annotation or label forbids to evict it
  bool critical = false;   ///< of a system-critical priority class, or in kube-system
  bool revocable = false;  ///< may run on revocable nodes (volcano-core, section 2.4)
  bool told = false;  ///< the input already carries PodScheduled=False
};

struct Node {
  std::string name;
  uint64_t resource_version = 0;
  bool unschedulable = false;
  std::vector<Taint> taints;
  std::map<std::string, std::string, std::less<>> labels;
  Amounts allocatable;
  int64_t max_pods = 0;
};

struct Group {
  std::string key, queue_name, phase, unsupported;
  uint64_t resource_version = 0;
  int32_t min_member = 0;
  std::vector<std::pair<std::string, int32_t>> role_min;
  int64_t role_min_total = 0;
  bool has_min_resources = false;
  Amounts min_resources;
  NamedQuantities min_named; ///< the same as written, quota names included
  int queue = kNone;         ///< kNone: the queue is not there; such a group takes no part
  std::vector<int> members;  ///< pods
};

struct Queue {
  std::string name, parent;  ///< parent empty: root
  uint64_t resource_version = 0;
  bool open = true, reclaimable = true;
  int32_t weight = 1;
  Amounts capability, guarantee, deserved;
  bool has_affinity = false;             ///< to node groups; an empty one counts
  std::vector<std::string> required, preferred, anti_required, anti_preferred;
  std::map<std::string, Amounts> group_limits;
  bool group_limits_invalid = false;
};

struct Quota {
  uint64_t resource_version = 0;
  NamedQuantities hard, used;
};

struct ClusterOptions {
  std::vector<std::string> scheduler_names = {"volcano"};  ///< "*": every name
  std::string default_queue = "default";
  bool implied_pod_groups = true;
};

class Cluster {
 public:
  explicit Cluster(ClusterOptions options) : options_(std::move(options)) {}

  /// Takes one decoded object in. Of duplicates the higher resourceVersion wins, of equal ones the later.
  void Add(const Decoded& object);
  /// Joins everything: members of groups, groups that Volcano's controller would make, queues that are implied. Call once, after the last object.
  void Finish();

  Dimensions dims;
  std::vector<Node> nodes;
  std::vector<Pod> pods;             ///< an empty key: a pod that went away again
  std::vector<PodClass> classes;
  std::vector<Group> groups;
  std::vector<Queue> queues;
  std::map<std::string, Quota> quotas;  ///< by "namespace/name"
  std::map<std::string, int, std::less<>> node_by_name, group_by_key, queue_by_name;
  std::unordered_map<std::string, int> pod_by_key;
  int64_t nodes_read = 0, pods_read = 0, groups_read = 0, queues_read = 0;  ///< distinct objects, implied ones not included
  bool has_config = false;
  std::string config;

 private:
  Amounts AmountsOf(objects::ResourceList list);
  void ReadGroupLimits(std::string_view text, Queue* queue);
  Amounts RequestOf(const objects::Pod& pod);
  int ClassOf(const objects::Pod& pod);
  void AddNode(const objects::Node& node);
  void AddPod(const objects::Pod& pod);
  void AddGroup(const objects::PodGroup& group);
  void AddQuota(const objects::Meta& meta, const objects::ResourceQuota& quota);
  void AddQueue(const objects::Queue& queue);
  int QueueIndex(const std::string& name) const;

  ClusterOptions options_;
  std::unordered_map<std::string, int> class_by_key_;
  std::unordered_set<std::string> pod_keys_;  ///< every pod read, also the unplaced ones of other schedulers, which are counted and else unused
  uint64_t config_version_ = 0;
};

}  // namespace basalt::verify

// task-topology's buckets: tasks of one job that want to share a node, formed when a session opens (volcano-core, section 7.9).
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "kernel/vector.h"
#include "snapshot/store.h"

namespace basalt {

/// Tasks that belong together. Those that have a node count by node, the others wait.
struct TaskBucket {
  std::vector<PodId> waiting;           ///< in the order in which they came in
  Amounts request;                      ///< of those
  double weight = 0;                    ///< milli-CPU + MiB + scalars of those, at the opening
  std::map<NodeId, int32_t> placed_on;
  std::map<StringId, int32_t> roles;    ///< of all its tasks
};

class TaskBuckets {
 public:
  static constexpr int kOutside = -1;

  /// False where the job's annotations name a role that no task has, or one twice: then the job has no topology.
  static bool Valid(const Store& store, const JobRow& job);
  /// Precondition: Valid.
  TaskBuckets(const Store& store, const JobRow& job);

  /// Index into buckets(), kOutside for a task without a role that the topology names.
  int BucketOf(PodId pod) const;
  const std::vector<TaskBucket>& buckets() const { return buckets_; }
  int32_t largest() const { return largest_; }  ///< tasks of the largest bucket at the opening

  /// Compares two tasks of a bucket by the order of their roles; negative: a first.
  int CompareRoles(const Store& store, PodId a, PodId b) const;
  /// Against the tasks that this session placed on a node: the number of tasks that the pod's role shuns, negative.
  int32_t ShunnedOn(const Store& store, PodId pod, NodeId node) const;

  /// After a task was placed (sign 1) or taken back (-1).
  void Move(const Store& store, PodId pod, NodeId node, int sign);

 private:
  /// Role from the annotation alone, as the buckets take it.
  static StringId RoleOf(const PodRow& pod) { return pod.role_annotated ? pod.role : StringId{}; }
  void Relate(const std::vector<std::vector<StringId>>& groups, int self_rank, int inter_rank, std::set<std::pair<StringId, StringId>>* related);
  int32_t Affinity(StringId role, const std::map<StringId, int32_t>& roles) const;
  void Put(const Store& store, PodId pod, int bucket);

  std::set<std::pair<StringId, StringId>> affine_, shunning_;  ///< pairs of roles, both ways; a role with itself
  std::map<StringId, int> rank_, order_;                       ///< of roles: higher first
  std::vector<TaskBucket> buckets_;
  std::map<PodId, int> bucket_of_;
  std::map<NodeId, std::map<StringId, int32_t>> placed_roles_; ///< placed by this session
  int32_t largest_ = 0;
};

}  // namespace basalt

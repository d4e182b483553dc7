#include "kernel/policies/task_buckets.h"

#include <algorithm>

namespace basalt {
namespace {

int RankIn(const std::map<StringId, int>& ranks, StringId role) {
  const auto at = ranks.find(role);
  return at == ranks.end() ? 0 : at->second;
}

}  // namespace

bool TaskBuckets::Valid(const Store& store, const JobRow& job) {
  std::set<StringId> known;
  for (const PodId t : job.pods) known.insert(store.pods[t.value].role);
  const StringId empty = store.nodes.well_known.empty;
  const auto valid = [&](const std::vector<StringId>& group) {
    std::set<StringId> seen;
    return std::all_of(group.begin(), group.end(), [&](StringId role) { return role == empty || (known.count(role) && seen.insert(role).second); });
  };
  const TaskTopology& t = *job.topology;
  return std::all_of(t.affinity.begin(), t.affinity.end(), valid) && std::all_of(t.anti_affinity.begin(), t.anti_affinity.end(), valid) && valid(t.order);
}

TaskBuckets::TaskBuckets(const Store& store, const JobRow& job) {
  const TaskTopology& topology = *job.topology;
  Relate(topology.affinity, 2, 3, &affine_);
  Relate(topology.anti_affinity, 4, 1, &shunning_);
  for (size_t i = 0; i < topology.order.size(); i++) order_[topology.order[i]] = static_cast<int>(topology.order.size() - i);

  std::vector<PodId> tasks;
  for (const PodId t : job.pods)
    if (rank_.count(RoleOf(store.pods[t.value]))) tasks.push_back(t);
  std::sort(tasks.begin(), tasks.end(), [&](PodId a, PodId b) {
    const PodRow &pa = store.pods[a.value], &pb = store.pods[b.value];
    if (bool{pa.node} != bool{pb.node}) return bool{pa.node};
    if (pa.node != pb.node) return store.NodeName(pa.node) < store.NodeName(pb.node);
    const int order = CompareRoles(store, a, b);
    return order ? order < 0 : pa.key < pb.key;
  });
  std::map<NodeId, int> of_node;
  for (const PodId t : tasks) {
    const PodRow& p = store.pods[t.value];
    int chosen = kOutside;
    int32_t best = INT32_MIN;
    if (p.node) {
      const auto [at, added] = of_node.try_emplace(p.node, static_cast<int>(buckets_.size()));
      chosen = at->second;
      if (added) buckets_.emplace_back();
    } else {
      for (size_t b = 0; b < buckets_.size(); b++) {
        const int32_t affinity = Affinity(RoleOf(p), buckets_[b].roles);
        if (affinity > best || (affinity == best && buckets_[b].weight < buckets_[static_cast<size_t>(chosen)].weight)) best = affinity, chosen = static_cast<int>(b);
      }
      if (chosen == kOutside || best < 0) chosen = static_cast<int>(buckets_.size()), buckets_.emplace_back();
    }
    Put(store, t, chosen);
  }
}

void TaskBuckets::Relate(const std::vector<std::vector<StringId>>& groups, int self_rank, int inter_rank, std::set<std::pair<StringId, StringId>>* related) {
  const auto raise = [&](StringId role, int rank) { rank_[role] = std::max(rank_[role], rank); };
  for (const auto& group : groups) {
    if (group.size() == 1) related->emplace(group[0], group[0]), raise(group[0], self_rank);
    if (group.size() < 2) continue;
    for (size_t i = 0; i < group.size(); i++) {
      raise(group[i], inter_rank);
      for (size_t j = 0; j < i; j++)
        if (group[i] != group[j]) related->emplace(group[i], group[j]), related->emplace(group[j], group[i]);
    }
  }
}

int32_t TaskBuckets::Affinity(StringId role, const std::map<StringId, int32_t>& roles) const {
  int32_t sum = 0;
  for (const auto& [other, count] : roles) {
    if (affine_.count({role, other})) sum += count;
    if (shunning_.count({role, other})) sum -= count;
  }
  return sum;
}

void TaskBuckets::Put(const Store& store, PodId pod, int bucket) {
  const PodRow& p = store.pods[pod.value];
  TaskBucket& b = buckets_[static_cast<size_t>(bucket)];
  bucket_of_[pod] = bucket;
  b.roles[RoleOf(p)]++;
  if (p.node) {
    b.placed_on[p.node]++;
  } else {
    b.waiting.push_back(pod);
    const auto& request = store.classes[p.cls.value].request;
    b.request.Add(request, 1);
    for (const ResourceAmount& r : request) b.weight += static_cast<double>(r.amount) / (r.id == kMemory ? 1024.0 * 1024.0 : 1.0);
  }
  int32_t size = static_cast<int32_t>(b.waiting.size());
  for (const auto& [node, count] : b.placed_on) size += count;
  largest_ = std::max(largest_, size);
}

int TaskBuckets::BucketOf(PodId pod) const {
  const auto at = bucket_of_.find(pod);
  return at == bucket_of_.end() ? kOutside : at->second;
}

int TaskBuckets::CompareRoles(const Store& store, PodId a, PodId b) const {
  const StringId ra = RoleOf(store.pods[a.value]), rb = RoleOf(store.pods[b.value]);
  if (ra == rb) return 0;
  for (const auto* ranks : {&order_, &rank_})
    if (const int difference = RankIn(*ranks, rb) - RankIn(*ranks, ra)) return difference;
  return 0;
}

int32_t TaskBuckets::ShunnedOn(const Store& store, PodId pod, NodeId node) const {
  const auto at = placed_roles_.find(node);
  int32_t sum = 0;
  if (at != placed_roles_.end())
    for (const auto& [other, count] : at->second)
      if (shunning_.count({RoleOf(store.pods[pod.value]), other})) sum -= count;
  return sum;
}

void TaskBuckets::Move(const Store& store, PodId pod, NodeId node, int sign) {
  const PodRow& p = store.pods[pod.value];
  if (const StringId role = RoleOf(p)) placed_roles_[node][role] += sign;
  const int index = BucketOf(pod);
  if (index == kOutside) return;
  TaskBucket& b = buckets_[static_cast<size_t>(index)];
  b.placed_on[node] += sign;
  b.request.Add(store.classes[p.cls.value].request, -sign);
  if (sign > 0) std::erase(b.waiting, pod);
  else b.waiting.push_back(pod);
}

}  // namespace basalt

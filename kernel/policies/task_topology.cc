// task-topology: tasks of a job that belong together go to one node, those that shun each other to different ones (volcano-core, section 7.9).
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/policies/task_buckets.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class TaskTopologyPolicy final : public Policy {
 public:
  explicit TaskTopologyPolicy(int64_t weight) : weight_(static_cast<double>(weight)) {}
  uint32_t Families() const override { return FamilyBit(Family::kTaskOrder) | FamilyBit(Family::kNodeScore) | FamilyBit(Family::kEvents); }

  void Open(Session& s) override {
    jobs_.clear(), node_of_.clear();
    for (const JobId id : s.jobs()) {
      const JobRow& job = s.store.jobs[id.value];
      if (job.topology && job.Count(TaskStatus::kPending) && TaskBuckets::Valid(s.store, job)) jobs_.emplace(id, TaskBuckets(s.store, job));
    }
  }

  int TaskOrder(Session& s, PodId a, PodId b) override {
    const TaskBuckets *ja = Of(s, a), *jb = Of(s, b);
    if (!ja || !jb) return 0;
    const int ba = ja->BucketOf(a), bb = jb->BucketOf(b);
    if ((ba == TaskBuckets::kOutside) != (bb == TaskBuckets::kOutside)) return ba == TaskBuckets::kOutside ? 1 : -1;
    if (ja != jb || ba == TaskBuckets::kOutside) return 0;
    const auto &first = ja->buckets()[static_cast<size_t>(ba)], &second = jb->buckets()[static_cast<size_t>(bb)];
    if (first.waiting.size() != second.waiting.size()) return first.waiting.size() > second.waiting.size() ? -1 : 1;
    return ba == bb ? ja->CompareRoles(s.store, a, b) : ba < bb ? -1 : 1;
  }

  // Volcano has no way back from a placement: what a discarded trial put into the buckets stays, and a second one ends the process. Here it is undone.
  void Changed(Session& s, PodId pod, int sign) override {
    const auto job = jobs_.find(s.store.pods[pod.value].job);
    if (job == jobs_.end()) return;
    if (sign > 0) {
      if (s.store.pods[pod.value].status == TaskStatus::kRunning) return;  // an eviction that is undone
      node_of_[pod] = s.store.pods[pod.value].node;
    }
    const auto node = node_of_.find(pod);
    if (node == node_of_.end()) return;  // an eviction: the bucket keeps what runs
    job->second.Move(s.store, pod, node->second, sign);
    if (sign < 0) node_of_.erase(node);
  }

  uint64_t NodeKey(Session& s, PodId pod) override {
    const TaskBuckets* job = Of(s, pod);
    return job && job->BucketOf(pod) != TaskBuckets::kOutside ? pod.value + uint64_t{1} : 0;
  }
  uint64_t NodeVersion(Session&, uint64_t, uint64_t node_position) override { return node_position; }

  void ScoreNodes(Session& s, uint64_t key, NodeRules* rules) override {
    const PodId pod{static_cast<uint32_t>(key - 1)};
    const TaskBuckets& job = *Of(s, pod);
    Column<double>& score = rules->score[static_cast<size_t>(scoring::PolicyScore::kTaskTopology)];
    score.Resize(PaddedRows(s.store.nodes.rows));
    for (uint32_t row = 0; row < s.store.nodes.rows; row++) {
      if (!s.store.nodes.present[row]) continue;
      score[row] = static_cast<double>(Score(s, job, pod, NodeId{row})) * weight_;
      if (job.largest() != 0) score[row] = score[row] * 100 / job.largest();
    }
  }

 private:
  const TaskBuckets* Of(Session& s, PodId pod) const {
    const auto at = jobs_.find(s.store.pods[pod.value].job);
    return at == jobs_.end() ? nullptr : &at->second;
  }

  // Tasks of the bucket that the node has or could have, less those that shun the task.
  static int64_t Score(Session& s, const TaskBuckets& job, PodId pod, NodeId node) {
    const Amounts room = IdleAndReleasing(s.store, node);
    const auto& request = s.store.classes[s.store.pods[pod.value].cls.value].request;
    for (const ResourceAmount& r : request)
      if (room[r.id] < r.amount) return 0;
    const TaskBucket& bucket = job.buckets()[static_cast<size_t>(job.BucketOf(pod))];
    const auto placed = bucket.placed_on.find(node);
    int64_t score = placed == bucket.placed_on.end() ? 0 : placed->second;
    score += job.ShunnedOn(s.store, pod, node);
    score += static_cast<int64_t>(bucket.waiting.size());
    // What does not fit beside the task is taken out again, task by task.
    Amounts rest = bucket.request;
    const auto fits = [&] {
      for (uint32_t r = 0; r < rest.size(); r++)
        if (rest[ResourceId{r}] > room[ResourceId{r}]) return false;
      return true;
    };
    for (size_t i = bucket.waiting.size(); i-- > 0 && !fits();) {
      if (bucket.waiting[i] == pod) continue;
      rest.Add(s.store.classes[s.store.pods[bucket.waiting[i].value].cls.value].request, -1);
      score--;
    }
    return score;
  }

  static Amounts IdleAndReleasing(const Store& store, NodeId node) {
    Amounts room;
    for (uint32_t r = 0; r < store.ResourceCount(); r++) room.Add(ResourceId{r}, store.nodes.idle[r][node.value]);
    if (store.nodes.moving_tasks)
      for (const PodId t : store.node_pods[node.value])
        if (store.pods[t.value].status == TaskStatus::kReleasing) room.Add(store.classes[store.pods[t.value].cls.value].request, 1);
    return room;
  }

  const double weight_;
  std::map<JobId, TaskBuckets> jobs_;  ///< with a valid topology and a task that waits
  std::map<PodId, NodeId> node_of_;    ///< where this session placed tasks
};

}  // namespace

std::unique_ptr<Policy> MakeTaskTopology(const PluginOption&, scoring::ArgumentReader* arguments) {
  return std::make_unique<TaskTopologyPolicy>(arguments->Int("task-topology.weight", 1));
}

}  // namespace basalt

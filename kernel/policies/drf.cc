// drf: the job with the smallest dominant share goes first; with enableHierarchy, queues too, along a weighted tree (volcano-queues, section 4).
#include <charconv>
#include <limits>
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"
#include "kernel/vector.h"

namespace basalt {
namespace {

/// A node of the queue tree: inner nodes are path elements, leaves are jobs.
struct TreeNode {
  double weight = 1, share = 0;
  bool saturated = false;
  Vector allocated;
  JobId job;                            ///< set in a leaf
  std::map<std::string, int> children;  ///< by path element
  std::vector<int> jobs;                ///< leaves below an inner node
};

class Drf final : public Policy {
 public:
  explicit Drf(bool hierarchy) : hierarchy_(hierarchy) {}
  uint32_t Families() const override {
    return FamilyBit(Family::kJobOrder) | FamilyBit(Family::kEvents) | FamilyBit(Family::kPreemptable) |
           (hierarchy_ ? FamilyBit(Family::kQueueOrder) | FamilyBit(Family::kReclaimable) : 0);
  }

  void Open(Session& s) override {
    total_ = Vector(s.store.total_allocatable);
    share_.assign(s.store.jobs.size(), 0);
    for (const JobId j : s.jobs()) share_[j.value] = DominantOf(s.store.jobs[j.value]);
    if (hierarchy_) BuildTree(s);
  }

  double JobShare(JobId job) const override { return job.value < share_.size() ? share_[job.value] : -1; }

  int JobOrder(Session&, JobId a, JobId b) override {
    const double sa = share_[a.value], sb = share_[b.value];
    return sa < sb ? -1 : sa > sb ? 1 : 0;
  }

  int QueueOrder(Session& s, QueueId a, QueueId b) override {
    if (stale_) Recompute(s);
    return CompareQueues(s, a, b);
  }

  // Tasks of jobs that, without them, still have at least the share that the evictor's job would have with it.
  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (!s.Takes(query.job)) return true;
    Vector own = HeldOf(s.store.jobs[query.job.value]);
    own.Add(RequestOf(s, query.evictor));
    const double share = Dominant(own);
    std::map<JobId, Vector> left;
    for (const PodId t : query.candidates) {
      const JobId job = s.store.pods[t.value].job;
      if (!s.Takes(job)) continue;
      Vector& held = left.try_emplace(job, HeldOf(s.store.jobs[job.value])).first->second;
      held.Subtract(RequestOf(s, t));  // also where it is not chosen, as in Volcano
      const double rest = Dominant(held);
      if (share < rest || std::abs(share - rest) <= kShareDelta) victims->push_back(t);
    }
    return true;
  }

  // Hierarchy only: tasks whose queue, without them, still stands behind the evictor's queue with it. Each is judged alone.
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (!s.Takes(query.job)) return true;
    for (const PodId t : query.candidates) {
      const JobId job = s.store.pods[t.value].job;
      if (!s.Takes(job)) continue;
      trial_.clear();
      trial_[query.job].Add(RequestOf(s, query.evictor));
      trial_[job].Subtract(RequestOf(s, t));
      // A job that gets its last task is sated only by it: in Volcano it then loses against every hungry queue.
      sated_only_by_trial_ = s.config.evictions == Evictions::kMinimal ? query.job : JobId{};
      Recompute(s);
      if (CompareQueues(s, s.store.jobs[query.job.value].queue, s.store.jobs[job.value].queue) < 0) victims->push_back(t);
    }
    trial_.clear();
    sated_only_by_trial_ = {};
    stale_ = true;
    return true;
  }

  void Changed(Session& s, PodId pod, int) override {
    const JobId job = s.store.pods[pod.value].job;
    share_[job.value] = DominantOf(s.store.jobs[job.value]);
    stale_ = true;
  }

 private:
  static constexpr double kShareDelta = 1e-6;  ///< shares that differ less are equal to Preemptable

  int CompareQueues(Session& s, QueueId a, QueueId b) const {
    int left = 0, right = 0;
    const auto& pa = s.store.queues[a.value].hierarchy;
    const auto& pb = s.store.queues[b.value].hierarchy;
    // Element 0 is the root and is not compared by name.
    for (size_t depth = 0; depth < std::min(pa.size(), pb.size()); depth++) {
      const TreeNode& l = tree_[left];
      const TreeNode& r = tree_[right];
      if (l.saturated != r.saturated) return l.saturated ? 1 : -1;
      const double difference = l.share / l.weight - r.share / r.weight;
      if (difference != 0) return difference < 0 ? -1 : 1;
      if (depth + 1 >= std::min(pa.size(), pb.size())) break;
      left = Child(left, pa[depth + 1]), right = Child(right, pb[depth + 1]);
      if (left < 0 || right < 0) break;
    }
    return 0;
  }

  static double Held(const JobRow& job, ResourceId r) { return static_cast<double>(job.allocated[r] + job.pipelined[r]); }
  static Vector RequestOf(Session& s, PodId pod) { return Vector(s.store.classes[s.store.pods[pod.value].cls.value].request); }
  static Vector HeldOf(const JobRow& job) {
    Vector v(job.allocated);
    v.Add(Vector(job.pipelined));
    return v;
  }
  double DominantOf(const JobRow& job) const {
    double share = 0;
    total_.ForEach([&](ResourceId r, double t) {
      if (t >= Vector::kEpsilon) share = std::max(share, Share(Held(job, r), t));
    });
    return share;
  }
  double Dominant(const Vector& v) const {
    double share = 0;
    total_.ForEach([&](ResourceId r, double t) {
      if (t >= Vector::kEpsilon) share = std::max(share, Share(v[r], t));
    });
    return share;
  }

  int Child(int node, const std::string& name) const {
    const auto it = tree_[node].children.find(name);
    return it == tree_[node].children.end() ? -1 : it->second;
  }

  // Volcano ends with an index error where the weights are fewer than the path's elements; here a missing weight counts as 1.
  static double WeightOf(const QueueRow& queue, size_t i) {
    if (i >= queue.hierarchy_weights.size()) return 1;
    const std::string& text = queue.hierarchy_weights[i];
    double weight = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
    return error == std::errc() && end == text.data() + text.size() && weight >= 1 ? weight : 1;
  }

  void BuildTree(Session& s) {
    tree_.assign(1, {});
    for (const JobId j : s.jobs()) {  // in key order: the first job that makes a node fixes its weight
      const QueueRow& queue = s.store.queues[s.store.jobs[j.value].queue.value];
      int at = 0;
      for (size_t i = 1; i < queue.hierarchy.size(); i++) {
        int next = Child(at, queue.hierarchy[i]);
        if (next < 0) {
          next = static_cast<int>(tree_.size());
          tree_[at].children.emplace(queue.hierarchy[i], next);
          tree_.emplace_back();
          tree_.back().weight = WeightOf(queue, i);
        }
        at = next;
      }
      tree_[at].jobs.push_back(static_cast<int>(tree_.size()));
      tree_.emplace_back();
      tree_.back().job = j;
    }
    stale_ = true;
  }

  // The whole tree is recomputed from the live sums, but only when somebody compares.
  void Recompute(Session& s) {
    stale_ = false;
    Vector held;
    for (const JobId j : s.jobs()) held.Add(HeldOf(s.store.jobs[j.value]));
    for (const auto& [job, change] : trial_) held.Add(change);
    std::vector<uint8_t> demanding(total_.size(), 0);
    total_.ForEach([&](ResourceId r, double t) { demanding[r.value] = held[r] < t; });
    Visit(s, 0, demanding);
  }

  void Visit(Session& s, int at, const std::vector<uint8_t>& demanding) {
    if (tree_[at].job) {
      TreeNode& leaf = tree_[at];
      const JobRow& job = s.store.jobs[leaf.job.value];
      leaf.allocated = HeldOf(job);
      leaf.share = share_[leaf.job.value];
      if (const auto change = trial_.find(leaf.job); change != trial_.end()) {
        leaf.allocated.Add(change->second);
        leaf.share = Dominant(leaf.allocated);
      }
      leaf.saturated = false;
      leaf.allocated.ForEach([&](ResourceId r, double a) {
        const double request = static_cast<double>(job.total[r]);
        if (a < Vector::kEpsilon || request == 0) return;
        if ((a >= request && leaf.job != sated_only_by_trial_) || r.value >= demanding.size() || !demanding[r.value]) leaf.saturated = true;
      });
      return;
    }
    std::vector<int> below = tree_[at].jobs;
    for (const auto& [name, child] : tree_[at].children) below.push_back(child);
    double least = 1;
    bool saturated = true;
    for (const int c : below) {
      Visit(s, c, demanding);
      const TreeNode& child = tree_[c];
      if (child.share != 0 && !child.saturated) least = std::min(least, Dominant(child.allocated));
      saturated = saturated && child.saturated;
    }
    TreeNode& node = tree_[at];
    node.allocated = Vector();
    for (const int c : below) {
      const TreeNode& child = tree_[c];
      if (child.share != 0) node.allocated.Add(child.allocated, child.saturated ? 1 : least / child.share);
    }
    node.share = Dominant(node.allocated);
    node.saturated = saturated;
  }

  const bool hierarchy_;
  bool stale_ = true;
  Vector total_;
  std::vector<double> share_;
  std::map<JobId, Vector> trial_;  ///< what a trial adds to jobs
  JobId sated_only_by_trial_;
  std::vector<TreeNode> tree_;
};

}  // namespace

std::unique_ptr<Policy> MakeDrf(const PluginOption& option, scoring::ArgumentReader*) { return std::make_unique<Drf>(option.On(Switch::kHierarchy)); }

}  // namespace basalt

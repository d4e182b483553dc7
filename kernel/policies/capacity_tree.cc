// capacity with enableHierarchy: queues form a tree, and every limit is asked from the leaf up to the root (volcano-queues, sections 3.2 to 3.6).
#include <limits>

#include "kernel/policies/capacity_lines.h"
#include "kernel/policies/catalogue.h"
#include "kernel/policies/queue_sums.h"
#include "kernel/queue_tree.h"

namespace basalt {
namespace {

class CapacityTree final : public Policy {
 public:
  explicit CapacityTree(int64_t reclaim_levels) : reclaim_levels_(reclaim_levels) {}
  uint32_t Families() const override {
    return FamilyBit(Family::kQueueOrder) | FamilyBit(Family::kAllocatable) | FamilyBit(Family::kJobEnqueueable) | FamilyBit(Family::kJobEnqueued) |
           FamilyBit(Family::kEvents) | FamilyBit(Family::kPreemptive) | FamilyBit(Family::kReclaimable) | FamilyBit(Family::kUnifiedEvictable) |
           FamilyBit(Family::kVictimQueueOrder);
  }

  void Open(Session& s) override {
    tree_ = QueueTree(s.store);
    queues_.assign(s.store.queues.size(), {});
    for (const JobId id : s.jobs()) {
      const JobRow& job = s.store.jobs[id.value];
      for (QueueId q = job.queue; q; q = tree_.Parent(q)) queues_[q.value].AddJob(job);
    }
    Limits(s.store);
    for (QueueSums& q : queues_) Reshare(&q);
  }

  int QueueOrder(Session& s, QueueId a, QueueId b) override {
    const bool aside_a = Aside(a), aside_b = Aside(b);
    if (aside_a || aside_b) return int{aside_a} - int{aside_b};
    const int32_t pa = s.store.queues[a.value].priority, pb = s.store.queues[b.value].priority;
    if (pa != pb) return pa > pb ? -1 : 1;
    const bool leaf = tree_.IsLeaf(a);
    if (leaf != tree_.IsLeaf(b)) return leaf ? -1 : 1;
    // Leaves are compared by the shares of the siblings above them; those are the ones of the opening, since only a leaf's share follows the session.
    if (leaf) tree_.Part(&a, &b);
    return CompareShares(queues_[a.value], queues_[b.value]);
  }

  bool Allocatable(Session& s, QueueId queue, PodId pod) override {
    if (!s.store.queues[queue.value].open || !Works(queue)) return false;
    const auto& request = s.store.classes[s.store.pods[pod.value].cls.value].request;
    for (QueueId q = queue; q; q = tree_.Parent(q))
      if (!queues_[q.value].HasRoom(request, queues_[q.value].real_capability)) return false;
    return true;
  }

  Vote JobEnqueueable(Session& s, JobId id, EnqueueRefusal* refusal) override {
    const JobRow& job = s.store.jobs[id.value];
    if (!Works(job.queue) || !s.store.queues[job.queue.value].open) return Vote::kReject;
    if (!job.has_min_resources) return Vote::kPermit;
    for (QueueId q = job.queue; q; q = tree_.Parent(q))
      if (!queues_[q.value].Admits(job.min_resources, &refusal->exceeded)) {
        refusal->queue = q;
        return Vote::kReject;
      }
    return Vote::kPermit;
  }

  void JobEnqueued(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    if (!job.has_min_resources) return;
    const Vector reserved(DeductGated(job, job.min_resources));
    for (QueueId q = job.queue; q; q = tree_.Parent(q)) queues_[q.value].inqueue.Add(reserved);
  }

  void Changed(Session& s, PodId pod, int sign) override {
    const PodRow& p = s.store.pods[pod.value];
    const QueueId leaf = s.store.jobs[p.job.value].queue;
    for (QueueId q = leaf; q; q = tree_.Parent(q)) queues_[q.value].Move(s.store.classes[p.cls.value].request, sign);
    Reshare(&queues_[leaf.value]);
  }

  bool Preemptive(Session& s, QueueId queue, const std::vector<PodId>& tasks) override { return !Aside(queue) && MayTake(s, Lines(), queue, tasks); }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (s.Takes(query.job) && !Aside(s.store.jobs[query.job.value].queue)) SpareTasks(s, Lines(), query, victims);
    return true;
  }
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (query.reclaim) SpareTasksOfGangs(s, Lines(), query, victims);
    else *victims = query.candidates;
    return true;
  }
  // The closest relatives of the evictor's queue go first: those whose path parts from its path deepest down.
  int VictimQueueOrder(Session&, QueueId a, QueueId b, QueueId evictor) override {
    if (Aside(a) || Aside(b) || Aside(evictor)) return 0;
    return CommonLevel(b, evictor) - CommonLevel(a, evictor);
  }

  bool View(QueueId queue, QueueView* view) const override {
    if (queue.value >= queues_.size() || Aside(queue)) return false;
    const QueueSums& s = queues_[queue.value];
    *view = {s.allocated, s.inqueue, s.guarantee, s.deserved, s.real_capability, s.real_capability, s.share};
    return true;
  }

 private:
  QueueLines Lines() const { return {queues_, &tree_, reclaim_levels_}; }
  /// Depth of the last ancestor that both have.
  int32_t CommonLevel(QueueId a, QueueId b) const {
    QueueId above_a = tree_.Parent(a), above_b = tree_.Parent(b);
    if (!above_a || !above_b) return 0;
    while (above_a != above_b) {
      if (tree_.Depth(above_a) >= tree_.Depth(above_b)) above_a = tree_.Parent(above_a);
      else above_b = tree_.Parent(above_b);
    }
    return tree_.Depth(above_a);
  }
  bool Aside(QueueId q) const { return tree_.Fault(q) != QueueFault::kNone; }
  /// Only a leaf of the tree takes jobs.
  bool Works(QueueId q) const { return !Aside(q) && tree_.IsLeaf(q); }
  static void Reshare(QueueSums* s) { s->share = s->deserved.IsEmpty() ? 1 : ShareOf(s->allocated, s->deserved); }

  // Smaller share first; on equal shares the queue that deserves something.
  static int CompareShares(const QueueSums& a, const QueueSums& b) {
    if (a.share != b.share) return a.share < b.share ? -1 : 1;
    return int{a.deserved.IsEmpty()} - int{b.deserved.IsEmpty()};
  }

  // Top-down: what a queue leaves open it has from its parent, and what siblings are guaranteed is out of its reach.
  void Limits(const Store& store) {
    std::vector<Vector> capability(queues_.size()), guaranteed(queues_.size());
    for (const QueueId q : tree_.top_down()) {
      const QueueRow& row = store.queues[q.value];
      QueueSums& sums = queues_[q.value];
      sums.guarantee = Vector(row.guarantee);
      sums.deserved = Vector(row.deserved);
      sums.deserved.Max(sums.guarantee);
      if (const QueueId parent = tree_.Parent(q)) guaranteed[parent.value].Add(sums.guarantee);
    }
    for (const QueueId q : tree_.top_down()) {
      QueueSums& sums = queues_[q.value];
      Vector& own = capability[q.value];
      own = Vector(store.queues[q.value].capability);
      const QueueId parent = tree_.Parent(q);
      if (!parent) {
        OpenRoot(store, &own);
        sums.real_capability = own;
        sums.guarantee = guaranteed[q.value];
        sums.deserved = Vector();
        continue;
      }
      if (parent == tree_.root()) queues_[parent.value].deserved.Add(sums.deserved);
      capability[parent.value].ForEach([&](ResourceId r, double above) {
        if (r.value <= kMemory.value ? own[r] <= 0 : !own.Has(r)) own.Set(r, above);
      });
      sums.real_capability = queues_[parent.value].real_capability.ExceededPart(guaranteed[parent.value]);
      sums.real_capability.Add(sums.guarantee);
      sums.real_capability.MinDimension(own, /*absent_is_infinite=*/true);
    }
  }

  // A root without any capability is unlimited in what the cluster has; with one it is taken as it stands, a missing memory as none.
  static void OpenRoot(const Store& store, Vector* capability) {
    if (!capability->IsEmpty()) return;
    for (const ResourceId r : {kCpu, kMemory}) capability->Set(r, std::numeric_limits<double>::max());
    Vector(store.total_allocatable).ForEach([&](ResourceId r, double has) {
      if (r.value > kMemory.value && has > 0) capability->Set(r, static_cast<double>(std::numeric_limits<int64_t>::max()));
    });
  }

  const int64_t reclaim_levels_;  ///< ancestorReclaimLevel
  QueueTree tree_;
  std::vector<QueueSums> queues_;  ///< by queue row; an inner queue's are the sums of all below it
};

}  // namespace

std::unique_ptr<Policy> MakeCapacityTree(const PluginOption&, scoring::ArgumentReader* arguments) {
  return std::make_unique<CapacityTree>(std::max<int64_t>(arguments->Int("ancestorReclaimLevel", 0), 0));
}

}  // namespace basalt

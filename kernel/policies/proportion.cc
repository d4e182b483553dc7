// proportion: the cluster is divided among queues by weight, within request, guarantee and capability (volcano-queues, section 2).
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/policies/queue_sums.h"

namespace basalt {
namespace {

class Proportion final : public QueuePolicy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kQueueOrder) | FamilyBit(Family::kOverused) | FamilyBit(Family::kAllocatable) | FamilyBit(Family::kJobEnqueueable) |
           FamilyBit(Family::kJobEnqueued) | FamilyBit(Family::kEvents) | FamilyBit(Family::kPreemptive) | FamilyBit(Family::kReclaimable);
  }

  void Open(Session& s) override {
    queues_ = SumQueues(s);
    Divide(s.store);
  }

  int QueueOrder(Session& s, QueueId a, QueueId b) override {
    const QueueRow& qa = s.store.queues[a.value];
    const QueueRow& qb = s.store.queues[b.value];
    if (qa.priority != qb.priority) return qa.priority > qb.priority ? -1 : 1;
    const double sa = queues_[a.value].share, sb = queues_[b.value].share;
    return sa < sb ? -1 : sa > sb ? 1 : 0;
  }

  bool Overused(Session&, QueueId q) override { return queues_[q.value].deserved.LessEqual(queues_[q.value].allocated); }

  // A queue may take back what keeps it within its due, in every dimension that is asked for.
  bool Preemptive(Session& s, QueueId queue, const std::vector<PodId>& tasks) override {
    if (!s.store.queues[queue.value].open) return false;
    Amounts sum;
    for (const PodId t : tasks) sum.Add(s.store.classes[s.store.pods[t.value].cls.value].request, 1);
    std::vector<ResourceAmount> request;
    for (uint32_t r = 0; r < sum.size(); r++) request.push_back({ResourceId{r}, sum[ResourceId{r}]});
    return queues_[queue.value].HasRoom(request, queues_[queue.value].deserved);
  }
  // Tasks of queues that have more than their due in some dimension, as long as they do. Who reclaims is not looked at.
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    std::map<QueueId, Vector> left;
    for (const PodId t : query.candidates) {
      const PodRow& p = s.store.pods[t.value];
      if (!s.Takes(p.job) || !queues_[s.store.jobs[p.job.value].queue.value].exists) continue;
      const QueueSums& sums = queues_[s.store.jobs[p.job.value].queue.value];
      Vector& allocated = left.try_emplace(s.store.jobs[p.job.value].queue, sums.allocated).first->second;
      if (allocated.LessEqual(sums.deserved)) continue;
      allocated.Subtract(Vector(s.store.classes[p.cls.value].request));
      victims->push_back(t);
    }
    return true;
  }

 protected:
  const Vector& Limit(const QueueSums& sums) const override { return sums.deserved; }
  void Reshare(QueueSums* sums) const override { sums->share = ShareOf(sums->allocated, sums->deserved); }

 private:
  // Weighted filling, pass by pass, in Volcano's order of operations (section 2.2): in one pass every queue that is not met takes its weight's part of
  // the same remainder, held within limit, request and guarantee.
  void Divide(const Store& store) {
    Vector remaining(store.total_allocatable);
    std::vector<uint8_t> met(queues_.size(), 0);
    while (true) {
      int64_t weights = 0;
      for (uint32_t q = 0; q < queues_.size(); q++)
        if (queues_[q].exists && !met[q]) weights += store.queues[q].weight;
      if (weights == 0) return;
      const Vector old = remaining;
      Vector increased, decreased;
      for (uint32_t q = 0; q < queues_.size(); q++) {
        QueueSums& s = queues_[q];
        if (!s.exists || met[q]) continue;
        const Vector before = s.deserved;
        s.deserved.Add(remaining, static_cast<double>(store.queues[q].weight) / static_cast<double>(weights));
        s.deserved.MinDimension(s.real_capability, true);
        s.deserved.MinDimension(s.request, false);
        s.deserved.Max(s.guarantee);
        Reshare(&s);
        met[q] = s.request.LessEqual(s.deserved) || s.deserved == before;
        increased.Add(s.deserved.ExceededPart(before));
        decreased.Add(before.ExceededPart(s.deserved));
      }
      remaining.Add(decreased);
      remaining = remaining.ExceededPart(increased);
      if (remaining.IsEmpty() || remaining == old) return;
    }
  }
};

}  // namespace

std::unique_ptr<Policy> MakeProportion(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Proportion>(); }

}  // namespace basalt

// capacity, flat mode: each queue has a deserved amount and may borrow up to its capability (volcano-queues, sections 3.1, 3.3 to 3.6).
// With enableHierarchy: capacity_tree.cc. What may be reclaimed: capacity_lines.h.
#include "kernel/policies/capacity_lines.h"
#include "kernel/policies/catalogue.h"
#include "kernel/policies/queue_sums.h"

namespace basalt {
namespace {

class Capacity final : public QueuePolicy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kQueueOrder) | FamilyBit(Family::kAllocatable) | FamilyBit(Family::kJobEnqueueable) | FamilyBit(Family::kJobEnqueued) |
           FamilyBit(Family::kEvents) | FamilyBit(Family::kPreemptive) | FamilyBit(Family::kReclaimable) | FamilyBit(Family::kUnifiedEvictable);
  }

  void Open(Session& s) override {
    queues_ = SumQueues(s);
    for (uint32_t q = 0; q < queues_.size(); q++) {
      QueueSums& sums = queues_[q];
      if (!sums.exists) continue;
      sums.deserved = Vector(s.store.queues[q].deserved);
      sums.deserved.MinDimension(sums.real_capability, /*absent_is_infinite=*/true);
      sums.deserved.Max(sums.guarantee);
      Reshare(&sums);
    }
  }

  int QueueOrder(Session& s, QueueId a, QueueId b) override {
    const QueueRow& qa = s.store.queues[a.value];
    const QueueRow& qb = s.store.queues[b.value];
    if (qa.priority != qb.priority) return qa.priority > qb.priority ? -1 : 1;
    const QueueSums& sa = queues_[a.value];
    const QueueSums& sb = queues_[b.value];
    if (sa.share != sb.share) return sa.share < sb.share ? -1 : 1;
    return int{sa.deserved.IsEmpty()} - int{sb.deserved.IsEmpty()};  // on equal shares the queue that deserves something goes first
  }

  bool Preemptive(Session& s, QueueId queue, const std::vector<PodId>& tasks) override { return MayTake(s, {queues_}, queue, tasks); }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return SpareTasks(s, {queues_}, query, victims), true; }
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (query.reclaim) SpareTasksOfGangs(s, {queues_}, query, victims);
    else *victims = query.candidates;
    return true;
  }

 protected:
  const Vector& Limit(const QueueSums& sums) const override { return sums.real_capability; }
  // A queue that deserves nothing has share 1 whatever it holds.
  void Reshare(QueueSums* s) const override { s->share = s->deserved.IsEmpty() ? 1 : ShareOf(s->allocated, s->deserved); }
};

}  // namespace

std::unique_ptr<Policy> MakeCapacity(const PluginOption& option, scoring::ArgumentReader* arguments) {
  // Claims of devices are not counted yet; the switches of their quotas are only known.
  for (const char* key : {"capacity.DynamicResourceAllocationEnable", "capacity.DRAConsumableCapacityEnable"}) arguments->Known(key);
  if (option.On(Switch::kHierarchy)) return MakeCapacityTree(option, arguments);
  arguments->Known("ancestorReclaimLevel");
  return std::make_unique<Capacity>();
}

}  // namespace basalt

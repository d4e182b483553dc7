// capacity, flat mode: each queue has a deserved amount and may borrow up to its capability (volcano-queues, sections 3.1, 3.3 to 3.6).
// Hierarchical queues and the reclaim side are not built yet; enableHierarchy is refused when the configuration is read.
#include "kernel/policies/catalogue.h"
#include "kernel/policies/queue_sums.h"

namespace basalt {
namespace {

class Capacity final : public Policy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kQueueOrder) | FamilyBit(Family::kAllocatable) | FamilyBit(Family::kJobEnqueueable) | FamilyBit(Family::kJobEnqueued) |
           FamilyBit(Family::kEvents);
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

  bool Allocatable(Session& s, QueueId q, PodId pod) override {
    if (!s.store.queues[q.value].open) return false;
    const QueueSums& sums = queues_[q.value];
    const auto& request = s.store.classes[s.store.pods[pod.value].cls.value].request;
    size_t i = 0;
    const auto future = [&](ResourceId r) {
      while (request[i].id != r) i++;
      return sums.allocated[r] + static_cast<double>(request[i].amount);
    };
    return FitsRequested(future, [&](ResourceId r) { return sums.real_capability[r]; }, request);
  }

  Vote JobEnqueueable(Session& s, JobId id, std::vector<ResourceId>* exceeded) override {
    const JobRow& job = s.store.jobs[id.value];
    return AdmitToQueue(s.store.queues[job.queue.value], queues_[job.queue.value], job, exceeded);
  }

  void JobEnqueued(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    if (job.has_min_resources) queues_[job.queue.value].inqueue.Add(Vector(DeductGated(job, job.min_resources)));
  }

  void Changed(Session& s, PodId pod, int sign) override {
    const PodRow& p = s.store.pods[pod.value];
    QueueSums& sums = queues_[s.store.jobs[p.job.value].queue.value];
    for (const ResourceAmount& r : s.store.classes[p.cls.value].request) sums.allocated.Set(r.id, sums.allocated[r.id] + sign * static_cast<double>(r.amount));
    Reshare(&sums);
  }

 private:
  // A queue that deserves nothing has share 1 whatever it holds.
  static void Reshare(QueueSums* s) { s->share = s->deserved.IsEmpty() ? 1 : ShareOf(s->allocated, s->deserved); }

  std::vector<QueueSums> queues_;
};

}  // namespace

std::unique_ptr<Policy> MakeCapacity(const PluginOption&) { return std::make_unique<Capacity>(); }

}  // namespace basalt

#include "kernel/policies/queue_sums.h"

namespace basalt {

void QueueSums::AddJob(const JobRow& job) {
  exists = true;
  const Vector held(job.allocated);
  allocated.Add(held);
  request.Add(held);
  request.Add(Vector(job.pending));
  inqueue.Add(Vector(Reserved(job)));
  elastic.Add(held.ExceededPart(Vector(job.min_resources)));
}

void QueueSums::Move(const std::vector<ResourceAmount>& amounts, int sign) {
  for (const ResourceAmount& r : amounts) allocated.Set(r.id, allocated[r.id] + sign * static_cast<double>(r.amount));
}

bool QueueSums::HasRoom(const std::vector<ResourceAmount>& amounts, const Vector& limit) const {
  size_t i = 0;  // FitsRequested asks dimension by dimension in request order
  const auto future = [&](ResourceId r) {
    while (amounts[i].id != r) i++;
    return allocated[r] + static_cast<double>(amounts[i].amount);
  };
  return FitsRequested(future, [&](ResourceId r) { return limit[r]; }, amounts);
}

bool QueueSums::Admits(const std::vector<ResourceAmount>& min_resources, std::vector<ResourceId>* exceeded) const {
  const Vector min(min_resources);
  const auto wanted = [&](ResourceId r) { return min[r] + allocated[r] + inqueue[r] - elastic[r]; };
  return FitsRequested(wanted, [&](ResourceId r) { return real_capability[r]; }, min_resources, exceeded);
}

std::vector<QueueSums> SumQueues(Session& session) {
  const Store& store = session.store;
  std::vector<QueueSums> sums(store.queues.size());
  const Vector total(store.total_allocatable);
  Vector total_guarantee;
  for (const QueueRow& q : store.queues)
    if (q.present) total_guarantee.Add(Vector(q.guarantee));

  for (const JobId id : session.jobs()) {
    const JobRow& job = store.jobs[id.value];
    sums[job.queue.value].AddJob(job);
  }
  for (uint32_t q = 0; q < sums.size(); q++) {
    QueueSums& s = sums[q];
    if (!s.exists) continue;
    const QueueRow& row = store.queues[q];
    s.guarantee = Vector(row.guarantee);
    s.real_capability = total.ExceededPart(total_guarantee);
    s.real_capability.Add(s.guarantee);
    if (!row.capability.empty()) {
      Vector capability(row.capability);
      // A capability that leaves out cpu or memory does not limit it.
      for (const ResourceId r : {kCpu, kMemory})
        if (capability[r] <= 0) capability.Set(r, std::numeric_limits<double>::max());
      s.real_capability.MinDimension(capability, /*absent_is_infinite=*/true);
    }
  }
  return sums;
}

double ShareOf(const Vector& allocated, const Vector& deserved) {
  double share = 0;
  deserved.ForEach([&](ResourceId r, double d) {
    if (d >= Vector::kEpsilon) share = std::max(share, Share(allocated[r], d));
  });
  return share;
}

bool QueuePolicy::Allocatable(Session& session, QueueId queue, PodId pod) {
  const Store& store = session.store;
  if (!store.queues[queue.value].open) return false;
  const QueueSums& sums = queues_[queue.value];
  return sums.HasRoom(store.classes[store.pods[pod.value].cls.value].request, Limit(sums));
}

Vote QueuePolicy::JobEnqueueable(Session& session, JobId id, EnqueueRefusal* refusal) {
  const JobRow& job = session.store.jobs[id.value];
  const QueueSums& sums = queues_[job.queue.value];
  if (!session.store.queues[job.queue.value].open) return Vote::kReject;
  if (!job.has_min_resources) return Vote::kPermit;
  if (sums.Admits(job.min_resources, &refusal->exceeded)) return Vote::kPermit;
  refusal->queue = job.queue;
  return Vote::kReject;
}

void QueuePolicy::JobEnqueued(Session& session, JobId id) {
  const JobRow& job = session.store.jobs[id.value];
  if (job.has_min_resources) queues_[job.queue.value].inqueue.Add(Vector(DeductGated(job, job.min_resources)));
}

bool QueuePolicy::View(QueueId queue, QueueView* view) const {
  if (queue.value >= queues_.size() || !queues_[queue.value].exists) return false;
  const QueueSums& s = queues_[queue.value];
  *view = {s.allocated, s.inqueue, s.guarantee, s.deserved, Limit(s), s.real_capability, s.share, s.request};
  return true;
}

void QueuePolicy::Changed(Session& session, PodId pod, int sign) {
  const PodRow& p = session.store.pods[pod.value];
  QueueSums& sums = queues_[session.store.jobs[p.job.value].queue.value];
  sums.Move(session.store.classes[p.cls.value].request, sign);
  Reshare(&sums);
}

}  // namespace basalt

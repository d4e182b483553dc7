#include "kernel/policies/queue_sums.h"

namespace basalt {

std::vector<QueueSums> SumQueues(Session& session) {
  const Store& store = session.store;
  std::vector<QueueSums> sums(store.queues.size());
  const Vector total(store.total_allocatable);
  Vector total_guarantee;
  for (const QueueRow& q : store.queues)
    if (q.present) total_guarantee.Add(Vector(q.guarantee));

  for (const JobId id : session.jobs()) {
    const JobRow& job = store.jobs[id.value];
    QueueSums& s = sums[job.queue.value];
    s.exists = true;
    const Vector allocated(job.allocated);
    s.allocated.Add(allocated);
    s.request.Add(allocated);
    s.request.Add(Vector(job.pending));
    s.inqueue.Add(Vector(Reserved(job)));
    s.elastic.Add(allocated.ExceededPart(Vector(job.min_resources)));
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
  const auto& request = store.classes[store.pods[pod.value].cls.value].request;
  size_t i = 0;  // FitsRequested asks dimension by dimension in request order
  const auto future = [&](ResourceId r) {
    while (request[i].id != r) i++;
    return sums.allocated[r] + static_cast<double>(request[i].amount);
  };
  const Vector& limit = Limit(sums);
  return FitsRequested(future, [&](ResourceId r) { return limit[r]; }, request);
}

// min + allocated + inqueue - elastic within realCapability, on the dimensions that minResources names.
Vote QueuePolicy::JobEnqueueable(Session& session, JobId id, std::vector<ResourceId>* exceeded) {
  const JobRow& job = session.store.jobs[id.value];
  const QueueSums& sums = queues_[job.queue.value];
  if (!session.store.queues[job.queue.value].open) return Vote::kReject;
  if (!job.has_min_resources) return Vote::kPermit;
  const Vector min(job.min_resources);
  const auto wanted = [&](ResourceId r) { return min[r] + sums.allocated[r] + sums.inqueue[r] - sums.elastic[r]; };
  const auto limit = [&](ResourceId r) { return sums.real_capability[r]; };
  return FitsRequested(wanted, limit, job.min_resources, exceeded) ? Vote::kPermit : Vote::kReject;
}

void QueuePolicy::JobEnqueued(Session& session, JobId id) {
  const JobRow& job = session.store.jobs[id.value];
  if (job.has_min_resources) queues_[job.queue.value].inqueue.Add(Vector(DeductGated(job, job.min_resources)));
}

void QueuePolicy::Changed(Session& session, PodId pod, int sign) {
  const PodRow& p = session.store.pods[pod.value];
  QueueSums& sums = queues_[session.store.jobs[p.job.value].queue.value];
  for (const ResourceAmount& r : session.store.classes[p.cls.value].request)
    sums.allocated.Set(r.id, sums.allocated[r.id] + sign * static_cast<double>(r.amount));
  Reshare(&sums);
}

}  // namespace basalt

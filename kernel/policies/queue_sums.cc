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

Vote AdmitToQueue(const QueueRow& queue, const QueueSums& sums, const JobRow& job, std::vector<ResourceId>* exceeded) {
  if (!queue.open) return Vote::kReject;
  if (!job.has_min_resources) return Vote::kPermit;
  const Vector min(job.min_resources);
  const auto wanted = [&](ResourceId r) { return min[r] + sums.allocated[r] + sums.inqueue[r] - sums.elastic[r]; };
  const auto limit = [&](ResourceId r) { return sums.real_capability[r]; };
  return FitsRequested(wanted, limit, job.min_resources, exceeded) ? Vote::kPermit : Vote::kReject;
}

}  // namespace basalt

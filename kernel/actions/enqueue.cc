// enqueue: admits PodGroups whose minimum may find room (volcano-core, section 5.1).
#include <unordered_map>

#include "kernel/heap.h"
#include "kernel/session.h"

namespace basalt {

void RunEnqueue(Session& session, const ActionOption&) {
  Store& store = session.store;
  const auto job_less = [&](JobId a, JobId b) { return session.JobLess(a, b); };
  const auto queue_less = [&](QueueId a, QueueId b) { return session.QueueLess(a, b); };
  std::vector<Heap<JobId>> pending(store.queues.size());
  std::vector<uint8_t> pushed(store.queues.size(), 0);
  Heap<QueueId> queues;
  for (const JobId id : session.jobs()) {
    const JobRow& job = store.jobs[id.value];
    if (!pushed[job.queue.value]) pushed[job.queue.value] = 1, queues.Push(job.queue, queue_less);
    if (job.IsPending()) pending[job.queue.value].Push(id, job_less);
  }
  while (!queues.empty()) {
    const QueueId queue = queues.Pop(queue_less);
    Heap<JobId>& jobs = pending[queue.value];
    if (jobs.empty()) continue;
    const JobId id = jobs.Pop(job_less);
    JobRow& job = store.jobs[id.value];
    // Without minResources nobody is asked, but everybody is told.
    if (!job.has_min_resources || session.JobEnqueueable(id)) {
      session.JobEnqueued(id);
      job.phase = GroupPhase::kInqueue;
    }
    queues.Push(queue, queue_less);
  }
}

}  // namespace basalt

// backfill: best-effort tasks go wherever the predicates let them (volcano-core, section 5.3); no queue limit, no gang rollback.
#include <algorithm>

#include "kernel/session.h"

namespace basalt {
namespace {

using scoring::Room;

void Fail(Session& session, PodId task, FitError error) { session.SetFitError(task, session.AddFitError(std::move(error))); }

void Backfill(Session& session, PodId task) {
  Store& store = session.store;
  const ClassId cls = store.pods[task.value].cls;
  if (const StringId field = session.Unsupported(task)) return Fail(session, task, {FitError::kUnsupported, 0, {}, field, {}});
  const ClassView view = session.View(task);
  const auto& profile = session.index.profile();
  if (store.classes[cls.value].terms_conflict && profile.predicates && profile.node_affinity)
    return Fail(session, task, {FitError::kTermsConflict, 0, {}, {}, {}});
  if (const uint32_t known = session.index.Remembered(store, view, Room::kNone); known != kNoFitError) return session.SetFitError(task, known);
  if (const NodeId node = session.index.BestBackfill(store, view)) return session.AllocateNow(task, node);
  const uint32_t error = session.AddFitError(session.index.Explain(store, view, Room::kNone));
  session.index.Remember(store, view, Room::kNone, error);
  session.SetFitError(task, error);
}

}  // namespace

void RunBackfill(Session& session, const ActionOption&) {
  Store& store = session.store;
  std::vector<QueueId> queues;
  std::vector<std::vector<JobId>> jobs_of(store.queues.size());
  for (const JobId id : session.jobs()) {
    const JobRow& job = store.jobs[id.value];
    if (job.IsPending() || !session.JobValid(id)) continue;
    if (jobs_of[job.queue.value].empty()) queues.push_back(job.queue);
    jobs_of[job.queue.value].push_back(id);
  }
  std::sort(queues.begin(), queues.end(), [&](QueueId a, QueueId b) { return session.QueueLess(a, b); });
  std::vector<PodId> order, tasks;
  for (const QueueId queue : queues) {
    auto& jobs = jobs_of[queue.value];
    std::sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) { return session.JobLess(a, b); });
    for (const JobId id : jobs) {
      const JobRow& job = store.jobs[id.value];
      tasks.clear();
      if (job.Count(TaskStatus::kPending) || job.Count(TaskStatus::kPipelined))
        for (const PodId t : job.pods) {
          const PodRow& p = store.pods[t.value];
          if (!store.classes[p.cls.value].best_effort) continue;
          if (p.status == TaskStatus::kPending && !p.gated) tasks.push_back(t);
        }
      session.SortTasks(&tasks, 1);
      order.insert(order.end(), tasks.begin(), tasks.end());
    }
  }
  for (const PodId task : order) Backfill(session, task);
}

}  // namespace basalt

#include "kernel/victims.h"

#include <algorithm>

namespace basalt {

std::vector<PodId> FindVictims(Session& session, Family family, const VictimQuery& query) {
  std::vector<PodId> victims, some;
  bool found = false;
  for (const auto& tier : session.PoliciesOf(family)) {
    for (Policy* p : tier) {
      some.clear();
      const bool opinion = family == Family::kPreemptable   ? p->Preemptable(session, query, &some)
                           : family == Family::kReclaimable ? p->Reclaimable(session, query, &some)
                                                            : p->UnifiedEvictable(session, query, &some);
      if (!opinion) continue;
      if (some.empty()) {
        found = false;
        break;
      }
      if (!found) {
        victims = some;
      } else {
        std::erase_if(victims, [&](PodId v) { return std::find(some.begin(), some.end(), v) == some.end(); });
      }
      found = !victims.empty();
    }
    if (found) return victims;
  }
  return {};
}

VictimQueue::VictimQueue(Session& session, JobId evictor, const std::vector<PodId>& victims) : session_(session), evictor_(evictor) {
  for (const PodId v : victims) heap_.Push(v, [this](PodId a, PodId b) { return Before(a, b); });
}

bool VictimQueue::Before(PodId a, PodId b) const {
  Session& s = session_;
  const JobId ja = s.store.pods[a.value].job, jb = s.store.pods[b.value].job;
  if (ja == jb) return !s.TaskLess(a, b);
  // Tasks whose group is gone go before all others.
  const bool there_a = s.Takes(ja), there_b = s.Takes(jb);
  if (!there_a || !there_b) return there_a == there_b ? !s.TaskLess(a, b) : !there_a;
  const QueueId qa = s.store.jobs[ja.value].queue, qb = s.store.jobs[jb.value].queue;
  if (!s.Takes(evictor_) || qa == qb) {
    const int order = s.JobOrderOfPolicies(ja, jb);
    return order ? order > 0 : !s.TaskLess(a, b);
  }
  const QueueId of = s.store.jobs[evictor_.value].queue;
  for (const auto& tier : s.PoliciesOf(Family::kVictimQueueOrder))
    for (Policy* p : tier)
      if (const int order = p->VictimQueueOrder(s, qa, qb, of)) return order < 0;
  return !s.QueueLess(qa, qb);
}

void SortCandidates(Session& session, JobId evictor, std::vector<PodId>* tasks) {
  const Store& store = session.store;
  std::sort(tasks->begin(), tasks->end(), [&](PodId a, PodId b) {
    const PodRow &pa = store.pods[a.value], &pb = store.pods[b.value];
    return pa.creation_seconds != pb.creation_seconds ? pa.creation_seconds < pb.creation_seconds : store.CompareUid(a, b) < 0;
  });
  if (session.config.evictions == Evictions::kCompat) return;
  VictimQueue order(session, evictor, *tasks);
  for (PodId& t : *tasks) t = order.Pop();
}

}  // namespace basalt

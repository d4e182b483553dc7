// shuffle: tasks that policies want gone go, though nobody waits for their room (volcano-queues, section 5.6).
#include <algorithm>

#include "kernel/session.h"
#include "kernel/victims.h"

namespace basalt {

void RunShuffle(Session& session, const ActionOption&) {
  std::vector<PodId> running;
  for (const JobId id : session.jobs())
    for (const PodId t : session.store.jobs[id.value].pods)
      if (session.store.pods[t.value].status == TaskStatus::kRunning) running.push_back(t);
  SortCandidates(session, {}, &running);
  std::vector<PodId> victims;  // the union of the first tier that wants anybody gone
  for (const auto& tier : session.PoliciesOf(Family::kVictimTasks)) {
    for (Policy* p : tier) p->VictimTasks(session, running, &victims);
    if (!victims.empty()) break;
  }
  if (session.config.evictions == Evictions::kMinimal)
    for (const auto& tier : session.PoliciesOf(Family::kExpendable))
      for (Policy* p : tier) p->Expendable(session, &victims);
  Statement statement;
  for (const PodId v : victims)
    if (session.store.pods[v.value].status == TaskStatus::kRunning) session.Evict(&statement, v, {}, EvictionAction::kShuffle);
  session.Commit(&statement);
}

}  // namespace basalt

// Which running tasks may go, and in which order (volcano-queues, section 0.4).
#pragma once
#include <vector>

#include "kernel/heap.h"
#include "kernel/session.h"

namespace basalt {

/// The candidates that the policies of a family agree on, in their order. Tier by tier: the first tier that finds anybody decides alone; a policy without
/// an opinion is skipped; one that names nobody ends its tier. Volcano's peculiarities are kept: after an intersection that came out empty the next policy
/// of the tier starts anew.
/// family: kPreemptable, kReclaimable or kUnifiedEvictable.
std::vector<PodId> FindVictims(Session& session, Family family, const VictimQuery& query);

/// Victims in the order in which they are to go: the least important first, for a task of job `evictor`.
class VictimQueue {
 public:
  VictimQueue(Session& session, JobId evictor, const std::vector<PodId>& victims);
  bool empty() const { return heap_.empty(); }
  PodId Pop() {
    return heap_.Pop([this](PodId a, PodId b) { return Before(a, b); });
  }

 private:
  bool Before(PodId a, PodId b) const;
  Session& session_;
  const JobId evictor_;
  Heap<PodId> heap_;
};

/// Brings tasks into the order in which policies look at them; some give up a number of tasks and take the first. Volcano leaves it to chance. With the
/// setting `compat` it is the one of the recorded decisions, the oldest first; else those that would go first are looked at first, so that policies do not
/// give up different ones.
void SortCandidates(Session& session, JobId evictor, std::vector<PodId>* tasks);

/// Running tasks (Running or Bound) of a node for which may_go(pod) holds, in the order of SortCandidates.
template <class MayGo>
std::vector<PodId> CandidatesOn(Session& session, NodeId node, JobId evictor, const MayGo& may_go) {
  std::vector<PodId> tasks;
  for (const PodId t : session.store.node_pods[node.value]) {
    const TaskStatus s = session.store.pods[t.value].status;
    if ((s == TaskStatus::kRunning || s == TaskStatus::kBound) && may_go(t)) tasks.push_back(t);
  }
  SortCandidates(session, evictor, &tasks);
  return tasks;
}

}  // namespace basalt

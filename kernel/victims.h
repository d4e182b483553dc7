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

/// Running tasks of a node in an order that rows do not decide: by job, within a job the least important first, so that a policy which gives up some tasks
/// of a job gives up those.
std::vector<PodId> ResidentsOf(Session& session, NodeId node);
/// The same order for any tasks.
void SortByImportance(Session& session, std::vector<PodId>* tasks);

}  // namespace basalt

// The lines that reclaiming may not cross under capacity: what a queue deserves, what it is guaranteed, and the same of its ancestors
// (volcano-queues, sections 3.7 and 3.8).
#pragma once
#include <vector>

#include "kernel/policies/queue_sums.h"
#include "kernel/queue_tree.h"

namespace basalt {

struct QueueLines {
  const std::vector<QueueSums>& queues;  ///< by queue row
  const QueueTree* tree = nullptr;       ///< null: queues are flat
  int64_t levels = 0;                    ///< ancestorReclaimLevel: how many ancestors are asked too
};

/// May the queue take room for these tasks from others? With them it has to stay within its limit, and within what it (or one of its asked ancestors)
/// deserves in at least one of the dimensions that are requested.
bool MayTake(Session& session, const QueueLines& lines, QueueId queue, const std::vector<PodId>& tasks);

/// The candidates that their queues can spare for the evictor, least important first. What an earlier one gave up counts for the next.
void SpareTasks(Session& session, const QueueLines& lines, const VictimQuery& query, std::vector<PodId>* victims);
/// The same for gangreclaim: in the order of the candidates, without ancestors and without a look at what the evictor asks for.
void SpareTasksOfGangs(Session& session, const QueueLines& lines, const VictimQuery& query, std::vector<PodId>* victims);

}  // namespace basalt

// What the actions that evict for whole gangs take from a job at a time (volcano-queues, section 5.3.1).
#pragma once
#include <vector>

#include "kernel/session.h"

namespace basalt {

/// Tasks of one job that go together.
struct Bundle {
  JobId job;
  bool whole = false;         ///< the job falls below its minimum without them
  std::vector<PodId> tasks;   ///< by priority, the lowest first, then by UID
  double value = 0;           ///< what it frees of what is needed, against what its job loses; more is better
};

/// How much of each resource a gang needs, dimension by dimension.
using Need = std::vector<ResourceAmount>;

/// Splits the tasks of a job that may go into those it can spare (at most one bundle) and the rest (at most one bundle), in this order.
std::vector<Bundle> BundlesOf(const Store& store, JobId job, std::vector<PodId> tasks);

/// Brings bundles into the order in which they are taken: those that break no gang first. By victim queue where room is reclaimed for `evictor`, else the
/// least important job first; then the higher value. No order of rows counts.
void SortBundles(Session& session, JobId evictor, bool reclaim, const Need& need, std::vector<Bundle>* bundles);

}  // namespace basalt

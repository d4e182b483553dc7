// What an admitted job reserves: shared by the policies that vote on enqueue (volcano-core, section 7.3; volcano-queues, section 2.1).
#pragma once
#include <vector>

#include "snapshot/store.h"

namespace basalt {

/// min less what gated tasks ask (those held only by Volcano's own gate excepted), not below 0.
std::vector<ResourceAmount> DeductGated(const JobRow& job, std::vector<ResourceAmount> amounts);

/// What a job of this session still reserves: minResources of an Inqueue job; of a Running one that has its minimum allocated, what is missing.
/// Empty where it reserves nothing.
std::vector<ResourceAmount> Reserved(const JobRow& job);

}  // namespace basalt

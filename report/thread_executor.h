// The executor that the edge hands to rooms without threads: oneTBB, bounded to a number of threads.
#pragma once
#include <memory>

#include "snapshot/executor.h"

namespace basalt {

/// threads 0: as many as the machine has; 1: the calling thread only.
std::unique_ptr<Executor> MakeExecutor(size_t threads);

}  // namespace basalt

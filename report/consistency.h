// Findings that concern several objects at once: references to nothing, contradictory queue settings, loops among queues.
#pragma once
#include <vector>

#include "snapshot/diagnostic.h"
#include "snapshot/store.h"

namespace basalt {

/// Appends warnings; nothing is changed. Linear in pods, jobs and queues. queue_hierarchy: the configuration gives inner queues no jobs.
void FindInconsistencies(const Store& store, bool queue_hierarchy, std::vector<Diagnostic>* diagnostics);

}  // namespace basalt

// What a person reads of a plan.
#pragma once
#include <string>

#include "report/engine.h"

namespace basalt {

/// Per queue and per PodGroup: pods placed, running and waiting, shares, the most frequent reasons. Waiting PodGroups come first; wide shows all of them, and every
/// bind of the last cycle.
std::string PlanTable(const Engine& engine, bool wide);

}  // namespace basalt

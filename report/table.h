// What a person reads of a plan.
#pragma once
#include <string>

#include "report/engine.h"

namespace basalt {

/// Per queue and per PodGroup: pods placed, running and waiting, shares, the most frequent reasons. PodGroups with waiting pods come first. What is left out is
/// counted. wide: nothing is left out, with more columns, the time, and every pod that got a node in the last cycle.
std::string PlanTable(const Engine& engine, bool wide);

}  // namespace basalt

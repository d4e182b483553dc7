// What a person reads of a plan.
#pragma once
#include <string>

#include "report/engine.h"

namespace basalt {

/// One line per PodGroup: queue, phase, pods by state, what the waiting ones are told. wide adds every bind of the last cycle.
std::string PlanTable(const Engine& engine, bool wide);

}  // namespace basalt

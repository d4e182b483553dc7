// What a person reads: placed and waiting per job, and why one pod waits.
#pragma once
#include <string>

#include "report/engine.h"

namespace basalt {

/// One line per PodGroup: queue, phase, pods by state, what the waiting ones are told. wide adds every bind of the last cycle.
std::string PlanTable(const Engine& engine, bool wide);
/// What a pod is told after the last cycle.
std::string ExplainPod(const Engine& engine, PodId pod);

}  // namespace basalt

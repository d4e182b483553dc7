// What a plan comes to per PodGroup and per queue: numbers of pods, and why those that wait do.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/engine.h"

namespace basalt {

struct PodTally {
  size_t placed = 0, running = 0, waiting = 0;
};

struct JobFacts {
  const JobRow* row;
  std::string_view queue;  ///< empty where it has none
  PodTally pods;
  std::map<std::string, size_t> reasons;  ///< of its waiting pods
};

struct PlanFacts {
  std::vector<JobFacts> jobs;                 ///< those with waiting pods first, then by queue and name
  std::map<std::string_view, PodTally> queues;///< every queue that is there or that a PodGroup names
  std::map<std::string, size_t> reasons;      ///< waiting pods by what they lack, in a form that many pods share
  size_t waiting = 0;
};

/// Facts of the last cycle.
PlanFacts FactsOf(const Engine& engine);

}  // namespace basalt

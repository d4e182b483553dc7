// One run of a scenario in a process of its own, so that no run finds memory that another has touched.
#pragma once
#include <cstdint>
#include <string>

#include "cli/bench/scenario_file.h"
#include "cli/options.h"

namespace basalt::cli {

struct Run {
  double read_s = 0;    ///< objects to columns, generating them not counted
  double decide_s = 0;  ///< from ready columns to the plan
  double cycle_s = 0;   ///< the whole call, derived columns before and the plan's document and hash behind it counted
  double idle_s = 0;    ///< a cycle after one that changed nothing
  uint64_t nodes = 0, pods = 0, placed = 0, waiting = 0, plan_hash = 0;
  uint64_t nodes_used = 0;  ///< nodes that got a pod
  int64_t peak_bytes = 0;   ///< of the whole process
};

/// Generates, reads and decides once. verify: the independent verifier checks the plan, too, and its memory counts. False and a sentence where that fails.
bool MeasureRun(const CommonOptions& common, const BenchScenario& scenario, bool verify, Run* run, std::string* error);

struct Calibration {
  double winner_tree_pods_per_s = 0, full_scan_s_per_pod = 0;
};
/// Runs the calibrator that lies beside this program.
bool Calibrate(const BenchScenario& scenario, Calibration* out, std::string* error);

/// Where a program that was built together with this one lies.
std::string Sibling(const std::string& name);

}  // namespace basalt::cli

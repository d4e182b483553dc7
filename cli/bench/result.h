// What a benchmark found, as a document that another run can be held against.
#pragma once
#include <string>
#include <vector>

#include "cli/bench/measure.h"
#include "cli/bench/statistics.h"

namespace basalt::cli {

struct BenchResult {
  BenchScenario scenario;
  std::string backend;
  uint32_t threads = 0;
  bool verified = false;
  std::vector<Run> runs;
  std::vector<Calibration> calibrations;  ///< one beside each run
};

/// Samples of a result, in the order of the runs.
std::vector<double> PodsPerSecond(const BenchResult& result);
std::vector<double> TreePodsPerSecond(const BenchResult& result);

/// The document: schema basalt.dev/bench/v1 (docs/benchmarks.md says what each field is).
std::string ResultJson(const BenchResult& result);
/// What a person reads.
std::string ResultTable(const BenchResult& result);

/// A result as far as two of them are compared.
struct ComparedResult {
  std::string path, scenario, plan_hash, calibrate_sha256;
  int64_t tier = 0, nodes = 0, pods = 0, placed = 0, threads = 0;
  std::vector<double> pods_per_s, calibrator_pods_per_s;
};
bool ReadResult(const std::string& path, ComparedResult* out, std::string* error);
/// The comparison as text; false and a sentence where the two measure different things.
bool Compare(const ComparedResult& a, const ComparedResult& b, std::string* text, std::string* error);

}  // namespace basalt::cli

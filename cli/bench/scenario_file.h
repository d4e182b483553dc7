// A benchmark's scenario: a TOML file of bench/scenarios (built into the program) or of the user's.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/generate/scenario.h"

namespace basalt::cli {

struct BenchScenario {
  std::string name, about;
  std::string published, source;    ///< a figure that somebody published for the like, and where; empty: none
  const Scenario* generator = nullptr;
  Sizes sizes;
  uint64_t seed = 1;
  std::string config = "default";   ///< "default": the built-in one; else one of bench/scenarios or a file
  std::string config_text;          ///< what it says, empty for the default
  int64_t calibrate_nodes = 0, calibrate_pods = 0;  ///< sizes of the calibrator's run; the scenario's own where the file does not say
  bool verify = true;               ///< the independent verifier checks the plan
};

/// A file of bench/scenarios, built in by cmake/embed.cmake; each list ends with an entry whose name is null.
struct BuiltIn {
  const char* name;
  const char* text;
};
extern const BuiltIn kBuiltInScenarios[], kBuiltInConfigs[];
/// Of bench/calibrate.cc: figures are comparable only where it is the same.
extern const char kCalibrateSha256[];

/// The scenario of a name, or of a file where `name` has a '/' or ends in ".toml". False and a sentence where there is none or it is wrong.
bool LoadBenchScenario(const std::string& name, BenchScenario* out, std::string* error);

}  // namespace basalt::cli

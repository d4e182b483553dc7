// Shapes that rules share: the row range they work on and their worked examples.
#pragma once
#include <cstdint>
#include <string_view>

#include "scoring/batch.h"
#include "snapshot/classes.h"
#include "snapshot/nodes.h"

namespace basalt::scoring {

/// A worked example of a rule over cpu, memory and (where the rule looks at it) one accelerator: documentation that every backend runs.
/// Amounts in Kubernetes' units of the rule; -1 stands for "the node does not have it".
struct ScoreExample {
  int64_t allocatable[3], requested[3], request[3];
  double expect;
  std::string_view why;
};

}  // namespace basalt::scoring

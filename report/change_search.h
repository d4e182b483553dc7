// The change that would place a pod, found by asking what stands in its way, removing that, deciding again, until it is placed; then without what was not
// needed after all. What is proposed has been tried.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/change.h"
#include "report/engine.h"

namespace basalt {

struct ChangePlan {
  bool found = false;
  std::vector<Change> changes;
  std::string why_not;  ///< where none was found
};

/// Precondition: one cycle has run since the input was read or settled; the pod is pending. The engine is left as it was.
ChangePlan FindChange(Engine* engine, const ObjectSource& source, std::string_view pod);

}  // namespace basalt

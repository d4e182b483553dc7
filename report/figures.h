// What a running cluster's metrics are made from, as one JSON document (basalt.h, basalt_figures_json).
#pragma once
#include <string>

#include "report/engine.h"

namespace basalt {

/// Precondition: the engine is live.
std::string FiguresJson(Engine* engine);

}  // namespace basalt

// Scores of every node for every pending pod, as they decide now.
#pragma once
#include <string>
#include <string_view>

#include "report/engine.h"

namespace basalt {

/// {"pods": {"ns/pod": {"nodes": {"n1": 123.0, "n2": "reason"}}}}; pod empty: every pending pod. False where the named pod is not there.
bool ScoreJson(Engine* engine, std::string_view pod, std::string* out);

}  // namespace basalt

// Names that a mistyped one may have meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

/// "; did you mean a, b?" with at most three names that are close to `wanted`, closest first; empty where none is. O(names * length^2).
std::string DidYouMean(std::string_view wanted, const std::vector<std::string_view>& names);

}  // namespace basalt

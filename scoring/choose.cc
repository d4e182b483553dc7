// Which backend runs: a short priority list, one setting forces it.
#include <hwy/targets.h>

#include <memory>

#include "scoring/simd/table.h"

namespace basalt::scoring {
namespace {

constexpr std::string_view kSimdPrefix = "simd:";

// Targets that are compiled in and that this machine has, best first.
const std::vector<std::unique_ptr<const BlockBackend>>& SimdBackends() {
  static const std::vector<std::unique_ptr<const BlockBackend>> kBackends = [] {
    const int64_t supported = hwy::SupportedTargets();
    std::vector<std::unique_ptr<const BlockBackend>> out;
    for (const TargetTable& t : TargetTables())
      if (t.target & supported) out.push_back(std::make_unique<BlockBackend>(std::string(kSimdPrefix) + t.name, t.kernels));
    return out;
  }();
  return kBackends;
}

std::string_view TargetOf(const Backend& b) { return b.Name().substr(kSimdPrefix.size()); }

}  // namespace

const Backend* SimdBackend(std::string_view target) {
  for (const auto& b : SimdBackends())
    if (target.empty() || TargetOf(*b) == target) return b.get();
  return nullptr;
}

std::vector<std::string> SimdTargets() {
  std::vector<std::string> names;
  for (const auto& b : SimdBackends()) names.emplace_back(TargetOf(*b));
  return names;
}

const Backend* ChooseBackend(std::string_view name, std::string* error) {
  if (name == "scalar") return &ScalarBackend();
  const bool automatic = name.empty() || name == "auto", forced = name.starts_with(kSimdPrefix);
  if (automatic || name == "simd" || forced) {
    const std::string_view target = forced ? name.substr(kSimdPrefix.size()) : std::string_view();
    if (const Backend* b = forced && target.empty() ? nullptr : SimdBackend(target)) return b;
    if (automatic) return &ScalarBackend();
    *error = "backend \"" + std::string(name) + "\" is not available here; targets of this machine:";
    for (const std::string& t : SimdTargets()) *error += " " + t;
    return nullptr;
  }
  *error = name == "cuda" ? "the CUDA backend is not supported yet" : "unknown backend \"" + std::string(name) + "\"; known: auto, scalar, simd, simd:TARGET";
  return nullptr;
}

}  // namespace basalt::scoring

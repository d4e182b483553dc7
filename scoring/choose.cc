// Which backend runs: a short priority list, one setting forces it.
#include <hwy/targets.h>

#include <algorithm>
#include <memory>

#include "scoring/simd/table.h"

namespace basalt::scoring {
namespace {

class Simd final : public Backend {
 public:
  explicit Simd(const TargetTable& table) : table_(table), name_(std::string("simd:") + table.name) {}
  std::string_view Name() const override { return name_; }
  void Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) const override {
    table_.fixed(nodes, cls, profile, begin, end, out);
  }
  void Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin, size_t end,
                uint8_t* mask) const override {
    table_.feasible(nodes, cls, profile, fixed, room, begin, end, mask);
  }
  Norm Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const override { return table_.extremes(fixed, mask, begin, end); }
  void Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
              size_t begin, size_t end, double* key) const override {
    table_.totals(nodes, cls, profile, fixed, norm, mask, begin, end, key);
  }

 private:
  const TargetTable table_;
  const std::string name_;
};

// Targets that are compiled in and that this machine has, best first.
const std::vector<std::unique_ptr<Simd>>& Backends() {
  static const std::vector<std::unique_ptr<Simd>> kBackends = [] {
    std::vector<TargetTable> tables = SimdIsLinked() ? TargetTables() : std::vector<TargetTable>();
    std::sort(tables.begin(), tables.end(), [](const TargetTable& a, const TargetTable& b) { return a.target < b.target; });
    const int64_t supported = hwy::SupportedTargets();
    std::vector<std::unique_ptr<Simd>> out;
    for (const TargetTable& t : tables)
      if (t.target & supported) out.push_back(std::make_unique<Simd>(t));
    return out;
  }();
  return kBackends;
}

}  // namespace

std::vector<TargetTable>& TargetTables() {
  static std::vector<TargetTable> tables;
  return tables;
}

bool RegisterTarget(const TargetTable& table) {
  TargetTables().push_back(table);
  return true;
}

const Backend* SimdBackend(std::string_view target) {
  for (const auto& b : Backends())
    if (target.empty() || b->Name().substr(5) == target) return b.get();
  return nullptr;
}

std::vector<std::string> SimdTargets() {
  std::vector<std::string> names;
  for (const auto& b : Backends()) names.emplace_back(b->Name().substr(5));
  return names;
}

const Backend* ChooseBackend(std::string_view name, std::string* error) {
  if (name == "scalar") return &ScalarBackend();
  const bool automatic = name.empty() || name == "auto";
  if (automatic || name == "simd" || name.starts_with("simd:")) {
    if (const Backend* b = SimdBackend(name.starts_with("simd:") ? name.substr(5) : std::string_view())) return b;
    if (automatic) return &ScalarBackend();
    *error = "backend \"" + std::string(name) + "\" is not available here; targets of this machine:";
    for (const std::string& t : SimdTargets()) *error += " " + t;
    return nullptr;
  }
  *error = name == "cuda" ? "the CUDA backend is not supported yet" : "unknown backend \"" + std::string(name) + "\"; known: auto, scalar, simd, simd:TARGET";
  return nullptr;
}

}  // namespace basalt::scoring

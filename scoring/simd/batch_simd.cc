// The Highway backend: the block loops compiled once per target, every target reachable by name.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scoring/simd/batch_simd.cc"
#include <hwy/foreach_target.h>
// Highway asks for this order.
#include <hwy/highway.h>

#include "scoring/batch.h"
#include "scoring/lanes.h"
#include "scoring/simd/table.h"

#undef LANE_FN
#undef LANE_NAMESPACE
#undef LANE_BEGIN_TARGET
#undef LANE_END_TARGET
#undef LANE_TOGGLE
#define LANE_FN static HWY_INLINE HWY_MAYBE_UNUSED
#define LANE_NAMESPACE HWY_NAMESPACE
#define LANE_BEGIN_TARGET HWY_BEFORE_NAMESPACE();
#define LANE_END_TARGET HWY_AFTER_NAMESPACE();
#ifdef HWY_TARGET_TOGGLE
#define LANE_TOGGLE
#endif
#include "scoring/lane_region-inl.h"
#include "scoring/simd/lanes_simd-inl.h"
#include "scoring/block_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace basalt::scoring::HWY_NAMESPACE {

static uint64_t runs = 0;

static void Filter(const RuleInput& in, const PluginSpans& plugins, const uint8_t* fail, const uint32_t* groups, size_t count, uint8_t* bits) {
  __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
  FilterBlock<SimdLanes>(in, plugins, fail, groups, count, bits);
}
static bool Scores(const RuleInput& in, const PluginSpans& plugins, const uint32_t* groups, size_t count, double* order, double* batch) {
  __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
  return ScoreBlock<SimdLanes>(in, plugins, groups, count, order, batch);
}
static void Keys(const double* order, const double* batch, const uint8_t* bits, const uint32_t* groups, size_t count, double* key) {
  KeyBlock<SimdLanes>(order, batch, bits, groups, count, key);
}
static void Best(const double* key, const uint64_t* rank, size_t first, size_t last, const BestColumns& best) { BestOfBlocks<SimdLanes>(key, rank, first, last, best); }
static int32_t MaxOfRaw(const int32_t* raw, const uint8_t* mask, size_t begin, size_t end) { return MaxRaw(raw, mask, begin, end); }

}  // namespace basalt::scoring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace basalt::scoring::HWY_NAMESPACE {
// Outside the region: called for every target, also those that this machine lacks.
static TargetTable Table() { return {HWY_TARGET, hwy::TargetName(HWY_TARGET), SimdLanes::kLanes, {Filter, Scores, Keys, MaxOfRaw, Best}, &runs}; }
}  // namespace basalt::scoring::HWY_NAMESPACE

#if HWY_ONCE
namespace basalt::scoring {
namespace {
// Highway's table of every target that was compiled in. It is constant, so backends are there before any static object is built, and nothing
// global of Highway decides which one runs.
HWY_EXPORT(Table);
}  // namespace

const std::vector<TargetTable>& TargetTables() {
  static const std::vector<TargetTable> kTables = [] {
    std::vector<TargetTable> tables;
    for (const auto table : HWY_DISPATCH_TABLE(Table)) {
      if (!table) continue;
      const TargetTable t = table();  // the first entry dispatches: it repeats one of the others
      if (std::none_of(tables.begin(), tables.end(), [&](const TargetTable& other) { return other.target == t.target; })) tables.push_back(t);
    }
    std::sort(tables.begin(), tables.end(), [](const TargetTable& a, const TargetTable& b) { return a.target < b.target; });
    return tables;
  }();
  return kTables;
}

uint64_t SimdRuns(std::string_view target) {
  for (const TargetTable& t : TargetTables())
    if (target == t.name) return __atomic_load_n(t.runs, __ATOMIC_RELAXED);
  return 0;
}

}  // namespace basalt::scoring
#endif

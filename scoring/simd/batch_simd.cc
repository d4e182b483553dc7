// The Highway backend: the column loops compiled once per target, every target reachable by name.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scoring/simd/batch_simd.cc"
#include <hwy/foreach_target.h>
// Highway asks for this order.
#include <hwy/highway.h>

#include "scoring/batch.h"
#include "scoring/lanes.h"
#include "scoring/simd/table.h"

// Toggled by this file at each target, so the lane parts below are compiled again.
#if defined(BASALT_BATCH_SIMD_TOGGLE) == defined(HWY_TARGET_TOGGLE)
#ifdef BASALT_BATCH_SIMD_TOGGLE
#undef BASALT_BATCH_SIMD_TOGGLE
#else
#define BASALT_BATCH_SIMD_TOGGLE
#endif
#endif

#undef LANE_FN
#undef LANE_NAMESPACE
#undef LANE_BEGIN_TARGET
#undef LANE_END_TARGET
#undef LANE_TOGGLE
#define LANE_FN static HWY_INLINE
#define LANE_NAMESPACE HWY_NAMESPACE
#define LANE_BEGIN_TARGET HWY_BEFORE_NAMESPACE();
#define LANE_END_TARGET HWY_AFTER_NAMESPACE();
#ifdef HWY_TARGET_TOGGLE
#define LANE_TOGGLE
#endif
#include "scoring/lane_region-inl.h"
#include "scoring/simd/lanes_simd-inl.h"
#include "scoring/batch_body-inl.h"

HWY_BEFORE_NAMESPACE();
namespace basalt::scoring::HWY_NAMESPACE {

void Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) {
  StaticRows<SimdLanes>(nodes, cls, profile, begin, end, out);
}
void Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin, size_t end,
              uint8_t* mask) {
  FeasibleRows<SimdLanes>(nodes, cls, profile, fixed, room, begin, end, mask);
}
Norm Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) { return ExtremeRows<SimdLanes>(fixed, mask, begin, end); }
void Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask, size_t begin,
            size_t end, double* key) {
  TotalRows<SimdLanes>(nodes, cls, profile, fixed, norm, mask, begin, end, key);
}
// Each target enters its functions into the list before main; nothing global of Highway decides which one runs.
const bool kRegistered = RegisterTarget({HWY_TARGET, hwy::TargetName(HWY_TARGET), Static, Feasible, Extremes, Totals});

}  // namespace basalt::scoring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace basalt::scoring {
// Referenced by the chooser: a static library drops objects that nobody names, and their registrations with them.
bool SimdIsLinked() { return true; }
}  // namespace basalt::scoring
#endif

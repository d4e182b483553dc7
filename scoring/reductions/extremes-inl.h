// The extremes that normalised rules need: largest raw value over the candidates, at least 0. A reduction in four parts: identity 0, update and
// combine by maximum (exact and order-free on integers), finalise nothing.
#include "scoring/rule.h"
#if defined(BASALT_SCORING_REDUCTIONS_EXTREMES_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_REDUCTIONS_EXTREMES_INL_H
#undef BASALT_SCORING_REDUCTIONS_EXTREMES_INL_H
#else
#define BASALT_SCORING_REDUCTIONS_EXTREMES_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN int32_t MaxRaw(const int32_t* raw, const uint8_t* mask, size_t begin, size_t end) {
  typename L::I best = L::Set(0);
  for (size_t i = begin; i < end; i += L::kLanes) {
    const typename L::I value = L::If(L::LoadMask(&mask[i]), L::LoadInt32(&raw[i]), L::Set(0));
    best = L::If(L::Less(best, value), value, best);
  }
  return static_cast<int32_t>(L::MaxOfLanes(best));
}

LANES_END

#endif  // per target

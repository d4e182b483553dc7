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

// A plain loop that the compiler vectorises for the target; integers only, so every order gives the same.
LANE_FN int32_t MaxRaw(const int32_t* raw, const uint8_t* mask, size_t begin, size_t end) {
  int32_t best = 0;
  for (size_t i = begin; i < end; i++) {
    const int32_t value = mask[i] ? raw[i] : 0;
    best = value > best ? value : best;
  }
  return best;
}

LANES_END

#endif  // per target

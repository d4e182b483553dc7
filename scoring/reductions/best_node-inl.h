// Best node: of every kBestFan neighbours the highest key, of equal keys the lowest rank (the name that sorts first), of equal ranks the first. A
// reduction in four parts: identity (-infinity, UINT64_MAX), update and combine by that order (exact, order-free), finalise the place of the winner.
#include "scoring/rule.h"

#if defined(BASALT_SCORING_REDUCTIONS_BEST_NODE_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_REDUCTIONS_BEST_NODE_INL_H
#undef BASALT_SCORING_REDUCTIONS_BEST_NODE_INL_H
#else
#define BASALT_SCORING_REDUCTIONS_BEST_NODE_INL_H
#endif

LANES_BEGIN

/// best of entries [kBestFan * b, kBestFan * (b + 1)) for every block b of [first, last). rank null: ranks rise with the entries.
template <class L>
LANE_FN void BestOfBlocks(const double* key, const uint64_t* rank, size_t first, size_t last, const BestColumns& best) {
  for (size_t b = first; b < last; b++) {
    const size_t begin = b * kBestFan, end = begin + kBestFan;
    // Short passes without branches: equal keys are common, so a comparison of pairs would be a guess each time.
    auto top = L{begin}.LoadF(key + begin);
    for (size_t i = begin + L::Step(); i < end; i += L::Step()) top = L{i}.Greater(top, L{i}.LoadF(key + i));
    const double highest = L{begin}.MaxOf(top);
    best.key[b] = highest;
    if (!rank) {
      best.at[b] = static_cast<uint32_t>(begin) + L::template FirstOf<kBestFan>(key + begin, highest);
      continue;
    }
    auto low = L{begin}.RankWhere(key, highest, rank);
    for (size_t i = begin + L::Step(); i < end; i += L::Step()) low = L{i}.Lower(low, L{i}.RankWhere(key, highest, rank));
    const uint64_t lowest = L{begin}.MinOf(low);
    size_t at = begin;
    for (size_t i = begin; i < end; i += L::Step()) {
      const intptr_t lane = L{i}.FirstWith(key, highest, rank, lowest);
      if (lane >= 0) {
        at = i + static_cast<size_t>(lane);
        break;
      }
    }
    best.rank[b] = lowest, best.at[b] = static_cast<uint32_t>(at);
  }
}

LANES_END

#endif  // per target

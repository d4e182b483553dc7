// Preferred node affinity: the sum of the weights of matching terms (volcano-nodes, section 2.6), static per class and node; normalised over the
// candidates so that the largest becomes 100.
#include "scoring/filters/node_affinity-inl.h"
#include "scoring/rule.h"
#if defined(BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#undef BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#else
#define BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::I PreferredAffinityRaw(const NodeTable& nodes, const PodClass& cls, size_t i) {
  typename L::I sum = L::Set(0);
  for (const PreferredSelectorTerm& p : cls.preferred_terms) sum = L::Add(sum, L::If(TestTerm<L>(nodes, p.term, i), L::Set(p.weight), L::Set(0)));
  return sum;
}

/// 100 * raw / max; 0 where max is 0.
template <class L>
LANE_FN typename L::I NormaliseUp(typename L::I raw, int64_t max) {
  return max == 0 ? raw : L::Div(L::Mul100(raw), L::Set(max));
}

LANES_END

#endif  // per target

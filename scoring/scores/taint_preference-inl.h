// Taint preference: PreferNoSchedule taints that the class does not tolerate, the fewer the better (volcano-nodes, section 2.7); normalised over the
// candidates and reversed: 100 where nobody has any.
#include "scoring/filters/taints-inl.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H_PLAIN
#define BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H_PLAIN
namespace basalt::scoring {
/// By taint set: PreferNoSchedule taints that no toleration with effect PreferNoSchedule (or none) covers.
inline std::vector<int64_t> PreferTaintTable(const NodeTable& nodes, const PodClass& cls) {
  std::vector<int64_t> table(nodes.taint_sets.size(), 0);
  for (size_t s = 0; s < table.size(); s++)
    for (const TaintRow& taint : nodes.taint_sets[s])
      if (taint.effect == objects::TaintEffect::kPreferNoSchedule && !Tolerates(cls, taint)) table[s]++;
  return table;
}
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#undef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#else
#define BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::I NormaliseDown(typename L::I raw, int64_t max) {
  return max == 0 ? L::Set(100) : L::Sub(L::Set(100), L::Div(L::Mul100(raw), L::Set(max)));
}

LANES_END

#endif  // per target

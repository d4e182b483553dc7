// Taints and tolerations (volcano-nodes, section 1.4). What a class makes of each distinct taint list is worked out once; a node is a look-up.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_TAINTS_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_TAINTS_INL_H_PLAIN
namespace basalt::scoring {

inline bool Tolerates(const TolerationRow& t, const TaintRow& taint) {
  if (t.effect != objects::TaintEffect::kNone && t.effect != taint.effect) return false;
  if (t.key && t.key != taint.key) return false;  // an empty key matches every key
  return t.op == objects::TolerationOperator::kExists || (t.op == objects::TolerationOperator::kEqual && t.value == taint.value);
}
inline bool Tolerates(const PodClass& cls, const TaintRow& taint) {
  for (const TolerationRow& t : cls.tolerations)
    if (Tolerates(t, taint)) return true;
  return false;
}

/// By taint set: 1 where a NoSchedule or NoExecute taint is not tolerated.
inline std::vector<int64_t> HardTaintTable(const NodeTable& nodes, const PodClass& cls) {
  std::vector<int64_t> table(nodes.taint_sets.size(), 0);
  for (size_t s = 0; s < table.size(); s++)
    for (const TaintRow& taint : nodes.taint_sets[s]) {
      const bool hard = taint.effect == objects::TaintEffect::kNoSchedule || taint.effect == objects::TaintEffect::kNoExecute;
      if (hard && !Tolerates(cls, taint)) table[s] = 1;
    }
  return table;
}

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_FILTERS_TAINTS_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_TAINTS_INL_H
#undef BASALT_SCORING_FILTERS_TAINTS_INL_H
#else
#define BASALT_SCORING_FILTERS_TAINTS_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M UntoleratedTaint(const NodeTable& nodes, const int64_t* table, size_t i) {
  return L::Eq(L::Lookup(table, L::LoadId(&nodes.taint_set[i])), L::Set(1));
}

LANES_END

#endif  // per target

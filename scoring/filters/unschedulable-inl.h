// spec.unschedulable refuses pods that do not tolerate the taint that stands for it (volcano-nodes, section 1.3).
#include "scoring/filters/taints-inl.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H_PLAIN
namespace basalt::scoring {
inline bool ToleratesUnschedulable(const NodeTable& nodes, const PodClass& cls) {
  return Tolerates(cls, {nodes.well_known.unschedulable_taint_key, nodes.well_known.empty, objects::TaintEffect::kNoSchedule});
}
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H
#undef BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H
#else
#define BASALT_SCORING_FILTERS_UNSCHEDULABLE_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M Unschedulable(const NodeTable& nodes, bool tolerates, size_t i) {
  return tolerates ? L::All(false) : L::LoadMask(&nodes.unschedulable[i]);
}

LANES_END

#endif  // per target

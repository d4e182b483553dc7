// A node takes no more pods than its allocatable `pods`; every resident pod counts, whatever its status (volcano-nodes, section 1.2).
#include "scoring/rule.h"
#if defined(BASALT_SCORING_FILTERS_POD_NUMBER_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#undef BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#else
#define BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M PodNumber(const NodeTable& nodes, size_t i) {
  return L::Less(L::Load(&nodes.pod_count[i]), L::Load(&nodes.max_pods[i]));
}

LANES_END

#endif  // per target

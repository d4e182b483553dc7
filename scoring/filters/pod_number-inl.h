// A node takes no more pods than its allocatable `pods`; every resident pod counts, whatever its status (volcano-nodes, section 1.2).
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_POD_NUMBER_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_POD_NUMBER_INL_H_PLAIN
namespace basalt::scoring {

struct PodNumber {
  const int64_t *count, *max;

  bool Prepare(const RuleInput& in) {
    count = in.nodes.pod_count.data(), max = in.nodes.max_pods.data();
    return in.profile.predicates;
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_FILTERS_POD_NUMBER_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#undef BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#else
#define BASALT_SCORING_FILTERS_POD_NUMBER_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M Pass(const L& l, const PodNumber& r) {
  return l.Below(r.count, r.max);
}

LANES_END

#endif  // per target

// The fit test: the request against what is free (volcano-core, section 2.2). Volcano compares doubles with a tolerance of 0.1 in the unit of each
// dimension; on whole amounts that is exactly request <= free. Every dimension that the request names is compared, also where it asks 0: a node
// whose free amount is negative refuses it. cpu and memory are always named.
#include "scoring/rule.h"
#if defined(BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#undef BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#else
#define BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M Fits(const std::vector<Column<int64_t>>& free, const PodClass& cls, size_t i) {
  typename L::M ok = L::All(true);
  for (const ResourceAmount& r : cls.request) ok = L::And(ok, L::Not(L::Less(L::Load(&free[r.id.value][i]), L::Set(r.amount))));
  return ok;
}

template <class L>
LANE_FN typename L::M ResourceFit(const NodeTable& nodes, const PodClass& cls, Room room, size_t i) {
  if (room == Room::kNone) return L::All(true);
  const typename L::M future = Fits<L>(nodes.future, cls, i);
  return room == Room::kFuture ? future : L::And(future, Fits<L>(nodes.idle, cls, i));
}

LANES_END

#endif  // per target

// binpack: favours nodes that the pod fills (volcano-nodes, section 3.1). Double score 0..100 * weight, not truncated. Amounts in Volcano units.
#include "scoring/rule.h"
#if defined(BASALT_SCORING_SCORES_BINPACK_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_BINPACK_INL_H
#undef BASALT_SCORING_SCORES_BINPACK_INL_H
#else
#define BASALT_SCORING_SCORES_BINPACK_INL_H
#endif

LANES_BEGIN

/// Weight of a dimension, or none where it is not configured.
LANE_FN const int64_t* BinpackWeight(const BinpackArgs& args, ResourceId id) {
  for (const auto& [resource, weight] : args.resources)
    if (resource == id) return &weight;
  return nullptr;
}

template <class L>
LANE_FN typename L::F Binpack(const NodeTable& nodes, const PodClass& cls, const BinpackArgs& args, size_t i) {
  const typename L::F zero = L::SetF(0.0);
  typename L::F score = zero;
  typename L::M over = L::All(false);
  int64_t weights = 0;
  for (const ResourceAmount& r : cls.request) {
    const int64_t* weight = r.amount >= 1 ? BinpackWeight(args, r.id) : nullptr;
    if (!weight) continue;
    weights += *weight;  // counts also where the node lacks the dimension
    if (*weight == 0) continue;
    const typename L::I capacity = L::Load(&nodes.allocatable[r.id.value][i]);
    const typename L::I used = L::Add(L::Sub(capacity, L::Load(&nodes.idle[r.id.value][i])), L::Set(r.amount));
    const typename L::M absent = L::Eq(capacity, L::Set(0));
    over = L::Or(over, L::And(L::Not(absent), L::Less(capacity, used)));
    const typename L::F part = L::DivF(L::MulF(L::ToF(used), L::SetF(static_cast<double>(*weight))), L::ToF(capacity));
    score = L::AddF(score, L::IfF(absent, zero, part));
  }
  if (weights > 0) score = L::DivF(score, L::SetF(static_cast<double>(weights)));
  // One dimension that would overflow makes the whole node 0.
  return L::MulF(L::IfF(over, zero, score), L::SetF(static_cast<double>(100 * args.weight)));
}

LANES_END

#endif  // per target

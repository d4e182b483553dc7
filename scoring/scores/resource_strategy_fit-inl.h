// resource-strategy-fit: per resource either the fullest or the emptiest node, and scarce-resource avoidance (volcano-nodes, section 3.2).
// Double score, not truncated. Amounts in Volcano units.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H_PLAIN
#define BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H_PLAIN
namespace basalt::scoring {
struct StrategyWeight { bool found = false, most = false; int64_t weight = 0; };
/// What the class wants of a dimension: its own annotation where it has one, else the plugin argument.
inline StrategyWeight WeightOf(const PodClass& cls, const StrategyFitArgs& args, ResourceId id) {
  if (cls.strategy.kind == PodStrategy::kMost || cls.strategy.kind == PodStrategy::kLeast) {
    for (const ResourceAmount& w : cls.strategy.weights)
      if (w.id == id) return {true, cls.strategy.kind == PodStrategy::kMost, w.amount};
    return {};
  }
  if (id.value >= args.resolved.size() || !args.resolved[id.value].known) return {};
  return {true, args.resolved[id.value].most, args.resolved[id.value].weight};
}
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#undef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#else
#define BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::F StrategyPart(const NodeTable& nodes, const PodClass& cls, const StrategyFitArgs& args, size_t i) {
  const typename L::F zero = L::SetF(0.0);
  if (args.weight == 0 || cls.strategy.kind == PodStrategy::kInvalid) return zero;
  typename L::F score = zero;
  typename L::M over = L::All(false);
  int64_t weights = 0;
  for (const ResourceAmount& r : cls.request) {
    if (r.amount < 1) continue;
    const StrategyWeight w = WeightOf(cls, args, r.id);
    if (!w.found) continue;
    weights += w.weight;
    if (w.weight == 0) continue;
    const typename L::I capacity = L::Load(&nodes.allocatable[r.id.value][i]);
    const typename L::I used = L::Add(L::Sub(capacity, L::Load(&nodes.idle[r.id.value][i])), L::Set(r.amount));
    const typename L::M absent = L::Eq(capacity, L::Set(0));
    over = L::Or(over, L::And(L::Not(absent), L::Less(capacity, used)));
    const typename L::F amount = w.most ? L::ToF(used) : L::SubF(L::ToF(capacity), L::ToF(used));
    const typename L::F part = L::DivF(L::MulF(amount, L::SetF(static_cast<double>(w.weight))), L::ToF(capacity));
    score = L::AddF(score, L::IfF(absent, zero, part));
  }
  if (weights > 0) score = L::DivF(score, L::SetF(static_cast<double>(weights)));
  return L::MulF(L::IfF(over, zero, score), L::SetF(100.0 * static_cast<double>(args.weight)));
}

/// Scarce-resource avoidance: 1 - (weights of listed devices that the node has) / (all weights); 0 where the node lacks anything the class asks for.
template <class L>
LANE_FN typename L::F AvoidancePart(const NodeTable& nodes, const PodClass& cls, const StrategyFitArgs& args, size_t i) {
  const typename L::F zero = L::SetF(0.0);
  if (args.sra_weight == 0) return zero;
  typename L::M lacks = L::All(false);
  for (const ResourceAmount& r : cls.request)
    if (r.amount >= 1) lacks = L::Or(lacks, L::Eq(L::Load(&nodes.allocatable[r.id.value][i]), L::Set(0)));
  typename L::F has = zero;
  int64_t all = 0;
  for (const auto& [id, weight] : args.sra_resources) {
    all += weight;
    has = L::AddF(has, L::IfF(L::Less(L::Set(0), L::Load(&nodes.allocatable[id.value][i])), L::SetF(static_cast<double>(weight)), zero));
  }
  if (all <= 0) return zero;
  const typename L::F score = L::SubF(L::SetF(1.0), L::DivF(has, L::SetF(static_cast<double>(all))));
  return L::MulF(L::MulF(L::IfF(lacks, zero, score), L::SetF(100.0)), L::SetF(static_cast<double>(args.sra_weight)));
}

template <class L>
LANE_FN typename L::F StrategyFit(const NodeTable& nodes, const PodClass& cls, const StrategyFitArgs& args, size_t i) {
  return L::AddF(StrategyPart<L>(nodes, cls, args, i), AvoidancePart<L>(nodes, cls, args, i));
}

LANES_END

#endif  // per target

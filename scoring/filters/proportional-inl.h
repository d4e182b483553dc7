// resource-strategy-fit, "proportional": a pod that asks for none of the listed devices has to leave, for each device that is free on the node, its
// share of cpu and memory (volcano-nodes, section 3.2). Looks at idle, not at future. Units: milli-devices, milli-CPU, bytes.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H_PLAIN
namespace basalt::scoring {
/// True where the class asks for a listed device, so the rule lets it pass everywhere.
inline bool AsksForListed(const PodClass& cls, const StrategyFitArgs& args) {
  for (const auto& p : args.proportional)
    for (const ResourceAmount& r : cls.request)
      if (r.id == p.id && r.amount > 0) return true;
  return false;
}
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H
#undef BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H
#else
#define BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M LeavesProportion(const NodeTable& nodes, const PodClass& cls, const StrategyFitArgs::Proportion& p, size_t i) {
  int64_t cpu = 0, memory = 0;
  for (const ResourceAmount& r : cls.request) (r.id == kCpu ? cpu : r.id == kMemory ? memory : cpu) += r.id == kCpu || r.id == kMemory ? r.amount : 0;
  const typename L::F devices = L::ToF(L::Load(&nodes.idle[p.id.value][i]));
  const typename L::F cpu_left = L::ToF(L::Sub(L::Load(&nodes.idle[kCpu.value][i]), L::Set(cpu)));
  const typename L::F memory_left = L::ToF(L::Sub(L::Load(&nodes.idle[kMemory.value][i]), L::Set(memory)));
  const typename L::F cpu_needed = L::MulF(devices, L::SetF(p.cpu));
  const typename L::F memory_needed = L::MulF(L::MulF(L::MulF(devices, L::SetF(p.memory)), L::SetF(1000)), L::SetF(1000));
  return L::And(L::Not(L::LessF(cpu_left, cpu_needed)), L::Not(L::LessF(memory_left, memory_needed)));
}

LANES_END

#endif  // per target

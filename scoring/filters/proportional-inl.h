// resource-strategy-fit, "proportional": a pod that asks for none of the listed devices has to leave, for each device that is free on the node, its
// share of cpu and memory (volcano-nodes, section 3.2). Looks at idle, not at future. Units: milli-devices, milli-CPU, bytes; 1 device with
// rate 1 keeps 1 CPU and 10^9 bytes. Doubles in Volcano's order of operations.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_PROPORTIONAL_INL_H_PLAIN
namespace basalt::scoring {

struct Proportional {
  struct Device { const int64_t *idle, *allocatable; double cpu_rate, memory_rate; };
  ShortList<Device, 4> devices;
  const int64_t *idle_cpu = nullptr, *idle_memory = nullptr;
  double cpu_milli = 0, memory_bytes = 0;

  /// Binds the listed devices [from, to) of one occurrence of the plugin. False where they let the class pass everywhere.
  bool Prepare(const RuleInput& in, const StrategyFitArgs& args, size_t from, size_t to) {
    for (const ResourceAmount& r : in.cls.request) {
      if (r.id == kCpu) cpu_milli = static_cast<double>(r.amount);
      if (r.id == kMemory) memory_bytes = static_cast<double>(r.amount);
      for (const auto& p : args.proportional)
        if (r.id == p.id && r.amount > 0) return false;
    }
    idle_cpu = ColumnOf(in.nodes, in.nodes.idle, kCpu), idle_memory = ColumnOf(in.nodes, in.nodes.idle, kMemory);
    for (size_t d = from; d < to; d++) {
      const auto& p = args.proportional[d];
      const int64_t* idle = ColumnOf(in.nodes, in.nodes.idle, p.id);
      const int64_t* allocatable = ColumnOf(in.nodes, in.nodes.allocatable, p.id);
      if (p.id != kCpu && p.id != kMemory && idle && allocatable) devices.Add({idle, allocatable, p.cpu, p.memory});  // cpu and memory are no scalars
    }
    return devices.count > 0 && idle_cpu && idle_memory;
  }
  bool Prepare(const RuleInput& in, const StrategyFitArgs& args) { return Prepare(in, args, 0, args.proportional.size()); }
};

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
LANE_FN typename L::M Pass(const L& l, const Proportional& r) {
  const auto cpu_left = l.Sub(l.Double(r.idle_cpu), l.Float(r.cpu_milli));
  const auto memory_left = l.Sub(l.Double(r.idle_memory), l.Float(r.memory_bytes));
  auto refused = l.False();
  for (size_t d = 0; d < r.devices.count; d++) {
    const Proportional::Device& device = r.devices.first[d];
    const auto devices = l.Double(device.idle);
    const auto cpu_kept = l.Mul(devices, l.Float(device.cpu_rate));
    const auto memory_kept = l.Mul(l.Mul(l.Mul(devices, l.Float(device.memory_rate)), l.Float(1000.0)), l.Float(1000.0));
    const auto falls_short = l.Or(l.Less(cpu_left, cpu_kept), l.Less(memory_left, memory_kept));
    // A node that does not know the device passes; one whose devices are all taken still knows it.
    const auto unknown = l.And(l.Equal(devices, l.Float(0.0)), l.Equal(l.Double(device.allocatable), l.Float(0.0)));
    refused = l.Or(refused, l.And(falls_short, l.Not(unknown)));
  }
  return l.Not(refused);
}

LANES_END

#endif  // per target

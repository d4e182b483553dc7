// Balanced allocation: how much the pod evens out the used shares of cpu, memory and accelerator (volcano-nodes, section 2.5). Whole score, 75 is
// neutral, 50..100. Units: milli-CPU, bytes, whole devices, without defaults. Skipped (0 everywhere) for a class that asks for none of the three.
// Doubles in Kubernetes' order of operations; the difference from 1 and the product with 100 are not fused.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H_PLAIN
#define BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H_PLAIN
namespace basalt::scoring {

struct BalancedAllocation {
  static constexpr std::string_view kName = "balancedresource";
  static constexpr WeightArgument kWeight{"balancedresource.weight", 1, &Profile::balanced_resource,
                                          "weight of the score for even use of cpu, memory and accelerators"};
  static constexpr ScoreExample kExamples[] = {
      {{8000, 32ll << 30, 0}, {2000, 24ll << 30, 0}, {4000, 2ll << 30, 0}, 85, "balance 96 with the pod, 75 without"},
      {{8000, 32ll << 30, 8}, {2000, 24ll << 30, 1}, {4000, 2ll << 30, 1}, 76, "three dimensions: 74 with, 72 without"},
      {{8000, 32ll << 30, 8}, {2000, 24ll << 30, 1}, {4000, 2ll << 30, 0}, 85, "an accelerator counts only for a pod that asks for one"},
      {{8000, 32ll << 30, 0}, {2000, 24ll << 30, 0}, {4000, 2ll << 30, 1}, 85, "and only where the node has any"},
      {{4000, 4000, 0}, {1000, 1000, 0}, {1000, 1000, 0}, 75, "as even as before"},
      {{0, 0, 0}, {0, 0, 0}, {1, 1, 0}, 75, "no capacity at all"},
      {{0, 4000, 0}, {0, 0, 0}, {1, 4000, 0}, 75, "one dimension cannot be uneven"},
      {{1000, 100ll << 40, 0}, {0, 0, 0}, {1000, 50ll << 40, 0}, 62, "100 TiB, above the vectors' domain: 75 with, 100 without"},
  };

  const int64_t *capacity[3], *requested[3];
  const double* inverse[3];
  int64_t request[3];
  bool three;  ///< the class asks for accelerators

  bool Prepare(const RuleInput& in) {
    if (in.cls.kube_request[0] == 0 && in.cls.kube_request[1] == 0 && in.cls.kube_request[2] == 0) return false;
    for (int d = 0; d < 3; d++) {
      capacity[d] = in.nodes.kube_allocatable[d].data(), requested[d] = in.nodes.kube_requested[d].data();
      inverse[d] = in.nodes.kube_inverse[d].data(), request[d] = in.cls.kube_request[d];
    }
    three = request[kKubeAccelerator] != 0;
    return true;
  }
  bool ConstantsFit() const { return InWholeDomain(request[0]) && InWholeDomain(request[1]) && InWholeDomain(request[2]); }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H
#undef BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H
#else
#define BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H
#endif

LANES_BEGIN

/// Used share, at most 1. Meaningless where the capacity is 0: the caller leaves it out.
template <class L, class N>
LANE_FN typename L::F UsedShare(const L& l, N used, N capacity, const double* inverse) {
  const auto share = l.Share(used, capacity, inverse);
  return l.AtMost(share, 1.0);
}

/// Standard deviation of two shares.
template <class L, class F>
LANE_FN F Deviation2(const L& l, F a, F b) {
  return l.Abs(l.Mul(l.Sub(a, b), l.Float(0.5)));  // halving is exact either way
}

/// Standard deviation of three shares: sums from 0 in the order given.
template <class L, class F>
LANE_FN F Deviation3(const L& l, F a, F b, F c) {
  const auto three = l.Float(3.0);
  const auto mean = l.Div(l.Add(l.Add(a, b), c), three);
  const auto da = l.Sub(a, mean), db = l.Sub(b, mean), dc = l.Sub(c, mean);
  return l.Sqrt(l.Div(l.Add(l.Add(l.Mul(da, da), l.Mul(db, db)), l.Mul(dc, dc)), three));
}

/// 100 less the deviation, over the dimensions that the node has. `with`: the pod counted in.
template <class L>
LANE_FN typename L::N Balance(const L& l, const BalancedAllocation& r, bool with) {
  const auto cpu_capacity = l.Whole(r.capacity[0]), memory_capacity = l.Whole(r.capacity[1]);
  const auto zero = l.Float(0.0);
  const auto no_cpu = l.Equal(cpu_capacity, l.Number(0)), no_memory = l.Equal(memory_capacity, l.Number(0));
  const auto cpu = UsedShare(l, l.Add(l.Whole(r.requested[0]), l.Number(with ? r.request[0] : 0)), cpu_capacity, r.inverse[0]);
  const auto memory = UsedShare(l, l.Add(l.Whole(r.requested[1]), l.Number(with ? r.request[1] : 0)), memory_capacity, r.inverse[1]);
  auto deviation = l.Select(l.Or(no_cpu, no_memory), zero, Deviation2(l, cpu, memory));
  if (r.three) {
    const auto device_capacity = l.Whole(r.capacity[2]);
    const auto no_device = l.Equal(device_capacity, l.Number(0));
    const auto device = UsedShare(l, l.Add(l.Whole(r.requested[2]), l.Number(with ? r.request[2] : 0)), device_capacity, r.inverse[2]);
    auto more = Deviation3(l, cpu, memory, device);
    more = l.Select(no_memory, Deviation2(l, cpu, device), more);
    more = l.Select(no_cpu, Deviation2(l, memory, device), more);
    more = l.Select(l.And(no_cpu, no_memory), zero, more);
    deviation = l.Select(no_device, deviation, more);
  }
  return l.Truncate(l.Mul(l.Sub(l.Float(1.0), deviation), l.Float(100.0)));
}

template <class L>
LANE_FN typename L::N Score(const L& l, const BalancedAllocation& r) {
  const auto gain = l.Sub(Balance(l, r, true), Balance(l, r, false));
  return l.Add(l.Number(50), l.Half(l.Add(l.Number(50), gain)));
}

LANES_END

#endif  // per target

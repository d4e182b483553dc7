// Balanced allocation: how much the pod evens out the shares of cpu, memory and accelerator (volcano-nodes, section 2.5). Integer score, 75 is
// neutral. Skipped (0 everywhere) for a class that asks for none of the three.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H_PLAIN
#define BASALT_SCORING_SCORES_BALANCED_ALLOCATION_INL_H_PLAIN
namespace basalt::scoring {
inline bool BalancedApplies(const PodClass& cls) { return cls.kube_request[0] != 0 || cls.kube_request[1] != 0 || cls.kube_request[2] != 0; }
inline constexpr ScoreExample kBalancedAllocationExamples[] = {
    {{8000, 32ll << 30, -1}, {2000, 24ll << 30, 0}, {4000, 2ll << 30, 0}, 85, "balance 96 with the pod, 75 without"},
    {{8000, 32ll << 30, 8}, {2000, 24ll << 30, 1}, {4000, 2ll << 30, 1}, 76, "three dimensions: 74 with, 72 without"},
    {{4000, 4000, -1}, {1000, 1000, 0}, {1000, 1000, 0}, 75, "as even as before"},
    {{0, 0, -1}, {0, 0, 0}, {1, 1, 0}, 75, "no capacity at all"},
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

/// trunc((1 - deviation) * 100) of the used shares; `has`: dimensions that count. Order of operations as Kubernetes: sums from 0 in the order
/// cpu, memory, accelerator.
template <class L>
LANE_FN typename L::F Balance(typename L::F f0, typename L::F f1, typename L::F f2, typename L::M h0, typename L::M h1, typename L::M h2) {
  const typename L::F three = L::SetF(3.0);
  const typename L::F mean = L::DivF(L::AddF(L::AddF(f0, f1), f2), three);
  const typename L::F d0 = L::SubF(f0, mean), d1 = L::SubF(f1, mean), d2 = L::SubF(f2, mean);
  const typename L::F square = L::AddF(L::AddF(L::MulF(d0, d0), L::MulF(d1, d1)), L::MulF(d2, d2));
  const typename L::F deviation3 = L::SqrtF(L::DivF(square, three));
  const typename L::F a = L::IfF(h0, f0, f1), b = L::IfF(h2, f2, f1);
  const typename L::F deviation2 = L::AbsF(L::DivF(L::SubF(a, b), L::SetF(2.0)));
  const typename L::M pair = L::Or(L::And(h0, h1), L::And(L::Or(h0, h1), h2));
  const typename L::M all = L::And(L::And(h0, h1), h2);
  const typename L::F deviation = L::IfF(all, deviation3, L::IfF(pair, deviation2, L::SetF(0.0)));
  return L::TruncF(L::MulF(L::SubF(L::SetF(1.0), deviation), L::SetF(100.0)));
}

template <class L>
LANE_FN typename L::F UsedShare(typename L::I used, typename L::I capacity) {
  const typename L::F one = L::SetF(1.0), share = L::DivF(L::ToF(used), L::ToF(capacity));
  return L::IfF(L::LessF(one, share), one, share);
}

template <class L>
LANE_FN typename L::F BalancedAllocation(const NodeTable& nodes, const PodClass& cls, size_t i) {
  const typename L::I zero = L::Set(0);
  const typename L::I c0 = L::Load(&nodes.kube_allocatable[kKubeCpu][i]), c1 = L::Load(&nodes.kube_allocatable[kKubeMemory][i]);
  const typename L::I u0 = L::Load(&nodes.kube_requested[kKubeCpu][i]), u1 = L::Load(&nodes.kube_requested[kKubeMemory][i]);
  const typename L::I w0 = L::Add(u0, L::Set(cls.kube_request[kKubeCpu])), w1 = L::Add(u1, L::Set(cls.kube_request[kKubeMemory]));
  const typename L::M h0 = L::Less(zero, c0), h1 = L::Less(zero, c1);
  typename L::F with, without;
  if (cls.kube_request[kKubeAccelerator] != 0) {
    const typename L::I c2 = L::Load(&nodes.kube_allocatable[kKubeAccelerator][i]), u2 = L::Load(&nodes.kube_requested[kKubeAccelerator][i]);
    const typename L::I w2 = L::Add(u2, L::Set(cls.kube_request[kKubeAccelerator]));
    const typename L::M h2 = L::Less(zero, c2);
    with = Balance<L>(UsedShare<L>(w0, c0), UsedShare<L>(w1, c1), UsedShare<L>(w2, c2), h0, h1, h2);
    without = Balance<L>(UsedShare<L>(u0, c0), UsedShare<L>(u1, c1), UsedShare<L>(u2, c2), h0, h1, h2);
  } else {
    // Without the third dimension its terms vanish and two shares remain.
    const auto two = [&](typename L::I a, typename L::I b) {
      const typename L::F deviation = L::AbsF(L::DivF(L::SubF(UsedShare<L>(a, c0), UsedShare<L>(b, c1)), L::SetF(2.0)));
      return L::TruncF(L::MulF(L::SubF(L::SetF(1.0), L::IfF(L::And(h0, h1), deviation, L::SetF(0.0))), L::SetF(100.0)));
    };
    with = two(w0, w1), without = two(u0, u1);
  }
  const typename L::F half = L::TruncF(L::DivF(L::AddF(L::SetF(50.0), L::SubF(with, without)), L::SetF(2.0)));
  return L::AddF(L::SetF(50.0), half);
}

LANES_END

#endif  // per target

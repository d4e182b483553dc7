// Least allocated: favours nodes with the largest free share (volcano-nodes, sections 2.2 and 2.3). Integer score 0..100.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H_PLAIN
#define BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H_PLAIN
namespace basalt::scoring {
inline constexpr ScoreExample kLeastAllocatedExamples[] = {
    {{8000, 32ll << 30, -1}, {0, 0, 0}, {4100, (8ll << 30) + (200ll << 20), 0}, 61, "parts 48 and 74, half of their sum"},
    {{4000, 1000, -1}, {4000, 0, 0}, {1, 0, 0}, 50, "cpu beyond capacity counts 0, memory 100"},
    {{0, 1000, -1}, {0, 250, 0}, {0, 0, 0}, 75, "a dimension that the node lacks counts neither as value nor as weight"},
    {{0, 0, -1}, {0, 0, 0}, {0, 0, 0}, 0, "no capacity at all"},
};
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H
#undef BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H
#else
#define BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H
#endif

LANES_BEGIN

/// (capacity - requested) * 100 / capacity, 0 beyond capacity or without it.
template <class L>
LANE_FN typename L::I FreePercent(typename L::I capacity, typename L::I requested) {
  const typename L::I percent = L::Div(L::Mul100(L::Sub(capacity, requested)), capacity);
  return L::If(L::Less(capacity, requested), L::Set(0), percent);
}

/// Half of the sum where the node has both dimensions, else the one it has: what weights 50 and 50 come to, truncation included.
template <class L>
LANE_FN typename L::I MeanOfPresent(typename L::I cpu_capacity, typename L::I memory_capacity, typename L::I cpu, typename L::I memory) {
  const typename L::I zero = L::Set(0);
  const typename L::M both = L::And(L::Less(zero, cpu_capacity), L::Less(zero, memory_capacity));
  const typename L::I sum = L::Add(L::If(L::Less(zero, cpu_capacity), cpu, zero), L::If(L::Less(zero, memory_capacity), memory, zero));
  return L::If(both, L::Div(sum, L::Set(2)), sum);
}

template <class L>
LANE_FN typename L::I LeastAllocated(const NodeTable& nodes, const PodClass& cls, size_t i) {
  const typename L::I cpu = L::Load(&nodes.kube_allocatable[kKubeCpu][i]), memory = L::Load(&nodes.kube_allocatable[kKubeMemory][i]);
  const typename L::I cpu_requested = L::Add(L::Load(&nodes.kube_nonzero[kKubeCpu][i]), L::Set(cls.kube_nonzero[kKubeCpu]));
  const typename L::I memory_requested = L::Add(L::Load(&nodes.kube_nonzero[kKubeMemory][i]), L::Set(cls.kube_nonzero[kKubeMemory]));
  return MeanOfPresent<L>(cpu, memory, FreePercent<L>(cpu, cpu_requested), FreePercent<L>(memory, memory_requested));
}

LANES_END

#endif  // per target

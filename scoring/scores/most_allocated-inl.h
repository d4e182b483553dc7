// Most allocated: favours nodes that are fullest, capped at capacity (volcano-nodes, section 2.4). Integer score 0..100.
#include "scoring/rule.h"
#include "scoring/scores/least_allocated-inl.h"
#ifndef BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H_PLAIN
#define BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H_PLAIN
namespace basalt::scoring {
inline constexpr ScoreExample kMostAllocatedExamples[] = {
    {{8000, 1000, -1}, {2000, 0, 0}, {2000, 250, 0}, 37, "parts 50 and 25"},
    {{1000, 1000, -1}, {5000, 0, 0}, {0, 0, 0}, 50, "beyond capacity counts as full"},
};
}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H
#undef BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H
#else
#define BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::I UsedPercent(typename L::I capacity, typename L::I requested) {
  return L::Div(L::Mul100(L::If(L::Less(capacity, requested), capacity, requested)), capacity);
}

template <class L>
LANE_FN typename L::I MostAllocated(const NodeTable& nodes, const PodClass& cls, size_t i) {
  const typename L::I cpu = L::Load(&nodes.kube_allocatable[kKubeCpu][i]), memory = L::Load(&nodes.kube_allocatable[kKubeMemory][i]);
  const typename L::I cpu_requested = L::Add(L::Load(&nodes.kube_nonzero[kKubeCpu][i]), L::Set(cls.kube_nonzero[kKubeCpu]));
  const typename L::I memory_requested = L::Add(L::Load(&nodes.kube_nonzero[kKubeMemory][i]), L::Set(cls.kube_nonzero[kKubeMemory]));
  return MeanOfPresent<L>(cpu, memory, UsedPercent<L>(cpu, cpu_requested), UsedPercent<L>(memory, memory_requested));
}

LANES_END

#endif  // per target

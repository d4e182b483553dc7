// Least allocated: favours nodes with the largest free share (volcano-nodes, sections 2.2 and 2.3). Whole score 0..100. Units: milli-CPU and bytes, with
// the defaults for pods that ask for nothing. Weights 50 and 50, so the score is half of the sum where a node has both dimensions, truncated, and
// the share itself where it has one.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H_PLAIN
#define BASALT_SCORING_SCORES_LEAST_ALLOCATED_INL_H_PLAIN
namespace basalt::scoring {

/// Binding that the least and most allocated rules share.
struct AllocatedColumns {
  const int64_t *capacity[2], *requested[2];
  const double* inverse[2];
  int64_t request[2];

  bool Prepare(const RuleInput& in) {
    for (int d : {kKubeCpu, kKubeMemory}) {
      capacity[d] = in.nodes.kube_allocatable[d].data(), requested[d] = in.nodes.kube_nonzero[d].data();
      inverse[d] = in.nodes.kube_inverse[d].data(), request[d] = in.cls.kube_nonzero[d];
    }
    return true;
  }
  bool ConstantsFit() const { return InWholeDomain(request[0]) && InWholeDomain(request[1]); }
};

struct LeastAllocated : AllocatedColumns {
  static constexpr std::string_view kName = "leastrequested";
  static constexpr WeightArgument kWeight{"leastrequested.weight", 1, &Profile::least_requested, "weight of the score for free cpu and memory"};
  static constexpr ScoreExample kExamples[] = {
      {{8000, 32ll << 30, 0}, {0, 0, 0}, {4100, (8ll << 30) + (200ll << 20), 0}, 61, "parts 48 and 74, half of their sum"},
      {{4000, 1000, 0}, {4000, 0, 0}, {1, 0, 0}, 50, "cpu beyond capacity counts 0, memory 100"},
      {{0, 1000, 0}, {0, 250, 0}, {0, 0, 0}, 75, "a dimension that the node lacks counts neither as value nor as weight"},
      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, "no capacity at all"},
      {{1000, 100ll << 40, 0}, {0, 25ll << 40, 0}, {0, 0, 0}, 87, "100 TiB, above the vectors' domain: 100 and 75"},
      {{1000, int64_t{1} << 62, 0}, {0, int64_t{1} << 61, 0}, {0, 0, 0}, 75, "times 100 is beyond int64: 100 and 50"},
  };
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

/// Mean of two percentages over the dimensions that the node has; a percentage without capacity is 0.
template <class L, class N>
LANE_FN N MeanOfPresent(const L& l, N capacity0, N capacity1, N percent0, N percent1) {
  const auto lacks_one = l.Or(l.Equal(capacity0, l.Number(0)), l.Equal(capacity1, l.Number(0)));
  const auto sum = l.Add(percent0, percent1);
  return l.Select(lacks_one, sum, l.Half(sum));
}

template <class L>
LANE_FN typename L::N Score(const L& l, const LeastAllocated& r) {
  const auto cpu = l.Whole(r.capacity[0]), memory = l.Whole(r.capacity[1]);
  const auto cpu_used = l.Add(l.Whole(r.requested[0]), l.Number(r.request[0]));
  const auto memory_used = l.Add(l.Whole(r.requested[1]), l.Number(r.request[1]));
  return MeanOfPresent(l, cpu, memory, l.Percent(l.Sub(cpu, cpu_used), cpu, r.inverse[0]), l.Percent(l.Sub(memory, memory_used), memory, r.inverse[1]));
}

LANES_END

#endif  // per target

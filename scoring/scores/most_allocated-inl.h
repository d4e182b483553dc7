// Most allocated: favours nodes with the smallest free share (volcano-nodes, section 2.4). Whole score 0..100; weights 1 and 1. What is asked beyond
// capacity counts as capacity.
#include "scoring/rule.h"
#include "scoring/scores/least_allocated-inl.h"
#ifndef BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H_PLAIN
#define BASALT_SCORING_SCORES_MOST_ALLOCATED_INL_H_PLAIN
namespace basalt::scoring {

struct MostAllocated : AllocatedColumns {
  static constexpr std::string_view kName = "mostrequested";
  static constexpr WeightArgument kWeight{"mostrequested.weight", 0, &Profile::most_requested, "weight of the score for used cpu and memory"};
  static constexpr ScoreExample kExamples[] = {
      {{8000, 32ll << 30, 0}, {0, 0, 0}, {4100, (8ll << 30) + (200ll << 20), 0}, 38, "parts 51 and 25, half of their sum"},
      {{4000, 1000, 0}, {4000, 0, 0}, {1, 0, 0}, 50, "cpu beyond capacity counts as full"},
      {{0, 1000, 0}, {0, 250, 0}, {0, 0, 0}, 25, "a dimension that the node lacks does not count"},
      {{1000, 100ll << 40, 0}, {0, 25ll << 40, 0}, {0, 0, 0}, 12, "100 TiB, above the vectors' domain: 0 and 25"},
  };
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
LANE_FN typename L::N Score(const L& l, const MostAllocated& r) {
  const auto cpu = l.Whole(r.capacity[0]), memory = l.Whole(r.capacity[1]);
  const auto cpu_used = l.Add(l.Whole(r.requested[0]), l.Number(r.request[0]));
  const auto memory_used = l.Add(l.Whole(r.requested[1]), l.Number(r.request[1]));
  return MeanOfPresent(l, cpu, memory, l.Percent(cpu_used, cpu, r.inverse[0]), l.Percent(memory_used, memory, r.inverse[1]));
}

LANES_END

#endif  // per target

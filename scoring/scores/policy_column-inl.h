// The base of scores that look at more than class and node (queue, time, other tasks): the kernel works the column out, here it is only added
// where the plugin stands. Double, weight included.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H_PLAIN
#define BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H_PLAIN
namespace basalt::scoring {

struct PolicyColumn {
  const double* column;
  bool Bind(const RuleInput& in, PolicyScore which) {
    const Column<double>& scores = in.fixed.policy_score[static_cast<size_t>(which)];
    column = scores.data();
    return scores.size() != 0;
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H
#undef BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H
#else
#define BASALT_SCORING_SCORES_POLICY_COLUMN_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::F Value(const L& l, const PolicyColumn& r) {
  return l.LoadF(r.column + l.row);
}

LANES_END

#endif  // per target

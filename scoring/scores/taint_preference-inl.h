// Taint preference: PreferNoSchedule taints that the class does not tolerate, the fewer the better (volcano-nodes, section 2.7). Normalised over the
// candidates to 0..100 and reversed: 100 everywhere where no candidate has any. The raw column is static per class and the same for every backend.
#include "scoring/filters/taints-inl.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H_PLAIN
#define BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H_PLAIN
namespace basalt::scoring {

struct TaintPreference {
  static constexpr std::string_view kName = "tainttoleration";
  static constexpr WeightArgument kWeight{"tainttoleration.weight", 3, &Profile::taint_weight, "weight of the score for few PreferNoSchedule taints"};

  const int32_t* raw;  ///< null: 0 everywhere
  int64_t max;

  bool Prepare(const RuleInput& in) {
    max = in.norm.taint_max;
    raw = in.fixed.taint_raw.size() && max > 0 ? in.fixed.taint_raw.data() : nullptr;
    return true;
  }
  bool ConstantsFit() const { return true; }

  static bool Applies(const RuleInput& in) { return in.profile.taint_weight != 0; }
  static void Fill(const RuleInput& in, size_t begin, size_t rows, int32_t* raw) {
    TaintMemo memo(in.nodes);
    const auto soft = [](objects::TaintEffect e) { return e == objects::TaintEffect::kPreferNoSchedule; };
    for (size_t k = 0; k < rows; k++) raw[k] = memo.Untolerated(in.cls, in.nodes.taint_set[begin + k], soft);
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#undef BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#else
#define BASALT_SCORING_SCORES_TAINT_PREFERENCE_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::N Score(const L& l, const TaintPreference& r) {
  if (!r.raw) return l.Number(100);
  return l.Sub(l.Number(100), l.Percent(l.Small(r.raw), l.Number(r.max)));
}

LANES_END

#endif  // per target

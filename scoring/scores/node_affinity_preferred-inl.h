// Node affinity, the preferred part (volcano-nodes, section 2.6): weights of the matching preferred terms, normalised over the candidates to 0..100 by
// the largest. The raw column is static per class: integer work on ids, the same code for every backend.
#include "scoring/filters/node_affinity-inl.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H_PLAIN
#define BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H_PLAIN
namespace basalt::scoring {

struct NodeAffinityPreferred {
  static constexpr std::string_view kName = "nodeaffinity";
  static constexpr WeightArgument kWeight{"nodeaffinity.weight", 2, &Profile::node_affinity_weight, "weight of the score for preferred node affinity"};

  const int32_t* raw;
  int64_t max;

  bool Prepare(const RuleInput& in) {
    raw = in.fixed.affinity_raw.data(), max = in.norm.affinity_max;
    return in.fixed.affinity_raw.size() != 0 && max > 0;
  }
  bool ConstantsFit() const { return true; }

  static bool Applies(const RuleInput& in) {
    return in.profile.node_affinity_weight != 0 && std::any_of(in.cls.preferred_terms.begin(), in.cls.preferred_terms.end(), Counts);
  }
  /// Fills raw[k] for rows begin + k, held within 0..INT32_MAX (the API allows weights 1..100).
  static void Fill(const RuleInput& in, size_t begin, size_t rows, int32_t* raw) {
    uint8_t match[kBlockRows];
    int64_t sum[kBlockRows];
    for (size_t at = 0; at < rows; at += kBlockRows) {
      const size_t n = std::min(rows - at, kBlockRows);
      std::fill_n(sum, n, 0);
      for (const PreferredSelectorTerm& p : in.cls.preferred_terms) {
        if (!Counts(p)) continue;
        MatchTerm(in.nodes, p.term, begin + at, n, match);
        for (size_t k = 0; k < n; k++) sum[k] += match[k] ? p.weight : 0;
      }
      for (size_t k = 0; k < n; k++) raw[at + k] = static_cast<int32_t>(std::clamp<int64_t>(sum[k], 0, INT32_MAX));
    }
  }

 private:
  /// Weight 0, empty and unreadable terms are dropped.
  static bool Counts(const PreferredSelectorTerm& p) { return p.weight != 0 && !p.term.never; }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#undef BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#else
#define BASALT_SCORING_SCORES_NODE_AFFINITY_PREFERRED_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::N Score(const L& l, const NodeAffinityPreferred& r) {
  return l.Percent(l.Small(r.raw), l.Number(r.max));
}

LANES_END

#endif  // per target

// The column loops, once for every backend: rule by rule over a block of rows, so that the sums of a block stay in the first-level cache.
#include "scoring/block_backend.h"
#include "scoring/catalogue.h"

#if defined(BASALT_SCORING_BLOCK_LOOPS_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_BLOCK_LOOPS_INL_H
#undef BASALT_SCORING_BLOCK_LOOPS_INL_H
#else
#define BASALT_SCORING_BLOCK_LOOPS_INL_H
#endif

LANES_BEGIN

// ---- filters ----

template <class L, class Rule>
LANE_FN void AndPass(const Rule& rule, size_t begin, size_t rows, uint8_t* mask) {
  for (size_t k = 0; k < rows; k += L::Step()) {
    const L l{begin + k};
    l.AndMask(Pass(l, rule), mask + k);
  }
}

/// mask[k] = 1 where row begin + k passes every filter over columns. mask holds rows rounded up to kRowPad. fail: the class's static column.
template <class L>
LANE_FN void FilterBlock(const RuleInput& in, const PluginSpans& plugins, const uint8_t* fail, size_t begin, size_t rows, uint8_t* mask) {
  for (size_t k = 0; k < rows; k++) mask[k] = fail[begin + k] == 0;
#define BASALT_RUN(Rule)                                             \
  {                                                                  \
    Rule rule;                                                       \
    if (rule.Prepare(in)) AndPass<L>(rule, begin, rows, mask);       \
  }
  BASALT_COLUMN_FILTERS(BASALT_RUN)
#undef BASALT_RUN
  for (size_t p = 0; p < plugins.proportional_count; p++) {
    Proportional rule;
    if (rule.Prepare(in, plugins.proportional[p])) AndPass<L>(rule, begin, rows, mask);
  }
}

// ---- scores ----

/// False where a column is outside the lanes' domain: then sum holds rubbish.
template <class L, class Rule>
LANE_FN bool AddWeighted(const Rule& rule, double weight, size_t begin, size_t rows, double* sum) {
  typename L::Seen seen = L::NothingSeen();
  for (size_t k = 0; k < rows; k += L::Step()) {
    const L l{begin + k, &seen};
    l.StoreF(l.Add(l.LoadF(sum + k), l.Mul(l.ToF(Score(l, rule)), l.Float(weight))), sum + k);
  }
  return L::InDomain(seen);
}

template <class L, class Rule>
LANE_FN void AddValue(const Rule& rule, size_t begin, size_t rows, double* sum) {
  for (size_t k = 0; k < rows; k += L::Step()) {
    const L l{begin + k};
    l.StoreF(l.Add(l.LoadF(sum + k), Value(l, rule)), sum + k);
  }
}

/// Adds one batch rule to sum. False where a column or constant is outside the lanes' domain.
template <class L, class Rule>
LANE_FN bool AddBatchRule(const RuleInput& in, int64_t weight, size_t begin, size_t rows, double* sum) {
  Rule rule;
  if (weight == 0 || !rule.Prepare(in)) return true;
  if (L::kBoundedWhole && !rule.ConstantsFit()) return false;
  return AddWeighted<L>(rule, static_cast<double>(weight), begin, rows, sum);
}

template <class L, class Rule>
LANE_FN void AddOrderRule(const RuleInput& in, const OrderRule& order_rule, size_t begin, size_t rows, double* sum) {
  Rule rule;
  if (rule.Prepare(in, order_rule)) AddValue<L>(rule, begin, rows, sum);
}

/// order[k] and batch[k] of row begin + k; both hold rows rounded up to kRowPad. False where a column is outside the lanes' domain: they hold rubbish then.
template <class L>
LANE_FN bool ScoreBlock(const RuleInput& in, const PluginSpans& plugins, size_t begin, size_t rows, double* order, double* batch) {
  for (size_t k = 0; k < rows; k += L::Step()) {
    const L l{begin + k};
    l.StoreF(l.Float(0.0), order + k), l.StoreF(l.Float(0.0), batch + k);
  }
#define BASALT_RUN(Rule) \
  if (!AddBatchRule<L, Rule>(in, in.profile.*Rule::kWeight.member, begin, rows, batch)) return false;
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  for (size_t r = 0; r < plugins.order_count; r++) {
    switch (plugins.order[r].kind) {
#define BASALT_RUN(Rule) \
  case Rule::kKind: AddOrderRule<L, Rule>(in, plugins.order[r], begin, rows, order); break;
      BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    }
  }
  return true;
}

/// The deciding keys of a block: order + batch where the mask is set.
LANE_FN void KeyBlock(const double* order, const double* batch, const uint8_t* mask, size_t rows, double* key) {
  for (size_t k = 0; k < rows; k++) {
    const double total = order[k] + batch[k];
    key[k] = mask[k] ? total : kInfeasible;
  }
}

LANES_END

#endif  // per target

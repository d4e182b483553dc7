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

// Rows come in groups of kRowPad neighbours, `groups` listing the numbers of up to kBlockGroups of them: what changed is seldom one range, and a group is
// what every target's vector divides. Entry k of a block's sums belongs to row kRowPad * groups[k / kRowPad] + k % kRowPad.

// ---- filters ----

template <class L, class Rule>
LANE_FN void AndPass(const Rule& rule, const uint32_t* groups, size_t count, uint8_t* bits) {
  for (size_t g = 0; g < count; g++) {
    const size_t row = size_t{groups[g]} * kRowPad;
    for (size_t j = 0; j < kRowPad; j += L::Step()) {
      const L l{row + j};
      l.AndBits(Pass(l, rule), j, bits + g);
    }
  }
}

/// Bit j of the result: byte j is 0.
LANE_FN uint8_t ZeroBytes(const uint8_t* eight) {
  uint64_t v;
  __builtin_memcpy(&v, eight, 8);
  const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
  const uint64_t zero = ~(((v & low) + low) | v | low) >> 7;  // bit 8j: byte j is 0
  return static_cast<uint8_t>((zero * 0x0102040810204080u) >> 56);  // bit 8j times 2^(56 - 7j) is bit 56 + j; no two products meet
}

/// Bit j of bits[g]: row j of group g passes every filter over columns. fail: the class's static column.
template <class L>
LANE_FN void FilterBlock(const RuleInput& in, const PluginSpans& plugins, const uint8_t* fail, const uint32_t* groups, size_t count, uint8_t* bits) {
  for (size_t g = 0; g < count; g++) bits[g] = ZeroBytes(fail + size_t{groups[g]} * kRowPad);
#define BASALT_RUN(Rule)                                             \
  {                                                                  \
    Rule rule;                                                       \
    if (rule.Prepare(in)) AndPass<L>(rule, groups, count, bits);     \
  }
  BASALT_COLUMN_FILTERS(BASALT_RUN)
#undef BASALT_RUN
  for (size_t p = 0; p < plugins.proportional_count; p++) {
    Proportional rule;
    if (rule.Prepare(in, plugins.proportional[p])) AndPass<L>(rule, groups, count, bits);
  }
}

// ---- scores ----

/// False where a column is outside the lanes' domain: then sum holds rubbish.
template <class L, class Rule>
LANE_FN bool AddWeighted(const Rule& rule, double weight, const uint32_t* groups, size_t count, double* sum) {
  typename L::Seen seen = L::NothingSeen();
  for (size_t g = 0; g < count; g++, sum += kRowPad) {
    const size_t row = size_t{groups[g]} * kRowPad;
    for (size_t j = 0; j < kRowPad; j += L::Step()) {
      const L l{row + j, &seen};
      l.StoreF(l.Add(l.LoadF(sum + j), l.Mul(l.ToF(Score(l, rule)), l.Float(weight))), sum + j);
    }
  }
  return L::InDomain(seen);
}

template <class L, class Rule>
LANE_FN void AddValue(const Rule& rule, const uint32_t* groups, size_t count, double* sum) {
  for (size_t g = 0; g < count; g++, sum += kRowPad) {
    const size_t row = size_t{groups[g]} * kRowPad;
    for (size_t j = 0; j < kRowPad; j += L::Step()) {
      const L l{row + j};
      l.StoreF(l.Add(l.LoadF(sum + j), Value(l, rule)), sum + j);
    }
  }
}

/// Adds one batch rule to sum. False where a column or constant is outside the lanes' domain.
template <class L, class Rule>
LANE_FN bool AddBatchRule(const RuleInput& in, int64_t weight, const uint32_t* groups, size_t count, double* sum) {
  Rule rule;
  if (weight == 0 || !rule.Prepare(in)) return true;
  if (L::kBoundedWhole && !rule.ConstantsFit()) return false;
  return AddWeighted<L>(rule, static_cast<double>(weight), groups, count, sum);
}

template <class L, class Rule>
LANE_FN void AddOrderRule(const RuleInput& in, const OrderRule& order_rule, const uint32_t* groups, size_t count, double* sum) {
  Rule rule;
  if (rule.Prepare(in, order_rule)) AddValue<L>(rule, groups, count, sum);
}

/// The sums of the groups' rows. False where a column is outside the lanes' domain: they hold rubbish then.
template <class L>
LANE_FN bool ScoreBlock(const RuleInput& in, const PluginSpans& plugins, const uint32_t* groups, size_t count, double* order, double* batch) {
  for (size_t k = 0; k < count * kRowPad; k += L::Step()) {
    const L l{k};
    l.StoreF(l.Float(0.0), order + k), l.StoreF(l.Float(0.0), batch + k);
  }
#define BASALT_RUN(Rule) \
  if (!AddBatchRule<L, Rule>(in, in.profile.*Rule::kWeight.member, groups, count, batch)) return false;
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  for (size_t r = 0; r < plugins.order_count; r++) {
    switch (plugins.order[r].kind) {
#define BASALT_RUN(Rule) \
  case Rule::kKind: AddOrderRule<L, Rule>(in, plugins.order[r], groups, count, order); break;
      BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    }
  }
  return true;
}

/// The deciding keys of a block, by row: order + batch where the bit is set.
template <class L>
LANE_FN void KeyBlock(const double* order, const double* batch, const uint8_t* bits, const uint32_t* groups, size_t count, double* key) {
  for (size_t g = 0; g < count; g++) {
    const size_t row = size_t{groups[g]} * kRowPad;
    for (size_t j = 0; j < kRowPad; j += L::Step()) {
      const L l{row + j};
      const size_t k = g * kRowPad + j;
      l.StoreF(l.Where(bits[g], j, l.Add(l.LoadF(order + k), l.LoadF(batch + k)), l.Float(kInfeasible)), key + row + j);
    }
  }
}

LANES_END

#endif  // per target

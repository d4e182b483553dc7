// Node selector and required node affinity (volcano-nodes, section 1.4): the selector and at least one required term, tests within a term ANDed.
#include "scoring/rule.h"
#if defined(BASALT_SCORING_FILTERS_NODE_AFFINITY_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_NODE_AFFINITY_INL_H
#undef BASALT_SCORING_FILTERS_NODE_AFFINITY_INL_H
#else
#define BASALT_SCORING_FILTERS_NODE_AFFINITY_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M TestLabel(const NodeTable& nodes, const LabelTest& test, size_t i) {
  const uint32_t* column = test.column == LabelTest::kNodeName ? &nodes.name[i] : &nodes.labels[test.column].value[i];
  const typename L::I value = L::LoadId(column);
  const typename L::M absent = L::Eq(value, L::Set(StringId::kNoneValue));
  typename L::M in = L::All(false);
  switch (test.op) {
    case objects::Operator::kIn:
    case objects::Operator::kNotIn:
      for (const StringId v : test.values) in = L::Or(in, L::Eq(value, L::Set(v.value)));
      return test.op == objects::Operator::kIn ? in : L::Not(in);  // an absent key is not in any set
    case objects::Operator::kExists: return L::Not(absent);
    case objects::Operator::kDoesNotExist: return absent;
    case objects::Operator::kGt:
    case objects::Operator::kLt: {
      const LabelColumn& label = nodes.labels[test.column];
      const typename L::I number = L::Load(&label.number[i]);
      const typename L::M whole = L::LoadMask(&label.has_number[i]);
      return L::And(whole, test.op == objects::Operator::kGt ? L::Less(L::Set(test.bound), number) : L::Less(number, L::Set(test.bound)));
    }
  }
  return in;
}

template <class L>
LANE_FN typename L::M TestTerm(const NodeTable& nodes, const SelectorTerm& term, size_t i) {
  if (term.never) return L::All(false);
  typename L::M ok = L::All(true);
  for (const LabelTest& test : term.tests) ok = L::And(ok, TestLabel<L>(nodes, test, i));
  return ok;
}

template <class L>
LANE_FN typename L::M NodeAffinity(const NodeTable& nodes, const PodClass& cls, size_t i) {
  typename L::M ok = L::All(true);
  for (const LabelTest& test : cls.node_selector) ok = L::And(ok, TestLabel<L>(nodes, test, i));
  if (!cls.has_required) return ok;
  typename L::M any = L::All(false);
  for (const SelectorTerm& term : cls.required_terms) any = L::Or(any, TestTerm<L>(nodes, term, i));
  return L::And(ok, any);
}

LANES_END

#endif  // per target

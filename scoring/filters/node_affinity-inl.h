// Node selector and required node affinity (volcano-nodes, section 1.4): every selector entry and at least one required term must match; the tests of a
// term are ANDed. Integer work on ids, block by block, the same code for every backend.
#pragma once
#include <algorithm>
#include <cstring>

#include "scoring/rule.h"

namespace basalt::scoring {

/// match[k] &= the test on row begin + k; rows <= kBlockRows.
inline void AndLabelTest(const NodeTable& nodes, const LabelTest& test, size_t begin, size_t rows, uint8_t* match) {
  using objects::Operator;
  const LabelColumn* label = test.column == LabelTest::kNodeName ? nullptr : &nodes.labels[test.column];
  const uint32_t* value = (label ? label->value.data() : nodes.name.data()) + begin;
  switch (test.op) {
    case Operator::kIn:
    case Operator::kNotIn: {
      const uint8_t wanted = test.op == Operator::kIn;  // an absent key is in no set
      uint8_t any[kBlockRows] = {};
      if (test.values.size() > 8) {  // a long list: look each row up instead of walking it
        std::vector<uint32_t> sorted;
        for (const StringId v : test.values) sorted.push_back(v.value);
        std::sort(sorted.begin(), sorted.end());
        for (size_t k = 0; k < rows; k++) any[k] = std::binary_search(sorted.begin(), sorted.end(), value[k]);
      } else {
        for (const StringId v : test.values)
          for (size_t k = 0; k < rows; k++) any[k] |= value[k] == v.value;
      }
      for (size_t k = 0; k < rows; k++) match[k] &= any[k] == wanted;
      return;
    }
    case Operator::kExists:
      for (size_t k = 0; k < rows; k++) match[k] &= value[k] != StringId::kNoneValue;
      return;
    case Operator::kDoesNotExist:
      for (size_t k = 0; k < rows; k++) match[k] &= value[k] == StringId::kNoneValue;
      return;
    case Operator::kGt:
    case Operator::kLt: {
      if (!label) return std::memset(match, 0, rows), void();  // names are no numbers
      const int64_t* number = label->number.data() + begin;
      const uint8_t* whole = label->has_number.data() + begin;
      for (size_t k = 0; k < rows; k++)
        match[k] &= static_cast<uint8_t>((whole[k] != 0) & (test.op == Operator::kGt ? number[k] > test.bound : number[k] < test.bound));
      return;
    }
  }
}

/// match[k] = the term on row begin + k; rows <= kBlockRows.
inline void MatchTerm(const NodeTable& nodes, const SelectorTerm& term, size_t begin, size_t rows, uint8_t* match) {
  std::memset(match, term.never ? 0 : 1, rows);
  if (term.never) return;
  for (const LabelTest& test : term.tests) AndLabelTest(nodes, test, begin, rows, match);
}

struct NodeAffinity {
  static constexpr Reason kReason = kReasonNodeAffinity;
  static constexpr SwitchArgument kSwitch{"predicate.NodeAffinityEnable", &Profile::node_affinity,
                                          "refuse nodes that do not match nodeSelector and required node affinity"};

  static bool Applies(const RuleInput& in) { return in.profile.node_affinity && (!in.cls.node_selector.empty() || in.cls.has_required); }
  static void Refuse(const RuleInput& in, size_t begin, size_t rows, uint8_t* refused) {
    uint8_t match[kBlockRows], any[kBlockRows], term_match[kBlockRows];
    for (size_t at = 0; at < rows; at += kBlockRows) {
      const size_t n = std::min(rows - at, kBlockRows);
      std::memset(match, 1, n);
      for (const LabelTest& test : in.cls.node_selector) AndLabelTest(in.nodes, test, begin + at, n, match);
      if (in.cls.has_required) {
        std::memset(any, 0, n);
        for (const SelectorTerm& term : in.cls.required_terms) {
          MatchTerm(in.nodes, term, begin + at, n, term_match);
          for (size_t k = 0; k < n; k++) any[k] |= term_match[k];
        }
        for (size_t k = 0; k < n; k++) match[k] &= any[k];
      }
      for (size_t k = 0; k < n; k++) refused[at + k] = !match[k];
    }
  }
};

}  // namespace basalt::scoring

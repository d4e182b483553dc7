// PodDisruptionBudgets, and the labels of pods that their selectors look at.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "snapshot/diagnostic.h"
#include "snapshot/ids.h"
#include "snapshot/objects.h"

namespace basalt {

/// Texts that go when their last user goes: the values of pods' labels are new with every job, so they must not pile up as names do.
class SharedTexts {
 public:
  uint32_t Take(std::string_view text);
  void Release(uint32_t id);

 private:
  struct Hash { using is_transparent = void; size_t operator()(std::string_view s) const; };
  struct Equal { using is_transparent = void; bool operator()(std::string_view a, std::string_view b) const { return a == b; } };
  std::unordered_map<std::string, uint32_t, Hash, Equal> by_text_;
  struct Text { const std::string* text = nullptr; uint64_t users = 0; };
  std::vector<Text> texts_;
  std::vector<uint32_t> free_;
};

/// Key and value of a label as SharedTexts; sorted by key.
using PodLabels = std::vector<std::pair<uint32_t, uint32_t>>;

struct BudgetRow {
  struct Test { uint32_t key; objects::Operator op; std::vector<uint32_t> values; };
  StringId namespace_;
  std::vector<Test> tests;             ///< ANDed; none: no pod matches
  std::vector<std::string> disrupted;  ///< names of pods that count no more, sorted
  int64_t allowed = 0;
  uint64_t resource_version = 0;
};
/// By "namespace/name".
using BudgetTable = std::map<std::string, BudgetRow, std::less<>>;

PodLabels TakeLabels(std::span<const objects::KeyValue> labels, SharedTexts* texts);
void ReleaseLabels(const PodLabels& labels, SharedTexts* texts);
/// A selector that Kubernetes refuses matches no pod; that is told.
BudgetRow TakeBudget(const objects::PodDisruptionBudget& budget, SharedTexts* texts, std::vector<Diagnostic>* diagnostics);
void ReleaseBudget(const BudgetRow& row, SharedTexts* texts);
/// The selector alone: namespaces are the caller's.
bool Matches(const BudgetRow& row, const PodLabels& labels);

}  // namespace basalt

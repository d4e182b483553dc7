#include "snapshot/budgets.h"

#include <algorithm>

#include "snapshot/names.h"

namespace basalt {

size_t SharedTexts::Hash::operator()(std::string_view s) const { return HashText(s); }

uint32_t SharedTexts::Take(std::string_view text) {
  if (const auto it = by_text_.find(text); it != by_text_.end()) return texts_[it->second].users++, it->second;
  uint32_t id;
  if (!free_.empty()) {
    id = free_.back();
    free_.pop_back();
  } else {
    id = static_cast<uint32_t>(texts_.size());
    texts_.emplace_back();
  }
  texts_[id] = {&by_text_.emplace(std::string(text), id).first->first, 1};
  return id;
}

void SharedTexts::Release(uint32_t id) {
  if (--texts_[id].users) return;
  by_text_.erase(by_text_.find(*texts_[id].text));
  texts_[id] = {};
  free_.push_back(id);
}

PodLabels TakeLabels(std::span<const objects::KeyValue> labels, SharedTexts* texts) {
  PodLabels out;
  out.reserve(labels.size());
  for (const auto& [key, value] : labels) out.emplace_back(texts->Take(key), texts->Take(value));
  std::sort(out.begin(), out.end());
  return out;
}

void ReleaseLabels(const PodLabels& labels, SharedTexts* texts) {
  for (const auto& [key, value] : labels) texts->Release(key), texts->Release(value);
}

BudgetRow TakeBudget(const objects::PodDisruptionBudget& budget, SharedTexts* texts, std::vector<Diagnostic>* diagnostics) {
  using objects::Operator;
  BudgetRow row;
  row.allowed = budget.disruptions_allowed;
  row.resource_version = budget.meta.resource_version;
  for (const std::string_view pod : budget.disrupted_pods) row.disrupted.emplace_back(pod);
  std::sort(row.disrupted.begin(), row.disrupted.end());
  for (size_t i = 0; i < budget.expressions.size(); i++) {
    const objects::Requirement& r = budget.expressions[i];
    const bool set = r.op == Operator::kIn || r.op == Operator::kNotIn;
    const char* wrong = r.op == Operator::kGt || r.op == Operator::kLt ? "operator" : r.key.empty() ? "key" : set == r.values.empty() ? "values" : nullptr;
    if (!wrong) continue;
    diagnostics->push_back({Severity::kWarning, "", "PodDisruptionBudget " + std::string(budget.meta.namespace_) + "/" + std::string(budget.meta.name),
                            "/spec/selector/matchExpressions/" + std::to_string(i) + "/" + wrong, "not what a selector takes; the budget holds for no pod"});
    return row;
  }
  for (const auto& [key, value] : budget.match_labels) row.tests.push_back({texts->Take(key), Operator::kIn, {texts->Take(value)}});
  for (const objects::Requirement& r : budget.expressions) {
    row.tests.push_back({texts->Take(r.key), r.op, {}});
    for (const std::string_view value : r.values) row.tests.back().values.push_back(texts->Take(value));
  }
  return row;
}

void ReleaseBudget(const BudgetRow& row, SharedTexts* texts) {
  for (const BudgetRow::Test& t : row.tests) {
    texts->Release(t.key);
    for (const uint32_t value : t.values) texts->Release(value);
  }
}

bool Matches(const BudgetRow& row, const PodLabels& labels) {
  using objects::Operator;
  return !row.tests.empty() && std::all_of(row.tests.begin(), row.tests.end(), [&](const BudgetRow::Test& t) {
    const auto label = std::lower_bound(labels.begin(), labels.end(), std::pair(t.key, uint32_t{0}));
    const bool has = label != labels.end() && label->first == t.key;
    if (t.op == Operator::kExists || t.op == Operator::kDoesNotExist) return has == (t.op == Operator::kExists);
    const bool in = has && std::find(t.values.begin(), t.values.end(), label->second) != t.values.end();
    return in == (t.op == Operator::kIn);
  });
}

}  // namespace basalt

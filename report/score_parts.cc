#include "report/score_parts.h"

#include <algorithm>
#include <map>

namespace basalt {
namespace {

std::string NameOf(const scoring::ScorePart& part, ScoreBy by) {
  std::string name(part.plugin);
  if (part.rule == part.plugin || (part.batch && by == ScoreBy::kPlugin)) return name;
  return name.append(".").append(part.rule);
}

/// The names of the order parts or of the batch parts of a profile. Batch parts of a plugin are one where columns are by plugin.
std::vector<std::string> NamesOf(const std::vector<scoring::ScorePart>& parts, bool batch, ScoreBy by) {
  std::vector<std::string> names;
  for (const scoring::ScorePart& part : parts) {
    if (part.batch != batch) continue;
    std::string name = NameOf(part, by);
    if (!batch || by == ScoreBy::kRule || names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return names;
}

/// Makes `names` a subsequence of `all`.
void Merge(const std::vector<std::string>& names, std::vector<std::string>* all) {
  auto at = all->begin();
  for (const std::string& name : names) {
    const auto found = std::find(at, all->end(), name);
    at = (found == all->end() ? all->insert(at, name) : found) + 1;
  }
}

}  // namespace

void ScoreColumns::Add(const scoring::Profile& profile) {
  if (by_ == ScoreBy::kSum) return;
  const auto parts = scoring::ScoreParts(profile);
  Merge(NamesOf(parts, false, by_), &order_);
  Merge(NamesOf(parts, true, by_), &batch_);
}

std::vector<std::string> ScoreColumns::Names() const {
  std::vector<std::string> names = order_;
  names.insert(names.end(), batch_.begin(), batch_.end());
  std::map<std::string, int> seen;
  for (std::string& name : names)
    if (const int n = ++seen[name]; n > 1) name += "#" + std::to_string(n);
  return names;
}

std::vector<size_t> ScoreColumns::Places(const scoring::Profile& profile) const {
  std::vector<size_t> places;
  if (by_ == ScoreBy::kSum) return places;
  size_t order = 0, batch = 0;
  for (const scoring::ScorePart& part : scoring::ScoreParts(profile)) {
    const std::string name = NameOf(part, by_);
    if (part.batch) {
      // Parts of one column follow each other, so the search begins where the last one was.
      while (batch_[batch] != name) batch++;
      places.push_back(order_.size() + batch);
    } else {
      while (order_[order] != name) order++;
      places.push_back(order++);
    }
  }
  return places;
}

}  // namespace basalt

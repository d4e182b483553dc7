#include "report/score_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace basalt {

ScoreRows::ScoreRows(const Store& store, std::string_view wanted) {
  for (uint32_t i = 0; i < store.pods.size(); i++) {
    const PodRow& p = store.pods[i];
    if (!p.in_use || !p.ours || p.status != TaskStatus::kPending || (!wanted.empty() && p.key != wanted)) continue;
    const StringId field = p.unsupported ? store.classes[p.cls.value].unsupported : p.job ? store.jobs[p.job.value].unsupported : StringId{};
    pods_.push_back({p.key, 1, PodId{i}, p.cls, field});
  }
  std::sort(pods_.begin(), pods_.end(), [](const ScoreRow& a, const ScoreRow& b) { return a.name < b.name; });
  std::map<std::tuple<ClassId, StringId>, size_t> groups;
  for (const ScoreRow& p : pods_) alike_.push_back(groups.try_emplace({p.cls, p.unsupported}, groups.size()).first->second);
}

void ScoreRows::Split(Kernel* kernel) {
  std::map<std::pair<size_t, uint64_t>, size_t> groups;
  for (size_t i = 0; i < pods_.size(); i++) {
    const NodeRules* rules = kernel->View(pods_[i].pod).rules;
    alike_[i] = groups.try_emplace({alike_[i], rules ? rules->id : 0}, groups.size()).first->second;
  }
}

std::vector<ScoreRow> ScoreRows::Classes() const {
  std::vector<ScoreRow> classes;
  std::map<size_t, size_t> place;
  for (size_t i = 0; i < pods_.size(); i++) {
    const auto [at, added] = place.try_emplace(alike_[i], classes.size());
    if (added)
      classes.push_back(pods_[i]);
    else
      classes[at->second].pods++;
  }
  return classes;
}

}  // namespace basalt

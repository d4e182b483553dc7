#include "report/score_source.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace basalt {

ScoreSource::ScoreSource(Engine* engine, std::string_view wanted, bool by_class, int64_t now_ns) : engine_(*engine), store_(engine->store) {
  engine_.store.Prepare();
  engine_.kernel.Open(now_ns);
  std::vector<const PodRow*> pods;
  for (const PodRow& p : store_.pods)
    if (p.in_use && p.ours && p.status == TaskStatus::kPending && (wanted.empty() || p.key == wanted)) pods.push_back(&p);
  std::sort(pods.begin(), pods.end(), [](const PodRow* a, const PodRow* b) { return a->key < b->key; });
  std::map<std::tuple<ClassId, uint64_t, StringId>, size_t> row_of;
  for (const PodRow* p : pods) {
    const StringId field = p->unsupported ? store_.classes[p->cls.value].unsupported : p->job ? store_.jobs[p->job.value].unsupported : StringId{};
    const PodId id{static_cast<uint32_t>(p - store_.pods.data())};
    const NodeRules* policies = engine_.kernel.View(id).rules;
    const uint64_t rules = policies ? policies->id : 0;
    if (by_class) {
      const auto [it, added] = row_of.try_emplace({p->cls, rules, field}, rows_.size());
      if (!added) {
        rows_[it->second].pods++;
        continue;
      }
    }
    rows_.push_back({p->key, 1, id, p->cls, rules, field});
  }
  for (uint32_t r = 0; r < store_.nodes.rows; r++)
    if (store_.nodes.present[r]) nodes_.push_back(r);
  std::sort(nodes_.begin(), nodes_.end(), [&](uint32_t a, uint32_t b) { return store_.nodes.rank[a] < store_.nodes.rank[b]; });
  mask_.Resize(PaddedRows(store_.nodes.rows)), key_.Resize(PaddedRows(store_.nodes.rows));
}

void ScoreSource::Judge(const Row& row) {
  const bool same = row_ && row_->cls == row.cls && row_->rules == row.rules;  // neighbours by name are mostly alike
  row_ = &row;
  if (same || !store_.nodes.rows) return;
  const PodClass& cls = store_.classes[row.cls.value];
  const scoring::Backend& backend = engine_.kernel.index().backend();
  const scoring::Profile& profile = engine_.kernel.profile();
  fixed_ = &engine_.kernel.index().Fixed(store_, engine_.kernel.View(row.pod));
  room_ = cls.best_effort ? scoring::Room::kNone : scoring::Room::kIdle;
  backend.Feasible(store_.nodes, cls, profile, *fixed_, room_, 0, store_.nodes.rows, mask_.data());
  norm_ = backend.Extremes(*fixed_, mask_.data(), 0, store_.nodes.rows);
  backend.Totals(store_.nodes, cls, profile, *fixed_, norm_, mask_.data(), 0, store_.nodes.rows, key_.data());
}

std::string ScoreSource::Reason(size_t node) const {
  if (row_->unsupported) return "not supported yet: " + std::string(store_.names.Text(row_->unsupported));
  const auto reason = scoring::ReasonOfRow(store_.nodes, store_.classes[row_->cls.value], engine_.kernel.profile(), *fixed_, room_, nodes_[node]);
  std::string text;
  for (const std::string& part : ReasonTexts(store_, reason, engine_.kernel.View(row_->pod).rules)) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::vector<std::string> ScoreSource::PartNames() const {
  std::vector<std::string> names;
  std::map<std::string, int> seen;
  for (const auto& [plugin, rule] : scoring::PartNames(engine_.kernel.profile())) {
    std::string name = std::string(plugin) + (rule.empty() || rule == plugin ? "" : "." + std::string(rule));
    if (const int n = ++seen[name]; n > 1) name += "#" + std::to_string(n);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<double> ScoreSource::Parts(size_t node) const {
  std::vector<double> parts;
  for (const auto& c : scoring::RowContributions(store_.nodes, store_.classes[row_->cls.value], engine_.kernel.profile(), *fixed_, norm_, nodes_[node])) parts.push_back(c.value);
  return parts;
}

}  // namespace basalt

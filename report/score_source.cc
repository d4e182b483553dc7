#include "report/score_source.h"

#include <algorithm>

namespace basalt {

ScoreSource::ScoreSource(Engine* engine, const std::vector<ScoreRow>* rows, const ScoreColumns* columns)
    : engine_(*engine), store_(engine->store), rows_(*rows), part_names_(columns->Names()), places_(columns->Places(engine->kernel.profile())) {
  values_.resize(places_.size()), parts_.resize(part_names_.size());
  for (uint32_t r = 0; r < store_.nodes.rows; r++)
    if (store_.nodes.present[r]) nodes_.push_back(r);
  std::sort(nodes_.begin(), nodes_.end(), [&](uint32_t a, uint32_t b) { return store_.nodes.rank[a] < store_.nodes.rank[b]; });
  mask_.Resize(PaddedRows(store_.nodes.rows)), key_.Resize(PaddedRows(store_.nodes.rows));
}

bool ScoreSource::Judge(const ScoreRow& row) {
  const ClassView view = engine_.kernel.View(row.pod);
  const uint64_t rules = view.rules ? view.rules->id : 0;
  // Neighbours by name are mostly alike.
  const bool same = row_ && row_->cls == row.cls && rules_ == rules && row_->unsupported == row.unsupported;
  row_ = &row, rules_ = rules;
  if (same || !store_.nodes.rows) return !same;
  const PodClass& cls = store_.classes[row.cls.value];
  const scoring::Backend& backend = engine_.kernel.index().backend();
  const scoring::Profile& profile = engine_.kernel.profile();
  engine_.kernel.index().BuildFixed(store_, view, &fixed_);
  room_ = cls.best_effort ? scoring::Room::kNone : scoring::Room::kIdle;
  backend.Feasible(store_.nodes, cls, profile, fixed_, room_, 0, store_.nodes.rows, mask_.data());
  norm_ = backend.Extremes(fixed_, mask_.data(), 0, store_.nodes.rows);
  backend.Totals(store_.nodes, cls, profile, fixed_, norm_, mask_.data(), 0, store_.nodes.rows, key_.data());
  return true;
}

std::string ScoreSource::Reason(size_t node) const {
  if (row_->unsupported) return "not supported yet: " + std::string(store_.names.Text(row_->unsupported));
  const auto reason = scoring::ReasonOfRow(store_.nodes, store_.classes[row_->cls.value], engine_.kernel.profile(), fixed_, room_, nodes_[node]);
  std::string text;
  for (const std::string& part : ReasonTexts(store_, reason, engine_.kernel.View(row_->pod).rules)) text += (text.empty() ? "" : ", ") + part;
  return text;
}

const std::vector<double>& ScoreSource::Parts(size_t node) {
  scoring::RowParts(store_.nodes, store_.classes[row_->cls.value], engine_.kernel.profile(), fixed_, norm_, nodes_[node], values_.data());
  std::fill(parts_.begin(), parts_.end(), 0.0);
  for (size_t p = 0; p < places_.size(); p++) parts_[places_[p]] += values_[p];
  return parts_;
}

}  // namespace basalt

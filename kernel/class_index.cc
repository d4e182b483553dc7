#include "kernel/class_index.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace basalt {

using scoring::kInfeasible;
using scoring::Norm;
using scoring::Room;

namespace {

template <class Counts>
void Count(Counts* counts, int32_t raw, int delta) {
  for (auto& c : *counts)
    if (c.raw == raw) {
      c.rows += delta;
      return;
    }
  counts->push_back({raw, static_cast<uint32_t>(delta)});
}

template <class Counts>
int32_t MaxOf(const Counts& counts) {
  int32_t max = 0;
  for (const auto& c : counts)
    if (c.rows && c.raw > max) max = c.raw;
  return max;
}

}  // namespace

void ClassIndex::State::CountRaw(size_t row, int delta) {
  if (fixed.affinity_raw.size()) Count(&affinity_counts, fixed.affinity_raw[row], delta);
  if (fixed.taint_raw.size()) Count(&taint_counts, fixed.taint_raw[row], delta);
}

Norm ClassIndex::State::CountedNorm() const { return {MaxOf(affinity_counts), MaxOf(taint_counts)}; }

ClassIndex::State& ClassIndex::StateOf(const Store& store, ClassView view) {
  if (states_.size() < store.classes.size()) states_.resize(store.classes.size());
  State& s = view.rules ? ruled_[{view.cls.value, view.rules->id}] : states_[view.cls.value];
  const PodClass& cls = store.classes[view.cls.value];
  if (s.class_generation != cls.generation) s = State{}, s.class_generation = cls.generation;
  const uint64_t rules_version = view.rules ? view.rules->version : 0;
  if (!s.fixed_built || s.nodes_generation != store.nodes_generation || s.rules_version != rules_version) {
    BuildFixed(store, view, &s.fixed);
    s.rules_version = rules_version;
    s.fixed_built = true, s.built = false;
    s.nodes_generation = store.nodes_generation;
  }
  return s;
}

void ClassIndex::BuildFixed(const Store& store, ClassView view, scoring::StaticColumns* fixed) const {
  *fixed = {};
  backend_->Static(store.nodes, store.classes[view.cls.value], *profile_, 0, store.nodes.rows, fixed);
  if (view.rules) AddRules(*view.rules, store.nodes.rows, fixed);
}

void ClassIndex::AddRules(const NodeRules& rules, size_t rows, scoring::StaticColumns* fixed) const {
  if (rules.refused.size()) {
    fixed->policy_refused.Resize(PaddedRows(rows));
    for (size_t i = 0; i < rows; i++) {
      const uint8_t code = rules.refused[i];
      if (!code) continue;
      fixed->policy_refused[i] = rules.refusals[code - 1].before_predicates ? code | scoring::kPolicyFirst : code;
      if (!fixed->fail[i]) fixed->fail[i] = scoring::kFailPolicy;
    }
  }
  for (size_t k = 0; k < rules.score.size(); k++) {
    if (!rules.score[k].size()) continue;
    fixed->policy_score[k].Resize(PaddedRows(rows));
    std::copy_n(rules.score[k].data(), rows, fixed->policy_score[k].data());
  }
}

void ClassIndex::Rebuild(const Store& store, const PodClass& cls, State* s) {
  const size_t rows = store.nodes.rows, padded = PaddedRows(rows);
  s->key.Resize(padded);
  groups_.resize(padded / kRowPad), bits_.resize(groups_.size());
  std::iota(groups_.begin(), groups_.end(), 0u);
  backend_->FeasibleGroups(store.nodes, cls, *profile_, s->fixed, Room::kIdle, groups_.data(), groups_.size(), bits_.data());
  s->affinity_counts.clear(), s->taint_counts.clear(), s->norm = {};
  if (s->Normalised()) {
    for (size_t row = 0; row < rows; row++)
      if (bits_[row / kRowPad] >> row % kRowPad & 1) s->CountRaw(row, 1);
    s->norm = s->CountedNorm();
  }
  backend_->TotalsOfGroups(store.nodes, cls, *profile_, s->fixed, s->norm, groups_.data(), groups_.size(), bits_.data(), s->key.data());
  s->tree.Build(*backend_, s->key.data(), store.nodes.rank.data(), rows);
  s->seen = store.ChangePosition();
  s->built = true;
}

// False where an extreme of a normalised rule moved: then every score of the class is stale.
bool ClassIndex::Rescore(const Store& store, const PodClass& cls, State* s, uint32_t row, bool* changed) {
  const bool was = s->key[row] != kInfeasible;
  const double now = scoring::RowTotal(store.nodes, cls, *profile_, s->fixed, s->norm, Room::kIdle, row);
  const bool is = now != kInfeasible;
  if (was != is && s->Normalised()) {
    s->CountRaw(row, is ? 1 : -1);
    if (!(s->CountedNorm() == s->norm)) return false;
  }
  *changed = s->key[row] != now;
  s->key[row] = now;
  return true;
}

// The same for groups_.
bool ClassIndex::RescoreGroups(const Store& store, const PodClass& cls, State* s) {
  bits_.resize(groups_.size());
  backend_->FeasibleGroups(store.nodes, cls, *profile_, s->fixed, Room::kIdle, groups_.data(), groups_.size(), bits_.data());
  if (s->Normalised()) {
    for (size_t g = 0; g < groups_.size(); g++)
      for (size_t j = 0; j < kRowPad; j++) {
        const size_t row = groups_[g] * kRowPad + j;
        const bool was = s->key[row] != kInfeasible, is = bits_[g] >> j & 1;
        if (was != is) s->CountRaw(row, is ? 1 : -1);
      }
    if (!(s->CountedNorm() == s->norm)) return false;
  }
  backend_->TotalsOfGroups(store.nodes, cls, *profile_, s->fixed, s->norm, groups_.data(), groups_.size(), bits_.data(), s->key.data());
  return true;
}

void ClassIndex::Refresh(const Store& store, const PodClass& cls, State* s) {
  const uint64_t position = store.ChangePosition();
  if (!s->built || s->key.size() < store.nodes.rows) return Rebuild(store, cls, s);
  // Few changes are walked in the log; after many, a look at every group of rows finds those to score again by vector passes.
  constexpr uint64_t kFew = 16;
  if (position - s->seen <= kFew && s->seen >= store.changes_base) {
    rescored_.clear();
    for (; s->seen < position; s->seen++) {
      const uint32_t row = store.changed_nodes[s->seen - store.changes_base];
      bool changed;
      if (!Rescore(store, cls, s, row, &changed)) return Rebuild(store, cls, s);
      if (changed) rescored_.push_back(row);
    }
    for (const uint32_t row : rescored_) s->tree.Update(*backend_, s->key.data(), store.nodes.rank.data(), row);
    return;
  }
  const size_t all = PaddedRows(store.nodes.rows) / kRowPad;
  groups_.resize(all);
  size_t count = 0;
  for (size_t g = 0; g < all; g++) {  // without a branch: which groups changed is not to be guessed
    groups_[count] = static_cast<uint32_t>(g);
    count += store.group_changed[g] > s->seen;
  }
  groups_.resize(count);
  if (!RescoreGroups(store, cls, s)) return Rebuild(store, cls, s);
  s->tree.Update(*backend_, s->key.data(), store.nodes.rank.data(), groups_);
  s->seen = position;
}

NodeId ClassIndex::Best(const Store& store, ClassView view) {
  if (!store.nodes.rows) return {};
  State& s = StateOf(store, view);
  if (!s.built || s.seen != store.ChangePosition()) Refresh(store, store.classes[view.cls.value], &s);
  const uint32_t best = s.tree.Best();
  return s.key[best] == kInfeasible ? NodeId{} : NodeId{best};
}

NodeId ClassIndex::ArgMax(const Store& store, const double* key) const {
  NodeId best;
  for (uint32_t i = 0; i < store.nodes.rows; i++) {
    if (key[i] == kInfeasible) continue;
    if (!best || key[i] > key[best.value] || (key[i] == key[best.value] && store.nodes.rank[i] < store.nodes.rank[best.value])) best = NodeId{i};
  }
  return best;
}

NodeId ClassIndex::Scan(const Store& store, const PodClass& cls, State* s, Room room, const std::vector<uint8_t>* barred) {
  const size_t rows = store.nodes.rows, padded = PaddedRows(rows);
  mask_.Resize(padded), scratch_.Resize(padded);
  backend_->Feasible(store.nodes, cls, *profile_, s->fixed, room, 0, rows, mask_.data());
  if (barred)
    for (size_t i = 0; i < rows; i++) mask_[i] = mask_[i] && !(*barred)[i];
  const Norm norm = backend_->Extremes(s->fixed, mask_.data(), 0, rows);
  backend_->Totals(store.nodes, cls, *profile_, s->fixed, norm, mask_.data(), 0, rows, scratch_.data());
  return ArgMax(store, scratch_.data());
}

NodeId ClassIndex::BestFuture(const Store& store, ClassView view) {
  return store.nodes.rows ? Scan(store, store.classes[view.cls.value], &StateOf(store, view), Room::kFuture, nullptr) : NodeId{};
}

NodeId ClassIndex::BestBackfill(const Store& store, ClassView view) {
  return store.nodes.rows ? Scan(store, store.classes[view.cls.value], &StateOf(store, view), Room::kNone, nullptr) : NodeId{};
}

bool ClassIndex::Feasible(const Store& store, ClassView view, NodeId node, Room room) {
  const State& s = StateOf(store, view);
  return scoring::RowFeasible(store.nodes, store.classes[view.cls.value], *profile_, s.fixed, room, node.value);
}

NodeId ClassIndex::BestAmong(const Store& store, ClassView view, const std::vector<uint8_t>& barred, std::vector<uint8_t>* failed, bool* now) {
  *now = true;
  if (!store.nodes.rows) return {};
  State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  if (failed) {
    const size_t rows = store.nodes.rows;
    mask_.Resize(PaddedRows(rows));
    backend_->Feasible(store.nodes, cls, *profile_, s.fixed, Room::kFuture, 0, rows, mask_.data());
    for (size_t i = 0; i < rows; i++) (*failed)[i] = (*failed)[i] || !mask_[i];
  }
  if (const NodeId best = Scan(store, cls, &s, Room::kIdle, &barred)) return best;
  *now = false;
  return Scan(store, cls, &s, Room::kFuture, &barred);
}

FitError ClassIndex::Explain(const Store& store, ClassView view, Room room) {
  FitError error;
  const State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  std::map<std::tuple<uint16_t, uint8_t, uint32_t>, uint32_t> counts;
  for (size_t row = 0; row < store.nodes.rows; row++) {
    const scoring::RowReason r = scoring::ReasonOfRow(store.nodes, cls, *profile_, s.fixed, room, row);
    if (!store.nodes.present[row]) continue;
    error.nodes++;
    counts[{r.bits, r.policy, r.resource.value}]++;
  }
  for (const auto& [code, nodes] : counts) {
    const auto& [bits, policy, resource] = code;
    ReasonCount count{bits, ResourceId{resource}, PolicyReason::kNone, {}, nodes};
    if (policy) {
      const NodeRules::Refusal& refusal = view.rules->RefusalOf(policy);
      count.policy = refusal.reason, count.name = refusal.name;
    }
    error.reasons.push_back(count);
  }
  return error;
}

uint32_t ClassIndex::Remembered(const Store& store, ClassView view, Room room) const {
  const State* known = nullptr;
  if (view.rules) {
    const auto at = ruled_.find({view.cls.value, view.rules->id});
    if (at != ruled_.end() && at->second.rules_version == view.rules->version) known = &at->second;
  } else if (view.cls.value < states_.size()) {
    known = &states_[view.cls.value];
  }
  if (!known) return kNoFitError;
  const State& s = *known;
  const State::Error& e = s.errors[static_cast<int>(room)];
  const bool same = s.class_generation == store.classes[view.cls.value].generation && e.position == store.ChangePosition() &&
                    e.nodes_generation == store.nodes_generation && e.epoch == error_epoch_;
  return same ? e.at : kNoFitError;
}

void ClassIndex::Remember(const Store& store, ClassView view, Room room, uint32_t fit_error) {
  StateOf(store, view).errors[static_cast<int>(room)] = {store.ChangePosition(), store.nodes_generation, error_epoch_, fit_error};
}

}  // namespace basalt

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

/// What StaticColumns depend on, as bytes: classes that agree in it share them.
std::string StaticKey(const PodClass& cls) {
  std::string key;
  const auto put = [&](auto value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto tests = [&](const std::vector<LabelTest>& list) {
    put(list.size());
    for (const LabelTest& t : list) {
      put(t.column), put(t.op), put(t.bound), put(t.values.size());
      for (const StringId v : t.values) put(v.value);
    }
  };
  tests(cls.node_selector);
  put(cls.has_required), put(cls.required_terms.size());
  for (const SelectorTerm& t : cls.required_terms) put(t.never), tests(t.tests);
  put(cls.preferred_terms.size());
  for (const PreferredSelectorTerm& t : cls.preferred_terms) put(t.weight), put(t.term.never), tests(t.term.tests);
  put(cls.tolerations.size());
  for (const TolerationRow& t : cls.tolerations) put(t.key.value), put(t.value.value), put(t.op), put(t.effect);
  put(cls.images.size()), put(cls.image_containers);
  for (const StringId image : cls.images) put(image.value);
  return key;
}

/// Most clusters list their nodes by name. Rows without a node have no say: they never win.
bool Rise(const NodeTable& nodes) {
  uint64_t last = 0;
  for (size_t i = 0; i < nodes.rows; i++) {
    if (!nodes.present[i]) continue;
    if (nodes.rank[i] < last) return false;
    last = nodes.rank[i];
  }
  return true;
}

constexpr size_t kStaticsHeld = 256;
constexpr size_t kKeptRows = size_t{1} << 26;  ///< scores that are kept in all: about 0.8 GB with their trees

}  // namespace

void ClassIndex::Kept::CountRaw(const scoring::StaticColumns& fixed, size_t row, int delta) {
  if (fixed.affinity_raw.size()) Count(&affinity_counts, fixed.affinity_raw[row], delta);
  if (fixed.taint_raw.size()) Count(&taint_counts, fixed.taint_raw[row], delta);
}

Norm ClassIndex::Kept::CountedNorm() const { return {MaxOf(affinity_counts), MaxOf(taint_counts)}; }

ClassIndex::State& ClassIndex::StateOf(const Store& store, ClassView view) {
  if (nodes_generation_ != store.nodes_generation) {
    nodes_generation_ = store.nodes_generation;
    statics_.clear();
    ranks_rise_ = Rise(store.nodes);
  }
  if (states_.size() < store.classes.size()) states_.resize(store.classes.size());
  State& s = view.rules ? ruled_[{view.cls.value, view.rules->id}] : states_[view.cls.value];
  const PodClass& cls = store.classes[view.cls.value];
  if (s.class_generation != cls.generation) Forget(&s), s = State{}, s.class_generation = cls.generation;
  const uint64_t rules_version = view.rules ? view.rules->version : 0;
  if (!s.fixed || s.nodes_generation != store.nodes_generation || s.rules_version != rules_version) {
    Forget(&s);
    s.fixed = FixedOf(store, view);
    s.rules_version = rules_version;
    s.nodes_generation = store.nodes_generation;
  }
  return s;
}

void ClassIndex::Forget(State* s) {
  kept_ -= s->kept != nullptr;
  s->kept.reset();
}

void ClassIndex::ForgetRules() {
  for (auto& [key, state] : ruled_) Forget(&state);
  ruled_.clear();
}

std::shared_ptr<const scoring::StaticColumns> ClassIndex::FixedOf(const Store& store, ClassView view) {
  std::shared_ptr<const scoring::StaticColumns>* known = nullptr;
  if (!view.rules) {
    if (statics_.size() >= kStaticsHeld) statics_.clear();  // those in use live on in their states
    known = &statics_[StaticKey(store.classes[view.cls.value])];
    if (*known) return *known;
  }
  auto fixed = std::make_shared<scoring::StaticColumns>();
  BuildFixed(store, view, fixed.get());
  if (known) *known = fixed;
  return fixed;
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

void ClassIndex::AllGroups(const Store& store) {
  groups_.resize(PaddedRows(store.nodes.rows) / kRowPad), bits_.resize(groups_.size());
  std::iota(groups_.begin(), groups_.end(), 0u);
}

void ClassIndex::Rebuild(const Store& store, const PodClass& cls, State* s) {
  const size_t rows = store.nodes.rows;
  if (!s->kept) s->kept = std::make_unique<Kept>(), kept_++;
  Kept& k = *s->kept;
  k.key.Resize(PaddedRows(rows));
  AllGroups(store);
  backend_->FeasibleGroups(store.nodes, cls, *profile_, *s->fixed, Room::kIdle, groups_.data(), groups_.size(), bits_.data());
  k.affinity_counts.clear(), k.taint_counts.clear(), k.norm = {};
  if (s->Normalised()) {
    for (size_t row = 0; row < rows; row++)
      if (bits_[row / kRowPad] >> row % kRowPad & 1) k.CountRaw(*s->fixed, row, 1);
    k.norm = k.CountedNorm();
  }
  backend_->TotalsOfGroups(store.nodes, cls, *profile_, *s->fixed, k.norm, groups_.data(), groups_.size(), bits_.data(), k.key.data());
  k.tree.Build(*backend_, k.key.data(), Ranks(store), rows);
  k.seen = store.ChangePosition();
}

// False where an extreme of a normalised rule moved: then every score of the class is stale.
bool ClassIndex::Rescore(const Store& store, const PodClass& cls, State* s, uint32_t row, bool* changed) {
  Kept& k = *s->kept;
  const bool was = k.key[row] != kInfeasible;
  const double now = scoring::RowTotal(store.nodes, cls, *profile_, *s->fixed, k.norm, Room::kIdle, row);
  const bool is = now != kInfeasible;
  if (was != is && s->Normalised()) {
    k.CountRaw(*s->fixed, row, is ? 1 : -1);
    if (!(k.CountedNorm() == k.norm)) return false;
  }
  *changed = k.key[row] != now;
  k.key[row] = now;
  return true;
}

// The same for groups_.
bool ClassIndex::RescoreGroups(const Store& store, const PodClass& cls, State* s) {
  Kept& k = *s->kept;
  bits_.resize(groups_.size());
  backend_->FeasibleGroups(store.nodes, cls, *profile_, *s->fixed, Room::kIdle, groups_.data(), groups_.size(), bits_.data());
  if (s->Normalised()) {
    for (size_t g = 0; g < groups_.size(); g++)
      for (size_t j = 0; j < kRowPad; j++) {
        const size_t row = groups_[g] * kRowPad + j;
        const bool was = k.key[row] != kInfeasible, is = bits_[g] >> j & 1;
        if (was != is) k.CountRaw(*s->fixed, row, is ? 1 : -1);
      }
    if (!(k.CountedNorm() == k.norm)) return false;
  }
  backend_->TotalsOfGroups(store.nodes, cls, *profile_, *s->fixed, k.norm, groups_.data(), groups_.size(), bits_.data(), k.key.data());
  return true;
}

void ClassIndex::Refresh(const Store& store, const PodClass& cls, State* s) {
  if (!s->kept || s->kept->key.size() < store.nodes.rows) return Rebuild(store, cls, s);
  Kept& k = *s->kept;
  const uint64_t position = store.ChangePosition();
  // Few changes are walked in the log; after many, a look at every group of rows finds those to score again by vector passes.
  constexpr uint64_t kFew = 16;
  if (position - k.seen <= kFew && k.seen >= store.changes_base) {
    rescored_.clear();
    for (; k.seen < position; k.seen++) {
      const uint32_t row = store.changed_nodes[k.seen - store.changes_base];
      bool changed;
      if (!Rescore(store, cls, s, row, &changed)) return Rebuild(store, cls, s);
      if (changed) rescored_.push_back(row);
    }
    for (const uint32_t row : rescored_) k.tree.Update(*backend_, k.key.data(), Ranks(store), row);
    return;
  }
  const size_t all = PaddedRows(store.nodes.rows) / kRowPad;
  groups_.resize(all);
  size_t count = 0;
  for (size_t g = 0; g < all; g++) {  // without a branch: which groups changed is not to be guessed
    groups_[count] = static_cast<uint32_t>(g);
    count += store.group_changed[g] > k.seen;
  }
  groups_.resize(count);
  if (!RescoreGroups(store, cls, s)) return Rebuild(store, cls, s);
  k.tree.Update(*backend_, k.key.data(), Ranks(store), groups_);
  k.seen = position;
}

// A column of scores pays from the second pod on; a million classes with one each would fill the memory.
bool ClassIndex::WorthKeeping(const Store& store, const PodClass& cls, const State& s) const {
  return s.kept || (cls.users > 1 && kept_ * store.nodes.rows < kKeptRows);
}

NodeId ClassIndex::Best(const Store& store, ClassView view) {
  if (!store.nodes.rows) return {};
  State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  if (!WorthKeeping(store, cls, s)) return Scan(store, cls, &s, Room::kIdle);
  if (!s.kept || s.kept->seen != store.ChangePosition()) Refresh(store, cls, &s);
  const uint32_t best = s.kept->tree.Best();
  return s.kept->key[best] == kInfeasible ? NodeId{} : NodeId{best};
}

NodeId ClassIndex::Scan(const Store& store, const PodClass& cls, State* s, Room room) {
  AllGroups(store);
  backend_->FeasibleGroups(store.nodes, cls, *profile_, *s->fixed, room, groups_.data(), groups_.size(), bits_.data());
  return BestOfBits(store, cls, *s);
}

// The best of the rows in bits_, which stand for all rows.
NodeId ClassIndex::BestOfBits(const Store& store, const PodClass& cls, const State& s) {
  const size_t rows = store.nodes.rows, padded = PaddedRows(rows);
  scratch_.Resize(padded);
  Norm norm;
  if (s.Normalised()) {
    mask_.Resize(padded);
    for (size_t row = 0; row < rows; row++) mask_[row] = bits_[row / kRowPad] >> row % kRowPad & 1;
    norm = backend_->Extremes(*s.fixed, mask_.data(), 0, rows);
  }
  backend_->TotalsOfGroups(store.nodes, cls, *profile_, *s.fixed, norm, groups_.data(), groups_.size(), bits_.data(), scratch_.data());
  scan_tree_.Build(*backend_, scratch_.data(), Ranks(store), rows);
  const uint32_t best = scan_tree_.Best();
  return scratch_[best] == kInfeasible ? NodeId{} : NodeId{best};
}

NodeId ClassIndex::BestFuture(const Store& store, ClassView view) {
  return store.nodes.rows ? Scan(store, store.classes[view.cls.value], &StateOf(store, view), Room::kFuture) : NodeId{};
}

NodeId ClassIndex::BestBackfill(const Store& store, ClassView view) {
  return store.nodes.rows ? Scan(store, store.classes[view.cls.value], &StateOf(store, view), Room::kNone) : NodeId{};
}

bool ClassIndex::Feasible(const Store& store, ClassView view, NodeId node, Room room) {
  const State& s = StateOf(store, view);
  return scoring::RowFeasible(store.nodes, store.classes[view.cls.value], *profile_, *s.fixed, room, node.value);
}

NodeId ClassIndex::BestAmong(const Store& store, ClassView view, std::vector<uint8_t>* failed, bool* now) {
  *now = true;
  if (!store.nodes.rows) return {};
  State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  AllGroups(store);
  failed->resize(groups_.size());
  const auto filter = [&](Room room, std::vector<uint8_t>* bits) {
    bits->resize(groups_.size());
    backend_->FeasibleGroups(store.nodes, cls, *profile_, *s.fixed, room, groups_.data(), groups_.size(), bits->data());
  };
  filter(Room::kFuture, &future_);
  for (size_t g = 0; g < groups_.size(); g++) {
    const uint8_t fits = future_[g];
    future_[g] &= static_cast<uint8_t>(~(*failed)[g]);
    (*failed)[g] |= static_cast<uint8_t>(~fits);
  }
  if (!store.nodes.moving_tasks) {  // what is free now is what will be free
    bits_ = future_;
    return BestOfBits(store, cls, s);
  }
  filter(Room::kIdle, &bits_);
  for (size_t g = 0; g < groups_.size(); g++) bits_[g] &= future_[g];
  if (const NodeId best = BestOfBits(store, cls, s)) return best;
  *now = false;
  bits_ = future_;
  return BestOfBits(store, cls, s);
}

const Column<uint8_t>& ClassIndex::Candidates(const Store& store, ClassView view) {
  const size_t rows = store.nodes.rows;
  candidates_.Resize(PaddedRows(rows));
  if (!rows) return candidates_;
  const State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  for (size_t row = 0; row < rows; row++) candidates_[row] = s.fixed->fail[row] == 0;
  // The proportional filter looks at what is idle now, which evicting does not change.
  if (!profile_->proportional.empty())
    for (size_t row = 0; row < rows; row++)
      if (candidates_[row] && (scoring::ReasonOfRow(store.nodes, cls, *profile_, *s.fixed, Room::kNone, row).bits & scoring::kReasonProportional)) candidates_[row] = 0;
  return candidates_;
}

std::vector<NodeId> ClassIndex::Ranked(const Store& store, ClassView view, const std::vector<uint8_t>& chosen, bool scored) {
  const size_t rows = store.nodes.rows;
  std::vector<NodeId> order;
  for (uint32_t row = 0; row < rows; row++)
    if (chosen[row]) order.push_back(NodeId{row});
  const auto by_name = [&](NodeId a, NodeId b) { return store.nodes.rank[a.value] < store.nodes.rank[b.value]; };
  if (!scored) {
    std::sort(order.begin(), order.end(), by_name);
    return order;
  }
  const State& s = StateOf(store, view);
  scratch_.Resize(PaddedRows(rows));
  const Norm norm = backend_->Extremes(*s.fixed, candidates_.data(), 0, rows);
  backend_->Totals(store.nodes, store.classes[view.cls.value], *profile_, *s.fixed, norm, candidates_.data(), 0, rows, scratch_.data());
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
    return scratch_[a.value] != scratch_[b.value] ? scratch_[a.value] > scratch_[b.value] : by_name(a, b);
  });
  return order;
}

FitError ClassIndex::Explain(const Store& store, ClassView view, Room room) {
  FitError error;
  const State& s = StateOf(store, view);
  const PodClass& cls = store.classes[view.cls.value];
  std::map<std::tuple<uint16_t, uint8_t, uint32_t>, uint32_t> counts;
  for (size_t row = 0; row < store.nodes.rows; row++) {
    const scoring::RowReason r = scoring::ReasonOfRow(store.nodes, cls, *profile_, *s.fixed, room, row);
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

// The best node of every pod class: a score per node and a tree of the best over them, kept from cycle to cycle and brought up to date from the log of
// changed nodes, so a gang of P identical pods over N nodes costs O(N + P log N).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel/best_tree.h"
#include "kernel/node_rules.h"
#include "kernel/plan.h"
#include "scoring/batch.h"
#include "snapshot/executor.h"
#include "snapshot/store.h"

namespace basalt {

class ClassIndex {
 public:
  /// The backend and profile decide every score; after a change of either call Reset().
  void Configure(const scoring::Backend* backend, const scoring::Profile* profile) { backend_ = backend, profile_ = profile, Reset(); }
  void Reset() { states_.clear(), ruled_.clear(), statics_.clear(), kept_ = 0, nodes_generation_ = 0; }

  /// The best node for the class among those where it fits now (Room::kIdle): highest total, then the name that sorts first.
  /// kNone where none fits.
  NodeId Best(const Store& store, ClassView view);
  /// The best node where the class fits once releasing pods are gone but not now; only meaningful where Best() gave none.
  NodeId BestFuture(const Store& store, ClassView view);
  /// The best node that takes the class without any resource comparison (backfill).
  NodeId BestBackfill(const Store& store, ClassView view);
  /// One named node: does it take the class (filter against FutureIdle), and is it free now?
  bool Feasible(const Store& store, ClassView view, NodeId node, scoring::Room room);

  /// As Best and BestFuture (which of them: *now), over the nodes that are not in `failed`; those whose filter refuses the class now and later join it.
  /// failed: one bit per row, by groups of kRowPad; grown as needed.
  NodeId BestAmong(const Store& store, ClassView view, std::vector<uint8_t>* failed, bool* now);

  /// Rows that could take the class if only pods were gone: no rule refuses them for good. Holds until the next call.
  const Column<uint8_t>& Candidates(const Store& store, ClassView view);
  /// The rows of `chosen`, scored among all of Candidates() (highest first, then by name), or by name alone.
  /// Precondition: Candidates(store, view) was the last call.
  std::vector<NodeId> Ranked(const Store& store, ClassView view, const std::vector<uint8_t>& chosen, bool scored);

  /// Why nobody takes the class, over all present nodes; `fresh` is false where the state is the one of an earlier call and *cached
  /// (an index the caller attached with Remember) still holds.
  FitError Explain(const Store& store, ClassView view, scoring::Room room);
  uint32_t Remembered(const Store& store, ClassView view, scoring::Room room) const;
  void Remember(const Store& store, ClassView view, scoring::Room room, uint32_t fit_error);
  void ForgetErrors() { error_epoch_++; }
  /// Rules of policies live for a session: what was kept for pods with them is stale in the next.
  void ForgetRules();

  /// The static part of a class, rules of policies included.
  void BuildFixed(const Store& store, ClassView view, scoring::StaticColumns* fixed) const;
  /// For explain: the same, kept.
  const scoring::StaticColumns& Fixed(const Store& store, ClassView view) { return *StateOf(store, view).fixed; }
  const scoring::Backend& backend() const { return *backend_; }
  const scoring::Profile& profile() const { return *profile_; }

 private:
  struct RawCount { int32_t raw; uint32_t rows; };
  /// The score of every node, brought up to date from the log of changes.
  struct Kept {
    uint64_t seen = 0;  ///< position in the log
    scoring::Norm norm;
    std::vector<RawCount> affinity_counts, taint_counts;  ///< raw values among the rows that fit, to notice when an extreme goes
    Column<double> key{scoring::kInfeasible};
    BestTree tree;
    void CountRaw(const scoring::StaticColumns& fixed, size_t row, int delta);
    scoring::Norm CountedNorm() const;
  };
  struct State {
    uint64_t class_generation = 0, nodes_generation = 0, rules_version = 0;
    std::shared_ptr<const scoring::StaticColumns> fixed;  ///< shared by classes that differ in requests alone
    std::unique_ptr<Kept> kept;
    struct Error { uint64_t position = UINT64_MAX, nodes_generation = 0, epoch = 0; uint32_t at = kNoFitError; };
    Error errors[3];
    bool Normalised() const { return fixed->affinity_raw.size() || fixed->taint_raw.size(); }
  };

  State& StateOf(const Store& store, ClassView view);
  std::shared_ptr<const scoring::StaticColumns> FixedOf(const Store& store, ClassView view);
  void Forget(State* s);
  bool WorthKeeping(const Store& store, const PodClass& cls, const State& s) const;
  void Refresh(const Store& store, const PodClass& cls, State* s);
  void Rebuild(const Store& store, const PodClass& cls, State* s);
  bool Rescore(const Store& store, const PodClass& cls, State* s, uint32_t row, bool* changed);
  bool RescoreGroups(const Store& store, const PodClass& cls, State* s);
  void AllGroups(const Store& store);
  const uint64_t* Ranks(const Store& store) const { return ranks_rise_ ? nullptr : store.nodes.rank.data(); }
  NodeId Scan(const Store& store, const PodClass& cls, State* s, scoring::Room room);
  NodeId BestOfBits(const Store& store, const PodClass& cls, const State& s);

  const scoring::Backend* backend_ = nullptr;
  const scoring::Profile* profile_ = nullptr;
  void AddRules(const NodeRules& rules, size_t rows, scoring::StaticColumns* fixed) const;

  std::vector<State> states_;                            ///< by class, for pods of whom no policy says anything
  std::map<std::pair<uint32_t, uint64_t>, State> ruled_;  ///< by class and rules
  std::map<std::string, std::shared_ptr<const scoring::StaticColumns>> statics_;  ///< by what they depend on, for one nodes_generation
  uint64_t nodes_generation_ = 0, error_epoch_ = 0;
  bool ranks_rise_ = false;  ///< with the rows of nodes that are there
  size_t kept_ = 0;          ///< states that keep scores
  Column<uint8_t> mask_, candidates_;
  BestTree scan_tree_;
  std::vector<uint32_t> rescored_;  ///< rows of one refresh
  std::vector<uint32_t> groups_;    ///< groups of rows of one refresh
  std::vector<uint8_t> bits_;       ///< by entry of groups_: rows that fit
  std::vector<uint8_t> future_;     ///< the same with what releasing pods will leave
  Column<double> scratch_{scoring::kInfeasible};
};

}  // namespace basalt

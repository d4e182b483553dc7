// The scores that decide now, row by row; the entries of a row are the nodes in order of their names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/score_parts.h"
#include "report/score_rows.h"

namespace basalt {

class ScoreSource {
 public:
  /// Judges by the configuration in force, whose profile `columns` knows. Preconditions: Store::Prepare() has run, the kernel was opened. What is handed over
  /// outlives the source.
  ScoreSource(Engine* engine, const std::vector<ScoreRow>* rows, const ScoreColumns* columns);

  const std::vector<ScoreRow>& rows() const { return rows_; }
  size_t nodes() const { return nodes_.size(); }
  std::string_view NodeName(size_t node) const { return store_.NodeName(NodeId{nodes_[node]}); }
  const std::vector<std::string>& part_names() const { return part_names_; }

  /// Judges every node for a row; what follows is about that row. False where all of it is as it was for the row before.
  bool Judge(const ScoreRow& row);
  bool Fits(size_t node) const { return !row_->unsupported && mask_[nodes_[node]]; }
  double Score(size_t node) const { return key_[nodes_[node]]; }
  /// Why the node does not take it.
  std::string Reason(size_t node) const;
  /// The parts of a node's score, by part_names(); a rule that does not count for the row gives 0. They hold until the next call. Precondition: Fits(node).
  const std::vector<double>& Parts(size_t node);

 private:
  Engine& engine_;
  const Store& store_;
  const std::vector<ScoreRow>& rows_;
  std::vector<std::string> part_names_;
  std::vector<size_t> places_;  ///< column of each part of the profile
  std::vector<double> values_, parts_;  ///< by part of the profile, by column
  std::vector<uint32_t> nodes_;
  const ScoreRow* row_ = nullptr;
  uint64_t rules_ = 0;  ///< what policies say of nodes for the row; equal: the same
  scoring::StaticColumns fixed_;  // of this row alone: classes may be as many as pods
  scoring::Room room_ = scoring::Room::kIdle;
  scoring::Norm norm_;
  Column<uint8_t> mask_;
  Column<double> key_;
};

}  // namespace basalt

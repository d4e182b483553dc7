// The scores that decide now, row by row: a row is a pending pod or a class of them, its entries are the nodes in order of their names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/engine.h"

namespace basalt {

class ScoreSource {
 public:
  struct Row {
    std::string_view name;   ///< "namespace/name" of the pod; of a class: of its first pod by name
    uint64_t pods = 1;
    PodId pod;
    ClassId cls;
    uint64_t rules = 0;      ///< what policies say of nodes for it; equal: the same
    StringId unsupported;    ///< field of a rule that is not built yet: then no node has a score
  };
  /// Prepares the store. wanted: "namespace/name", or empty for every pending pod.
  ScoreSource(Engine* engine, std::string_view wanted, bool by_class, int64_t now_ns);

  const std::vector<Row>& rows() const { return rows_; }
  size_t nodes() const { return nodes_.size(); }
  std::string_view NodeName(size_t node) const { return store_.NodeName(NodeId{nodes_[node]}); }

  /// Judges every node for a row; what follows is about that row.
  void Judge(const Row& row);
  bool Fits(size_t node) const { return !row_->unsupported && mask_[nodes_[node]]; }
  double Score(size_t node) const { return key_[nodes_[node]]; }
  /// Why the node does not take it.
  std::string Reason(size_t node) const;
  /// "plugin.rule" of every part that the configuration has, in the order in which the parts are added. A plugin that stands twice has its number behind it.
  std::vector<std::string> PartNames() const;
  /// The parts of a node's score, by PartNames; a rule that does not count for the class gives 0. Precondition: Fits(node).
  std::vector<double> Parts(size_t node) const;

 private:
  Engine& engine_;
  const Store& store_;
  std::vector<Row> rows_;
  std::vector<uint32_t> nodes_;
  const Row* row_ = nullptr;
  const scoring::StaticColumns* fixed_ = nullptr;
  scoring::Room room_ = scoring::Room::kIdle;
  scoring::Norm norm_;
  Column<uint8_t> mask_;
  Column<double> key_;
};

}  // namespace basalt

// The rows that are scored: pending pods, or classes of them.
#pragma once
#include <string_view>
#include <vector>

#include "report/engine.h"

namespace basalt {

struct ScoreRow {
  std::string_view name;   ///< "namespace/name" of the pod; of a class: of its first pod by name
  uint64_t pods = 1;
  PodId pod;               ///< the one of that name
  ClassId cls;
  StringId unsupported;    ///< field of a rule that is not built yet: then no node has a score
};

/// Pods sorted by name, and which of them are alike.
class ScoreRows {
 public:
  /// wanted: "namespace/name", or empty for every pending pod. Precondition: Store::Prepare() has run.
  ScoreRows(const Store& store, std::string_view wanted);
  /// Sets pods apart that the policies of the kernel tell different things about nodes. Precondition: the kernel was opened.
  void Split(Kernel* kernel);
  bool empty() const { return pods_.empty(); }
  std::vector<ScoreRow> Pods() const { return pods_; }
  std::vector<ScoreRow> Classes() const;

 private:
  std::vector<ScoreRow> pods_;
  std::vector<size_t> alike_;  ///< by pod; equal: one class
};

}  // namespace basalt

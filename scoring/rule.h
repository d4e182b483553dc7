// Shapes that rules share: what a rule may look at, what it binds, its documented argument, its worked examples.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scoring/batch.h"
#include "scoring/lanes.h"
#include "snapshot/classes.h"
#include "snapshot/nodes.h"

namespace basalt::scoring {

/// Rows that a block holds: its sums stay in the first-level cache.
inline constexpr size_t kBlockRows = 512;
static_assert(kBlockRows % kRowPad == 0);
inline constexpr size_t kBlockGroups = kBlockRows / kRowPad;

/// Everything a rule may look at.
struct RuleInput {
  const NodeTable& nodes;
  const PodClass& cls;
  const Profile& profile;
  const StaticColumns& fixed;
  Norm norm;
  Room room;
};

/// A list whose first kInline entries need no allocation. Lane parts read first[0..count) only.
template <class T, size_t kInline>
struct ShortList {
  const T* first = inline_;
  size_t count = 0;

  ShortList() {}  // leaves the entries uninitialised: a rule is bound for single rows, too
  ShortList(const ShortList&) = delete;
  ShortList& operator=(const ShortList&) = delete;
  void Add(const T& entry) {
    if (count < kInline) {
      inline_[count++] = entry;
      return;
    }
    if (count == kInline) more_.assign(inline_, inline_ + kInline);
    more_.push_back(entry);
    first = more_.data(), count++;
  }

 private:
  T inline_[kInline];
  std::vector<T> more_;
};

/// True where constants of a rule lie in the domain in which vectors hold whole numbers exactly.
inline bool InWholeDomain(int64_t value) { return value >= 0 && value < kWholeLimit; }

/// The column of a dimension; null where no node was ever said to have it (it reads as 0 everywhere).
inline const int64_t* ColumnOf(const NodeTable& nodes, const std::vector<Column<int64_t>>& columns, ResourceId id) {
  return id.value < columns.size() && columns[id.value].size() >= nodes.rows ? columns[id.value].data() : nullptr;
}

/// A whole-number argument that is a weight of nodeorder, or a switch of predicates, kept in the profile.
struct WeightArgument {
  std::string_view key;
  int64_t fallback;
  int64_t Profile::*member;
  std::string_view meaning;
};
struct SwitchArgument {
  std::string_view key;
  bool Profile::*member;
  std::string_view meaning;
};

/// A worked example over cpu, memory and one accelerator: documentation that every backend runs. Amounts in the units of the rule (Kubernetes' or
/// Volcano's). `expect` is the score before the plugin's weight.
struct ScoreExample {
  int64_t allocatable[3], used[3], request[3];
  double expect;
  std::string_view why;
};

}  // namespace basalt::scoring

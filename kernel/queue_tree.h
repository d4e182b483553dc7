// The tree that spec.parent makes of the queues. A wrong hierarchy concerns only the queues it names: they are set aside, all others keep their place.
#pragma once
#include <cstdint>
#include <vector>

#include "snapshot/store.h"

namespace basalt {

/// Why a queue has no place in the tree.
enum class QueueFault : uint8_t {
  kNone,
  kLoop,      ///< it is its own ancestor
  kNoParent,  ///< its parent is not there
  kAncestor,  ///< an ancestor has one of the faults above
};

/// By queue row. Rows that are not present have no place and no fault.
class QueueTree {
 public:
  QueueTree() = default;
  /// O(queues). Without a queue named "root" every queue misses its parent.
  explicit QueueTree(const Store& store);

  QueueId root() const { return root_; }
  /// Queues that have a place, every parent before its children.
  const std::vector<QueueId>& top_down() const { return top_down_; }
  /// kNone for the root and for a queue that is set aside.
  QueueId Parent(QueueId q) const { return at_[q.value].parent; }
  QueueFault Fault(QueueId q) const { return at_[q.value].fault; }
  bool IsLeaf(QueueId q) const { return !at_[q.value].has_children; }
  int32_t Depth(QueueId q) const { return at_[q.value].depth; }  ///< 0: the root
  /// The ancestors of two different leaves, or the leaves themselves, that are siblings: where their paths from the root part.
  void Part(QueueId* a, QueueId* b) const;

 private:
  struct Place {
    QueueId parent;
    int32_t depth = 0;
    QueueFault fault = QueueFault::kNone;
    bool has_children = false;
  };
  std::vector<Place> at_;
  std::vector<QueueId> top_down_;
  QueueId root_;
};

}  // namespace basalt

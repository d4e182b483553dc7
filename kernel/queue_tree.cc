#include "kernel/queue_tree.h"

namespace basalt {

QueueTree::QueueTree(const Store& store) : at_(store.queues.size()), root_(store.FindQueue("root")) {
  if (root_ && !store.queues[root_.value].present) root_ = {};
  // The parents as named; a queue's own parent field is of no effect for the root.
  std::vector<QueueId> named(at_.size());
  for (uint32_t q = 0; q < at_.size(); q++) {
    const QueueRow& row = store.queues[q];
    if (!row.present || QueueId{q} == root_) continue;
    const QueueId parent = row.parent ? store.FindQueue(store.names.Text(row.parent)) : root_;
    if (parent && store.queues[parent.value].present) named[q] = parent;
    else at_[q].fault = QueueFault::kNoParent;
  }
  // Each path upwards is walked once: it ends at the root, at a fault, at a queue that is settled, or at one of its own (a loop).
  enum : uint8_t { kNew, kOnPath, kSettled };
  std::vector<uint8_t> state(at_.size(), kNew);
  if (root_) state[root_.value] = kSettled, top_down_.push_back(root_);
  std::vector<QueueId> path;
  for (uint32_t q = 0; q < at_.size(); q++) {
    if (!store.queues[q].present || state[q] != kNew) continue;
    path.clear();
    QueueId at{q};
    while (state[at.value] == kNew) {
      state[at.value] = kOnPath;
      path.push_back(at);
      if (at_[at.value].fault != QueueFault::kNone) break;
      at = named[at.value];
    }
    if (at_[at.value].fault == QueueFault::kNone && state[at.value] == kOnPath)
      for (size_t i = path.size(); i-- > 0;) {
        at_[path[i].value].fault = QueueFault::kLoop;
        if (path[i] == at) break;
      }
    for (size_t i = path.size(); i-- > 0;) {
      Place& place = at_[path[i].value];
      state[path[i].value] = kSettled;
      if (place.fault != QueueFault::kNone) continue;
      Place& parent = at_[named[path[i].value].value];
      if (parent.fault != QueueFault::kNone) {
        place.fault = QueueFault::kAncestor;
        continue;
      }
      place.parent = named[path[i].value], place.depth = parent.depth + 1;
      parent.has_children = true;
      top_down_.push_back(path[i]);
    }
  }
}

void QueueTree::Part(QueueId* a, QueueId* b) const {
  while (Depth(*a) > Depth(*b)) *a = Parent(*a);
  while (Depth(*b) > Depth(*a)) *b = Parent(*b);
  while (Parent(*a) != Parent(*b)) *a = Parent(*a), *b = Parent(*b);
}

}  // namespace basalt

// A binary heap that never looks at its order again after a change from outside, as Volcano's queues do. An order that is no strict weak order
// (mixed pod names) cannot break it, unlike std::sort or std::push_heap.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace basalt {

template <class T>
class Heap {
 public:
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }

  template <class Less>
  void Push(T item, const Less& less) {
    items_.push_back(std::move(item));
    for (size_t i = items_.size() - 1; i > 0;) {
      const size_t parent = (i - 1) / 2;
      if (!less(items_[i], items_[parent])) return;
      std::swap(items_[i], items_[parent]);
      i = parent;
    }
  }

  /// Takes the least item. Precondition: not empty.
  template <class Less>
  T Pop(const Less& less) {
    std::swap(items_.front(), items_.back());
    T out = std::move(items_.back());
    items_.pop_back();
    for (size_t i = 0;;) {
      size_t child = 2 * i + 1;
      if (child >= items_.size()) return out;
      if (child + 1 < items_.size() && less(items_[child + 1], items_[child])) child++;
      if (!less(items_[child], items_[i])) return out;
      std::swap(items_[i], items_[child]);
      i = child;
    }
  }

 private:
  std::vector<T> items_;
};

}  // namespace basalt

// Aligned, padded columns: what the vector loops read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace basalt {

/// Rows are padded to a multiple of this (the widest vector of 64-bit lanes, AVX-512), so a loop may always step whole vectors.
inline constexpr size_t kRowPad = 8;
inline constexpr size_t PaddedRows(size_t rows) { return (rows + kRowPad - 1) / kRowPad * kRowPad; }

/// Reading may go on to a multiple of this: the blocks of the best-node reduction.
inline constexpr size_t kReadPad = 64;

/// A growing array of T: 64-byte aligned, everything behind `size()` up to a multiple of kReadPad reads as the fill value (nothing where size() is 0).
template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  explicit Column(T fill) : fill_(fill) {}
  Column(Column&& o) noexcept { *this = std::move(o); }
  Column& operator=(Column&& o) noexcept {
    std::swap(data_, o.data_), std::swap(block_, o.block_), std::swap(size_, o.size_), std::swap(capacity_, o.capacity_), std::swap(fill_, o.fill_);
    return *this;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() { std::free(block_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

  /// Grows to `rows` (never shrinks); new rows hold the fill value. Amortised O(1) per row.
  void Resize(size_t rows) {
    if (rows <= size_) return;
    const size_t need = PaddedRows(rows);
    if (need > capacity_) {
      size_t capacity = capacity_ ? capacity_ * 2 : kReadPad;
      while (capacity < need) capacity *= 2;
      // Memory that the system hands out as zeros is not touched before it is used: a column of which few rows are in use costs few pages.
      void* block = std::calloc(1, capacity * sizeof(T) + kAlignment);
      if (!block) throw std::bad_alloc();
      T* grown = reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(block) + kAlignment - 1) / kAlignment * kAlignment);
      if (data_) std::memcpy(grown, data_, capacity_ * sizeof(T));
      const T zero{};
      if (std::memcmp(&fill_, &zero, sizeof(T)) != 0)
        for (size_t i = capacity_; i < capacity; i++) grown[i] = fill_;
      std::free(block_);
      block_ = block;
      data_ = grown, capacity_ = capacity;
    }
    size_ = rows;
  }

  /// Reads as `other`, all that it has room for, until Own(). To be repeated when `other` has grown, and it has to live as long.
  void Share(const Column& other) {
    std::free(block_);
    block_ = nullptr;
    data_ = other.data_, size_ = other.capacity_, capacity_ = 0;
  }
  bool IsShared() const { return block_ == nullptr; }
  /// Ends sharing: `rows` rows (at least one) of its own, with the fill value.
  void Own(size_t rows) {
    data_ = nullptr, size_ = 0;
    Resize(rows);
  }

 private:
  static constexpr size_t kAlignment = 64;
  T* data_ = nullptr;
  void* block_ = nullptr;  ///< what data_ lies in; null where it is another column's
  size_t size_ = 0, capacity_ = 0;
  T fill_{};
};

}  // namespace basalt

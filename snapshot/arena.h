// A bump allocator for decoded objects: everything in it dies together.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace basalt {

/// Memory of one decoded batch. Not thread-safe; one arena per worker. Only trivially destructible things live in it.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& o) noexcept { *this = std::move(o); }
  Arena& operator=(Arena&& o) noexcept {
    blocks_ = std::move(o.blocks_);
    used_ = std::exchange(o.used_, 0), size_ = std::exchange(o.size_, 0);
    o.blocks_.clear();
    return *this;
  }

  void* Allocate(size_t bytes, size_t align) {
    size_t at = (used_ + align - 1) & ~(align - 1);
    if (at + bytes > size_) {
      const size_t size = bytes + align > kBlockBytes ? bytes + align : kBlockBytes;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
      size_ = size;
      at = 0;
    }
    used_ = at + bytes;
    return blocks_.back().get() + at;
  }
  /// Copies a vector's elements into the arena.
  template <class T>
  std::span<const T> Copy(const std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    if (v.empty()) return {};
    T* p = static_cast<T*>(Allocate(v.size() * sizeof(T), alignof(T)));
    std::memcpy(static_cast<void*>(p), v.data(), v.size() * sizeof(T));
    return {p, v.size()};
  }
  std::string_view Copy(std::string_view s) {
    if (s.empty()) return {};
    char* p = static_cast<char*>(Allocate(s.size(), 1));
    std::memcpy(p, s.data(), s.size());
    return {p, s.size()};
  }
  /// Forgets everything.
  void Clear() { blocks_.clear(), used_ = size_ = 0; }

 private:
  static constexpr size_t kBlockBytes = 64 * 1024;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t used_ = 0, size_ = 0;
};

}  // namespace basalt

// Memory that holds one input text, with the readable bytes behind it that the library asks for.
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>

namespace basalt::cli {

/// Pages from the system: a file mapped, or anonymous memory that grows without copying (pages move, bytes do not).
/// BASALT_PADDING_BYTES behind the text are always readable.
class Bytes {
 public:
  Bytes() = default;
  ~Bytes();
  Bytes(Bytes&& other) noexcept { *this = std::move(other); }
  Bytes& operator=(Bytes&& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(mapped_, other.mapped_);
    return *this;
  }

  /// Maps `size` bytes of an open regular file; false (errno) where the system refuses.
  bool Map(int fd, size_t size);
  /// Room for at least `room` more bytes behind the text; nullptr (errno) where there is no memory.
  char* Grow(size_t room);
  /// Bytes that may be written at the pointer Grow gave.
  size_t room() const;
  void Added(size_t bytes) { size_ += bytes; }

  std::string_view text() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0, mapped_ = 0;
};

}  // namespace basalt::cli

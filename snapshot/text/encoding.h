// Any accepted encoding to UTF-8 without marks.
#pragma once
#include <string>
#include <string_view>

namespace basalt {

/// A text as UTF-8: the caller's bytes where nothing had to change, else a copy that this object owns.
class Utf8Text {
 public:
  /// Reads `bytes` (kJsonPaddingBytes readable bytes behind them; the copy has them too): UTF-8, marks at the start and in the middle (joined
  /// files) taken out, or UTF-16 with a mark. Returns false where the bytes are no such text: binary, UTF-16 without a mark, a broken
  /// sequence; then `message` and `offset` (of the first bad byte) say why.
  bool Read(std::string_view bytes);

  std::string_view text() const { return text_; }
  /// Offset in the caller's bytes of an offset in text(), for messages.
  size_t OriginalOffset(size_t offset) const;

  std::string message;
  size_t offset = 0;

 private:
  bool Fail(std::string why, size_t at);
  bool ReadUtf16(std::string_view bytes, bool little_endian);
  void RemoveMarks(std::string_view bytes);

  enum class Change : uint8_t { kNone, kMarks, kUtf16 };
  Change change_ = Change::kNone;
  std::string_view bytes_, text_;
  std::string copy_;
};

}  // namespace basalt

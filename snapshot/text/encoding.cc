#include "snapshot/text/encoding.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "snapshot/decode.h"

namespace basalt {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr char kLooksLikeUtf16[] = "not UTF-8 (looks like UTF-16)";

/// Marks stand where files were joined: at a line's start or right behind a JSON value. Elsewhere U+FEFF is text and stays.
bool IsMark(std::string_view bytes, size_t at) {
  if (bytes.compare(at, kMark.size(), kMark) != 0) return false;
  return at == 0 || std::string_view("\n\r}]").find(bytes[at - 1]) != std::string_view::npos ||
         (at >= 3 && bytes.compare(at - 3, kMark.size(), kMark) == 0);
}

/// The next mark at or behind `at`; the size of `bytes` where there is none.
size_t NextMark(std::string_view bytes, size_t at) {
  while (at < bytes.size()) {
    const void* found = std::memchr(bytes.data() + at, kMark[0], bytes.size() - at);
    if (found == nullptr) break;
    at = size_t(static_cast<const char*>(found) - bytes.data());
    if (IsMark(bytes, at)) return at;
    at++;
  }
  return bytes.size();
}

/// Bytes of the well-formed UTF-8 character at the front of `s`; 0 where there is none.
size_t CharacterBytes(std::string_view s) {
  const auto byte = [&](size_t i) { return i < s.size() ? static_cast<uint8_t>(s[i]) : uint8_t{0}; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !follows(1)) return 0;
  if (first < 0xE0) return 2;
  if (!follows(2)) return 0;
  if (first < 0xF0) return (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ? 0 : 3;
  return !follows(3) || (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F) ? 0 : 4;
}

/// Offset of the first byte that is not UTF-8; the size where all is well.
size_t FirstBad(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = CharacterBytes(bytes.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return bytes.size();
}

/// Whether NULs stand at every second place, as in UTF-16 of mostly Latin text.
bool LooksLikeUtf16(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 4096);
  size_t nuls[2] = {0, 0};
  for (size_t i = 0; i < head.size(); i++) nuls[i % 2] += head[i] == '\0';
  const size_t most = std::max(nuls[0], nuls[1]), least = std::min(nuls[0], nuls[1]);
  return most * 4 > head.size() && least * 8 <= most;
}

void AppendUtf8(uint32_t c, std::string* out) {
  if (c < 0x80) {
    *out += char(c);
  } else if (c < 0x800) {
    *out += {char(0xC0 | c >> 6), char(0x80 | (c & 63))};
  } else if (c < 0x10000) {
    *out += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
  } else {
    *out += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 63)), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
  }
}

}  // namespace

bool Utf8Text::Fail(std::string why, size_t at) {
  message = std::move(why);
  offset = at;
  text_ = {};
  return false;
}

bool Utf8Text::Read(std::string_view bytes) {
  bytes_ = bytes;
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return ReadUtf16(bytes, bytes[0] == '\xFF');
  // In pieces that stay in the cache, so that memory is read once for all three questions.
  constexpr size_t kPiece = size_t{128} << 10;
  bool marks = false;
  for (size_t at = 0; at < bytes.size();) {
    size_t end = std::min(at + kPiece, bytes.size());
    for (int back = 0; back < 3 && end < bytes.size() && (static_cast<uint8_t>(bytes[end]) & 0xC0) == 0x80; back++) end--;
    const std::string_view piece = bytes.substr(at, end - at);
    const void* nul = std::memchr(piece.data(), 0, piece.size());
    if (nul != nullptr) {
      const size_t where = size_t(static_cast<const char*>(nul) - bytes.data());
      return Fail(LooksLikeUtf16(bytes) ? kLooksLikeUtf16 : "not a text (a NUL byte)", where);
    }
    if (!simdjson::validate_utf8(piece.data(), piece.size())) {
      return Fail(LooksLikeUtf16(bytes) ? kLooksLikeUtf16 : "not UTF-8", at + FirstBad(piece));
    }
    marks = marks || NextMark(bytes.substr(0, end), std::max<size_t>(at, 3) - 3 + (at == 0 ? 1 : 0)) < end;
    at = end;
  }
  text_ = bytes;
  if (bytes.starts_with(kMark)) text_.remove_prefix(kMark.size());
  if (marks) RemoveMarks(bytes);
  return true;
}

void Utf8Text::RemoveMarks(std::string_view bytes) {
  copy_.reserve(bytes.size() + kJsonPaddingBytes);
  for (size_t at = 0; at < bytes.size();) {
    const size_t mark = NextMark(bytes, at);
    copy_.append(bytes.substr(at, mark - at));
    at = mark + kMark.size();
  }
  change_ = Change::kMarks;
  text_ = copy_;
}

bool Utf8Text::ReadUtf16(std::string_view bytes, bool little_endian) {
  const auto unit = [&](size_t i) {
    const auto a = static_cast<uint8_t>(bytes[i]), b = static_cast<uint8_t>(bytes[i + 1]);
    return uint32_t(little_endian ? a | b << 8 : b | a << 8);
  };
  if (bytes.size() % 2 != 0) return Fail("UTF-16 that ends inside a character", bytes.size() - 1);
  copy_.reserve(bytes.size() / 2 + bytes.size() / 8 + kJsonPaddingBytes);
  for (size_t i = 2; i < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    if (c == 0xFEFF) continue;
    if (c == 0) return Fail("not a text (a NUL character in UTF-16)", i);
    if (c >= 0xD800 && c < 0xE000) {
      const uint32_t low = c < 0xDC00 && i + 3 < bytes.size() ? unit(i + 2) : 0;
      if (low < 0xDC00 || low > 0xDFFF) return Fail("broken UTF-16 (half of a surrogate pair)", i);
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    AppendUtf8(c, &copy_);
  }
  copy_.reserve(copy_.size() + kJsonPaddingBytes);
  change_ = Change::kUtf16;
  text_ = copy_;
  return true;
}

size_t Utf8Text::OriginalOffset(size_t at) const {
  if (change_ == Change::kNone) return at + size_t(text_.data() - bytes_.data());
  if (change_ == Change::kMarks) {
    size_t from = 0;  // everything before is counted in `at`
    for (size_t mark = NextMark(bytes_, 0); mark <= from + at && mark < bytes_.size(); mark = NextMark(bytes_, from)) {
      at -= mark - from;
      from = mark + kMark.size();
    }
    return from + at;
  }
  size_t units = 1;  // the mark; a mark in the middle is not counted, which messages can bear
  for (const char c : text_.substr(0, at)) {
    const auto byte = static_cast<uint8_t>(c);
    units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return 2 * units;
}

}  // namespace basalt

#include "snapshot/decode_json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace basalt::decode {
namespace {

constexpr size_t kMessageBytes = 80;
constexpr size_t kLinearKeys = 64;  // beyond this many keys of one object, repeated ones are found by sorting at its end
constexpr size_t kMinCapacityBytes = 16 * 1024, kMaxSpareBytes = 16 * 1024 * 1024;

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
/// Bytes of the UTF-8 character at `p`, 0 where it is not valid.
size_t Utf8Length(const char* p, const char* end) {
  const auto byte = [&](int i) { return static_cast<uint8_t>(p[i]); };
  const auto follows = [&](int i) { return p + i < end && (byte(i) & 0xC0) == 0x80; };
  if (byte(0) < 0x80) return 1;
  if (byte(0) < 0xC2) return 0;
  if (byte(0) < 0xE0) return follows(1) ? 2 : 0;
  if (byte(0) < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    if ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F)) return 0;
    return 3;
  }
  if (byte(0) > 0xF4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  if ((byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F)) return 0;
  return 4;
}

void AppendUtf8(std::string* out, uint32_t code) {
  const auto add = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) return add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
  if (code < 0x10000) return add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
}

/// The four hex digits at `p`; -1 where there are none.
int32_t HexCode(const char* p) {
  int32_t code = 0;
  for (int i = 0; i < 4; i++) {
    const char c = p[i];
    const int digit = IsDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

/// Appends `text` as a segment of a JSON pointer.
void AppendSegment(std::string* pointer, std::string_view text) {
  pointer->push_back('/');
  for (const char c : Shorten(text)) {
    if (c == '~') *pointer += "~0";
    else if (c == '/') *pointer += "~1";
    else pointer->push_back(c);
  }
}

/// What stage 1 found fault with, and where: it says only that there is something.
std::pair<size_t, const char*> FindTextError(std::string_view json) {
  const char *begin = json.data(), *end = begin + json.size();
  bool in_string = false, escaped = false;
  for (const char* p = begin; p < end;) {
    const size_t length = Utf8Length(p, end);
    if (!length) return {p - begin, "not valid UTF-8"};
    if (in_string && static_cast<uint8_t>(*p) < 0x20) return {p - begin, "control character in a string"};
    if (*p == '"' && !escaped) in_string = !in_string;
    escaped = in_string && *p == '\\' && !escaped;
    p += length;
  }
  if (in_string) return {json.size(), "unexpected end of the text: a string is not closed"};
  return {json.size(), "unexpected end of the text"};
}

}  // namespace

const char* FindQuoteOrBackslash(const char* p) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  for (;; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const int hits = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    if (hits) return p + __builtin_ctz(static_cast<unsigned>(hits));
  }
#else
  while (*p != '"' && *p != '\\') ++p;
  return p;
#endif
}

std::string Shorten(std::string_view text) {
  if (text.size() <= kMessageBytes) return std::string(text);
  size_t cut = kMessageBytes - 3;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "...";
}

JsonCursor::JsonCursor() = default;
JsonCursor::~JsonCursor() = default;

bool JsonCursor::Open(std::string_view json, Arena* arena) {
  text_ = json.data(), size_ = json.size(), arena_ = arena;
  static constexpr uint32_t kNoTokens[4] = {};
  first_ = at_ = end_ = kNoTokens;
  failure_ = Failure::kNone;
  keys_.clear();
  if (size_ >= UINT32_MAX - 64) return FailSyntaxAt(0, "one object of more than 4 GB"), false;
  if (!stage1_ || stage1_->capacity() < size_) {
    // More than is needed, so that a file of ever larger objects does not allocate each time. Pages that no token reaches are never
    // touched.
    const size_t capacity = std::min<size_t>(std::max(size_ + std::min(size_, kMaxSpareBytes), kMinCapacityBytes), UINT32_MAX - 64);
    stage1_.reset();
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, stage1_) != simdjson::SUCCESS)
      return FailSyntaxAt(0, "no memory for an object of " + std::to_string(size_) + " bytes"), false;
  }
  const auto error =
      size_ == 0 ? simdjson::EMPTY : stage1_->stage1(reinterpret_cast<const uint8_t*>(text_), size_, simdjson::stage1_mode::regular);
  if (error != simdjson::SUCCESS) {
    const auto [offset, message] = FindTextError(json);
    return FailSyntaxAt(offset, message), false;
  }
  uint32_t* tokens = stage1_->structural_indexes.get();
  const size_t count = stage1_->n_structural_indexes;
  if (count == 0) return FailSyntaxAt(size_, "unexpected end of the text"), false;
  for (size_t i = 0; i < 4; i++) tokens[count + i] = tokens[0];  // stage 1 leaves at least nine entries behind the tokens
  first_ = at_ = tokens, end_ = tokens + count;
  return true;
}

void JsonCursor::Rewind() {
  at_ = first_;
  failure_ = Failure::kNone;
  keys_.clear();
}

bool JsonCursor::CheckRest() {
  const Failure failure = failure_;
  std::string message = std::move(message_);
  Rewind();
  PassOver();
  if (!Finish()) return false;
  failure_ = failure, message_ = std::move(message);
  return true;
}

bool JsonCursor::Finish() {
  if (Ok() && at_ != end_) FailSyntaxAt(*at_, "unexpected text behind the object");
  return Ok();
}

std::string_view JsonCursor::Unescape(const char* begin, const char* p) {
  unescaped_.assign(begin, p);
  while (*p != '"') {
    if (*p != '\\') {
      const char* next = FindQuoteOrBackslash(p);
      unescaped_.append(p, next);
      p = next;
      continue;
    }
    const char* escape = p;
    p += 2;
    switch (escape[1]) {
      case '"':
      case '\\':
      case '/': unescaped_.push_back(escape[1]); break;
      case 'b': unescaped_.push_back('\b'); break;
      case 'f': unescaped_.push_back('\f'); break;
      case 'n': unescaped_.push_back('\n'); break;
      case 'r': unescaped_.push_back('\r'); break;
      case 't': unescaped_.push_back('\t'); break;
      case 'u': {
        int32_t code = HexCode(p);
        if (code < 0) return FailSyntaxAt(static_cast<size_t>(escape - text_), "bad escape sequence in a string"), std::string_view();
        p += 4;
        if (code >= 0xD800 && code < 0xE000) {  // half a pair reads as U+FFFD, as in Go
          const int32_t low = code < 0xDC00 && p[0] == '\\' && p[1] == 'u' ? HexCode(p + 2) : -1;
          if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), p += 6;
          else code = 0xFFFD;
        }
        AppendUtf8(&unescaped_, static_cast<uint32_t>(code));
        break;
      }
      default: return FailSyntaxAt(static_cast<size_t>(escape - text_), "bad escape sequence in a string"), std::string_view();
    }
  }
  char* copy = static_cast<char*>(arena_->Allocate(unescaped_.size() + 8, 1));  // HeadOf may look eight bytes ahead
  std::memcpy(copy, unescaped_.data(), unescaped_.size());
  return {copy, unescaped_.size()};
}

size_t JsonCursor::ScalarLength(const char* const begin) const {
  const char* const end = text_ + size_;
  const char* p = begin;
  const auto literal = [&](std::string_view word) {
    return std::string_view(p, static_cast<size_t>(end - p)).starts_with(word) ? word.size() : 0;
  };
  if (*p == 't' || *p == 'f' || *p == 'n') {
    p += *p == 't' ? literal("true") : *p == 'f' ? literal("false") : literal("null");
    if (p == begin) return 0;
  } else {
    const auto digits = [&] {
      const char* from = p;
      while (p < end && IsDigit(*p)) ++p;
      return p > from;
    };
    if (*p == '-') ++p;
    if (p < end && *p == '0') ++p;
    else if (!digits()) return 0;
    if (p < end && *p == '.') {
      ++p;
      if (!digits()) return 0;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
      ++p;
      if (p < end && (*p == '+' || *p == '-')) ++p;
      if (!digits()) return 0;
    }
  }
  if (p < end && !IsBlank(*p) && std::string_view(",}]:{[").find(*p) == std::string_view::npos)
    return 0;  // a quote here is no token of its own
  return static_cast<size_t>(p - begin);
}

bool JsonCursor::IsNull(const char* p) const { return ScalarLength(p) == 4 && *p == 'n'; }

bool JsonCursor::Bool() {
  const char* p = text_ + *at_;
  if ((*p != 't' && *p != 'f') || !ScalarLength(p)) return WrongType("true or false"), false;
  ++at_;
  return *p == 't';
}

int64_t JsonCursor::Integer(int64_t min, int64_t max) {
  const char* p = text_ + *at_;
  const size_t length = *p == '-' || IsDigit(*p) ? ScalarLength(p) : 0;
  const std::string_view text(p, length);
  if (!length || text.find_first_of(".eE") != text.npos) return WrongType("an integer"), 0;
  int64_t value = 0;
  if (std::from_chars(p, p + length, value).ec != std::errc() || value < min || value > max)
    return Fail(Token(), "integer " + Shorten(text) + " is out of range"), 0;
  ++at_;
  return value;
}

Quantity JsonCursor::NonNegative(const char* noun) {
  const char* p = text_ + *at_;
  std::string_view text;
  if (*p == '"') {
    const char* end = FindQuoteOrBackslash(p + 1);
    if (*end == '"') {  // Kubernetes does not unescape here, so an escape is never part of a quantity; it does cut blanks off
      text = {p + 1, static_cast<size_t>(end - p - 1)};
      while (text.starts_with(' ')) text.remove_prefix(1);
      while (text.ends_with(' ')) text.remove_suffix(1);
    }
  } else if (const size_t length = *p == '-' || IsDigit(*p) ? ScalarLength(p) : 0) {
    text = {p, length};
  } else {
    return WrongType("a quantity"), Quantity();
  }
  const std::optional<Quantity> quantity = Quantity::Parse(text);
  if (!quantity) return Fail(Token(), "bad quantity " + Describe(Token())), Quantity();
  if (quantity->IsNegative()) return Fail(Token(), "negative " + std::string(noun) + ' ' + Describe(Token())), Quantity();
  ++at_;
  return *quantity;
}

std::string_view JsonCursor::Literal() {
  const char* p = text_ + *at_;
  const size_t length = ScalarLength(p);
  if (!length) return FailSyntax(), std::string_view();
  ++at_;
  return {p, length};
}

template <bool kCheckKeys>
void JsonCursor::SkipSlowly() {
  const char c = Here();
  if (c == '{' || c == '[') return SkipContainer<kCheckKeys>();
  if (!ScalarLength(text_ + *at_)) return FailSyntax();
  ++at_;
}
template void JsonCursor::SkipSlowly<true>();
template void JsonCursor::SkipSlowly<false>();

template <bool kCheckKeys>
void JsonCursor::SkipContainer() {
  const char* const text = text_;
  const uint32_t* at = at_;
  closers_.clear();
  outer_.clear();
  OpenObject object;  // the innermost one
  char closer = 0, c;
open:  // at an opening bracket
  if (at >= end_) goto fail;
  closers_.push_back(closer);
  closer = text[*at] == '{' ? '}' : ']';
  if (kCheckKeys && closer == '}') {
    outer_.push_back(object);
    object = {static_cast<uint32_t>(at - first_), static_cast<uint32_t>(keys_.size()), 0};
  }
  ++at;
  if (text[*at] == closer) goto close;
  if (closer == ']') goto value;
member:
  if (text[at[0]] != '"') goto fail;
  ++at;
  if (text[*at] != ':') goto fail;
  if constexpr (kCheckKeys) {
    const std::string_view key = Unquote(text + at[-1]);
    if (!key.data()) return;  // a bad escape sequence
    if (!AddKey(key, object.base, &object.bloom)) return FailDuplicate(object.token, key);
  }
  ++at;
value:
  c = text[*at];
  if (c == '{' || c == '[') goto open;
  if (c != '"' && !ScalarLength(text + *at)) goto fail;
  ++at;
after:
  c = text[*at];
  if (c == ',') {
    ++at;
    if (closer == '}') goto member;
    goto value;
  }
  if (c != closer) goto fail;
close:
  ++at;
  if (kCheckKeys && closer == '}') {
    if (const std::string_view twice = RepeatedKey(object.base); twice.data()) return FailDuplicate(object.token, twice);
    keys_.resize(object.base);
    object = outer_.back();
    outer_.pop_back();
  }
  closer = closers_.back();
  closers_.pop_back();
  if (closer) goto after;
  at_ = at;
  return;
fail:
  at_ = at;
  FailSyntax();
}

bool JsonCursor::AddKey(std::string_view key, size_t base, uint64_t* bloom) {
  if (!key.data()) return false;  // it could not be unescaped
  const uint64_t bit = 1ull << (HashOf(HeadOf(key.data(), key.size()), key.size()) % 64);
  if (*bloom & bit && keys_.size() - base <= kLinearKeys &&
      std::find(keys_.begin() + static_cast<ptrdiff_t>(base), keys_.end(), key) != keys_.end())
    return false;
  *bloom |= bit;
  keys_.push_back(key);
  return true;
}

std::string_view JsonCursor::RepeatedKey(size_t base) {
  if (keys_.size() - base <= kLinearKeys) return {};
  const auto begin = keys_.begin() + static_cast<ptrdiff_t>(base);
  std::sort(begin, keys_.end());
  const auto twice = std::adjacent_find(begin, keys_.end());
  return twice == keys_.end() ? std::string_view() : *twice;
}

bool Fields::UnknownKey(const char* text) {
  std::string_view name;
  if (key == Key::kUnknown) {
    name = c_.Unquote(text - 1);
    if (!name.data()) return false;
    if (name.data() != text) {  // written with escapes: may be one of ours after all
      key = FindKey(name.data(), name.size());
    }
  }
  const auto k = static_cast<size_t>(key);
  if (key != Key::kUnknown) {
    if (!(seen_[k / 64] >> (k % 64) & 1)) return true;
    name = kKeyNames[k];
  } else if (c_.AddKey(name, base_, &bloom_)) {
    return true;
  }
  c_.FailDuplicate(object_, name);
  return false;
}

bool Fields::End() {
  ++c_.at_;
  if (const std::string_view twice = c_.RepeatedKey(base_); twice.data())
    c_.FailDuplicate(object_, twice);
  c_.keys_.resize(base_);
  return false;
}

// ---- failure ----

std::string JsonCursor::Describe(size_t token) const {
  const char* p = text_ + first_[token];
  if (*p == '{') return "an object";
  if (*p == '[') return "an array";
  if (*p != '"') return Shorten({p, ScalarLength(p)});
  const char* end = FindQuoteOrBackslash(p + 1);
  while (*end != '"') end = FindQuoteOrBackslash(end + 2);
  return '"' + Shorten({p + 1, static_cast<size_t>(end - p - 1)}) + '"';
}

void JsonCursor::Fail(size_t token, std::string message, std::string suffix) {
  if (!Ok()) return;
  failure_ = Failure::kObject;
  failed_token_ = token, message_ = std::move(message), suffix_ = std::move(suffix);
  at_ = end_;
}

void JsonCursor::FailDuplicate(size_t object, std::string_view key) { Fail(object, "duplicate key \"" + Shorten(key) + '"', std::string(key)); }

void JsonCursor::WrongType(const char* expected) {
  const char c = Here();
  if (at_ >= end_ || (c != '"' && c != '{' && c != '[' && !ScalarLength(text_ + *at_))) return FailSyntax();
  const char* kind = c == '"' ? "the string " : c == '-' || IsDigit(c) ? "the number " : "";
  Fail(Token(), std::string("expected ") + expected + ", got " + kind + Describe(Token()));
}

void JsonCursor::FailSyntax() {
  if (at_ >= end_) return FailSyntaxAt(size_, "unexpected end of the text");
  const char c = Here();
  std::string what = "unexpected ";
  if (c == '"') what += "string " + Describe(Token());
  else if (c > 0x20 && c < 0x7F) what += '\'', what += c, what += '\'';
  else what += "character";
  FailSyntaxAt(*at_, std::move(what));
}

void JsonCursor::FailSyntaxAt(size_t offset, std::string message) {
  if (Ok()) {
    failure_ = Failure::kSyntax;
    syntax_offset_ = offset, message_ = std::move(message);
  }
  at_ = end_;
}

std::string JsonCursor::FailurePointer() const {
  struct Frame {
    bool array;
    size_t index;
    const char* key;
  };
  std::vector<Frame> frames;
  const uint32_t* const target = first_ + failed_token_;
  for (const uint32_t* at = first_; at < target; ++at) {
    const char* p = text_ + *at;
    switch (*p) {
      case '{':
      case '[': frames.push_back({*p == '[', 0, nullptr}); break;
      case '}':
      case ']': frames.pop_back(); break;
      case ',': ++frames.back().index; break;
      case '"':
        if (text_[at[1]] == ':') frames.back().key = p;
        break;
      default: break;
    }
  }
  std::string pointer;
  for (const Frame& frame : frames) {
    if (frame.array) {
      AppendSegment(&pointer, std::to_string(frame.index));
    } else if (frame.key) {
      const char* end = FindQuoteOrBackslash(frame.key + 1);
      while (*end != '"') end = FindQuoteOrBackslash(end + 2);
      AppendSegment(&pointer, {frame.key + 1, static_cast<size_t>(end - frame.key - 1)});
    }
  }
  if (!suffix_.empty() || message_.starts_with("duplicate key")) AppendSegment(&pointer, suffix_);
  return pointer;
}

}  // namespace basalt::decode

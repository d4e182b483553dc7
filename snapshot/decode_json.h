// A forward cursor over one JSON text: simdjson finds the tokens, the walk checks the grammar of every one of them, also of what it skips.
//
// Guaranteed once a text was walked to its end without a syntax error: valid UTF-8, no raw control characters in strings, strings closed,
// brackets of the right kind and balanced, colons and commas in place, literals and numbers spelled right, nothing behind the object.
// Escape sequences are checked in keys and in strings that are read. Keys that come twice are found in every object, also in skipped ones,
// except in what is passed over (managedFields).
//
// Why not simdjson's On-Demand: it does not look at what it skips, and its value types cost more than the tokens themselves. Only stage 1,
// which picks the best kernel of the machine at run time, is used.
//
// Failure is sticky: the first one is kept, the cursor then stands at the end of the text, where every read fails at once, so loops end by
// themselves and callers need not check. Nothing here recurses, so nesting costs heap, not stack.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/arena.h"
#include "snapshot/decode_keys.h"
#include "snapshot/quantity.h"

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace basalt::decode {

/// First position at or behind `p` that holds a quote or a backslash. The caller knows that there is one; 16 bytes behind it are read too.
const char* FindQuoteOrBackslash(const char* p);

/// A text for a message: at most about 80 bytes, cut between characters.
std::string Shorten(std::string_view text);

class JsonCursor {
 public:
  enum class Failure : uint8_t { kNone, kSyntax, kObject };

  JsonCursor();
  ~JsonCursor();
  JsonCursor(const JsonCursor&) = delete;
  JsonCursor& operator=(const JsonCursor&) = delete;

  /// Finds the tokens of a text and stands before the first. Unescaped strings go to `arena`. False: a syntax failure is set.
  bool Open(std::string_view json, Arena* arena);
  /// Back to the first token; forgets a failure.
  void Rewind();

  // ---- the current token ----
  char Here() const { return text_[*at_]; }
  size_t Token() const { return static_cast<size_t>(at_ - first_); }
  /// Behind the last token. Walks of free form have to ask before they go deeper: what stands there looks like the first token.
  bool AtEnd() const { return at_ >= end_; }
  /// The value's text as it stands in the JSON, quotes and escapes included; containers are "an object", "an array".
  std::string Describe(size_t token) const;

  // ---- reading a value: each consumes it, or fails with "expected ..., got ..." ----
  std::string_view String() {
    const char* p = text_ + *at_;
    if (*p != '"') [[unlikely]]
      return WrongType("a string"), std::string_view();
    ++at_;
    return Unquote(p);
  }
  bool Bool();
  /// An integer without fraction or exponent in [min, max].
  int64_t Integer(int64_t min, int64_t max);
  int32_t Int32() { return static_cast<int32_t>(Integer(INT32_MIN, INT32_MAX)); }
  /// A quantity, as a string or a bare number, at least zero. noun: what it is, for "negative <noun>".
  Quantity NonNegative(const char* noun);
  /// The text of a number, true, false or null.
  std::string_view Literal();
  /// Skips any value: its grammar is checked, and a key that comes twice in an object of it fails.
  void Skip() {
    if (Here() == '"') ++at_;
    else SkipSlowly<true>();
  }
  /// Skips any value, of which only the grammar is checked.
  void PassOver() {
    if (Here() == '"') ++at_;
    else SkipSlowly<false>();
  }
  /// The string at a token that was passed before.
  std::string_view StringAt(size_t token) { return Unquote(text_ + first_[token]); }
  bool IsStringAt(size_t token) const { return text_[first_[token]] == '"'; }
  /// True once everything was read; else fails: text behind the object.
  bool Finish();

  /// For a text that is known to be well-formed: walks the object at the cursor, repeated keys and nulls included. on(key) consumes the
  /// value.
  template <class On>
  void EachMember(On&& on) {
    ++at_;
    while (Ok() && Here() != '}') {
      const std::string_view key = Unquote(text_ + *at_);
      at_ += 2;
      on(key);
      if (Here() == ',') ++at_;
    }
    ++at_;
  }
  /// Looks at the first members of the object at the cursor, as far as they are plain strings and take(key, value) wants them. Moves
  /// nothing.
  template <class Take>
  void LeadingStrings(Take&& take) const {
    if (Here() != '{') return;
    for (const uint32_t* at = at_ + 1; end_ - at > 3; at += 4) {
      const char *key = text_ + at[0], *colon = text_ + at[1], *value = text_ + at[2];
      if (*key != '"' || *colon != ':' || *value != '"') return;
      const char *key_end = FindQuoteOrBackslash(key + 1), *value_end = FindQuoteOrBackslash(value + 1);
      if (*key_end != '"' || *value_end != '"') return;
      if (!take(std::string_view(key + 1, key_end), std::string_view(value + 1, value_end))) return;
    }
  }

  // ---- failure ----
  bool Ok() const { return failure_ == Failure::kNone; }
  Failure Failed() const { return failure_; }
  const std::string& Message() const { return message_; }
  size_t SyntaxOffset() const { return syntax_offset_; }
  /// After kObject: is the whole text well-formed? If not, the failure becomes that syntax failure.
  bool CheckRest();
  /// JSON pointer of what failed (kObject). Only where CheckRest() said yes.
  std::string FailurePointer() const;
  /// The object is bad: `message` about the value at `token`; `suffix` is added to its pointer.
  void Fail(size_t token, std::string message, std::string suffix = {});
  void FailDuplicate(size_t object, std::string_view key);
  void WrongType(const char* expected);
  void FailSyntax();
  void FailSyntaxAt(size_t offset, std::string message);

 private:
  friend class Fields;
  friend class Members;
  friend class Items;

  std::string_view Unquote(const char* quote) {
    const char* end = FindQuoteOrBackslash(quote + 1);
    if (*end == '"') [[likely]]
      return {quote + 1, static_cast<size_t>(end - quote - 1)};
    return Unescape(quote + 1, end);
  }
  std::string_view Unescape(const char* begin, const char* backslash);
  bool AddKey(std::string_view key, size_t base, uint64_t* bloom);
  std::string_view RepeatedKey(size_t base);
  template <bool kCheckKeys>
  void SkipSlowly();
  template <bool kCheckKeys>
  void SkipContainer();
  /// Length of the literal or number at `p`, 0 where it is neither.
  size_t ScalarLength(const char* p) const;
  bool IsNull(const char* p) const;

  const char* text_ = nullptr;
  size_t size_ = 0;
  const uint32_t* first_ = nullptr;  // tokens [first_, end_), then a few that repeat the first one: no walk accepts more than two of them
  const uint32_t* at_ = nullptr;
  const uint32_t* end_ = nullptr;
  Arena* arena_ = nullptr;

  Failure failure_ = Failure::kNone;
  std::string message_, suffix_;
  size_t failed_token_ = 0, syntax_offset_ = 0;

  /// An object that is open while skipping.
  struct OpenObject {
    uint32_t token = 0, base = 0;  // its bracket, and its first key in keys_
    uint64_t bloom = 0;
  };
  std::vector<std::string_view> keys_;  // unknown, free and skipped keys of the objects that are open
  std::vector<char> closers_;           // brackets to come, while skipping
  std::vector<OpenObject> outer_;       // objects around the innermost one, while skipping
  std::string unescaped_;
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage1_;
};

/// Walks an object of known fields: `for (Fields f(c); f.Next();) switch (f.key) {...}`. Each turn stands at a value that has to be
/// consumed. Null values are passed over; a key that comes twice fails.
class Fields {
 public:
  explicit Fields(JsonCursor& c) : c_(c), object_(c.Token()), base_(c.keys_.size()) {
    if (c.Here() == '{') [[likely]]
      ++c.at_;
    else c.WrongType("an object");
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  bool Next();
  Key key = Key::kUnknown;

 private:
  bool UnknownKey(const char* text);
  bool End();

  JsonCursor& c_;
  size_t object_, base_;
  bool first_ = true;
  uint64_t seen_[4] = {};
  uint64_t bloom_ = 0;
};

/// Walks an object whose keys are data (labels, resources). As Fields, with the key's text.
class Members {
 public:
  enum class Nulls : uint8_t { kPassedOver, kValues };
  explicit Members(JsonCursor& c, Nulls nulls = Nulls::kPassedOver) : c_(c), object_(c.Token()), base_(c.keys_.size()), nulls_(nulls) {
    if (c.Here() == '{') [[likely]]
      ++c.at_;
    else c.WrongType("an object");
  }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  bool Next();
  std::string_view key;

 private:
  JsonCursor& c_;
  size_t object_, base_;
  const Nulls nulls_;
  bool first_ = true;
  uint64_t bloom_ = 0;
};

/// Walks an array: `for (Items a(c); a.Next();)`. Null items are not passed over: no list of ours may hold one.
class Items {
 public:
  explicit Items(JsonCursor& c) : c_(c) {
    if (c.Here() == '[') [[likely]]
      ++c.at_;
    else c.WrongType("an array");
  }
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;

  bool Next() {
    const char here = c_.Here();
    if (here == ']') return ++c_.at_, false;
    if (index_ == kNone) return index_ = 0, c_.Ok();
    if (here != ',') [[unlikely]]
      return c_.FailSyntax(), false;
    ++c_.at_, ++index_;
    if (c_.Here() == ']') [[unlikely]]
      return c_.FailSyntax(), false;
    return true;
  }
  size_t Index() const { return index_; }

 private:
  static constexpr size_t kNone = ~size_t{0};
  JsonCursor& c_;
  size_t index_ = kNone;
};

// ---- inline bodies of the hot paths ----

inline bool Fields::Next() {
  for (;;) {
    const char here = c_.Here();
    if (here == '}') [[unlikely]]
      return End();
    if (first_) first_ = false;
    else if (here == ',') [[likely]] ++c_.at_;
    else return c_.FailSyntax(), false;

    const char* text = c_.text_ + c_.at_[0];
    const char* colon = c_.text_ + c_.at_[1];
    if (*text != '"' || *colon != ':') [[unlikely]] {
      c_.at_ += *text == '"';
      return c_.FailSyntax(), false;
    }
    const char* end = colon - 1;
    while (*end != '"') --end;  // blanks between key and colon
    ++text;
    key = FindKey(text, static_cast<size_t>(end - text));
    const auto k = static_cast<size_t>(key);
    const uint64_t bit = 1ull << (k % 64);
    if (key == Key::kUnknown || seen_[k / 64] & bit) [[unlikely]] {
      if (!UnknownKey(text)) return false;
    }
    seen_[static_cast<size_t>(key) / 64] |= 1ull << (static_cast<size_t>(key) % 64);
    c_.at_ += 2;
    if (c_.Here() != 'n' || !c_.IsNull(c_.text_ + *c_.at_)) return true;
    ++c_.at_;
  }
}

inline bool Members::Next() {
  for (;;) {
    const char here = c_.Here();
    if (first_) {
      first_ = false;
      if (here == '}') return ++c_.at_, false;
    } else if (here == ',') [[likely]] {
      ++c_.at_;
    } else if (here == '}') {
      ++c_.at_;
      if (const std::string_view twice = c_.RepeatedKey(base_); twice.data())
        c_.FailDuplicate(object_, twice);
      c_.keys_.resize(base_);
      return false;
    } else {
      return c_.FailSyntax(), false;
    }
    if (c_.Here() != '"' || c_.text_[c_.at_[1]] != ':') [[unlikely]] {
      c_.at_ += c_.Here() == '"';
      return c_.FailSyntax(), false;
    }
    key = c_.Unquote(c_.text_ + *c_.at_);
    if (!c_.AddKey(key, base_, &bloom_)) [[unlikely]]
      return c_.FailDuplicate(object_, key), false;
    c_.at_ += 2;
    if (nulls_ == Nulls::kValues || c_.Here() != 'n' || !c_.IsNull(c_.text_ + *c_.at_)) return true;
    ++c_.at_;
  }
}

}  // namespace basalt::decode

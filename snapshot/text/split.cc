#include "snapshot/text/split.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "snapshot/decode.h"
#include "snapshot/text/skip.h"

namespace basalt {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

class Splitter {
 public:
  Splitter(std::string_view text, SplitText* out, SplitError* error) : text_(text), out_(*out), error_(*error) {}

  bool Run() {
    for (SkipBlanks(); !AtEnd(); SkipBlanks()) {
      if (text_[at_] != '{') return Fail("expected an object, got " + Shown());
      if (!Object()) return false;
    }
    return true;
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) at_++;
  }
  bool Fail(std::string message) {
    error_ = {at_, std::move(message)};
    return false;
  }
  bool FailAtEnd() {
    at_ = text_.size();
    return Fail("unexpected end");
  }
  /// The character here, for messages.
  std::string Shown() const {
    const char c = text_[at_];
    static constexpr char kHex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E) return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
    return std::string{'\'', c, '\''};
  }

  /// Moves over one value of any type.
  bool Value() {
    if (AtEnd()) return FailAtEnd();
    const char c = text_[at_];
    if (c == '{' || c == '[' || c == '"') {
      const size_t end = c == '"' ? SkipString(text_, at_) : SkipContainer(text_, at_);
      if (end == std::string_view::npos) return FailAtEnd();
      at_ = end;
      return true;
    }
    const size_t begin = at_;
    while (!AtEnd() && !IsBlank(text_[at_]) && std::string_view(",:]}[{\"").find(text_[at_]) == std::string_view::npos) at_++;
    if (at_ == begin) return Fail("expected a value, got " + Shown());
    return AtEnd() ? FailAtEnd() : true;  // no value but a container may end a text
  }

  /// Behind a member or an element: moves over a comma. *more: whether another one follows. `close` ends the container.
  bool Separator(char close, bool* more) {
    SkipBlanks();
    if (AtEnd()) return FailAtEnd();
    *more = text_[at_] == ',';
    if (!*more && text_[at_] != close) return Fail(std::string("expected ',' or '") + close + "', got " + Shown());
    at_++;
    if (!*more) return true;
    SkipBlanks();
    if (AtEnd()) return FailAtEnd();
    return text_[at_] != close || Fail(std::string("unexpected '") + close + "' behind a comma");
  }

  /// The elements of an array, each a value of the result.
  bool Items() {
    at_++;
    SkipBlanks();
    if (AtEnd()) return FailAtEnd();
    if (text_[at_] == ']') {
      at_++;
      return true;
    }
    for (bool more = true; more;) {
      const size_t begin = at_;
      if (!Value()) return false;
      out_.values.push_back({begin, at_});
      if (!Separator(']', &more)) return false;
    }
    return true;
  }

  struct Key {
    std::string_view text;
    size_t offset;
  };

  /// The first key that occurs twice; an empty text where there is none.
  static Key Twice(const std::vector<Key>& keys) {
    std::unordered_set<std::string_view> seen;
    for (const Key& key : keys) {
      if (!seen.insert(key.text).second) return key;
    }
    return {};
  }

  bool Object() {
    TextGroup group;
    group.object.begin = at_;
    group.first = out_.values.size();
    std::vector<Key>& keys = keys_;
    keys.clear();
    bool has_items = false, escaped = false;
    size_t wrong_items = 0;  // where "items" is neither a list nor null
    at_++;
    SkipBlanks();
    if (AtEnd()) return FailAtEnd();
    bool more = text_[at_] != '}';
    if (!more) at_++;
    while (more) {
      if (text_[at_] != '"') return Fail("expected a key, got " + Shown());
      const size_t key_at = at_;
      if (!Value()) return false;
      const std::string_view key = text_.substr(key_at + 1, at_ - key_at - 2);
      keys.push_back({key, key_at});
      escaped = escaped || key.find('\\') != key.npos;
      SkipBlanks();
      if (AtEnd()) return FailAtEnd();
      if (text_[at_] != ':') return Fail("expected ':', got " + Shown());
      at_++;
      SkipBlanks();
      const size_t begin = at_;
      if (key == "items" && !AtEnd() && text_[at_] == '[' && group.items.end == 0) {
        if (!Items()) return false;
        group.items = {begin, at_};
      } else if (!Value()) {
        return false;
      }
      const std::string_view value = text_.substr(begin, at_ - begin);
      const std::string_view inner = value.size() >= 2 && value[0] == '"' ? value.substr(1, value.size() - 2) : std::string_view();
      if (key == "kind") group.kind = inner;
      if (key == "apiVersion") group.api_version = inner;
      if (key == "items") {
        has_items = true;
        if (value[0] != '[' && value != "null") wrong_items = begin;
      }
      if (!Separator('}', &more)) return false;
    }
    group.object.end = at_;
    return Finish(group, has_items, escaped, wrong_items);
  }

  bool Finish(TextGroup& group, bool has_items, bool escaped, size_t wrong_items) {
    const std::string_view kind = group.kind;
    group.is_list = kind == "List" || (kind.ends_with("List") &&
                                       (has_items || KindOf(kind.substr(0, kind.size() - 4), group.api_version) != objects::Kind::kOther));
    if (!group.is_list) {
      out_.values.resize(group.first);
      out_.values.push_back(group.object);
      group.items = {};
    } else {
      const Key twice = Twice(keys_);
      at_ = twice.offset;
      if (twice.text.data() != nullptr) return Fail("duplicate key \"" + std::string(twice.text) + '"');
      at_ = group.object.begin;
      if (escaped) return Fail("a list whose keys are written with escapes");
      at_ = wrong_items;
      if (wrong_items != 0) return Fail("items: expected a list, got " + Shown());
      at_ = group.object.end;
    }
    group.count = out_.values.size() - group.first;
    out_.groups.push_back(group);
    return true;
  }

  std::string_view text_;
  SplitText& out_;
  SplitError& error_;
  size_t at_ = 0;
  std::vector<Key> keys_;
};

}  // namespace

bool SplitJsonText(std::string_view text, SplitText* out, SplitError* error) {
  out->values.clear();
  out->groups.clear();
  return Splitter(text, out, error).Run();
}

std::string ListEnvelope(std::string_view text, const TextGroup& group) {
  std::string envelope(text.substr(group.object.begin, group.items.begin - group.object.begin));
  envelope += "[]";
  envelope += text.substr(group.items.end, group.object.end - group.items.end);
  return envelope;
}

}  // namespace basalt

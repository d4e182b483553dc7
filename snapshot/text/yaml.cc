#include "snapshot/text/yaml.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "snapshot/text/yaml_events.h"
#include "snapshot/text/yaml_json.h"
#include "snapshot/text/yaml_scalar.h"

namespace basalt {
namespace {

using Type = YamlEvents::Type;
using Event = YamlEvents::Event;

/// Turns the events of one document into JSON. Stops at the first error; then `failed` is set.
class Converter {
 public:
  Converter(const YamlEvents& events, size_t source_bytes, size_t* at) : events_(events), at_(*at), budget_(10 * source_bytes + (1 << 20)) {}

  /// Converts the value that begins at the current event into *out.
  void Document() {
    while (!events_.AtEnd(at_)) {
      size_t ahead = at_;
      if (events_.Next(&ahead).type == Type::kEndDocument) {
        if (out_.empty()) out_ = "null";
        at_ = ahead;
        return;
      }
      if (!out_.empty()) return Fail("more than one value in a document");
      Value();
      if (failed) return;
    }
  }

  std::string Take() { return std::move(out_); }

  bool failed = false;
  std::string message;
  size_t error_offset = std::string_view::npos;  ///< in the source; npos where unknown

 private:
  struct Span {
    size_t begin, size;
  };
  struct SpanHash {
    const std::string* text;
    size_t operator()(Span s) const { return std::hash<std::string_view>()(std::string_view(*text).substr(s.begin, s.size)); }
  };
  struct SpanEqual {
    const std::string* text;
    bool operator()(Span a, Span b) const { return a.size == b.size && std::memcmp(text->data() + a.begin, text->data() + b.begin, a.size) == 0; }
  };
  using SpanSet = std::unordered_set<Span, SpanHash, SpanEqual>;
  /// What stands in front of a node.
  struct Properties {
    std::string_view anchor, tag;
  };

  void Fail(std::string text, size_t offset = std::string_view::npos) {
    if (failed) return;
    failed = true;
    message = std::move(text);
    error_offset = offset == std::string_view::npos ? last_offset_ : offset;
  }

  Event Next() {
    const Event event = events_.Next(&at_);
    if (event.offset != std::string_view::npos) last_offset_ = event.offset;
    return event;
  }

  /// Counts text that is written a second time, against documents that blow up ("billion laughs").
  bool Spend(size_t bytes) {
    if (bytes > budget_) return Fail("anchors and aliases expand to too much text"), false;
    budget_ -= bytes;
    return true;
  }

  void Value() {
    const Properties properties = ReadProperties();
    const size_t begin = out_.size();
    const Event event = Next();
    if (!properties.anchor.empty()) anchors_[properties.anchor].open = true;
    switch (event.type) {
      case Type::kScalar: Scalar(event, properties.tag); break;
      case Type::kAlias: Alias(event.text); break;
      case Type::kBeginMap: Map(); break;
      case Type::kBeginSequence: Sequence(); break;
      default: Fail("a value is missing"); break;
    }
    if (!properties.anchor.empty() && !failed) Bind(properties.anchor, begin);
  }

  Properties ReadProperties() {
    Properties properties;
    for (size_t ahead = at_;; at_ = ahead) {
      const Event event = events_.Next(&ahead);
      if (event.type == Type::kAnchor) properties.anchor = event.text;
      else if (event.type == Type::kTag) properties.tag = event.text;
      else return properties;
    }
  }

  void Bind(std::string_view anchor, size_t begin) {
    if (Spend(out_.size() - begin)) anchors_[anchor] = {out_.substr(begin), false};
  }

  void Alias(std::string_view name) {
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) return Fail("unknown anchor '" + std::string(name) + "'");
    if (found->second.open) return Fail("anchor '" + std::string(name) + "' contains itself");
    if (Spend(found->second.json.size())) out_ += found->second.json;
  }

  void Scalar(const Event& event, std::string_view tag) {
    const std::string_view kind = ShortTag(tag);
    if (kind == "binary") return Fail("tag !!binary is not supported");
    // Only escapes in double quotes can make what is no character: half of a surrogate pair, or one beyond the last.
    if (!event.plain && !simdjson::validate_utf8(event.text.data(), event.text.size())) return Fail("an escape that is no character", event.offset);
    const bool typed = kind == "int" || kind == "float" || kind == "bool" || kind == "null";
    if (kind == "str" || tag == "!" || (!event.plain && !typed)) return AppendJsonString(event.text, &out_);
    switch (ResolveYamlScalar(event.text, &scratch_)) {
      case YamlScalar::kJson: out_ += scratch_; break;
      case YamlScalar::kString: AppendJsonString(event.text, &out_); break;
      case YamlScalar::kNotInJson: Fail("'" + std::string(event.text) + "' has no place in JSON"); break;
    }
  }

  static std::string_view ShortTag(std::string_view tag) {
    constexpr std::string_view kLong = "!<tag:yaml.org,2002:";
    if (tag.starts_with("!!")) return tag.substr(2);
    if (tag.starts_with(kLong) && tag.ends_with(">")) return tag.substr(kLong.size(), tag.size() - kLong.size() - 1);
    return {};
  }

  void Sequence() {
    out_ += '[';
    for (bool first = true; !failed; first = false) {
      size_t ahead = at_;
      if (events_.Next(&ahead).type == Type::kEndSequence) {
        at_ = ahead;
        break;
      }
      if (!first) out_ += ',';
      Value();
    }
    out_ += ']';
  }

  void Map() {
    const size_t first_key = keys_.size();
    std::unique_ptr<SpanSet> set;  // from kManyKeys keys on
    std::vector<std::string> merged;
    out_ += '{';
    const size_t begin = out_.size();
    while (!failed) {
      size_t ahead = at_;
      if (events_.Next(&ahead).type == Type::kEndMap) {
        at_ = ahead;
        break;
      }
      const size_t separator = out_.size();
      if (separator != begin) out_ += ',';
      const Span key{out_.size(), 0};
      if (Key()) {
        out_.resize(separator);
        MergeValue(&merged);
        continue;
      }
      if (failed) break;
      NoteKey({key.begin, out_.size() - key.begin}, first_key, &set);
      out_ += ':';
      Value();
    }
    for (const std::string& object : merged) AddMerged(object, begin, first_key, &set);
    out_ += '}';
    keys_.resize(first_key);
  }

  /// Writes a key as a JSON string, whatever it resolves to (kubectl's library does so too). True for the merge key, which is not written.
  bool Key() {
    const Properties properties = ReadProperties();
    const size_t begin = out_.size();
    const Event event = Next();
    if (event.type == Type::kScalar && event.plain && event.text == "<<" && properties.tag.empty()) return true;
    key_offset_ = event.offset == std::string_view::npos ? last_offset_ : event.offset;
    if (event.type == Type::kScalar) Scalar(event, properties.tag);
    else if (event.type == Type::kAlias) Alias(event.text);
    else Fail("a key must be a scalar");
    if (failed) return false;
    if (!properties.anchor.empty()) Bind(properties.anchor, begin);
    const char first = out_[begin];
    if (first == '{' || first == '[') Fail("a key must be a scalar");
    else if (out_.compare(begin, std::string::npos, "null") == 0) Fail("a key must not be null");
    else if (first != '"') out_.insert(begin, 1, '"'), out_ += '"';
    return false;
  }

  bool IsNew(Span key, size_t first_key, std::unique_ptr<SpanSet>* set) {
    constexpr size_t kManyKeys = 24;
    const SpanEqual equal{&out_};
    if (!*set && keys_.size() - first_key >= kManyKeys) {
      *set = std::make_unique<SpanSet>(4 * kManyKeys, SpanHash{&out_}, equal);
      (*set)->insert(keys_.begin() + std::ptrdiff_t(first_key), keys_.end());
    }
    if (*set && !(*set)->insert(key).second) return false;
    if (!*set && std::any_of(keys_.begin() + std::ptrdiff_t(first_key), keys_.end(), [&](Span k) { return equal(k, key); })) return false;
    keys_.push_back(key);
    return true;
  }

  void NoteKey(Span key, size_t first_key, std::unique_ptr<SpanSet>* set) {
    if (!IsNew(key, first_key, set)) Fail("duplicate key " + out_.substr(key.begin, key.size), key_offset_);
  }

  /// The value of "<<": an object or a list of objects, kept until the map's own keys are known.
  void MergeValue(std::vector<std::string>* merged) {
    const size_t begin = out_.size();
    Value();
    if (failed) return;
    std::string value = out_.substr(begin);
    out_.resize(begin);
    if (value[0] == '{') return merged->push_back(std::move(value));
    std::vector<std::string_view> parts;
    if (value[0] == '[') SplitJson(value, &parts);
    for (const std::string_view part : parts) {
      if (part[0] != '{') value = "0";
      else if (value[0] == '[') merged->emplace_back(part);
    }
    if (value[0] != '[') Fail("a merge key needs a map or a list of maps");
  }

  void AddMerged(const std::string& object, size_t begin, size_t first_key, std::unique_ptr<SpanSet>* set) {
    std::vector<std::string_view> members;
    SplitJson(object, &members);
    for (const std::string_view member : members) {
      const size_t separator = out_.size();
      if (separator != begin) out_ += ',';
      const size_t key = out_.size();
      if (!Spend(member.size())) return;
      out_ += member;
      if (!IsNew({key, JsonStringEnd(member)}, first_key, set)) out_.resize(separator);
    }
  }

  struct Anchor {
    std::string json;
    bool open = false;  ///< its value is still being read
  };
  const YamlEvents& events_;
  size_t& at_;
  std::string out_, scratch_;
  std::unordered_map<std::string_view, Anchor> anchors_;
  std::vector<Span> keys_;  ///< keys of the maps that are open, a stack
  size_t budget_;
  size_t last_offset_ = 0, key_offset_ = 0;
};

/// End of the document that begins at `begin`: the next line that starts with "---" (a marker wherever it stands at a line's start), else the
/// text's end.
size_t DocumentEnd(std::string_view text, size_t begin) {
  for (size_t at = text.find("\n---", begin); at != text.npos; at = text.find("\n---", at + 1)) {
    if (at + 4 == text.size() || std::string_view(" \t\r\n").find(text[at + 4]) != std::string_view::npos) return at + 1;
  }
  return text.size();
}

struct Outline {
  bool content = false;    ///< something besides blank lines, comments, directives and markers
  bool directive = false;  ///< a line "%..."
  size_t offset = 0;       ///< of the first line with content
};

/// Looks at a document's lines until it finds content.
Outline OutlineOf(std::string_view document) {
  Outline outline;
  for (size_t at = 0; at < document.size();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    std::string_view line = document.substr(at, end - at);
    if (line.starts_with("%")) outline.directive = true;
    if (line.starts_with("---") || line.starts_with("...")) line.remove_prefix(3);
    const size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line[first] != '#' && !(line[0] == '%')) {
      outline.content = true;
      outline.offset = at;
      return outline;
    }
    at = end + 1;
  }
  return outline;
}

size_t CountLines(std::string_view text) { return size_t(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

bool YamlToJson(std::string_view text, const std::function<void(std::string json, size_t line)>& document, YamlError* error) {
  YamlEvents events;
  size_t lines = 0;  // before `begin`
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = DocumentEnd(text, begin);
    std::string_view part = text.substr(begin, end - begin);
    Outline outline = OutlineOf(part);
    if (!outline.content && outline.directive && end < text.size()) {  // directives belong to the document behind the marker
      end = DocumentEnd(text, end);
      part = text.substr(begin, end - begin);
      outline = OutlineOf(part);
    }
    const size_t part_lines = CountLines(part);
    if (outline.content) {
      if (!events.Parse(part, error)) {
        error->line = lines + std::max<size_t>(error->line, 1);
        return false;
      }
      for (size_t at = 0; !events.AtEnd(at);) {
        if (events.Next(&at).type != Type::kBeginDocument) continue;
        Converter converter(events, part.size(), &at);
        converter.Document();
        if (converter.failed) {
          *error = {lines + CountLines(part.substr(0, converter.error_offset)) + 1, converter.message};
          return false;
        }
        std::string json = converter.Take();
        if (json != "null") document(std::move(json), lines + CountLines(part.substr(0, outline.offset)) + 1);
      }
    }
    lines += part_lines;
  }
  return true;
}

}  // namespace basalt

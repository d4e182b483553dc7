// The emitter is our own, since rapidyaml's writes control characters as they are, which no reader takes, and does not know what kubectl's reader makes of a
// plain scalar; without scalars there is little left to write.
#include "snapshot/text/json_yaml.h"

#include <algorithm>

#include "snapshot/decode_json.h"
#include "snapshot/text/yaml_events.h"
#include "snapshot/text/yaml_scalar.h"

namespace basalt {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A whole number with a suffix of quantities ("100m", "4Gi"): begins with a digit, and yet no YAML has a number or a date like that.
bool IsPlainQuantity(std::string_view text) {
  while (!text.empty() && IsDigit(text[0])) text.remove_prefix(1);
  constexpr std::string_view kSuffixes[] = {"n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  return std::find(std::begin(kSuffixes), std::end(kSuffixes), text) != std::end(kSuffixes);
}

/// Whether every reader takes this for a string though it has no quotes. Not every text that would pass, but those that are common in API objects.
bool IsPlainString(std::string_view text) {
  if (text.empty()) return false;
  if (IsDigit(text[0])) return IsPlainQuantity(text);
  if (!IsLetter(text[0]) && text[0] != '/' && text[0] != '_') return false;
  for (size_t i = 0; i < text.size(); i++) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (IsLetter(text[i]) || IsDigit(text[i]) || std::string_view("_./@=+-").find(text[i]) != std::string_view::npos) continue;
    if (text[i] == ':' && (IsLetter(next) || IsDigit(next) || next == '/')) continue;
    if (text[i] == ' ' && (IsLetter(next) || IsDigit(next))) continue;
    return false;
  }
  std::string unused;
  return ResolveYamlScalar(text, &unused) == YamlScalar::kString;
}

/// The code of the character at the front of well-formed UTF-8 as far as it needs an escape, and its bytes: control characters, line ends of YAML 1.1, marks.
uint32_t Escaped(std::string_view text, size_t* bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  *bytes = 1;
  if (byte(0) < 0x20 || byte(0) == 0x7F) return byte(0);
  if (byte(0) == 0xC2 && byte(1) < 0xA0) return *bytes = 2, byte(1);
  *bytes = 3;
  if (byte(0) == 0xE2 && byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9)) return 0x2000 | (byte(2) & 0x3F);
  if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) return 0xFEFF;
  if (byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0xFFC0 | (byte(2) & 0x3F);
  return *bytes = 0, 0;
}

void AppendQuoted(std::string_view text, std::string* out) {
  *out += '"';
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    size_t bytes = 0;
    if (c == '"' || c == '\\') {
      *out += {'\\', c};
    } else if (c == '\n' || c == '\t' || c == '\r') {
      *out += {'\\', c == '\n' ? 'n' : c == '\t' ? 't' : 'r'};
    } else if (const uint32_t code = Escaped(text.substr(i), &bytes); bytes > 0) {
      *out += code < 0x100 ? "\\x" : "\\u";
      for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4) *out += "0123456789abcdef"[code >> shift & 15];
      i += bytes - 1;
    } else {
      *out += c;
    }
  }
  *out += '"';
}

/// Whether a text of several lines may stand as it is behind "|": nothing in it that readers disagree about.
bool IsLiteralBlock(std::string_view text) {
  const std::string_view lines = text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
  if (lines.find('\n') == std::string_view::npos || std::string_view(" \t\n").find(lines[0]) != std::string_view::npos || lines.ends_with('\n')) return false;
  size_t bytes = 0;
  for (size_t i = 0; i < text.size(); i++) {
    const bool line_ends = i + 1 == text.size() || text[i + 1] == '\n';
    if (text[i] == '\n' ? i + 1 < text.size() && text[i + 1] == '\t' : (text[i] == ' ' || text[i] == '\t') && line_ends) return false;
    if (text[i] != '\n' && text[i] != '\t' && (Escaped(text.substr(i), &bytes), bytes > 0)) return false;
  }
  return true;
}

class Emitter {
 public:
  explicit Emitter(std::string* out) : out_(*out) {}

  bool Document(std::string_view json, std::string* error) {
    const size_t begin = out_.size();
    if (c_.Open(json, &arena_)) Value(0, Place::kRoot, 0);
    if (c_.Finish()) return out_ += '\n', true;
    out_.resize(begin);
    std::string message = c_.Message();
    if (c_.Failed() == decode::JsonCursor::Failure::kObject && c_.CheckRest()) *error = decode::Shorten(c_.FailurePointer()) + ": " + message;
    else *error = "not JSON, byte " + std::to_string(c_.SyntaxOffset()) + ": " + message;
    return false;
  }

 private:
  enum class Place : uint8_t { kRoot, kKey, kDash };

  /// Writes the value at the cursor with the blank or line end in front of it. column: where its further lines begin.
  void Value(size_t column, Place place, size_t depth) {
    if (c_.AtEnd()) return c_.FailSyntax();
    if (depth > kMaxYamlDepth) return c_.Fail(c_.Token(), "nested deeper than YAML is read here, " + std::to_string(kMaxYamlDepth) + " levels");
    if (c_.Here() == '{') return Map(column, place, depth);
    if (c_.Here() == '[') return Sequence(column, place, depth);
    if (place != Place::kRoot) out_ += ' ';
    if (c_.Here() == '"') return String(c_.String(), column, place);
    Number();
  }

  void Map(size_t column, Place place, size_t depth) {
    bool empty = true;
    for (decode::Members m(c_, decode::Members::Nulls::kValues); m.Next(); empty = false) {
      if (empty) FirstLine(column, place);
      else NewLine(column);
      if (IsPlainString(m.key)) out_ += m.key;
      else AppendQuoted(m.key, &out_);
      out_ += ':';
      Value(c_.Here() == '[' ? column : column + 2, Place::kKey, depth + 1);  // kubectl writes lists below their key without further blanks
    }
    if (empty) out_ += place == Place::kRoot ? "{}" : " {}";
  }

  void Sequence(size_t column, Place place, size_t depth) {
    bool empty = true;
    for (decode::Items items(c_); items.Next(); empty = false) {
      if (empty) FirstLine(column, place);
      else NewLine(column);
      out_ += '-';
      Value(column + 2, Place::kDash, depth + 1);
    }
    if (empty) out_ += place == Place::kRoot ? "[]" : " []";
  }

  void FirstLine(size_t column, Place place) {
    if (place == Place::kKey) NewLine(column);
    else if (place == Place::kDash) out_ += ' ';
  }
  void NewLine(size_t column) { out_.append(1, '\n').append(column, ' '); }

  void String(std::string_view text, size_t column, Place place) {
    if (IsPlainString(text)) {
      out_ += text;
    } else if (place == Place::kRoot || !IsLiteralBlock(text)) {
      AppendQuoted(text, &out_);
    } else {
      out_ += text.ends_with('\n') ? "|" : "|-";
      if (text.ends_with('\n')) text.remove_suffix(1);
      for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (end > at) NewLine(column);
        else out_ += '\n';
        out_ += text.substr(at, end - at);
        at = end + 1;
      }
    }
  }

  /// kubectl's reader wants a sign in an exponent; without one it reads a string.
  void Number() {
    const size_t token = c_.Token();
    std::string text(c_.Literal()), unused;
    if (!c_.Ok()) return;
    if (const size_t e = text.find_first_of("eE"); e != text.npos && text[0] != 't' && text[0] != 'f' && text[e + 1] != '+' && text[e + 1] != '-') text.insert(e + 1, 1, '+');
    if (ResolveYamlScalar(text, &unused) != YamlScalar::kJson) return c_.Fail(token, "the number " + decode::Shorten(text) + " has no form in YAML");
    out_ += text;
  }

  std::string& out_;
  Arena arena_;
  decode::JsonCursor c_;
};

}  // namespace

bool AppendYaml(std::string_view json, std::string* out, std::string* error) { return Emitter(out).Document(json, error); }

}  // namespace basalt

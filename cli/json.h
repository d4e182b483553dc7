// Writes JSON, compact or as kubectl indents it. Commas, escapes and line ends are its business, structure the caller's.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::cli {

class JsonWriter {
 public:
  /// indent: blanks per level, 0 for no line breaks at all. level: depth at which the value will stand.
  JsonWriter(std::string* out, int indent, int level = 0) : out_(*out), indent_(indent), base_(level) {}

  JsonWriter& Object() { return Open('{', '}'); }
  JsonWriter& Array() { return Open('[', ']'); }
  /// Closes the innermost object or array.
  JsonWriter& End() {
    const char closing = open_.back();
    open_.pop_back();
    if (!fresh_) NewLine();
    out_ += closing;
    fresh_ = false;
    return *this;
  }
  JsonWriter& Key(std::string_view key) {
    Begin();
    Quote(key);
    out_ += indent_ ? ": " : ":";
    after_key_ = true;
    return *this;
  }
  JsonWriter& Text(std::string_view text) { return Begin(), Quote(text), *this; }
  JsonWriter& Integer(int64_t value) { return Begin(), out_ += std::to_string(value), *this; }
  /// A finite number, with as many digits as bring it back.
  JsonWriter& Number(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return Begin(), out_.append(digits, end), *this;
  }
  JsonWriter& Bool(bool value) { return Begin(), out_ += value ? "true" : "false", *this; }

 private:
  JsonWriter& Open(char opening, char closing) {
    Begin();
    out_ += opening;
    open_ += closing;
    fresh_ = true;
    return *this;
  }
  void Begin() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (open_.empty()) return;
    if (!fresh_) out_ += ',';
    fresh_ = false;
    NewLine();
  }
  void NewLine() {
    if (!indent_) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * (base_ + open_.size()), ' ');
  }
  void Quote(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out_ += '\\', out_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out_ += "\\u00", out_ += kHex[c >> 4 & 15], out_ += kHex[c & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  std::string& out_;
  const int indent_, base_;
  std::string open_;  ///< the closing brackets that are due
  bool fresh_ = true, after_key_ = false;
};

}  // namespace basalt::cli

// Builds JSON text piece by piece: commas and escapes are its business, structure the caller's.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt {

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(*out) {}
  JsonWriter& Open(char bracket) { return Comma(), out_ += bracket, fresh_ = true, *this; }
  JsonWriter& Close(char bracket) { return out_ += bracket, fresh_ = false, *this; }
  JsonWriter& Key(std::string_view key) { return String(key), out_ += ':', fresh_ = true, *this; }
  JsonWriter& String(std::string_view s) {
    Comma();
    out_ += '"';
    for (const char c : s) {
      switch (c) {
        case '"': out_ += "\\\""; break;
        case '\\': out_ += "\\\\"; break;
        case '\n': out_ += "\\n"; break;
        case '\r': out_ += "\\r"; break;
        case '\t': out_ += "\\t"; break;
        default:
          if (static_cast<unsigned char>(c) < 0x20) {
            static constexpr char kHex[] = "0123456789abcdef";
            out_ += "\\u00", out_ += kHex[c >> 4 & 15], out_ += kHex[c & 15];
          } else {
            out_ += c;
          }
      }
    }
    out_ += '"';
    return *this;
  }
  JsonWriter& Integer(int64_t v) { return Comma(), out_ += std::to_string(v), *this; }
  JsonWriter& Bool(bool v) { return Comma(), out_ += v ? "true" : "false", *this; }
  JsonWriter& Null() { return Comma(), out_ += "null", *this; }
  /// Shortest text that reads back to the same double.
  JsonWriter& Number(double v);
  /// Text that is JSON already.
  JsonWriter& Raw(std::string_view json) { return Comma(), out_ += json, *this; }

 private:
  void Comma() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }
  std::string& out_;
  bool fresh_ = true;
};

}  // namespace basalt

#include "snapshot/text/yaml_scalar.h"

#include <charconv>
#include <cstdint>

namespace basalt {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// One of the three spellings: lower, Capital, UPPER. `lower` is lower-case.
bool Spells(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  const bool upper_rest = text.size() > 1 && text[1] >= 'A' && text[1] <= 'Z';
  if (upper_rest && text[0] == lower[0]) return false;
  for (size_t i = 0; i < text.size(); i++) {
    const char upper = char(lower[i] - 32);
    if (i == 0 ? text[0] != lower[0] && text[0] != upper : text[i] != (upper_rest ? upper : lower[i])) return false;
  }
  return true;
}

YamlScalar ResolveWord(std::string_view text, std::string* json) {
  if (text.size() > 5) return YamlScalar::kString;
  for (const std::string_view word : {"true", "yes", "on", "y"}) {
    if (Spells(text, word)) return *json = "true", YamlScalar::kJson;
  }
  for (const std::string_view word : {"false", "no", "off", "n"}) {
    if (Spells(text, word)) return *json = "false", YamlScalar::kJson;
  }
  if (text == "~" || Spells(text, "null")) return *json = "null", YamlScalar::kJson;
  return YamlScalar::kString;
}

/// strconv.ParseInt(text, 0, 64), or ParseUint where that fails: sign, then 0x, 0o, 0b, 0 (octal) or decimal digits.
bool ParseInteger(std::string_view text, std::string* json) {
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = char(text[1] | 32);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    text.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return false;
  if (negative && value > uint64_t{1} << 63) return false;
  *json = negative && value != 0 ? "-" + std::to_string(value) : std::to_string(value);
  return true;
}

/// [-+]?[0-9]*\.?[0-9]+([eE][-+][0-9]+)?
bool LooksLikeFloat(std::string_view s) {
  size_t at = s[0] == '-' || s[0] == '+' ? 1 : 0;
  const size_t whole = at;
  while (at < s.size() && IsDigit(s[at])) at++;
  bool digits = at > whole;
  if (at < s.size() && s[at] == '.') {
    const size_t fraction = ++at;
    while (at < s.size() && IsDigit(s[at])) at++;
    digits = at > fraction;
  }
  if (!digits) return false;
  if (at == s.size()) return true;
  if ((s[at] | 32) != 'e' || at + 2 >= s.size() || (s[at + 1] != '+' && s[at + 1] != '-')) return false;
  for (at += 2; at < s.size() && IsDigit(s[at]); at++) {
  }
  return at == s.size();
}

/// A float as JSON: its own text where that is JSON, so that no digit is lost, else the shortest text of the double.
bool ParseFloat(std::string_view text, std::string* json) {
  const bool plus = text[0] == '+';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data() + plus, text.data() + text.size(), value);
  if (end != text.data() + text.size() || error != std::errc()) return false;
  const std::string_view digits = text.substr(text[0] == '-' || plus ? 1 : 0);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && IsDigit(digits[1]);
  if (!plus && !leading_zero && IsDigit(digits[0]) && digits.find(".e") == digits.npos && digits.find(".E") == digits.npos && digits.back() != '.') {
    *json = text;
    return true;
  }
  char shortest[32];
  const auto [last, unused] = std::to_chars(shortest, shortest + sizeof shortest, value);
  json->assign(shortest, last);
  return true;
}

}  // namespace

YamlScalar ResolveYamlScalar(std::string_view text, std::string* json) {
  if (text.empty()) return *json = "null", YamlScalar::kJson;
  const char first = text[0];
  if (std::string_view("yYnNtTfFoO~").find(first) != std::string_view::npos) return ResolveWord(text, json);
  const bool sign = first == '-' || first == '+';
  if (first == '.' || sign) {
    const std::string_view special = text.substr(sign ? 1 : 0);
    if (special == ".inf" || special == ".Inf" || special == ".INF") return YamlScalar::kNotInJson;
    if (!sign && (special == ".nan" || special == ".NaN" || special == ".NAN")) return YamlScalar::kNotInJson;
  }
  if (first == '.') return text.size() > 1 && IsDigit(text[1]) && ParseFloat(text, json) ? YamlScalar::kJson : YamlScalar::kString;
  if (!sign && !IsDigit(first)) return YamlScalar::kString;
  std::string plain;
  if (text.find('_') != text.npos) {
    for (const char c : text) {
      if (c != '_') plain += c;
    }
    text = plain;
  }
  if (text.size() == 1 && sign) return YamlScalar::kString;
  if (ParseInteger(text, json)) return YamlScalar::kJson;
  return LooksLikeFloat(text) && ParseFloat(text, json) ? YamlScalar::kJson : YamlScalar::kString;
}

}  // namespace basalt

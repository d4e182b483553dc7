// Any text as YAML: what is accepted becomes well-formed JSON of bounded size, reads as itself again (JSON is YAML), and refusals name a line.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "snapshot/text/encoding.h"
#include "snapshot/text/yaml.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

/// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
bool IsNumber(std::string_view s) {
  const auto digits = [&] {
    const size_t n = std::min(s.find_first_not_of("0123456789"), s.size());
    s.remove_prefix(n);
    return n;
  };
  if (s.starts_with('-')) s.remove_prefix(1);
  const bool zero = s.starts_with('0');
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (s.starts_with('.') && (s.remove_prefix(1), digits() == 0)) return false;
  if (!s.empty() && (s[0] == 'e' || s[0] == 'E')) {
    s.remove_prefix(1);
    if (!s.empty() && (s[0] == '+' || s[0] == '-')) s.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return s.empty();
}

/// simdjson refuses numbers that fit no double, which JSON allows; so their grammar is checked here. `json` has no blanks between tokens.
bool NumbersAreJson(std::string_view json) {
  for (size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      for (at++; json[at] != '"'; at++) at += json[at] == '\\' ? 1 : 0;
      at++;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      const size_t end = std::min(json.find_first_of(",]}", at), json.size());
      if (!IsNumber(json.substr(at, end - at))) return false;
      at = end;
    } else {
      at++;
    }
  }
  return true;
}

bool IsJson(const std::string& json) {
  simdjson::dom::parser parser(simdjson::SIMDJSON_MAXSIZE_BYTES);
  Check(parser.allocate(json.size() + 64, 4096) == simdjson::SUCCESS);
  simdjson::dom::element element;
  const simdjson::error_code error = parser.parse(simdjson::padded_string(json)).get(element);
  return (error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR) && NumbersAreJson(json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string padded(reinterpret_cast<const char*>(data), size);
  padded.append(64, '}');
  Utf8Text text;
  if (!text.Read({padded.data(), size})) return 0;  // the reader lets no such text through
  const size_t lines = size_t(std::count(text.text().begin(), text.text().end(), '\n')) + 1;
  size_t last = 1, total = 0;
  std::vector<std::string> documents;
  const auto take = [&](std::string json, size_t line) {
    Check(line >= last && line <= lines);
    last = line;
    total += json.size();
    documents.push_back(std::move(json));
  };
  YamlError error;
  const bool ok = YamlToJson(text.text(), take, &error);
  Check(total <= 20 * (size + (1 << 20)));
  for (const std::string& json : documents) Check(IsJson(json));
  if (!ok) {
    Check(!error.message.empty());
    Check(error.line >= 1 && error.line <= lines + 1);
  }
  return 0;
}

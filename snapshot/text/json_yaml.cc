#include "snapshot/text/json_yaml.h"

#include <simdjson.h>

#include <algorithm>

#include "snapshot/text/compact.h"
#include "snapshot/text/yaml_events.h"
#include "snapshot/text/yaml_json.h"
#include "snapshot/text/yaml_scalar.h"

namespace basalt {

namespace {

// A JSON string is a double-quoted YAML scalar, but for the pairs of \u escapes that JSON has beyond the first 65536 characters. Only what is surely a plain
// string goes without quotes.
void AppendScalar(std::string_view json, std::string* out) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '_' || c == '-'; };
  std::string unused;
  if (json.size() > 2 && json.front() == '"') {
    const std::string_view text = json.substr(1, json.size() - 2);
    if (text.front() != '-' && text.front() != '.' && std::ranges::all_of(text, plain) && ResolveYamlScalar(text, &unused) == YamlScalar::kString &&
        !(text.front() >= '0' && text.front() <= '9')) {
      out->append(text);
      return;
    }
  }
  simdjson::dom::parser parser;
  std::string_view text;
  const bool escapes = json.starts_with('"') && json.find('\\') != std::string_view::npos;
  if (escapes && parser.parse(json.data(), json.size()).get(text) == simdjson::SUCCESS) AppendJsonString(text, out);
  else out->append(json);
}

bool AppendValue(std::string_view json, size_t depth, bool in_list, std::string* out) {
  if (depth > kMaxYamlDepth) return false;
  const bool object = json.starts_with('{');
  std::vector<std::string_view> parts;
  if (object || json.starts_with('[')) SplitJson(json, &parts);
  if (parts.empty()) {
    AppendScalar(json, out);  // also {} and []
    *out += '\n';
    return true;
  }
  bool first = true;
  for (const std::string_view part : parts) {
    // The first line of what stands in a list begins behind its dash.
    if (!(first && in_list)) out->append(depth * 2, ' ');
    first = false;
    std::string_view value = part;
    if (object) {
      const size_t colon = JsonStringEnd(part);
      AppendScalar(part.substr(0, colon), out);
      value = part.substr(colon + 1);
      const bool nested = (value.starts_with('{') && value != "{}") || (value.starts_with('[') && value != "[]");
      *out += nested ? ":\n" : ": ";
      if (!AppendValue(value, depth + 1, false, out)) return false;
    } else {
      *out += "- ";
      if (!AppendValue(value, depth + 1, true, out)) return false;
    }
  }
  return true;
}

}  // namespace

bool AppendYaml(std::string_view json, std::string* out) {
  std::string compact;
  AppendCompact(json, &compact);
  return AppendValue(compact, 0, false, out);
}

}  // namespace basalt

#include "report/json_edit.h"

#include <vector>

#include "snapshot/text/yaml_json.h"

namespace basalt {

std::string SetJson(std::string_view json, std::span<const std::string> path, std::string_view value) {
  if (path.empty()) return std::string(value);
  std::string key;
  AppendJsonString(path[0], &key);
  key += ':';
  std::vector<std::string_view> members;
  if (json.starts_with('{')) SplitJson(json, &members);
  std::string out = "{";
  bool found = false;
  const auto append = [&](std::string_view member) {
    if (out.size() > 1) out += ',';
    out += member;
  };
  for (const std::string_view m : members) {
    if (!m.starts_with(key)) {
      append(m);
      continue;
    }
    found = true;
    if (path.size() > 1 || !value.empty()) append(key + SetJson(m.substr(key.size()), path.subspan(1), value));
  }
  if (!found && !value.empty()) append(key + SetJson("{}", path.subspan(1), value));
  return out + "}";
}

std::string JsonPointer(std::span<const std::string> path) {
  std::string pointer;
  for (const std::string& part : path) {
    pointer += '/';
    for (const char c : part) {
      if (c == '~') pointer += "~0";
      else if (c == '/') pointer += "~1";
      else pointer += c;
    }
  }
  return pointer;
}

}  // namespace basalt

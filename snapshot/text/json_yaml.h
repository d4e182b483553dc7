// JSON to a YAML document, block style, as kubectl prints it.
#pragma once
#include <string>
#include <string_view>

namespace basalt {

/// Appends `json` (one well-formed value) as YAML that reads back to the same: a string that could be read as anything else is quoted. False where it nests
/// deeper than YAML is read here (kMaxYamlDepth).
bool AppendYaml(std::string_view json, std::string* out);

}  // namespace basalt

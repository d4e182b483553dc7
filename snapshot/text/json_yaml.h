// JSON to a YAML document, block style, as kubectl prints it.
#pragma once
#include <string>
#include <string_view>

namespace basalt {

/// Appends `json` (one value, kJsonPaddingBytes readable bytes behind it) as YAML that reads back to the same: what a reader of YAML 1.1 or 1.2 could take for
/// anything but a string is quoted. False where YAML has no place for it, and *out is as it was: a key that comes twice, a number beyond doubles, more than
/// kMaxYamlDepth levels, or text that is no JSON; *error then says what and where.
bool AppendYaml(std::string_view json, std::string* out, std::string* error);

}  // namespace basalt

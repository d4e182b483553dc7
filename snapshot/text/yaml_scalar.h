// What a plain YAML scalar means, by the rules of kubectl's YAML library (YAML 1.1 as yaml.v2 reads it).
#pragma once
#include <string>
#include <string_view>

namespace basalt {

enum class YamlScalar : uint8_t {
  kString,
  kJson,         ///< null, a boolean or a number: `*json` is set
  kNotInJson,    ///< .inf and .nan
};

/// Resolves a plain scalar. Appends nothing for strings; sets *json to the JSON text otherwise.
/// Booleans: true false yes no on off y n in their three spellings. Integers with underscores, 0x, 0o, 0b and a leading zero as octal.
/// Floats need a sign in their exponent ("1e3" is a string), as yaml.v2 has it.
YamlScalar ResolveYamlScalar(std::string_view text, std::string* json);

}  // namespace basalt

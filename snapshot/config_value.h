// The scheduler configuration as a typed tree: what YAML said, before anything gives it a meaning.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

struct ConfigEntry;

/// A YAML value. Integers and floats are kept apart and quoted scalars stay strings: Volcano's argument rules depend on it.
struct ConfigValue {
  enum class Type : uint8_t { kNull, kBool, kInt, kFloat, kString, kList, kMap };
  Type type = Type::kNull;
  bool boolean = false;
  int64_t integer = 0;
  double number = 0;  ///< also set for kInt
  std::string string;
  std::vector<ConfigValue> list;
  std::vector<ConfigEntry> map;  ///< in the order of the text; keys are unique

  const ConfigValue* Find(std::string_view key) const;
};

struct ConfigEntry {
  std::string key;
  ConfigValue value;
};

inline const ConfigValue* ConfigValue::Find(std::string_view key) const {
  for (const ConfigEntry& e : map)
    if (e.key == key) return &e.value;
  return nullptr;
}

/// Parses one YAML document. Returns false and sets *error ("line 4: ...") where the text is refused: bad YAML, duplicate keys, more than one document.
/// An empty text is a null value.
bool ParseConfigText(std::string_view text, ConfigValue* value, std::string* error);

}  // namespace basalt

#include "report/score_variants.h"

#include <algorithm>

namespace basalt {
namespace {

using Type = ConfigValue::Type;

ConfigValue* Find(ConfigValue* map, std::string_view key) {
  const auto at = std::find_if(map->map.begin(), map->map.end(), [&](const ConfigEntry& e) { return e.key == key; });
  return at == map->map.end() ? nullptr : &at->value;
}

void Set(std::string_view key, const ConfigValue& value, ConfigValue* map) {
  map->type = Type::kMap;
  if (ConfigValue* old = Find(map, key))
    *old = value;
  else
    map->map.push_back({std::string(key), value});
}

/// Sets arguments of every occurrence of a plugin. False where it does not occur.
bool SetArguments(const std::string& plugin, const ConfigValue& arguments, ConfigValue* config) {
  bool found = false;
  ConfigValue* tiers = Find(config, "tiers");
  if (!tiers) return false;
  for (ConfigValue& tier : tiers->list) {
    ConfigValue* plugins = Find(&tier, "plugins");
    if (!plugins) continue;
    for (ConfigValue& item : plugins->list) {
      const ConfigValue* name = Find(&item, "name");
      if (!name || name->string != plugin) continue;
      found = true;
      if (!Find(&item, "arguments")) item.map.push_back({"arguments", {}});
      for (const ConfigEntry& e : arguments.map) Set(e.key, e.value, Find(&item, "arguments"));
    }
  }
  return found;
}

/// Applies what differs. Returns what is wrong with it, or an empty text.
std::string Apply(const ConfigValue& difference, ConfigValue* config) {
  for (const auto& [key, value] : difference.map) {
    if (key != "arguments") return "unknown key \"" + key + "\": expected actions and tiers, or arguments";
    if (value.type != Type::kMap) return "arguments: expected a map of plugins";
    for (const auto& [plugin, arguments] : value.map) {
      if (arguments.type != Type::kMap) return "arguments of " + plugin + ": expected a map";
      if (!SetArguments(plugin, arguments, config))
        return "plugin \"" + plugin + "\" is not in the configuration in force; to add it, write out actions and tiers";
    }
  }
  return "";
}

}  // namespace

bool ReadVariants(std::string_view text, const ConfigValue& in_force, std::vector<ScoreVariant>* variants, std::string* error) {
  ConfigValue root;
  if (!ParseConfigText(text, &root, error)) return false;
  if (root.type != Type::kMap || root.map.empty()) return *error = "expected a map of a name and a configuration each", false;
  for (const auto& [name, value] : root.map) {
    std::string wrong;
    if (value.type != Type::kMap && value.type != Type::kNull) wrong = "expected a map";
    const bool whole = value.Find("actions") || value.Find("tiers");
    if (whole && value.Find("arguments")) wrong = "arguments change the configuration in force and cannot stand beside actions or tiers";
    ScoreVariant variant{name, whole ? value : in_force};
    if (wrong.empty() && !whole) wrong = Apply(value, &variant.config);
    if (!wrong.empty()) return *error = "variant " + name + ": " + wrong, false;
    variants->push_back(std::move(variant));
  }
  return true;
}

}  // namespace basalt

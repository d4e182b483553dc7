// Reading a plugin's arguments with Volcano's typing rules: wrong types and values out of bounds give the default and a problem, never an end.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/profile.h"

namespace basalt::scoring {

/// Weights lie within +-kWeightMax, so a score times a weight is exact in a double whatever is summed.
inline constexpr int64_t kWeightMax = std::numeric_limits<int32_t>::max();

class ArgumentReader {
 public:
  /// map: the plugin's `arguments`; null or a null value where there are none.
  ArgumentReader(std::string_view plugin, const ConfigValue* map, std::vector<ArgumentProblem>* problems);
  /// A map inside an argument. Volcano decodes those structurally: field names in any case, and a bool has to be a bool.
  ArgumentReader(ArgumentReader* parent, std::string_view key);
  /// The same for a map found under free names; `path` says where it stands.
  ArgumentReader(ArgumentReader* parent, const std::string& path, const ConfigValue& map);
  ArgumentReader(const ArgumentReader&) = delete;
  ArgumentReader& operator=(const ArgumentReader&) = delete;
  /// Keys that nobody asked for become warnings.
  ~ArgumentReader();

  int64_t Int(std::string_view key, int64_t fallback, int64_t low = -kWeightMax, int64_t high = kWeightMax);
  double Number(std::string_view key, double fallback, double low);
  bool Bool(std::string_view key, bool fallback);
  std::string Text(std::string_view key);
  /// A Go duration above 0 ("1h30m") in nanoseconds.
  int64_t Duration(std::string_view key, int64_t fallback);
  /// A comma list of names, blanks trimmed, empty names dropped.
  std::vector<std::string> Names(std::string_view key);
  /// The value of a key, whatever its type; null where it is absent or null.
  const ConfigValue* Value(std::string_view key) { return Find(key); }
  /// The map under a key, keyed by free names; null where it is absent or no map.
  const ConfigValue* Map(std::string_view key);
  /// The list under a key; null where it is absent or no list.
  const ConfigValue* List(std::string_view key);
  /// A number (a whole number) of a map keyed by free names that stands under map_key.
  double NumberIn(const ConfigValue* map, std::string_view map_key, std::string_view name, double fallback);
  int64_t IntIn(const ConfigValue* map, std::string_view map_key, std::string_view name, int64_t fallback);
  /// Keys that contain a text, in the order of the configuration.
  std::vector<std::string> KeysWith(std::string_view part) const;
  /// Tells of a value that its reader alone can judge.
  void Problem(std::string_view key, std::string message);
  /// A key that is known and read elsewhere, or not yet.
  void Known(std::string_view key) { seen_.emplace_back(key); }

 private:
  const ConfigValue* Find(std::string_view key);
  int64_t IntOf(const ConfigValue* value, std::string_view key, int64_t fallback, int64_t low, int64_t high);

  const std::string plugin_, prefix_;
  const bool nested_ = false;
  const ConfigValue* map_ = nullptr;
  std::vector<ArgumentProblem>* problems_;
  std::vector<std::string> seen_;
};

}  // namespace basalt::scoring

#include "scoring/arguments.h"

#include <algorithm>
#include <cctype>

#include "snapshot/time.h"

namespace basalt::scoring {
namespace {

using Type = ConfigValue::Type;

bool SameName(std::string_view a, std::string_view b, bool any_case) {
  if (!any_case) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string ValueText(const ConfigValue& v) {
  switch (v.type) {
    case Type::kNull: return "null";
    case Type::kBool: return v.boolean ? "true" : "false";
    case Type::kInt: return std::to_string(v.integer);
    case Type::kFloat: return std::to_string(v.number);
    case Type::kString: return std::string(1, '"').append(v.string, 0, 64).append(1, '"');
    case Type::kList: return "a list";
    case Type::kMap: return "a map";
  }
  return "";
}

}  // namespace

ArgumentReader::ArgumentReader(std::string_view plugin, const ConfigValue* map, std::vector<ArgumentProblem>* problems)
    : plugin_(plugin), map_(map && map->type == Type::kMap ? map : nullptr), problems_(problems) {}

ArgumentReader::ArgumentReader(ArgumentReader* parent, std::string_view key)
    : plugin_(parent->plugin_), prefix_(parent->prefix_ + std::string(key) + "."), nested_(true), map_(parent->Map(key)), problems_(parent->problems_) {}

ArgumentReader::ArgumentReader(ArgumentReader* parent, const std::string& path, const ConfigValue& map)
    : plugin_(parent->plugin_), prefix_(parent->prefix_ + path + "."), nested_(true), map_(map.type == Type::kMap ? &map : nullptr), problems_(parent->problems_) {
  if (!map_ && map.type != Type::kNull) parent->Problem(path, ValueText(map) + " where a map is expected; the default is used");
}

ArgumentReader::~ArgumentReader() {
  if (!map_) return;
  for (const auto& [key, value] : map_->map)
    if (std::none_of(seen_.begin(), seen_.end(), [&](const std::string& s) { return SameName(s, key, nested_); }))
      problems_->push_back({plugin_, prefix_ + key, "unknown argument; it has no effect", true});
}

const ConfigValue* ArgumentReader::Find(std::string_view key) {
  seen_.emplace_back(key);
  if (!map_) return nullptr;
  for (const auto& [k, v] : map_->map)
    if (SameName(k, key, nested_)) return v.type == Type::kNull ? nullptr : &v;
  return nullptr;
}

std::vector<std::string> ArgumentReader::KeysWith(std::string_view part) const {
  std::vector<std::string> keys;
  if (map_)
    for (const auto& [key, value] : map_->map)
      if (key.find(part) != std::string::npos) keys.push_back(key);
  return keys;
}

void ArgumentReader::Problem(std::string_view key, std::string message) {
  problems_->push_back({plugin_, prefix_ + std::string(key), std::move(message), false});
}

int64_t ArgumentReader::IntOf(const ConfigValue* v, std::string_view key, int64_t fallback, int64_t low, int64_t high) {
  if (!v || v->type == Type::kNull) return fallback;
  if (v->type == Type::kInt && v->integer >= low && v->integer <= high) return v->integer;
  const std::string expected = v->type != Type::kInt ? " where a whole number is expected" : " is not within " + std::to_string(low) + " to " + std::to_string(high);
  Problem(key, ValueText(*v) + expected + "; the default " + std::to_string(fallback) + " is used");
  return fallback;
}

int64_t ArgumentReader::Int(std::string_view key, int64_t fallback, int64_t low, int64_t high) { return IntOf(Find(key), key, fallback, low, high); }

double ArgumentReader::Number(std::string_view key, double fallback, double low) {
  const ConfigValue* v = Find(key);
  if (!v) return fallback;
  const bool number = v->type == Type::kInt || v->type == Type::kFloat;
  if (number && v->number >= low) return v->number;
  Problem(key, ValueText(*v) + (number ? " is too small" : " where a number is expected") + "; the default is used");
  return fallback;
}

bool ArgumentReader::Bool(std::string_view key, bool fallback) {
  const ConfigValue* v = Find(key);
  if (!v) return fallback;
  if (v->type == Type::kBool) return v->boolean;
  if (v->type == Type::kString && !nested_) {
    for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"})
      if (v->string == yes) return true;
    for (const std::string_view no : {"0", "f", "F", "FALSE", "false", "False"})
      if (v->string == no) return false;
  }
  Problem(key, ValueText(*v) + " where true or false is expected; the default " + (fallback ? "true" : "false") + " is used");
  return fallback;
}

std::string ArgumentReader::Text(std::string_view key) {
  const ConfigValue* v = Find(key);
  if (!v) return "";
  if (v->type == Type::kString) return v->string;
  Problem(key, ValueText(*v) + " where a text is expected; it is left out");
  return "";
}

int64_t ArgumentReader::Duration(std::string_view key, int64_t fallback) {
  const std::string text = Text(key);
  if (text.empty()) return fallback;
  const std::optional<int64_t> duration = ParseGoDuration(text);
  if (duration && *duration > 0) return *duration;
  Problem(key, "\"" + text.substr(0, 64) + "\" is no duration above 0; it is left out");
  return fallback;
}

std::vector<std::string> ArgumentReader::Names(std::string_view key) {
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  const std::string text = Text(key);
  std::vector<std::string> names;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    std::string_view name = std::string_view(text).substr(at, comma - at);
    name.remove_prefix(std::min(name.find_first_not_of(kBlank), name.size()));
    name = name.substr(0, name.find_last_not_of(kBlank) + 1);
    if (!name.empty()) names.emplace_back(name);
    at = comma + 1;
  }
  return names;
}

const ConfigValue* ArgumentReader::Map(std::string_view key) {
  const ConfigValue* v = Find(key);
  if (!v || v->type == Type::kMap) return v;
  Problem(key, ValueText(*v) + " where a map is expected; the default is used");
  return nullptr;
}

const ConfigValue* ArgumentReader::List(std::string_view key) {
  const ConfigValue* v = Find(key);
  if (!v || v->type == Type::kList) return v;
  Problem(key, ValueText(*v) + " where a list is expected; the default is used");
  return nullptr;
}

double ArgumentReader::NumberIn(const ConfigValue* map, std::string_view map_key, std::string_view name, double fallback) {
  const ConfigValue* v = map ? map->Find(name) : nullptr;
  if (!v || v->type == Type::kNull) return fallback;
  if (v->type == Type::kInt || v->type == Type::kFloat) return v->number;
  Problem(std::string(map_key) + "." + std::string(name), ValueText(*v) + " where a number is expected; the default is used");
  return fallback;
}

int64_t ArgumentReader::IntIn(const ConfigValue* map, std::string_view map_key, std::string_view name, int64_t fallback) {
  return IntOf(map ? map->Find(name) : nullptr, std::string(map_key) + "." + std::string(name), fallback, -kWeightMax, kWeightMax);
}

}  // namespace basalt::scoring

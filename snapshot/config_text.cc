// The configuration's text, YAML through JSON, as a typed tree.
#include <simdjson.h>

#include "snapshot/config_value.h"
#include "snapshot/text/yaml.h"

namespace basalt {
namespace {

using simdjson::dom::element_type;

ConfigValue Convert(const simdjson::dom::element& e) {
  ConfigValue v;
  switch (e.type()) {
    case element_type::OBJECT:
      v.type = ConfigValue::Type::kMap;
      for (const auto& [key, value] : simdjson::dom::object(e.get_object().value_unsafe())) v.map.push_back({std::string(key), Convert(value)});
      break;
    case element_type::ARRAY:
      v.type = ConfigValue::Type::kList;
      for (const auto& item : simdjson::dom::array(e.get_array().value_unsafe())) v.list.push_back(Convert(item));
      break;
    case element_type::STRING:
      v.type = ConfigValue::Type::kString;
      v.string = std::string(e.get_string().value_unsafe());
      break;
    case element_type::BOOL:
      v.type = ConfigValue::Type::kBool;
      v.boolean = e.get_bool().value_unsafe();
      break;
    case element_type::INT64:
      v.type = ConfigValue::Type::kInt;
      v.integer = e.get_int64().value_unsafe();
      v.number = static_cast<double>(v.integer);
      break;
    case element_type::UINT64:
    case element_type::DOUBLE:
      v.type = ConfigValue::Type::kFloat;
      v.number = e.get_double().value_unsafe();
      break;
    case element_type::NULL_VALUE: break;
  }
  return v;
}

}  // namespace

bool ParseConfigText(std::string_view text, ConfigValue* value, std::string* error) {
  *value = {};
  size_t documents = 0;
  bool ok = true;
  YamlError yaml_error;
  const auto take = [&](std::string json, size_t line) {
    if (++documents > 1 || !ok) return;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (const auto code = parser.parse(json).get(root)) {
      *error = "line " + std::to_string(line) + ": " + simdjson::error_message(code);
      ok = false;
      return;
    }
    *value = Convert(root);
  };
  if (!YamlToJson(text, take, &yaml_error)) {
    *error = "line " + std::to_string(yaml_error.line) + ": " + yaml_error.message;
    return false;
  }
  if (documents > 1) *error = "the configuration has to be one YAML document", ok = false;
  return ok;
}

}  // namespace basalt

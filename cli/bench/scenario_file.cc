#include "cli/bench/scenario_file.h"

#include <charconv>
#include <functional>
#include <map>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/input.h"

namespace basalt::cli {

namespace {

bool ToInteger(const std::string& text, int64_t* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size() && *out >= 0;
}

const Scenario* FindGenerator(const std::string& name) {
  for (const Scenario* s : kScenarios)
    if (name == s->name) return s;
  return nullptr;
}

bool Parse(const std::string& text, const std::string& where, BenchScenario* out, std::string* error) {
  std::vector<CLI::ConfigItem> items;
  try {
    std::istringstream in(text);
    items = CLI::ConfigTOML().from_config(in);
  } catch (const CLI::Error& e) {
    return *error = fmt::format("{}: {}", where, e.what()), false;
  }
  const std::map<std::string, std::string*> texts = {{"name", &out->name},     {"about", &out->about},   {"published", &out->published},
                                                     {"source", &out->source}, {"config", &out->config}, {"distinct", &out->sizes.distinct}};
  Sizes& s = out->sizes;
  int64_t seed = 1;
  const std::map<std::string, int64_t*> numbers = {{"nodes", &s.nodes},         {"pods", &s.pods},
                                                   {"gang", &s.gang},           {"templates", &s.templates},
                                                   {"queues", &s.queues},       {"running", &s.running},
                                                   {"tainted", &s.tainted},     {"preferring", &s.preferring},
                                                   {"unplaceable", &s.unplaceable}, {"seed", &seed},
                                                   {"calibrate_nodes", &out->calibrate_nodes}, {"calibrate_pods", &out->calibrate_pods}};
  for (const CLI::ConfigItem& item : items) {
    const std::string key = item.fullname();
    if (item.inputs.size() != 1) return *error = fmt::format("{}: {}: one value is expected", where, key), false;
    const std::string& value = item.inputs.front();
    if (const auto text_at = texts.find(key); text_at != texts.end()) {
      *text_at->second = value;
    } else if (const auto number_at = numbers.find(key); number_at != numbers.end()) {
      if (!ToInteger(value, number_at->second)) return *error = fmt::format("{}: {}: '{}' is no whole number of at least 0", where, key, value), false;
    } else if (key == "verify") {
      if (value != "true" && value != "false") return *error = fmt::format("{}: verify: '{}' is neither true nor false", where, value), false;
      out->verify = value == "true";
    } else if (key == "generator") {
      out->generator = FindGenerator(value);
      if (!out->generator || !out->generator->objects) return *error = fmt::format("{}: generator: there is no '{}'", where, value), false;
    } else {
      return *error = fmt::format("{}: unknown key '{}'", where, key), false;
    }
  }
  out->seed = static_cast<uint64_t>(seed);
  if (!out->generator) return *error = where + ": generator: missing", false;
  for (const auto& [key, value] : {std::pair("nodes", s.nodes), {"pods", s.pods}, {"gang", s.gang}, {"templates", s.templates}, {"queues", s.queues}})
    if (value < 1 || value > 100'000'000) return *error = fmt::format("{}: {}: has to lie in 1..100000000", where, key), false;
  if (!s.distinct.empty() && s.distinct != "requests" && s.distinct != "names")
    return *error = fmt::format("{}: distinct: '{}' is neither requests nor names", where, s.distinct), false;
  if (out->config != "default") {
    const BuiltIn* known = kBuiltInConfigs;
    while (known->name && out->config != known->name) known++;
    if (known->name) {
      out->config_text = known->text;
    } else {
      const Input file = LoadInput(out->config);
      if (!file.error.empty()) return *error = fmt::format("{}: config: cannot read {}: {}", where, out->config, file.error), false;
      out->config_text = std::string(file.text().data, file.text().size);
    }
  }
  if (!out->calibrate_nodes) out->calibrate_nodes = s.nodes;
  if (!out->calibrate_pods) out->calibrate_pods = s.pods;
  return true;
}

}  // namespace

bool LoadBenchScenario(const std::string& name, BenchScenario* out, std::string* error) {
  if (name.find('/') != name.npos || name.ends_with(".toml")) {
    const Input file = LoadInput(name);
    if (!file.error.empty()) return *error = fmt::format("{}: cannot read: {}", name, file.error), false;
    const basalt_text text = file.text();
    return Parse(std::string(text.data, text.size), name, out, error);
  }
  for (const BuiltIn* s = kBuiltInScenarios; s->name; s++)
    if (name == s->name) return Parse(s->text, name, out, error);
  std::string names;
  for (const BuiltIn* s = kBuiltInScenarios; s->name; s++) names += fmt::format("{}{}", names.empty() ? "" : ", ", s->name);
  return *error = fmt::format("there is no scenario '{}'; there are {}, and files", name, names), false;
}

}  // namespace basalt::cli

#include "report/verify_settings.h"

#include <algorithm>

#include "snapshot/config_value.h"

namespace basalt::verify {
namespace {

using Type = ConfigValue::Type;

bool Switch(const ConfigValue& plugin, std::string_view key, bool otherwise = true) {
  const ConfigValue* v = plugin.Find(key);
  return v && v->type == Type::kBool ? v->boolean : otherwise;
}

// Volcano's boolean arguments: a YAML bool or what Go's parser takes; anything else leaves the default.
bool Flag(const ConfigValue* map, std::string_view key, bool otherwise) {
  const ConfigValue* v = map ? map->Find(key) : nullptr;
  if (v && v->type == Type::kBool) return v->boolean;
  if (v && v->type == Type::kString) {
    for (const std::string_view t : {"1", "t", "T", "TRUE", "true", "True"})
      if (v->string == t) return true;
    for (const std::string_view f : {"0", "f", "F", "FALSE", "false", "False"})
      if (v->string == f) return false;
  }
  return otherwise;
}

void ReadPlugin(const ConfigValue& plugin, Settings* s, std::vector<Admission>* admission) {
  const ConfigValue* name_value = plugin.Find("name");
  if (!name_value || name_value->type != Type::kString) return;
  const std::string_view name = name_value->string;
  const ConfigValue* arguments = plugin.Find("arguments");
  const bool admits = Switch(plugin, "enableJobEnqueued");
  if (name == "gang") {
    s->gang = true;
    s->gang_ready |= Switch(plugin, "enableJobReady");
    s->gang_pipelined |= Switch(plugin, "enableJobPipelined");
  } else if (name == "predicates" && Switch(plugin, "enablePredicate")) {
    s->predicates = true;
    s->node_affinity = Flag(arguments, "predicate.NodeAffinityEnable", true);
    s->taints = Flag(arguments, "predicate.TaintTolerationEnable", true);
    s->ports = Flag(arguments, "predicate.NodePortsEnable", true);
  } else if (name == "resource-strategy-fit" && Switch(plugin, "enablePredicate")) {
    const ConfigValue* proportional = arguments ? arguments->Find("proportional") : nullptr;
    s->proportional |= Flag(proportional, "enable", false);
  } else if (name == "nodegroup" && Switch(plugin, "enablePredicate")) {
    s->node_group = true, s->node_group_first = !s->predicates;
    s->node_group_strict = Flag(arguments, "strict", true), s->node_group_inherits = Switch(plugin, "enableHierarchy", false);
  } else if (name == "tdm" && Switch(plugin, "enablePredicate")) {
    s->time_division = true;
    constexpr std::string_view kZone = "tdm.revocable-zone.";
    if (arguments)
      for (const auto& [key, value] : arguments->map)
        if (const size_t at = key.find(kZone); at != std::string::npos) s->zones.push_back(key.substr(at + kZone.size()));
  } else if (name == "overcommit") {
    const ConfigValue* factor = arguments ? arguments->Find("overcommit-factor") : nullptr;
    if (factor && (factor->type == Type::kInt || factor->type == Type::kFloat) && factor->number >= 1) s->overcommit_factor = factor->number;
    if (admits) admission->push_back(Admission::kOvercommit);
  } else if (name == "proportion") {
    s->proportion |= Switch(plugin, "enabledAllocatable");
    s->proportion_overused |= Switch(plugin, "enabledOverused");
    s->preemptive |= Switch(plugin, "enablePreemptive");
    if (admits) admission->push_back(Admission::kProportion);
  } else if (name == "capacity") {
    s->capacity |= Switch(plugin, "enabledAllocatable");
    s->capacity_hierarchy |= Switch(plugin, "enableHierarchy", false);
    s->preemptive |= Switch(plugin, "enablePreemptive");
    if (admits) admission->push_back(Admission::kCapacity);
  } else if ((name == "resourcequota" || name == "sla" || name == "extender") && admits) {
    admission->push_back(name == "resourcequota" ? Admission::kQuota : name == "sla" ? Admission::kSla : Admission::kOther);
  }
}

}  // namespace

size_t Settings::Times(std::string_view action) const { return static_cast<size_t>(std::count(actions.begin(), actions.end(), action)); }
bool Settings::Evicts() const {
  return Has("preempt") || Has("reclaim") || Has("gangpreempt") || Has("gangreclaim") || Has("shuffle");
}

std::string_view DefaultSettings() {
  return "actions: \"enqueue, allocate, backfill\"\n"
         "tiers:\n"
         "- plugins: [{name: priority}, {name: gang}, {name: conformance}]\n"
         "- plugins: [{name: overcommit}, {name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]\n";
}

bool ReadSettings(std::string_view text, Settings* settings, std::string* error) {
  *settings = {};
  ConfigValue root;
  if (!ParseConfigText(text, &root, error)) return false;
  const ConfigValue* actions = root.type == Type::kMap ? root.Find("actions") : nullptr;
  if (!actions || actions->type != Type::kString) return *error = "no actions are named", false;
  for (std::string_view rest = actions->string;;) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view name = rest.substr(0, comma);
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!name.empty() && blank(name.front())) name.remove_prefix(1);
    while (!name.empty() && blank(name.back())) name.remove_suffix(1);
    settings->actions.emplace_back(name);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (const ConfigValue* tiers = root.Find("tiers"))
    for (const ConfigValue& tier : tiers->list) {
      settings->admission.emplace_back();
      if (const ConfigValue* plugins = tier.Find("plugins"))
        for (const ConfigValue& plugin : plugins->list) ReadPlugin(plugin, settings, &settings->admission.back());
    }
  if (const ConfigValue* evictions = root.Find("evictions")) settings->minimal = evictions->type != Type::kString || evictions->string != "compat";
  if (const ConfigValue* list = root.Find("configurations")) {
    bool seen = false;  // only an action's first entry counts
    for (const ConfigValue& item : list->list) {
      const ConfigValue* name = item.Find("name");
      if (seen || !name || name->string != "allocate") continue;
      seen = true;
      settings->error_cache = Flag(item.Find("arguments"), "predicateErrorCacheEnable", true);
    }
  }
  return true;
}

}  // namespace basalt::verify

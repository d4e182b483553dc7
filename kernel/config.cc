#include "kernel/config.h"

#include <algorithm>

#include "kernel/actions/catalogue.h"
#include "kernel/policies/catalogue.h"
#include "snapshot/time.h"

namespace basalt {
namespace {

using Type = ConfigValue::Type;

std::string_view Trim(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

struct Parser {
  bool lenient;
  Config* config;
  std::vector<Diagnostic>* diagnostics;

  bool Refuse(std::string field, std::string message) {
    diagnostics->push_back({Severity::kConfig, "", "scheduler configuration", std::move(field), std::move(message)});
    return false;
  }
  void Warn(std::string field, std::string message) {
    diagnostics->push_back({Severity::kWarning, "", "scheduler configuration", std::move(field), std::move(message)});
  }
  void WarnUnknownKeys(const ConfigValue& map, std::initializer_list<std::string_view> known, const std::string& at) {
    for (const auto& [key, value] : map.map)
      if (std::find(known.begin(), known.end(), key) == known.end()) Warn(at + "/" + key, "unknown key; it has no effect");
  }

  bool Actions(const ConfigValue& root) {
    const ConfigValue* actions = root.Find("actions");
    if (!actions || actions->type == Type::kNull) return Refuse("/actions", "no actions are named");
    if (actions->type != Type::kString) return Refuse("/actions", "expected a comma-separated text of action names");
    std::string_view rest = actions->string;
    while (true) {
      const size_t comma = rest.find(',');
      const std::string name(Trim(rest.substr(0, comma)));
      if (!FindAction(name)) return Refuse("/actions", "unknown action \"" + name + "\"");
      config->actions.push_back({name});
      if (comma == std::string_view::npos) return true;
      rest.remove_prefix(comma + 1);
    }
  }

  bool Plugin(const ConfigValue& item, const std::string& at, std::vector<PluginOption>* tier) {
    if (item.type != Type::kMap) return Refuse(at, "expected a plugin entry with a name");
    const ConfigValue* name = item.Find("name");
    if (!name || name->type != Type::kString || name->string.empty()) return Refuse(at + "/name", "a plugin entry needs a name");
    PluginOption option;
    option.name = name->string;
    for (int i = 0; i < kSwitchCount; i++) option.switches |= uint32_t{SwitchSpecs()[i].default_value} << i;
    for (const auto& [key, value] : item.map) {
      if (key == "name") continue;
      if (key == "arguments") {
        if (value.type == Type::kMap) option.arguments = value;
        else if (value.type != Type::kNull) Warn(at + "/arguments", option.name + ": arguments have to be a map; ignored");
        continue;
      }
      int found = -1;
      for (int i = 0; i < kSwitchCount; i++)
        if (SwitchSpecs()[i].key == key) found = i;
      if (found < 0) {
        Warn(at + "/" + key, option.name + ": unknown key; it has no effect");
      } else if (value.type == Type::kBool) {
        option.switches = (option.switches & ~(1u << found)) | uint32_t{value.boolean} << found;
      } else if (value.type != Type::kNull) {
        return Refuse(at + "/" + key, option.name + ": expected true or false");
      }
    }
    const PolicyEntry* entry = FindPolicy(option.name);
    if (!entry) return Refuse(at + "/name", "unknown plugin \"" + option.name + "\"");
    if (entry->built) return tier->push_back(std::move(option)), true;
    const std::string message = "plugin \"" + option.name + "\" is not supported yet";
    if (!lenient) return Refuse(at + "/name", message);
    Warn(at + "/name", message + "; left out");
    return true;
  }

  bool Tiers(const ConfigValue& root) {
    const ConfigValue* tiers = root.Find("tiers");
    if (!tiers || tiers->type == Type::kNull) return true;
    if (tiers->type != Type::kList) return Refuse("/tiers", "expected a list of tiers");
    for (size_t t = 0; t < tiers->list.size(); t++) {
      const std::string at = "/tiers/" + std::to_string(t);
      const ConfigValue& tier = tiers->list[t];
      if (tier.type != Type::kMap && tier.type != Type::kNull) return Refuse(at, "expected a map with plugins");
      config->tiers.emplace_back();
      WarnUnknownKeys(tier, {"plugins"}, at);
      const ConfigValue* plugins = tier.Find("plugins");
      if (!plugins || plugins->type == Type::kNull) continue;
      if (plugins->type != Type::kList) return Refuse(at + "/plugins", "expected a list of plugins");
      for (size_t p = 0; p < plugins->list.size(); p++)
        if (!Plugin(plugins->list[p], at + "/plugins/" + std::to_string(p), &config->tiers.back())) return false;
      if (const std::string clash = ConflictInTier(config->tiers.back()); !clash.empty()) return Refuse(at, clash);
    }
    return true;
  }

  bool Configurations(const ConfigValue& root) {
    const ConfigValue* list = root.Find("configurations");
    if (!list || list->type == Type::kNull) return true;
    if (list->type != Type::kList) return Refuse("/configurations", "expected a list");
    std::vector<std::string> seen;
    for (size_t i = 0; i < list->list.size(); i++) {
      const ConfigValue& item = list->list[i];
      const std::string at = "/configurations/" + std::to_string(i);
      const ConfigValue* name = item.type == Type::kMap ? item.Find("name") : nullptr;
      if (!name || name->type != Type::kString) {
        Warn(at, "an entry needs a name; ignored");
        continue;
      }
      WarnUnknownKeys(item, {"name", "arguments"}, at);
      if (!FindAction(name->string)) Warn(at + "/name", "\"" + name->string + "\" is no action; ignored");
      if (std::find(seen.begin(), seen.end(), name->string) != seen.end()) {
        Warn(at, "a second entry for \"" + name->string + "\"; only the first counts");
        continue;
      }
      seen.push_back(name->string);
      const ConfigValue* arguments = item.Find("arguments");
      if (!arguments) continue;
      for (const auto& [key, value] : arguments->map) {
        const std::string argument = at + "/arguments/" + key;
        const ActionEntry* entry = FindAction(name->string);
        const bool gang = entry && entry->for_gangs;
        if (gang && key == "maxDomains") {
          // Every job is placed over the whole cluster, which is one domain.
          if (value.type != Type::kInt) Warn(argument, name->string + ": expected a whole number; the default 8 is used");
          continue;
        }
        if (key != (gang ? "allowWholeBundle" : "predicateErrorCacheEnable")) {
          Warn(argument, name->string + ": unknown argument; it has no effect");
          continue;
        }
        bool on = true;
        if (!BoolArgument(value, &on)) Warn(argument, name->string + ": expected true or false; the default true is used");
        if (name->string == kAllocateAction) config->predicate_error_cache = on;
        for (ActionOption& a : config->actions)
          if (gang && a.name == name->string) a.allow_whole_bundle = on;
      }
    }
    return true;
  }

  // Of what Volcano says about its collectors only the interval matters here: load comes with the input.
  void Metrics(const ConfigValue& root) {
    const ConfigValue* metrics = root.Find("metrics");
    if (!metrics || metrics->type == Type::kNull) return;
    if (metrics->type != Type::kMap) return Warn("/metrics", "expected a map; ignored");
    for (const auto& [key, value] : metrics->map) {
      const std::string at = "/metrics/" + key;
      if (key == "type" && !(value.type == Type::kString && value.string.empty())) Warn(at, "no load is collected; it is read from the input");
      if (key != "interval") continue;
      const auto interval = value.type == Type::kString ? ParseGoDuration(value.string) : std::nullopt;
      if (interval && *interval > 0) config->load_interval_ns = *interval;
      else Warn(at, "expected a duration above 0; the default 30s is used");
    }
  }

  // Volcano's boolean arguments: a YAML bool or a text that Go's parser takes.
  static bool BoolArgument(const ConfigValue& value, bool* out) {
    if (value.type == Type::kBool) return *out = value.boolean, true;
    if (value.type != Type::kString) return false;
    for (std::string_view t : {"1", "t", "T", "TRUE", "true", "True"})
      if (value.string == t) return *out = true, true;
    for (std::string_view f : {"0", "f", "F", "FALSE", "false", "False"})
      if (value.string == f) return *out = false, true;
    return false;
  }

  bool Run(const ConfigValue& root) {
    if (root.type != Type::kMap) return Refuse("", "expected a map with actions and tiers");
    WarnUnknownKeys(root, {"actions", "tiers", "configurations", "metrics", "evictions"}, "");
    if (const ConfigValue* e = root.Find("evictions"); e && e->type != Type::kNull) {
      if (e->type == Type::kString && (e->string == "minimal" || e->string == "compat")) {
        config->has_evictions = true;
        config->evictions = e->string == "compat" ? Evictions::kCompat : Evictions::kMinimal;
      } else {
        Warn("/evictions", "expected minimal or compat; minimal is used");
      }
    }
    Metrics(root);
    return Actions(root) && Tiers(root) && Configurations(root);
  }
};

}  // namespace

const std::array<SwitchSpec, kSwitchCount>& SwitchSpecs() {
  static constexpr std::array<SwitchSpec, kSwitchCount> kSpecs = {{
      {"enableJobOrder", true}, {"enableHierarchy", false}, {"enableJobReady", true}, {"enableJobPipelined", true}, {"enableTaskOrder", true},
      {"enablePreemptable", true}, {"enableReclaimable", true}, {"enablePreemptive", true}, {"enableQueueOrder", true}, {"enabledClusterOrder", false},
      {"enablePredicate", true}, {"enableBestNode", true}, {"enableNodeOrder", true}, {"enableTargetJob", true}, {"enableReservedNodes", true},
      {"enableJobEnqueued", true}, {"enabledVictim", true}, {"enableJobStarving", true}, {"enabledOverused", true}, {"enabledAllocatable", true},
      {"enabledHyperNodeOrder", true}, {"enabledSubJobReady", true}, {"enabledSubJobPipelined", true}, {"enabledSubJobOrder", true},
      {"enabledHyperNodeGradient", true},
  }};
  return kSpecs;
}

bool Config::HasAction(std::string_view name) const {
  return std::any_of(actions.begin(), actions.end(), [&](const ActionOption& a) { return a.name == name; });
}

std::string_view DefaultConfigText() {
  return R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
  - name: predicates
  - name: proportion
  - name: nodeorder
)";
}

bool ParseConfig(const ConfigValue& root, bool lenient, Config* config, std::vector<Diagnostic>* diagnostics) {
  *config = {};
  return Parser{lenient, config, diagnostics}.Run(root);
}

}  // namespace basalt

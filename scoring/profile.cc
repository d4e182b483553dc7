#include "scoring/profile.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace basalt::scoring {
namespace {

using Type = ConfigValue::Type;

// Arguments of one plugin, read with Volcano's typing; problems are collected, the default stays.
class Reader {
 public:
  Reader(std::string_view plugin, const ConfigValue* map, std::vector<ArgumentProblem>* problems)
      : plugin_(plugin), map_(map && map->type == Type::kMap ? map : nullptr), problems_(problems) {}
  ~Reader() {
    if (!map_) return;
    for (const auto& [key, value] : map_->map)
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) problems_->push_back({plugin_, key, "unknown argument; it has no effect", true});
  }
  const ConfigValue* Find(const std::string& key) {
    seen_.push_back(key);
    return map_ ? map_->Find(key) : nullptr;
  }
  void Problem(const std::string& key, std::string message) { problems_->push_back({plugin_, key, std::move(message), false}); }
  int64_t Int(const std::string& key, int64_t fallback, int64_t low = -kLimit) {
    const ConfigValue* v = Find(key);
    if (!v || v->type == Type::kNull) return fallback;
    if (v->type != Type::kInt) return Problem(key, "expected a whole number; the default " + std::to_string(fallback) + " is used"), fallback;
    if (v->integer < low || v->integer > kLimit) return Problem(key, "out of bounds; the default " + std::to_string(fallback) + " is used"), fallback;
    return v->integer;
  }
  bool Bool(const std::string& key, bool fallback) {
    const ConfigValue* v = Find(key);
    if (!v || v->type == Type::kNull) return fallback;
    if (v->type == Type::kBool) return v->boolean;
    if (v->type == Type::kString)
      for (const auto& [text, on] : std::initializer_list<std::pair<std::string_view, bool>>{
               {"1", true}, {"t", true}, {"T", true}, {"TRUE", true}, {"true", true}, {"True", true},
               {"0", false}, {"f", false}, {"F", false}, {"FALSE", false}, {"false", false}, {"False", false}})
        if (v->string == text) return on;
    Problem(key, std::string("expected true or false; the default ") + (fallback ? "true" : "false") + " is used");
    return fallback;
  }
  std::string Text(const std::string& key) {
    const ConfigValue* v = Find(key);
    if (!v || v->type == Type::kNull) return "";
    if (v->type != Type::kString) return Problem(key, "expected a text; ignored"), "";
    return v->string;
  }
  void Known(std::initializer_list<const char*> keys) {
    for (const char* k : keys) seen_.emplace_back(k);
  }
  static constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();

 private:
  const std::string plugin_;
  const ConfigValue* map_;
  std::vector<ArgumentProblem>* problems_;
  std::vector<std::string> seen_;
};

std::vector<std::string> SplitNames(const std::string& list) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, comma - at);
    name.erase(0, name.find_first_not_of(" \t"));
    name.erase(name.find_last_not_of(" \t") + 1);
    if (!name.empty()) names.push_back(std::move(name));
    at = comma + 1;
  }
  return names;
}

void AddPredicates(Reader* r, bool on, Profile* p) {
  p->predicates = p->predicates || on;
  p->node_affinity = r->Bool("predicate.NodeAffinityEnable", true);
  p->node_ports = r->Bool("predicate.NodePortsEnable", true);
  p->taint_toleration = r->Bool("predicate.TaintTolerationEnable", true);
  r->Known({"predicate.PodAffinityEnable", "predicate.NodeVolumeLimitsEnable", "predicate.VolumeZoneEnable", "predicate.PodTopologySpreadEnable",
            "predicate.VolumeBindingEnable", "predicate.DynamicResourceAllocationEnable", "predicate.CacheEnable", "volumebinding.weight",
            "volumebinding.bindTimeoutSeconds", "volumebinding.shape", "dynamicresources.filterTimeoutSeconds"});
}

void AddNodeOrder(Reader* r, bool on, Profile* p) {
  const int64_t least = r->Int("leastrequested.weight", 1), most = r->Int("mostrequested.weight", 0), balanced = r->Int("balancedresource.weight", 1);
  const int64_t affinity = r->Int("nodeaffinity.weight", 2), taint = r->Int("tainttoleration.weight", 3), image = r->Int("imagelocality.weight", 1);
  r->Known({"podaffinity.weight", "podtopologyspread.weight"});
  if (!on) return;
  p->least_requested = least, p->most_requested = most, p->balanced_resource = balanced, p->node_affinity_weight = affinity, p->taint_weight = taint;
  if (image != 0) {
    OrderRule rule{OrderRule::kImageLocality};
    rule.weight = image;
    p->order.push_back(std::move(rule));
  }
}

void AddBinpack(Reader* r, bool on, const ResourceLookup& lookup, Profile* p) {
  OrderRule rule{OrderRule::kBinpack};
  rule.binpack.weight = r->Int("binpack.weight", 1);
  const auto weight = [&](const std::string& key) {
    const int64_t w = r->Int(key, 1);
    return w < 0 ? 1 : w;
  };
  rule.binpack.resources = {{lookup("cpu"), weight("binpack.cpu")}, {lookup("memory"), weight("binpack.memory")}};
  for (const std::string& name : SplitNames(r->Text("binpack.resources"))) {
    const ResourceId id = lookup(name);
    const int64_t w = weight("binpack.resources." + name);
    const auto old = std::find_if(rule.binpack.resources.begin(), rule.binpack.resources.end(), [&](const auto& e) { return e.first == id; });
    if (old == rule.binpack.resources.end()) rule.binpack.resources.emplace_back(id, w);
    else old->second = w;
  }
  if (on && rule.binpack.weight != 0) p->order.push_back(std::move(rule));
}

// Numbers inside nested maps; Volcano ends its process on a wrong type, here the default stays.
std::optional<double> NumberOf(const ConfigValue* v) {
  return v && (v->type == Type::kInt || v->type == Type::kFloat) ? std::optional(v->number) : std::nullopt;
}

void AddStrategyFit(Reader* r, bool filter, bool order, const ResourceLookup& lookup, Profile* p) {
  OrderRule rule{OrderRule::kStrategyFit};
  StrategyFitArgs& a = rule.strategy;
  a.weight = r->Int("resourceStrategyFitWeight", 10);
  if (a.weight < 0) a.weight = 10;
  const ConfigValue* resources = r->Find("resources");
  if (resources && resources->type == Type::kMap) {
    for (const auto& [name, entry] : resources->map) {
      StrategyFitArgs::Entry e;
      e.pattern = name;
      if (const size_t star = name.find('*'); star != std::string::npos) {
        if (star == 0 || star + 1 != name.size()) continue;  // "*" alone and other wildcards are dropped
        e.prefix = true, e.pattern.pop_back();
      }
      const ConfigValue* type = entry.type == Type::kMap ? entry.Find("type") : nullptr;
      e.most = type && type->type == Type::kString && type->string == "MostAllocated";
      const ConfigValue* weight = entry.type == Type::kMap ? entry.Find("weight") : nullptr;
      if (weight && weight->type != Type::kInt) r->Problem("resources." + name + ".weight", "expected a whole number; the default 1 is used");
      e.weight = weight && weight->type == Type::kInt && weight->integer > 0 && weight->integer <= Reader::kLimit ? weight->integer : 1;
      a.resources.push_back(std::move(e));
    }
  } else if (resources && resources->type != Type::kNull) {
    r->Problem("resources", "expected a map of resources; the default (cpu and memory, LeastAllocated) is used");
  }
  if (a.resources.empty()) a.resources = {{"cpu", false, false, 1}, {"memory", false, false, 1}};

  if (const ConfigValue* sra = r->Find("sra"); sra && sra->type == Type::kMap) {
    const ConfigValue* enable = sra->Find("enable");
    if (enable && enable->type != Type::kBool) r->Problem("sra.enable", "expected true or false; the default false is used");
    const ConfigValue* list = sra->Find("resources");
    const ConfigValue* weights = sra->Find("resourceWeight");
    if (enable && enable->type == Type::kBool && enable->boolean) {
      a.sra_weight = static_cast<int64_t>(NumberOf(sra->Find("weight")).value_or(0));
      for (const std::string& name : SplitNames(list && list->type == Type::kString ? list->string : "")) {
        const double w = NumberOf(weights && weights->type == Type::kMap ? weights->Find(name) : nullptr).value_or(1);
        a.sra_resources.emplace_back(lookup(name), w < 0 ? 1 : static_cast<int64_t>(w));
      }
    }
  } else if (sra && sra->type != Type::kNull) {
    r->Problem("sra", "expected a map; ignored");
  }
  if (const ConfigValue* prop = r->Find("proportional"); prop && prop->type == Type::kMap) {
    const ConfigValue* enable = prop->Find("enable");
    const ConfigValue* list = prop->Find("resources");
    const ConfigValue* rates = prop->Find("resourceProportion");
    a.proportional_enabled = enable && enable->type == Type::kBool && enable->boolean;
    for (const std::string& name : SplitNames(list && list->type == Type::kString ? list->string : "")) {
      const auto rate = [&](const std::string& key) {
        const double v = NumberOf(rates && rates->type == Type::kMap ? rates->Find(key) : nullptr).value_or(1);
        return v < 0 ? 1 : v;
      };
      a.proportional.push_back({lookup(name), rate(name + ".cpu"), rate(name + ".memory")});
    }
  }
  if (filter && a.proportional_enabled) p->proportional.push_back(a);
  if (order) p->order.push_back(std::move(rule));
}

}  // namespace

bool AddPlugin(std::string_view plugin, const ConfigValue* arguments, bool predicate_enabled, bool node_order_enabled, const ResourceLookup& lookup,
               Profile* profile, std::vector<ArgumentProblem>* problems) {
  Reader reader(plugin, arguments, problems);
  if (plugin == "predicates") return AddPredicates(&reader, predicate_enabled, profile), true;
  if (plugin == "nodeorder") return AddNodeOrder(&reader, node_order_enabled, profile), true;
  if (plugin == "binpack") return AddBinpack(&reader, node_order_enabled, lookup, profile), true;
  if (plugin == "resource-strategy-fit") return AddStrategyFit(&reader, predicate_enabled, node_order_enabled, lookup, profile), true;
  if (plugin == "overcommit") {
    const ConfigValue* v = reader.Find("overcommit-factor");
    if (v && (!NumberOf(v) || *NumberOf(v) < 1)) reader.Problem("overcommit-factor", "expected a number of at least 1; the default 1.2 is used");
  }
  reader.Known({"ancestorReclaimLevel", "capacity.DynamicResourceAllocationEnable", "capacity.DRAConsumableCapacityEnable"});
  return false;
}

void ResolveResources(const std::vector<std::string_view>& names, Profile* profile) {
  const auto resolve = [&](StrategyFitArgs* a) {
    a->resolved.assign(names.size(), {});
    for (size_t id = 0; id < names.size(); id++) {
      const StrategyFitArgs::Entry* best = nullptr;
      for (const auto& e : a->resources) {
        const bool match = e.prefix ? names[id].starts_with(e.pattern) : names[id] == e.pattern;
        // Exact before prefix, then the longest prefix.
        if (match && (!best || (best->prefix && (!e.prefix || e.pattern.size() > best->pattern.size())))) best = &e;
      }
      if (best) a->resolved[id] = {true, best->most, best->weight};
    }
  };
  for (OrderRule& rule : profile->order)
    if (rule.kind == OrderRule::kStrategyFit) resolve(&rule.strategy);
}

}  // namespace basalt::scoring

// Configured plugins to a profile. The arguments of a rule stand in the rule's file; here is what belongs to no rule.
#include "scoring/profile.h"

#include <deque>
#include <string>

#include "scoring/arguments.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/catalogue.h"

namespace basalt::scoring {
namespace {

constexpr std::string_view kNoEffect = "read as Volcano does, without effect yet";

/// Arguments that are known but belong to no rule that is built: their type is checked.
constexpr ArgumentSpec kLater[] = {
    {kPredicatesPlugin, "predicate.PodAffinityEnable", "bool", "true", "", kNoEffect},
    {kPredicatesPlugin, "predicate.NodeVolumeLimitsEnable", "bool", "true", "", kNoEffect},
    {kPredicatesPlugin, "predicate.VolumeZoneEnable", "bool", "true", "", kNoEffect},
    {kPredicatesPlugin, "predicate.PodTopologySpreadEnable", "bool", "true", "", kNoEffect},
    {kPredicatesPlugin, "predicate.VolumeBindingEnable", "bool", "true", "", kNoEffect},
    {kPredicatesPlugin, "predicate.DynamicResourceAllocationEnable", "bool", "true", "", "never read, as in Volcano"},
    {kPredicatesPlugin, "predicate.CacheEnable", "bool", "false", "", "without effect: results are kept per class anyway"},
    {kPredicatesPlugin, "volumebinding.weight", "int", "1", "", kNoEffect},
    {kPredicatesPlugin, "volumebinding.bindTimeoutSeconds", "int", "600", "", kNoEffect},
    {kPredicatesPlugin, "volumebinding.shape", "list", "", "", kNoEffect},
    {kPredicatesPlugin, "dynamicresources.filterTimeoutSeconds", "int", "10", "", kNoEffect},
    {kNodeOrderPlugin, "podaffinity.weight", "int", "2", "", kNoEffect},
    {kNodeOrderPlugin, "podtopologyspread.weight", "int", "2", "", kNoEffect},
};

void ReadLater(std::string_view plugin, ArgumentReader* reader) {
  for (const ArgumentSpec& spec : kLater) {
    if (spec.plugin != plugin) continue;
    if (spec.type == "bool") reader->Bool(spec.key, spec.default_value == "true");
    else if (spec.type == "int") reader->Int(spec.key, std::stoll(std::string(spec.default_value)));
    else reader->Known(spec.key);
  }
}

void AddPredicates(ArgumentReader* reader, bool on, Profile* profile) {
  profile->predicates = profile->predicates || on;
#define BASALT_RUN(Rule) profile->*Rule::kSwitch.member = reader->Bool(Rule::kSwitch.key, true);
  BASALT_SWITCHED_FILTERS(BASALT_RUN)
#undef BASALT_RUN
}

// Where nodeorder is configured twice, the last one counts.
void AddNodeOrder(ArgumentReader* reader, bool on, Profile* profile) {
#define BASALT_RUN(Rule)                                                                  \
  {                                                                                       \
    const int64_t weight = reader->Int(Rule::kWeight.key, Rule::kWeight.fallback);        \
    if (on) profile->*Rule::kWeight.member = weight;                                      \
  }
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
}

}  // namespace

bool AddPlugin(std::string_view plugin, const ConfigValue* arguments, bool predicate_enabled, bool node_order_enabled, const ResourceLookup& lookup,
               Profile* profile, std::vector<ArgumentProblem>* problems) {
#define BASALT_RUN(Rule) \
  if (plugin == Rule::kPlugin && node_order_enabled) profile->order.emplace_back().kind = Rule::kKind;
  BASALT_POLICY_SCORES(BASALT_RUN)
#undef BASALT_RUN
  bool known = plugin == kPredicatesPlugin || plugin == kNodeOrderPlugin;
#define BASALT_RUN(Rule) known |= plugin == Rule::kPlugin;
  BASALT_PLUGIN_SCORES(BASALT_RUN)
#undef BASALT_RUN
  if (!known) return false;  // a policy: the kernel reads its arguments
  ArgumentReader reader(plugin, arguments, problems);
  if (plugin == kPredicatesPlugin) AddPredicates(&reader, predicate_enabled, profile);
  if (plugin == kNodeOrderPlugin) AddNodeOrder(&reader, node_order_enabled, profile);
#define BASALT_RUN(Rule) \
  if (plugin == Rule::kPlugin) Rule::Configure(&reader, predicate_enabled, node_order_enabled, lookup, profile);
  BASALT_PLUGIN_SCORES(BASALT_RUN)
#undef BASALT_RUN
  ReadLater(plugin, &reader);
  return true;
}

const std::vector<ArgumentSpec>& ArgumentSpecs() {
  static const std::vector<ArgumentSpec> kSpecs = [] {
    static std::deque<std::string> numbers;  // owns the defaults that are numbers
    std::vector<ArgumentSpec> specs;
#define BASALT_RUN(Rule) specs.push_back({kPredicatesPlugin, Rule::kSwitch.key, "bool", "true", "", Rule::kSwitch.meaning});
    BASALT_SWITCHED_FILTERS(BASALT_RUN)
#undef BASALT_RUN
#define BASALT_RUN(Rule)                                               \
  numbers.push_back(std::to_string(Rule::kWeight.fallback));           \
  specs.push_back({kNodeOrderPlugin, Rule::kWeight.key, "int", numbers.back(), "-2147483647..2147483647", Rule::kWeight.meaning});
    BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
#define BASALT_RUN(Rule) specs.insert(specs.end(), std::begin(Rule::kArguments), std::end(Rule::kArguments));
    BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    specs.insert(specs.end(), std::begin(kLater), std::end(kLater));
    return specs;
  }();
  return kSpecs;
}

void ResolveResources(const std::vector<std::string_view>& names, Profile* profile) {
  for (OrderRule& rule : profile->order) {
    StrategyFitArgs& args = rule.strategy;
    args.resolved.assign(names.size(), {});
    for (size_t id = 0; id < names.size(); id++) {
      const StrategyFitArgs::Entry* best = nullptr;
      for (const StrategyFitArgs::Entry& e : args.resources) {
        const bool match = e.prefix ? names[id].starts_with(e.pattern) : names[id] == e.pattern;
        // Exact before prefix, then the longest prefix.
        if (match && (!best || (best->prefix && (!e.prefix || e.pattern.size() > best->pattern.size())))) best = &e;
      }
      if (best) args.resolved[id] = {true, best->most, best->weight};
    }
  }
}

}  // namespace basalt::scoring

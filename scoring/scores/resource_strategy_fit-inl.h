// resource-strategy-fit: per resource either the fullest or the emptiest node, and scarce-resource avoidance (volcano-nodes, section 3.2). Double, not
// truncated: 0..100 * weight each. Units: Volcano's.
#include "scoring/arguments.h"
#include "scoring/rule.h"
#include "scoring/scores/binpack-inl.h"
#ifndef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H_PLAIN
#define BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H_PLAIN
namespace basalt::scoring {

struct StrategyFit : PackedDimensions {
  static constexpr OrderRule::Kind kKind = OrderRule::kStrategyFit;
  static constexpr std::string_view kPlugin = "resource-strategy-fit", kName = "resource-strategy-fit";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "resourceStrategyFitWeight", "int", "10", "0..2147483647", "weight of the strategy score; 0 turns it off, a negative one counts as 10"},
      {kPlugin, "resources", "map", "cpu and memory: LeastAllocated, weight 1", "name or prefix*: {type, weight}", "strategy and weight by resource"},
      {kPlugin, "resources.<name>.type", "string", "LeastAllocated", "MostAllocated or LeastAllocated",
       "whether full or empty nodes are favoured; another text counts as LeastAllocated"},
      {kPlugin, "resources.<name>.weight", "int", "1", "1..2147483647", "weight of the resource; one below 1 counts as 1"},
      {kPlugin, "sra.enable", "bool", "false", "", "keep pods away from nodes with scarce resources"},
      {kPlugin, "sra.resources", "string", "", "names separated by commas", "resources that are scarce"},
      {kPlugin, "sra.weight", "int", "0", "0..2147483647", "weight of that score; 0 and below turn it off"},
      {kPlugin, "sra.resourceWeight", "map", "1 each", "name: whole number", "weight by scarce resource; a negative one counts as 1"},
      {kPlugin, "proportional.enable", "bool", "false", "", "refuse pods that would leave too little cpu and memory for free devices"},
      {kPlugin, "proportional.resources", "string", "", "names separated by commas", "devices to keep cpu and memory for"},
      {kPlugin, "proportional.resourceProportion", "map", "1 each", "name.cpu, name.memory: number",
       "CPUs and 10^9 bytes kept per device; a negative rate counts as 1"},
  };
  static constexpr ScoreExample kExamples[] = {  // cpu MostAllocated weight 2, memory LeastAllocated weight 1, no sra
      {{8000, 32ll << 30, 0}, {2000, 24ll << 30, 0}, {4000, 2ll << 30, 0}, 56.25, "(2 * 0.75 + 0.1875) / 3"},
      {{8000, 32ll << 30, 0}, {6000, 0, 0}, {4000, 1, 0}, 0, "one dimension beyond capacity makes the node 0"},
      {{8000, 0, 0}, {2000, 0, 0}, {4000, 1, 0}, 50, "a dimension that the node lacks adds nothing but its weight"},
  };

  static void Configure(ArgumentReader* reader, bool filter, bool order, const ResourceLookup& lookup, Profile* profile) {
    OrderRule rule{};
    rule.kind = kKind;
    ReadStrategy(reader, &rule.strategy);
    ReadAvoidance(reader, lookup, &rule.strategy);
    ReadProportions(reader, lookup, &rule.strategy);
    rule.strategy.before_predicates = !profile->predicates;
    if (filter && rule.strategy.proportional_enabled) profile->proportional.push_back(rule.strategy);
    if (order && (rule.strategy.weight > 0 || rule.strategy.sra_weight > 0)) profile->order.push_back(std::move(rule));
  }

  double strategy_scale = 0, avoidance_scale = 0;  ///< 0: that part is off
  struct Scarce { const int64_t* allocatable; double weight; };
  ShortList<Scarce, 4> scarce;
  ShortList<const int64_t*, 8> asked;  ///< allocatable of every dimension that the class asks for
  double scarce_weights = 0;

  bool Prepare(const RuleInput& in, const OrderRule& rule) {
    const StrategyFitArgs& args = rule.strategy;
    if (args.weight > 0 && in.cls.strategy.kind != PodStrategy::kInvalid) {
      for (const ResourceAmount& r : in.cls.request) {
        bool most = false;
        int64_t weight = 0;
        if (r.amount >= 1 && Wanted(in.cls, args, r.id, &most, &weight)) AddDimension(in, r, weight, most);
      }
      if (dimensions.count) strategy_scale = 100.0 * static_cast<double>(args.weight);
    }
    if (args.sra_weight > 0 && BindAvoidance(in, args)) avoidance_scale = static_cast<double>(100 * args.sra_weight);
    return strategy_scale != 0 || avoidance_scale != 0;
  }

 private:
  /// What counts for a dimension: the class's own annotation where it has one, else the plugin argument.
  static bool Wanted(const PodClass& cls, const StrategyFitArgs& args, ResourceId id, bool* most, int64_t* weight) {
    if (cls.strategy.kind != PodStrategy::kAbsent) {
      for (const ResourceAmount& w : cls.strategy.weights)
        if (w.id == id) return *most = cls.strategy.kind == PodStrategy::kMost, *weight = w.amount, true;
      return false;
    }
    if (id.value >= args.resolved.size() || !args.resolved[id.value].known) return false;
    *most = args.resolved[id.value].most, *weight = args.resolved[id.value].weight;
    return true;
  }
  /// False where the part is 0 everywhere.
  bool BindAvoidance(const RuleInput& in, const StrategyFitArgs& args) {
    for (const ResourceAmount& r : in.cls.request) {
      if (r.amount < 1) continue;
      const int64_t* allocatable = ColumnOf(in.nodes, in.nodes.allocatable, r.id);
      if (!allocatable) return false;
      asked.Add(allocatable);
    }
    scarce_weights = static_cast<double>(args.sra_weight_sum);
    for (const auto& [id, weight] : args.sra_resources)
      if (const int64_t* allocatable = ColumnOf(in.nodes, in.nodes.allocatable, id)) scarce.Add({allocatable, static_cast<double>(weight)});
    return args.sra_weight_sum > 0;
  }

  static void ReadStrategy(ArgumentReader* reader, StrategyFitArgs* args) {
    args->weight = reader->Int("resourceStrategyFitWeight", 10);
    if (args->weight < 0) args->weight = 10;
    const ConfigValue* resources = reader->Map("resources");
    if (!resources || resources->map.empty()) {
      for (const char* name : {"cpu", "memory"}) args->resources.emplace_back().pattern = name;
      return;
    }
    for (const auto& [name, entry] : resources->map) {
      ArgumentReader one(reader, "resources." + name, entry);
      StrategyFitArgs::Entry e;
      e.pattern = name;
      e.most = one.Text("type") == "MostAllocated";
      e.weight = std::max<int64_t>(one.Int("weight", 1), 1);
      if (const size_t star = name.find('*'); star != std::string::npos) {
        if (star == 0 || star + 1 != name.size()) continue;  // "*" alone and other wildcards are dropped
        e.prefix = true, e.pattern.pop_back();
      }
      args->resources.push_back(std::move(e));
    }
  }
  static void ReadAvoidance(ArgumentReader* reader, const ResourceLookup& lookup, StrategyFitArgs* args) {
    ArgumentReader sra(reader, "sra");
    const bool enabled = sra.Bool("enable", false);
    const std::vector<std::string> names = sra.Names("resources");
    const ConfigValue* weights = sra.Map("resourceWeight");
    const int64_t weight = sra.Int("weight", 0);
    if (!enabled) return;
    args->sra_weight = weight;
    for (const std::string& name : names) {
      int64_t w = sra.IntIn(weights, "resourceWeight", name, 1);
      if (w < 0) w = 1;
      args->sra_weight_sum += w;  // a name listed twice counts twice here and once below, as in Volcano
      const ResourceId id = lookup(name);
      if (std::none_of(args->sra_resources.begin(), args->sra_resources.end(), [&](const auto& e) { return e.first == id; }))
        args->sra_resources.emplace_back(id, w);
    }
  }
  static void ReadProportions(ArgumentReader* reader, const ResourceLookup& lookup, StrategyFitArgs* args) {
    ArgumentReader proportional(reader, "proportional");
    args->proportional_enabled = proportional.Bool("enable", false);
    const std::vector<std::string> names = proportional.Names("resources");
    const ConfigValue* rates = proportional.Map("resourceProportion");
    for (const std::string& name : names) {
      const auto rate = [&](const std::string& key) {
        const double v = proportional.NumberIn(rates, "resourceProportion", key, 1);
        return v < 0 ? 1 : v;
      };
      const ResourceId id = lookup(name);
      if (std::none_of(args->proportional.begin(), args->proportional.end(), [&](const auto& p) { return p.id == id; }))
        args->proportional.push_back({id, rate(name + ".cpu"), rate(name + ".memory")});
    }
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#undef BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#else
#define BASALT_SCORING_SCORES_RESOURCE_STRATEGY_FIT_INL_H
#endif

LANES_BEGIN

/// 1 - (weights of the scarce resources that the node has) / (all weights); 0 where the node lacks anything that the class asks for.
template <class L>
LANE_FN typename L::F Avoidance(const L& l, const StrategyFit& r) {
  const auto zero = l.Float(0.0);
  auto lacks = l.False();
  for (size_t d = 0; d < r.asked.count; d++) lacks = l.Or(lacks, l.Equal(l.Double(r.asked.first[d]), zero));
  auto has = zero;
  for (size_t d = 0; d < r.scarce.count; d++) {
    const StrategyFit::Scarce& s = r.scarce.first[d];
    has = l.Add(has, l.Select(l.AtLeast(s.allocatable, 1), l.Float(s.weight), zero));
  }
  return l.Select(lacks, zero, l.Sub(l.Float(1.0), l.Div(has, l.Float(r.scarce_weights))));
}

template <class L>
LANE_FN typename L::F Value(const L& l, const StrategyFit& r) {
  auto value = l.Float(0.0);
  if (r.strategy_scale != 0) value = l.Add(value, l.Mul(PackedScore(l, static_cast<const PackedDimensions&>(r)), l.Float(r.strategy_scale)));
  if (r.avoidance_scale != 0) value = l.Add(value, l.Mul(Avoidance(l, r), l.Float(r.avoidance_scale)));
  return value;
}

LANES_END

#endif  // per target

// binpack: favours nodes that the pod fills (volcano-nodes, section 3.1). Double 0..100 * weight, not truncated. Units: Volcano's. Dimensions in the order
// of the request; doubles in Volcano's order of operations: (asked + used) * weight / allocatable. Cost: two columns per dimension.
#include "scoring/arguments.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_BINPACK_INL_H_PLAIN
#define BASALT_SCORING_SCORES_BINPACK_INL_H_PLAIN
namespace basalt::scoring {

/// Dimensions that a packing rule weighs, bound to their columns.
struct PackedDimensions {
  struct Dimension { const int64_t *allocatable, *idle; double asked, weight; bool most; };
  ShortList<Dimension, 8> dimensions;
  int64_t weights = 0;

  /// One weighed dimension of the request. Its weight counts also where the node lacks it.
  void AddDimension(const RuleInput& in, const ResourceAmount& r, int64_t weight, bool most) {
    if (__builtin_add_overflow(weights, weight, &weights)) weights = weight < 0 ? INT64_MIN : INT64_MAX;
    const int64_t* allocatable = ColumnOf(in.nodes, in.nodes.allocatable, r.id);
    const int64_t* idle = ColumnOf(in.nodes, in.nodes.idle, r.id);
    if (weight != 0 && allocatable && idle) dimensions.Add({allocatable, idle, static_cast<double>(r.amount), static_cast<double>(weight), most});
  }
};

struct Binpack : PackedDimensions {
  static constexpr OrderRule::Kind kKind = OrderRule::kBinpack;
  static constexpr std::string_view kPlugin = "binpack", kName = "binpack";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "binpack.weight", "int", "1", "-2147483647..2147483647", "weight of the plugin; 0 turns it off"},
      {kPlugin, "binpack.cpu", "int", "1", "0..2147483647", "weight of cpu; a negative one counts as 1"},
      {kPlugin, "binpack.memory", "int", "1", "0..2147483647", "weight of memory; a negative one counts as 1"},
      {kPlugin, "binpack.resources", "string", "", "names separated by commas", "further resources that count"},
      {kPlugin, "binpack.resources.<name>", "int", "1", "0..2147483647", "weight of one of them; a negative one counts as 1"},
  };
  static constexpr ScoreExample kExamples[] = {  // weights of cpu and memory 1
      {{8000, 32ll << 30, 0}, {2000, 24ll << 30, 0}, {4000, 2ll << 30, 0}, 78.125, "0.75 and 0.8125"},
      {{8000, 32ll << 30, 0}, {6000, 0, 0}, {4000, 1, 0}, 0, "one dimension beyond capacity makes the node 0"},
      {{8000, 0, 0}, {2000, 0, 0}, {2000, 1, 0}, 25, "a dimension that the node lacks adds nothing but its weight"},
      {{8000, 32ll << 30, 0}, {2000, 0, 0}, {0, 0, 0}, 0, "a pod that asks for nothing"},
  };

  static void Configure(ArgumentReader* reader, bool /*filter*/, bool order, const ResourceLookup& lookup, Profile* profile) {
    OrderRule rule{};
    rule.kind = kKind;
    rule.binpack.weight = reader->Int("binpack.weight", 1);
    const auto weight_of = [&](const std::string& key) {
      const int64_t weight = reader->Int(key, 1);
      return weight < 0 ? 1 : weight;
    };
    rule.binpack.resources = {{lookup("cpu"), weight_of("binpack.cpu")}, {lookup("memory"), weight_of("binpack.memory")}};
    for (const std::string& name : reader->Names("binpack.resources")) {
      const ResourceId id = lookup(name);
      const int64_t weight = weight_of("binpack.resources." + name);
      if (std::none_of(rule.binpack.resources.begin(), rule.binpack.resources.end(), [&](const auto& e) { return e.first == id; }))
        rule.binpack.resources.emplace_back(id, weight);
    }
    if (order && rule.binpack.weight != 0) profile->order.push_back(std::move(rule));
  }

  double scale;

  bool Prepare(const RuleInput& in, const OrderRule& rule) {
    scale = static_cast<double>(100 * rule.binpack.weight);
    for (const ResourceAmount& r : in.cls.request) {
      if (r.amount < 1) continue;  // ResourceNames() of Volcano
      for (const auto& [id, weight] : rule.binpack.resources)
        if (id == r.id) AddDimension(in, r, weight, true);
    }
    return dimensions.count > 0;
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_BINPACK_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_BINPACK_INL_H
#undef BASALT_SCORING_SCORES_BINPACK_INL_H
#else
#define BASALT_SCORING_SCORES_BINPACK_INL_H
#endif

LANES_BEGIN

/// Weighted mean of the packed shares: full where `most`, else free. 0 where one dimension would overflow.
template <class L>
LANE_FN typename L::F PackedScore(const L& l, const PackedDimensions& r) {
  const auto zero = l.Float(0.0);
  auto score = zero;
  auto over = l.False();
  for (size_t d = 0; d < r.dimensions.count; d++) {
    const PackedDimensions::Dimension& dim = r.dimensions.first[d];
    const auto allocatable = l.Double(dim.allocatable);
    const auto in_the_end = l.Add(l.Float(dim.asked), l.Sub(allocatable, l.Double(dim.idle)));
    const auto lacks = l.Equal(allocatable, zero);
    over = l.Or(over, l.And(l.Not(lacks), l.Less(allocatable, in_the_end)));
    const auto amount = dim.most ? in_the_end : l.Sub(allocatable, in_the_end);
    score = l.Add(score, l.Select(lacks, zero, l.Div(l.Mul(amount, l.Float(dim.weight)), allocatable)));
  }
  if (r.weights > 0) score = l.Div(score, l.Float(static_cast<double>(r.weights)));
  return l.Select(over, zero, score);
}

template <class L>
LANE_FN typename L::F Value(const L& l, const Binpack& r) {
  return l.Mul(PackedScore(l, static_cast<const PackedDimensions&>(r)), l.Float(r.scale));
}

LANES_END

#endif  // per target

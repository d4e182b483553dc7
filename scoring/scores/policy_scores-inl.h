// Scores of policies that look at more than class and node (queue, time, other tasks): the kernel works the column out, here it is only added
// where the plugin stands. Double, weight included.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_POLICY_SCORES_INL_H_PLAIN
#define BASALT_SCORING_SCORES_POLICY_SCORES_INL_H_PLAIN
namespace basalt::scoring {

struct PolicyColumn {
  const double* column;
  bool Bind(const RuleInput& in, PolicyScore which) {
    const Column<double>& scores = in.fixed.policy_score[static_cast<size_t>(which)];
    column = scores.data();
    return scores.size() != 0;
  }
};

struct NodeGroupScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kNodeGroup;
  static constexpr std::string_view kPlugin = "nodegroup", kName = "nodegroup";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "strict", "bool", "true", "", "refuse nodes without a group also to queues without an affinity"},
      {kPlugin, "enablePreferredOrder", "bool", "false", "", "score preferred groups by their place in the list instead of 50 each"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kNodeGroup); }
};

struct TimeDivisionScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kTimeDivision;
  static constexpr std::string_view kPlugin = "tdm", kName = "tdm";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "tdm.revocable-zone.<name>", "string", "", "HH:MM-HH:MM", "when nodes of the zone take revocable pods"},
      {kPlugin, "tdm.evict.period", "string", "1m", "a duration above 0", "how often a zone that is over is cleared"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kTimeDivision); }
};

struct TaskTopologyScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kTaskTopology;
  static constexpr std::string_view kPlugin = "task-topology", kName = "task-topology";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "task-topology.weight", "int", "1", "-2147483647..2147483647", "weight of the score for nodes that hold tasks of the same bucket"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kTaskTopology); }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_POLICY_SCORES_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_POLICY_SCORES_INL_H
#undef BASALT_SCORING_SCORES_POLICY_SCORES_INL_H
#else
#define BASALT_SCORING_SCORES_POLICY_SCORES_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::F Value(const L& l, const PolicyColumn& r) {
  return l.LoadF(r.column + l.row);
}

LANES_END

#endif  // per target

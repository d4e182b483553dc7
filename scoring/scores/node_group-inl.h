// nodegroup: nodes of groups that the queue prefers. The policy works the column out (kernel/policies/nodegroup.cc).
#include "scoring/scores/policy_column-inl.h"
#ifndef BASALT_SCORING_SCORES_NODE_GROUP_INL_H
#define BASALT_SCORING_SCORES_NODE_GROUP_INL_H
namespace basalt::scoring {

struct NodeGroupScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kNodeGroup;
  static constexpr std::string_view kPlugin = "nodegroup", kName = "nodegroup";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "strict", "bool", "true", "", "refuse nodes without a group also to queues without an affinity"},
      {kPlugin, "enablePreferredOrder", "bool", "false", "", "score preferred groups by their place in the list instead of 50 each"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kNodeGroup); }
};

}  // namespace basalt::scoring
#endif

// task-topology: nodes that hold tasks of the same bucket. The policy works the column out (kernel/policies/task_topology.cc).
#include "scoring/scores/policy_column-inl.h"
#ifndef BASALT_SCORING_SCORES_TASK_TOPOLOGY_INL_H
#define BASALT_SCORING_SCORES_TASK_TOPOLOGY_INL_H
namespace basalt::scoring {

struct TaskTopologyScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kTaskTopology;
  static constexpr std::string_view kPlugin = "task-topology", kName = "task-topology";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "task-topology.weight", "int", "1", "-2147483647..2147483647", "weight of the score for nodes that hold tasks of the same bucket"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kTaskTopology); }
};

}  // namespace basalt::scoring
#endif

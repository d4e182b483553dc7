// usage: nodes that are measured to have room. The policy works the column out (kernel/policies/usage.cc).
#include "scoring/scores/policy_column-inl.h"
#ifndef BASALT_SCORING_SCORES_USAGE_INL_H
#define BASALT_SCORING_SCORES_USAGE_INL_H
namespace basalt::scoring {

struct UsageScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kUsage;
  static constexpr std::string_view kPlugin = "usage", kName = "usage";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "usage.weight", "int", "5", "0..2147483647", "weight of the score for idle nodes"},
      {kPlugin, "cpu.weight", "int", "1", "0..2147483647", "weight of cpu in that score"},
      {kPlugin, "memory.weight", "int", "1", "0..2147483647", "weight of memory in that score"},
      {kPlugin, "thresholds.cpu", "int", "80", "0..100", "per cent of a node's cpu beyond which it takes no pods"},
      {kPlugin, "thresholds.mem", "int", "80", "0..100", "the same for memory"},
      {kPlugin, "estimator.request_ratio", "float", "0.7", "0..1", "part of its request that a new pod is taken to use"},
      {kPlugin, "estimator.burst_ratio", "float", "0", "0..1", "part of what its limit is above its request that it is taken to use"},
      {kPlugin, "estimator.risk_threshold", "float", "0.6", "0..1", "load of a node from which estimates are raised"},
      {kPlugin, "estimator.risk_factor", "float", "1.2", "at least 1", "by how much they are raised"},
      {kPlugin, "estimator.be_cpu", "int or quantity", "250m", "at least 0", "cpu that a pod without requests is taken to use; a number: in thousandths"},
      {kPlugin, "estimator.be_mem", "int or quantity", "200Mi", "at least 0", "the same for memory; a number: in MiB"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kUsage); }
};

}  // namespace basalt::scoring
#endif

// tdm: nodes of a revocable zone for pods that may be revoked. The policy works the column out (kernel/policies/tdm.cc).
#include "scoring/scores/policy_column-inl.h"
#ifndef BASALT_SCORING_SCORES_TIME_DIVISION_INL_H
#define BASALT_SCORING_SCORES_TIME_DIVISION_INL_H
namespace basalt::scoring {

struct TimeDivisionScore : PolicyColumn {
  static constexpr OrderRule::Kind kKind = OrderRule::kTimeDivision;
  static constexpr std::string_view kPlugin = "tdm", kName = "tdm";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "tdm.revocable-zone.<name>", "string", "", "HH:MM-HH:MM", "when nodes of the zone take revocable pods"},
      {kPlugin, "tdm.evict.period", "string", "1m", "a duration above 0", "how often a zone that is over is cleared"},
  };
  bool Prepare(const RuleInput& in, const OrderRule&) { return Bind(in, PolicyScore::kTimeDivision); }
};

}  // namespace basalt::scoring
#endif

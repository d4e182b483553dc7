// Nodes outside of the scheduler's shard are refused. Not a plugin: it holds whatever the configuration says.
#pragma once
#include "kernel/policy.h"

namespace basalt {

class NodeShard final : public Policy {
 public:
  uint32_t Families() const override { return FamilyBit(Family::kNodeFilter); }
  uint64_t NodeKey(Session&, PodId) override { return 1; }  // all pods are told the same
  uint64_t NodeVersion(Session& session, uint64_t key, uint64_t node_position) override;
  void RefuseNodes(Session& session, uint64_t key, bool before_predicates, NodeRules* rules) override;
};

}  // namespace basalt

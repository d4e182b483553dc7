#include "kernel/policies/node_shard.h"

#include "kernel/session.h"

namespace basalt {

// The shard cannot change within a session, and a session's rules die with it: nodes that come and go between sessions need no version.
uint64_t NodeShard::NodeVersion(Session& s, uint64_t, uint64_t) { return s.store.nodes_generation; }

void NodeShard::RefuseNodes(Session& s, uint64_t, bool before_predicates, NodeRules* rules) {
  const NodeTable& nodes = s.store.nodes;
  const uint8_t code = rules->CodeOf(PolicyReason::kNotInShard, {}, before_predicates);
  rules->refused.Resize(PaddedRows(nodes.rows));
  for (uint32_t row = 0; row < nodes.rows; row++)
    if (nodes.present[row] && !rules->refused[row] && !s.store.shard.nodes.contains(nodes.name[row])) rules->refused[row] = code;
}

}  // namespace basalt

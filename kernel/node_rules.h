// What policies say of nodes for one pod beyond its class: refusals and scores that hang on its queue, its job or the time.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "scoring/batch.h"
#include "snapshot/ids.h"

namespace basalt {

/// Why a policy refuses a node.
enum class PolicyReason : uint8_t {
  kNone,
  kGroupLabelMissing,    ///< nodegroup: the node has no group
  kGroupNotWanted,       ///< nodegroup: the queue names no groups
  kGroupMismatch,        ///< nodegroup: not a group of the queue
  kGroupLimit,           ///< nodegroup: the queue's limit in that group
  kGroupLimitsInvalid,   ///< nodegroup: the annotation with the limits cannot be read
  kZoneInactive,         ///< tdm: outside the zone's hours; `name`: "zone:HH:MM-HH:MM"
  kZoneUnknown,          ///< tdm: a zone that is not configured; `name`: the zone
  kZoneNotAllowed,       ///< tdm: the pod may not run on revocable nodes
  kCpuLoad,              ///< usage: the node is measured to use too much cpu
  kMemoryLoad,           ///< usage: the same for memory
  kNotInShard,           ///< the node belongs to another scheduler's shard
};

struct NodeRules {
  struct Refusal { PolicyReason reason; StringId name; bool before_predicates; };
  uint64_t id = 0;                                 ///< pods that share an id are told the same; unique within a session
  uint64_t version = 0;                            ///< rises when anything below differs from before
  Column<uint8_t> refused;                         ///< by node row: 0, or 1 + index into `refusals`; empty: none refused
  std::vector<Refusal> refusals;                   ///< at most 126
  std::array<Column<double>, scoring::kPolicyScores> score;  ///< by scoring::PolicyScore; empty: 0 everywhere

  /// What a code of StaticColumns::policy_refused stands for.
  const Refusal& RefusalOf(uint8_t code) const { return refusals[(code & ~scoring::kPolicyFirst) - 1]; }
  /// The code of a refusal for `refused`. A row keeps the refusal it was given first.
  uint8_t CodeOf(PolicyReason reason, StringId name, bool before_predicates) {
    for (size_t i = 0; i < refusals.size(); i++)
      if (refusals[i].reason == reason && refusals[i].name == name && refusals[i].before_predicates == before_predicates) return static_cast<uint8_t>(i + 1);
    if (refusals.size() >= 126) return static_cast<uint8_t>(refusals.size());
    refusals.push_back({reason, name, before_predicates});
    return static_cast<uint8_t>(refusals.size());
  }
};

/// A pod as the node index sees it: its class, and what policies add.
struct ClassView {
  ClassId cls;
  const NodeRules* rules = nullptr;
  ClassView(ClassId c) : cls(c) {}  // NOLINT: a class alone is a view
  ClassView(ClassId c, const NodeRules* r) : cls(c), rules(r) {}
};

}  // namespace basalt

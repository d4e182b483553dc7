#include "kernel/policies/catalogue.h"

#include <algorithm>

namespace basalt {

const std::vector<PolicyEntry>& Policies() {
  static const std::vector<PolicyEntry> kPolicies = {
      {"priority", true, MakePriority},
      {"gang", true, MakeGang},
      {"conformance", true, MakeConformance},
      {"overcommit", true, MakeOvercommit},
      {"drf", true, MakeDrf},
      {"proportion", true, MakeProportion},
      {"capacity", true, MakeCapacity},
      {"predicates", true},
      {"nodeorder", true},
      {"binpack", true},
      {"resource-strategy-fit", true},
      {"deviceshare"},
      {"tdm", true, MakeTdm},
      {"sla", true, MakeSla},
      {"task-topology", true, MakeTaskTopology},
      {"numa-aware"},
      {"cdp", true, MakeCdp},
      {"rescheduling", true, MakeRescheduling},
      {"usage", true, MakeUsage},
      {"pdb", true, MakePdb},
      {"nodegroup", true, MakeNodeGroup},
      {"network-topology-aware"},
      {"extender"},
      {"resourcequota", true, MakeResourceQuota},
  };
  return kPolicies;
}

const PolicyEntry* FindPolicy(std::string_view name) {
  for (const PolicyEntry& p : Policies())
    if (p.name == name) return &p;
  return nullptr;
}

uint16_t PolicyIndex(std::string_view name) { return static_cast<uint16_t>(FindPolicy(name) - Policies().data()); }

uint16_t PredicatesIndex() { return PolicyIndex("predicates"); }

bool UsesQueueTree(const Config& config) {
  return std::any_of(config.tiers.begin(), config.tiers.end(), [](const auto& tier) {
    return std::any_of(tier.begin(), tier.end(), [](const PluginOption& p) { return p.name == "capacity" && p.On(Switch::kHierarchy); });
  });
}

std::string ConflictInTier(const std::vector<PluginOption>& tier) {
  const bool proportion = std::any_of(tier.begin(), tier.end(), [](const PluginOption& p) { return p.name == "proportion"; });
  const bool hierarchical = std::any_of(tier.begin(), tier.end(), [](const PluginOption& p) { return p.name == "drf" && p.On(Switch::kHierarchy); });
  return proportion && hierarchical ? "proportion and drf with enableHierarchy cannot share a tier" : "";
}

}  // namespace basalt

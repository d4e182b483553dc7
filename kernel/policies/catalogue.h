// Every plugin that Volcano knows: which are built, and how one is made.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/policy.h"
#include "scoring/arguments.h"

namespace basalt {

struct PolicyEntry {
  std::string_view name;
  bool built = false;
  /// Null for plugins that are built but have only a scoring side (filters and scores).
  std::unique_ptr<Policy> (*make)(const PluginOption&, scoring::ArgumentReader*) = nullptr;
};
const std::vector<PolicyEntry>& Policies();
const PolicyEntry* FindPolicy(std::string_view name);
uint16_t PolicyIndex(std::string_view name);
/// Queues are a tree of which only the leaves take jobs.
bool UsesQueueTree(const Config& config);
/// The plugin whose predicates come with every default configuration: refusals of policies that stand before it are shown instead of its own.
uint16_t PredicatesIndex();
std::unique_ptr<Policy> MakeTaskTopology(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeTdm(const PluginOption&, scoring::ArgumentReader*);
/// Plugins that may not share a tier (Volcano refuses the file): a sentence, or empty.
std::string ConflictInTier(const std::vector<PluginOption>& tier);

std::unique_ptr<Policy> MakePriority(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeGang(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeConformance(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeOvercommit(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeDrf(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeProportion(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeCapacity(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeCapacityTree(const PluginOption&, scoring::ArgumentReader*);  ///< capacity with enableHierarchy
std::unique_ptr<Policy> MakeResourceQuota(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeNodeGroup(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeCdp(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakePdb(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeRescheduling(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeUsage(const PluginOption&, scoring::ArgumentReader*);
std::unique_ptr<Policy> MakeSla(const PluginOption&, scoring::ArgumentReader*);

}  // namespace basalt

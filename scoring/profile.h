// Which rules run, with which weights and arguments: the scoring side of the configuration, typed and validated at load.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/config_value.h"
#include "snapshot/ids.h"

namespace basalt::scoring {

/// Gives the id of a resource name (interning it where it is new), and whether it is scalar in Volcano's sense.
using ResourceLookup = std::function<ResourceId(std::string_view name)>;

/// binpack, one entry per occurrence of the plugin.
struct BinpackArgs {
  int64_t weight = 1;
  std::vector<std::pair<ResourceId, int64_t>> resources;  ///< cpu, memory and the configured scalars
};
/// resource-strategy-fit.
struct StrategyFitArgs {
  int64_t weight = 10;
  struct Entry { std::string pattern; bool prefix = false; bool most = false; int64_t weight = 1; };
  std::vector<Entry> resources;
  // scarce-resource avoidance
  int64_t sra_weight = 0;         ///< 0: off
  int64_t sra_weight_sum = 0;     ///< over sra.resources as written
  std::vector<std::pair<ResourceId, int64_t>> sra_resources;
  // proportional predicate
  struct Proportion { ResourceId id; double cpu = 1, memory = 1; };
  std::vector<Proportion> proportional;
  bool proportional_enabled = false;
  bool before_predicates = false;  ///< the plugin stands before predicates: its refusal is the one that is shown
  /// For each ResourceId known so far: strategy entry by exact name or longest prefix; extended by Resolve().
  struct Resolved { bool known = false, most = false; int64_t weight = 0; };
  std::vector<Resolved> resolved;
};

/// Scores that policies of the kernel work out; they enter the sum where the plugin stands.
enum class PolicyScore : uint8_t { kNodeGroup, kTimeDivision, kTaskTopology, kUsage };
inline constexpr int kPolicyScores = 4;

/// One contribution to the per-node "order" sum, in configuration order.
struct OrderRule {
  enum Kind : uint8_t { kImageLocality, kBinpack, kStrategyFit, kNodeGroup, kTimeDivision, kTaskTopology, kUsage } kind = kImageLocality;
  int64_t weight = 1;  ///< kImageLocality
  BinpackArgs binpack;
  StrategyFitArgs strategy;
};

/// The whole scoring configuration of a session.
struct Profile {
  // filters: the predicates plugin and its switches
  bool predicates = false;        ///< the plugin is configured and its enablePredicate is on
  bool node_affinity = true, node_ports = true, taint_toleration = true;
  // batch rules of nodeorder: integer score * weight, 0 = off (all 0 where nodeorder is not configured)
  int64_t least_requested = 0, most_requested = 0, balanced_resource = 0, node_affinity_weight = 0, taint_weight = 0;
  std::vector<OrderRule> order;
  std::vector<StrategyFitArgs> proportional;  ///< predicates of resource-strategy-fit that are enabled
};

/// What an argument list gave: problems are data.
struct ArgumentProblem {
  std::string plugin, key, message;
  bool unknown_key = false;  ///< a key that nobody reads (a warning)
};

/// Adds one configured plugin to a profile. Plugins without a scoring side are ignored (returns false).
/// predicate_enabled / node_order_enabled: the plugin's enablePredicate / enableNodeOrder switches.
/// Wrong types and values out of bounds: the default (as Volcano where it has one), and a problem that names plugin and key; never fatal.
bool AddPlugin(std::string_view plugin, const ConfigValue* arguments, bool predicate_enabled, bool node_order_enabled, const ResourceLookup& lookup,
               Profile* profile, std::vector<ArgumentProblem>* problems);

/// One documented argument of a plugin, for help, `config view` and validation.
struct ArgumentSpec {
  std::string_view plugin, key, type, default_value, bounds, meaning;
};
/// Every argument that AddPlugin knows.
const std::vector<ArgumentSpec>& ArgumentSpecs();

/// Binds strategy-fit's name patterns to resource ids that have become known since (names[id] is the name of resource id).
void ResolveResources(const std::vector<std::string_view>& names, Profile* profile);

}  // namespace basalt::scoring

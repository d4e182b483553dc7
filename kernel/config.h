// The scheduler configuration, typed: actions, tiers of plugins with their switches, per-action arguments.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/config_value.h"
#include "snapshot/diagnostic.h"

namespace basalt {

/// The switches of a plugin entry, in the reference's order (volcano-core, section 1.1).
enum class Switch : uint8_t {
  kJobOrder, kHierarchy, kJobReady, kJobPipelined, kTaskOrder, kPreemptable, kReclaimable, kPreemptive, kQueueOrder, kClusterOrder, kPredicate,
  kBestNode, kNodeOrder, kTargetJob, kReservedNodes, kJobEnqueued, kVictim, kJobStarving, kOverused, kAllocatable, kHyperNodeOrder, kSubJobReady,
  kSubJobPipelined, kSubJobOrder, kHyperNodeGradient,
};
inline constexpr int kSwitchCount = 25;

/// YAML key and default of a switch; the spelling is as irregular as Volcano's.
struct SwitchSpec {
  std::string_view key;
  bool default_value;
};
const std::array<SwitchSpec, kSwitchCount>& SwitchSpecs();

struct PluginOption {
  std::string name;
  uint32_t switches = 0;  ///< bit i: Switch(i) is on
  ConfigValue arguments;  ///< a map, or null
  bool On(Switch s) const { return switches >> static_cast<int>(s) & 1; }
};

struct ActionOption {
  std::string name;
  bool allow_whole_bundle = true;  ///< configurations[name].arguments.allowWholeBundle, of the actions that evict for whole gangs
};

enum class Evictions : uint8_t { kMinimal, kCompat };

struct Config {
  std::vector<ActionOption> actions;
  std::vector<std::vector<PluginOption>> tiers;
  bool predicate_error_cache = true;  ///< predicateErrorCacheEnable of allocate, which the actions that evict for whole gangs heed too
  bool has_evictions = false;
  Evictions evictions = Evictions::kMinimal;
  int64_t load_interval_ns = 30'000'000'000;  ///< metrics.interval: how often load is measured

  bool HasAction(std::string_view name) const;
};

/// Volcano's built-in configuration as text.
std::string_view DefaultConfigText();

/// Gives a parsed text its meaning. Returns false where the configuration is refused: then a kConfig diagnostic says why
/// (unknown action or plugin; a known one that is not built yet, unless `lenient` turns that into a warning and leaves it out;
/// proportion beside hierarchical drf in one tier). Misspelt keys and bad values are warnings.
bool ParseConfig(const ConfigValue& root, bool lenient, Config* config, std::vector<Diagnostic>* diagnostics);

}  // namespace basalt

// What of the scheduler configuration a plan is checked against, read by the verifier itself.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::verify {

/// The plugins that vote on admission (jobEnqueueable), in the order of the configuration.
enum class Admission : uint8_t { kOvercommit, kProportion, kCapacity, kQuota, kSla, kOther };

struct Settings {
  std::vector<std::string> actions;
  bool gang = false;             ///< the plugin is there: validity of jobs has no switch
  bool gang_ready = false;       ///< all or nothing
  bool gang_pipelined = false;
  bool predicates = false;       ///< with enablePredicate
  bool node_affinity = true, taints = true, ports = true;
  bool node_group = false;       ///< policy nodegroup's predicate
  bool node_group_strict = true, node_group_inherits = false;
  bool node_group_first = false; ///< it stands before predicates
  bool time_division = false;    ///< policy tdm's predicate
  std::vector<std::string> zones;///< those that tdm has hours for
  bool task_topology = false;
  bool proportional = false;     ///< resource-strategy-fit's predicate, which can refuse nodes too
  bool proportion = false, capacity = false;  ///< their limits hold for every task (enabledAllocatable)
  bool proportion_overused = false;
  bool preemptive = false;       ///< the queue plugin is asked whether a queue may reclaim (enablePreemptive)
  bool capacity_hierarchy = false;
  std::vector<std::vector<Admission>> admission;  ///< by tier
  double overcommit_factor = 1.2;
  bool minimal = true;           ///< evictions: nobody goes in vain
  bool error_cache = true;       ///< allocate: a node that refused a task of a role is not asked again by the same role

  bool Has(std::string_view action) const { return Times(action) > 0; }
  size_t Times(std::string_view action) const;  ///< how often an action is listed
  bool Evicts() const;                          ///< an action that evicts is configured
};

/// Parses the text of volcano-scheduler.conf. Returns false and sets *error where it is no configuration.
bool ReadSettings(std::string_view text, Settings* settings, std::string* error);
/// Volcano's built-in configuration (volcano-core, section 1.3).
std::string_view DefaultSettings();

}  // namespace basalt::verify

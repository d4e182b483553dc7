// Annotations that policies read: values written as text inside text.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snapshot/classes.h"
#include "snapshot/diagnostic.h"
#include "snapshot/ids.h"
#include "snapshot/objects.h"

namespace basalt {

class Store;

/// How many tasks of a job may be disturbed (annotations volcano.sh/jdb-min-available, volcano.sh/jdb-max-unavailable).
struct DisruptionBudget {
  enum Kind : uint8_t { kNone, kMinAvailable, kMaxUnavailable } kind = kNone;
  bool percent = false;  ///< of all tasks, rounded up
  int32_t value = 0;
  int64_t Of(int64_t tasks) const { return percent ? (tasks * value + 99) / 100 : value; }
};

/// What a PodGroup's annotations say of its roles (policy task-topology).
struct TaskTopology {
  std::vector<std::vector<StringId>> affinity, anti_affinity;  ///< groups of roles; one role alone: tasks of it among themselves
  std::vector<StringId> order;                                 ///< roles, first to be placed first
};

/// What a queue may hold by node group (annotation volcano.sh/nodegroup-resource-limits).
struct GroupLimits {
  std::vector<std::pair<StringId, std::vector<ResourceAmount>>> by_group;
  bool invalid = false;  ///< the text cannot be read
};

namespace annotations {

/// The value of a key; *found: it is there (found may be null).
std::string_view Find(std::span<const objects::KeyValue> list, std::string_view key, bool* found = nullptr);
std::vector<std::string> SplitAt(std::string_view text, char separator);

// What is wrong is told in *diagnostics and counts as absent.
int64_t SlaWaiting(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics);  ///< nanoseconds, 0: none
int64_t Cooldown(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics);  ///< nanoseconds, 0: none
DisruptionBudget Budget(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics);
std::shared_ptr<const TaskTopology> Topology(const objects::Meta& meta, Store* store);  ///< null: none of its annotations is there
GroupLimits NodeGroupLimits(const objects::Meta& meta, Store* store, std::vector<Diagnostic>* diagnostics);

}  // namespace annotations

}  // namespace basalt

// Every action that Volcano knows.
#pragma once
#include <string_view>
#include <vector>

#include "kernel/session.h"

namespace basalt {

/// Other actions ask whether it runs at all: it gives PodGroups their phase Inqueue.
inline constexpr std::string_view kEnqueueAction = "enqueue";
/// Its argument predicateErrorCacheEnable counts for the actions that evict for whole gangs too.
inline constexpr std::string_view kAllocateAction = "allocate";

struct ActionEntry {
  std::string_view name;
  void (*run)(Session&, const ActionOption&);
  bool evicts = false;  ///< its evictions carry the EvictionAction of the same place among those that evict
  bool for_gangs = false;  ///< evicts in bundles for a whole gang
};
const std::vector<ActionEntry>& Actions();
/// Null for names that are no action.
const ActionEntry* FindAction(std::string_view name);
/// The name of an action that evicts; those of the list stand in the order of EvictionAction.
std::string_view NameOf(EvictionAction action);

}  // namespace basalt

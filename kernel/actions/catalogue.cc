#include "kernel/actions/catalogue.h"

namespace basalt {

const std::vector<ActionEntry>& Actions() {
  static const std::vector<ActionEntry> kActions = {
      {kEnqueueAction, RunEnqueue}, {kAllocateAction, RunAllocate}, {"backfill", RunBackfill}, {"preempt", RunPreempt, true},
      {"reclaim", RunReclaim, true}, {"gangpreempt", RunGangPreempt, true, true}, {"gangreclaim", RunGangReclaim, true, true}, {"shuffle", RunShuffle, true},
  };
  return kActions;
}

const ActionEntry* FindAction(std::string_view name) {
  for (const ActionEntry& a : Actions())
    if (a.name == name) return &a;
  return nullptr;
}

std::string_view NameOf(EvictionAction action) {
  auto place = static_cast<size_t>(action);
  for (const ActionEntry& a : Actions())
    if (a.evicts && place-- == 0) return a.name;
  return {};
}

}  // namespace basalt

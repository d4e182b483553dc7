#include "kernel/actions/catalogue.h"

namespace basalt {

const std::vector<ActionEntry>& Actions() {
  static const std::vector<ActionEntry> kActions = {
      {kEnqueueAction, RunEnqueue}, {"allocate", RunAllocate}, {"backfill", RunBackfill}, {"preempt", RunPreempt, true},
      {"reclaim", RunReclaim, true},    {"gangpreempt", nullptr, true},  {"gangreclaim", nullptr, true},  {"shuffle", RunShuffle, true},
  };
  return kActions;
}

const ActionEntry* FindAction(std::string_view name) {
  for (const ActionEntry& a : Actions())
    if (a.name == name) return &a;
  return nullptr;
}

}  // namespace basalt

// Volcano's error cache: a node that refused a task of a role is not asked again by later tasks of that role in the same attempt. It changes an outcome
// only where the role holds pods of different classes, so only then the refusals are kept.
#pragma once
#include <map>
#include <vector>

#include "kernel/session.h"

namespace basalt {

class RoleCache {
 public:
  /// enabled: predicateErrorCacheEnable of the action allocate.
  RoleCache(const Store& store, JobId job, bool enabled) : store_(store), job_(job), known_(!enabled) {}

  /// Does the job have a role for which refusals are to be kept?
  bool Needed() {
    if (known_) return needed_;
    known_ = true;
    std::map<uint32_t, ClassId> first;
    for (const PodId t : store_.jobs[job_.value].pods) {
      const PodRow& p = store_.pods[t.value];
      if (!p.role || (p.status != TaskStatus::kPending && p.status != TaskStatus::kAllocated && p.status != TaskStatus::kPipelined)) continue;
      if (first.try_emplace(p.role.value, p.cls).first->second != p.cls) needed_ = true;
    }
    return needed_;
  }
  /// Nodes that refused the role: one bit per row.
  std::vector<uint8_t>* Failed(StringId role) { return &failed_[role.value]; }

 private:
  const Store& store_;
  const JobId job_;
  bool known_, needed_ = false;
  std::map<uint32_t, std::vector<uint8_t>> failed_;  ///< by role
};

}  // namespace basalt

#include "kernel/policies/admission.h"

#include <algorithm>

namespace basalt {

std::vector<ResourceAmount> DeductGated(const JobRow& job, std::vector<ResourceAmount> amounts) {
  for (ResourceAmount& a : amounts) a.amount = std::max<int64_t>(a.amount - std::max<int64_t>(job.gated[a.id], 0), 0);
  return amounts;
}

std::vector<ResourceAmount> Reserved(const JobRow& job) {
  if (!job.has_min_resources) return {};
  const int32_t allocated = job.Count(TaskStatus::kAllocated) + job.Count(TaskStatus::kBinding) + job.Count(TaskStatus::kBound) + job.Count(TaskStatus::kRunning);
  const bool running = job.phase == GroupPhase::kRunning && allocated >= job.min_member;
  if (job.phase != GroupPhase::kInqueue && !running) return {};
  std::vector<ResourceAmount> rest = job.min_resources;
  for (ResourceAmount& a : rest) a.amount = std::max<int64_t>(a.amount - job.allocated[a.id], 0);
  return DeductGated(job, std::move(rest));
}

}  // namespace basalt

// resourcequota: a job is admitted while its minimum fits every ResourceQuota of its namespace (volcano-core, section 7.7). Scopes are not looked at.
#include <algorithm>
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

const Quantity* Find(const std::vector<NamedAmount>& list, StringId name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const NamedAmount& a) { return a.name == name; });
  return it == list.end() ? nullptr : &it->amount;
}

class ResourceQuota final : public Policy {
 public:
  uint32_t Families() const override { return FamilyBit(Family::kJobEnqueueable) | FamilyBit(Family::kJobEnqueued); }

  void Open(Session& s) override {
    spaces_.clear();
    for (const auto& [key, quota] : s.store.quotas) spaces_[quota.namespace_].quotas.push_back(&quota);
  }

  Vote JobEnqueueable(Session& s, JobId id, EnqueueRefusal* refusal) override {
    const JobRow& job = s.store.jobs[id.value];
    const auto space = spaces_.find(job.namespace_);
    if (!job.has_min_resources || space == spaces_.end()) return Vote::kPermit;
    for (const QuotaRow* quota : space->second.quotas) {
      for (const NamedAmount& min : job.min_named) {
        const Quantity* hard = Find(quota->hard, min.name);
        if (!hard) continue;
        Quantity wanted = min.amount;
        if (const Quantity* used = Find(quota->used, min.name)) wanted = wanted + *used;
        if (const Quantity* admitted = Find(space->second.admitted, min.name)) wanted = wanted + *admitted;
        if (wanted > *hard) refusal->quota_exceeded.push_back(min.name);
      }
      if (!refusal->quota_exceeded.empty()) return Vote::kReject;
    }
    return Vote::kPermit;
  }

  void JobEnqueued(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    const auto space = spaces_.find(job.namespace_);
    if (!job.has_min_resources || space == spaces_.end()) return;
    auto& admitted = space->second.admitted;
    for (const NamedAmount& min : job.min_named) {
      const auto it = std::find_if(admitted.begin(), admitted.end(), [&](const NamedAmount& a) { return a.name == min.name; });
      if (it == admitted.end()) admitted.push_back(min);
      else it->amount = it->amount + min.amount;
    }
  }

 private:
  struct Space {
    std::vector<const QuotaRow*> quotas;  ///< in the order of their names
    std::vector<NamedAmount> admitted;    ///< minimums admitted in this session
  };
  std::map<StringId, Space> spaces_;      ///< by namespace, those with a quota
};

}  // namespace

std::unique_ptr<Policy> MakeResourceQuota(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<ResourceQuota>(); }

}  // namespace basalt

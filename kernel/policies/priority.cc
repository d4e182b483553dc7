// priority: higher priority first, among jobs and among tasks (volcano-core, section 7.2).
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Priority final : public Policy {
 public:
  uint32_t Families() const override { 
    return FamilyBit(Family::kJobOrder) | FamilyBit(Family::kTaskOrder) | FamilyBit(Family::kJobStarving) | FamilyBit(Family::kPreemptable) |
           FamilyBit(Family::kUnifiedEvictable);
  }
  int JobOrder(Session& s, JobId a, JobId b) override { return HigherFirst(s.store.jobs[a.value].priority, s.store.jobs[b.value].priority); }
  int TaskOrder(Session& s, PodId a, PodId b) override { return HigherFirst(s.store.pods[a.value].priority, s.store.pods[b.value].priority); }

  bool JobStarving(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return job.Ready() + job.Waiting() < static_cast<int64_t>(job.pods.size());
  }
  // Of other jobs those of lower priority, of the evictor's own the tasks of lower priority.
  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (!s.Takes(query.job)) return true;
    for (const PodId t : query.candidates) {
      const PodRow& p = s.store.pods[t.value];
      if (!s.Takes(p.job)) continue;
      const bool lower = p.job == query.job ? p.priority < s.store.pods[query.evictor.value].priority
                                            : s.store.jobs[p.job.value].priority < s.store.jobs[query.job.value].priority;
      if (lower) victims->push_back(t);
    }
    return true;
  }
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    for (const PodId t : query.candidates) {
      const JobId job = s.store.pods[t.value].job;
      if (query.reclaim || (s.Takes(job) && s.store.jobs[job.value].priority < s.store.jobs[query.job.value].priority)) victims->push_back(t);
    }
    return true;
  }

 private:
  static int HigherFirst(int32_t a, int32_t b) { return a > b ? -1 : a < b ? 1 : 0; }
};

}  // namespace

std::unique_ptr<Policy> MakePriority(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Priority>(); }

}  // namespace basalt

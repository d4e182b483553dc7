// gang: a job starts when its minimum has room, by number and by role (volcano-core, sections 2.6 and 7.1).
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Gang final : public Policy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kJobValid) | FamilyBit(Family::kJobOrder) | FamilyBit(Family::kJobReady) | FamilyBit(Family::kJobPipelined) |
           FamilyBit(Family::kClose) | FamilyBit(Family::kJobStarving) | FamilyBit(Family::kPreemptable) | FamilyBit(Family::kReclaimable) |
           FamilyBit(Family::kUnifiedEvictable);
  }

  bool JobValid(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return job.Valid() >= job.min_member && RolesReach(s.store, job, [](const PodRow& p, const PodClass&) {
             return IsAllocated(p.status) || p.status == TaskStatus::kSucceeded || p.status == TaskStatus::kPipelined || p.status == TaskStatus::kPending;
           });
  }

  int JobOrder(Session& s, JobId a, JobId b) override {
    return int{IsReady(s.store.jobs[a.value])} - int{IsReady(s.store.jobs[b.value])};
  }

  bool JobReady(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return IsReady(job) && RolesReach(s.store, job, [](const PodRow& p, const PodClass& cls) { return Holds(p, cls); });
  }

  Vote JobPipelined(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    const bool enough = job.Waiting() + job.Ready() + job.pending_best_effort >= job.min_member;
    const bool roles = enough && RolesReach(s.store, job, [](const PodRow& p, const PodClass& cls) { return Holds(p, cls) || p.status == TaskStatus::kPipelined; });
    return roles ? Vote::kPermit : Vote::kReject;  // never abstains: later tiers are not asked
  }

  // By number alone; the minimums of roles do not count here.
  bool JobStarving(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return job.Waiting() + job.Ready() < job.min_member;
  }
  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return BeyondMinimum(s, query, victims), true; }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return BeyondMinimum(s, query, victims), true; }
  bool UnifiedEvictable(Session&, const VictimQuery& query, std::vector<PodId>* victims) override { return *victims = query.candidates, true; }

  void Close(Session& s, JobId id, GroupVerdict* v) override {
    const JobRow& job = s.store.jobs[id.value];
    if (job.pods.empty()) return;
    v->gang_ready = IsReady(job);
    if (!v->gang_ready && OnlyLeaving(s.store, job)) return;
    v->has_gang_condition = true;
  }

 private:
  // Each job gives up what it has beyond its minimum, in the order of the candidates.
  static void BeyondMinimum(Session& s, const VictimQuery& query, std::vector<PodId>* victims) {
    std::map<JobId, int32_t> left;
    for (const PodId t : query.candidates) {
      const JobId id = s.store.pods[t.value].job;
      if (!s.Takes(id)) continue;
      const JobRow& job = s.store.jobs[id.value];
      int32_t& ready = left.try_emplace(id, job.Ready()).first->second;
      if (ready <= job.min_member) continue;
      ready--;
      victims->push_back(t);
    }
  }

  static bool IsReady(const JobRow& job) { return job.Ready() + job.pending_best_effort >= job.min_member; }
  static bool Holds(const PodRow& p, const PodClass& cls) {
    return IsAllocated(p.status) || p.status == TaskStatus::kSucceeded || (p.status == TaskStatus::kPending && cls.best_effort);
  }

  // minTaskMember: each role has its minimum of tasks that count. Without effect where minMember is below the sum of the roles.
  template <class Counts>
  static bool RolesReach(const Store& store, const JobRow& job, const Counts& counts) {
    if (job.task_min.empty() || job.min_member < job.task_min_total) return true;
    for (const auto& [role, min] : job.task_min) {
      if (min <= 0) continue;
      int64_t n = 0;
      for (const PodId t : job.pods) {
        const PodRow& p = store.pods[t.value];
        n += p.role == role && counts(p, store.classes[p.cls.value]);
      }
      if (n < min) return false;
    }
    return true;
  }

  // Nothing waits, and with those on their way out the minimum was there: such a job gets no condition.
  static bool OnlyLeaving(const Store& store, const JobRow& job) {
    int32_t leaving = 0;
    for (const PodId t : job.pods) leaving += store.pods[t.value].status == TaskStatus::kReleasing && store.pods[t.value].node;
    const int32_t scheduled = job.Count(TaskStatus::kRunning) + job.Count(TaskStatus::kBound) + job.Count(TaskStatus::kFailed) + job.Count(TaskStatus::kSucceeded);
    return leaving > 0 && !job.Count(TaskStatus::kPending) && !job.Count(TaskStatus::kPipelined) && scheduled + leaving >= job.min_member;
  }
};

}  // namespace

std::unique_ptr<Policy> MakeGang(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Gang>(); }

}  // namespace basalt

// sla: a job that has waited its time is let through, at admission and as pipelined (volcano-core, section 7.4).
#include <algorithm>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Sla final : public Policy {
 public:
  explicit Sla(int64_t waiting_ns) : waiting_ns_(waiting_ns) {}
  uint32_t Families() const override { return FamilyBit(Family::kJobOrder) | FamilyBit(Family::kJobPipelined) | FamilyBit(Family::kJobEnqueueable); }

  void Open(Session& s) override {
    for (const JobId id : s.jobs())
      if (const int64_t end = EndOf(s.store.jobs[id.value]); end > s.now_ns) s.WakeAt(end);
  }

  int JobOrder(Session& s, JobId a, JobId b) override {
    const int64_t ea = EndOf(s.store.jobs[a.value]), eb = EndOf(s.store.jobs[b.value]);
    if ((ea == 0) != (eb == 0)) return ea ? -1 : 1;
    return ea < eb ? -1 : ea > eb ? 1 : 0;
  }
  Vote JobPipelined(Session& s, JobId id) override { return VoteOn(s, id); }
  Vote JobEnqueueable(Session& s, JobId id, EnqueueRefusal*) override { return VoteOn(s, id); }

 private:
  Vote VoteOn(Session& s, JobId id) const {
    const int64_t end = EndOf(s.store.jobs[id.value]);
    return end && s.now_ns >= end ? Vote::kPermit : Vote::kAbstain;
  }
  /// When its waiting time is over, in nanoseconds since 1970; 0: it has none.
  int64_t EndOf(const JobRow& job) const {
    const int64_t waiting = job.sla_waiting_ns ? job.sla_waiting_ns : waiting_ns_;
    return waiting ? SaturatingAdd(SaturatingMul(job.creation_seconds, 1'000'000'000), waiting) : 0;
  }

  const int64_t waiting_ns_;  ///< of jobs that say nothing; 0: none
};

}  // namespace

std::unique_ptr<Policy> MakeSla(const PluginOption&, scoring::ArgumentReader* arguments) {
  return std::make_unique<Sla>(arguments->Duration("sla-waiting-time", 0));
}

}  // namespace basalt

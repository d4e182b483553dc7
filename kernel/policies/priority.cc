// priority: higher priority first, among jobs and among tasks (volcano-core, section 7.2).
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Priority final : public Policy {
 public:
  uint32_t Families() const override { return FamilyBit(Family::kJobOrder) | FamilyBit(Family::kTaskOrder); }
  int JobOrder(Session& s, JobId a, JobId b) override { return HigherFirst(s.store.jobs[a.value].priority, s.store.jobs[b.value].priority); }
  int TaskOrder(Session& s, PodId a, PodId b) override { return HigherFirst(s.store.pods[a.value].priority, s.store.pods[b.value].priority); }

 private:
  static int HigherFirst(int32_t a, int32_t b) { return a > b ? -1 : a < b ? 1 : 0; }
};

}  // namespace

std::unique_ptr<Policy> MakePriority(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Priority>(); }

}  // namespace basalt

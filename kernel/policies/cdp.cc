// cdp: a pod that has only just got its node is not disturbed until its cool-down is over (volcano-queues, section 6.4).
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Cdp final : public Policy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kPreemptable) | FamilyBit(Family::kReclaimable) | FamilyBit(Family::kUnifiedEvictable) | FamilyBit(Family::kExpendable);
  }

  void Open(Session& s) override {
    for (const PodRow& p : s.store.pods)
      if (IsCooling(s, p)) s.WakeAt(EndOf(p));
  }

  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return Settled(s, query, victims); }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return Settled(s, query, victims); }
  // Volcano has no such callback here (G5).
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    return s.config.evictions == Evictions::kMinimal && Settled(s, query, victims);
  }
  void Expendable(Session& s, std::vector<PodId>* victims) override {
    std::erase_if(*victims, [&](PodId t) { return IsCooling(s, s.store.pods[t.value]); });
  }

 private:
  static bool Settled(Session& s, const VictimQuery& query, std::vector<PodId>* victims) {
    for (const PodId t : query.candidates)
      if (!IsCooling(s, s.store.pods[t.value])) victims->push_back(t);
    return true;
  }
  // A pod that is bound but does not run yet is not protected (G63).
  static bool IsCooling(Session& s, const PodRow& p) { return p.in_use && p.cooldown_ns && p.scheduled_seconds && p.status == TaskStatus::kRunning && EndOf(p) > s.now_ns; }
  static int64_t EndOf(const PodRow& p) { return SaturatingAdd(SaturatingMul(p.scheduled_seconds, 1'000'000'000), p.cooldown_ns); }
};

}  // namespace

std::unique_ptr<Policy> MakeCdp(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Cdp>(); }

}  // namespace basalt

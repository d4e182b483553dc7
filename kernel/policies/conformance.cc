// conformance: critical pods are never victims (volcano-core, section 7.5).
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Conformance final : public Policy {
 public:
  uint32_t Families() const override { return FamilyBit(Family::kPreemptable) | FamilyBit(Family::kReclaimable) | FamilyBit(Family::kUnifiedEvictable); }
  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return Uncritical(s, query, victims); }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return Uncritical(s, query, victims); }
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return Uncritical(s, query, victims); }

 private:
  static bool Uncritical(Session& s, const VictimQuery& query, std::vector<PodId>* victims) {
    for (const PodId t : query.candidates)
      if (!s.store.IsCritical(t)) victims->push_back(t);
    return true;
  }
};

}  // namespace

std::unique_ptr<Policy> MakeConformance(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Conformance>(); }

}  // namespace basalt

// pdb: no more pods go than PodDisruptionBudgets allow (volcano-core, section 7.6).
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Pdb final : public Policy {
 public:
  uint32_t Families() const override {
    return FamilyBit(Family::kPreemptable) | FamilyBit(Family::kReclaimable) | FamilyBit(Family::kUnifiedEvictable) | FamilyBit(Family::kVictimTasks) |
           FamilyBit(Family::kExpendable) | FamilyBit(Family::kEvents);
  }

  void Open(Session& s) override {
    budgets_.clear(), of_namespace_.clear(), of_pod_.clear(), gone_.clear();
    for (const auto& [key, row] : s.store.budgets) {
      of_namespace_[row.namespace_].push_back(static_cast<uint32_t>(budgets_.size()));
      budgets_.push_back({&row, 0});
    }
  }

  // Volcano reads the budgets anew at each call, so it spends them again and again within a session.
  void Changed(Session& s, PodId pod, int sign) override {
    if (s.config.evictions == Evictions::kCompat) return;
    const bool gone = sign < 0 && s.store.pods[pod.value].evicted;
    if (gone ? !gone_.insert(pod).second : !gone_.erase(pod)) return;
    for (const uint32_t b : BudgetsOf(s, pod)) budgets_[b].spent += gone ? 1 : -1;
  }

  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return *victims = Within(s, query.candidates), true; }
  bool Reclaimable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override { return *victims = Within(s, query.candidates), true; }
  // Volcano has no such callback here (G5).
  bool UnifiedEvictable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    if (s.config.evictions == Evictions::kCompat) return false;
    return *victims = Within(s, query.candidates, /*unlabelled=*/true), true;
  }
  // Volcano wants every task gone that no budget keeps (G52).
  void VictimTasks(Session& s, const std::vector<PodId>& running, std::vector<PodId>* victims) override {
    if (s.config.evictions == Evictions::kMinimal) return;
    const std::vector<PodId> within = Within(s, running);
    victims->insert(victims->end(), within.begin(), within.end());
  }
  void Expendable(Session& s, std::vector<PodId>* victims) override { *victims = Within(s, *victims, /*unlabelled=*/true); }

 private:
  struct Budget {
    const BudgetRow* row;
    int64_t spent;  ///< pods that this session evicts
  };

  // A candidate takes from every budget that holds for it, also if it stays in the end. unlabelled: pods without labels may go, as no budget holds for
  // them; where Volcano asks too they never do.
  std::vector<PodId> Within(Session& s, const std::vector<PodId>& candidates, bool unlabelled = false) {
    std::vector<PodId> victims;
    for (const PodId t : candidates) {
      bool may_go = unlabelled || !s.store.pods[t.value].labels.empty();
      for (const uint32_t b : BudgetsOf(s, t)) may_go &= ++budgets_[b].spent <= budgets_[b].row->allowed;
      if (may_go) victims.push_back(t);
    }
    for (const PodId t : candidates)
      for (const uint32_t b : BudgetsOf(s, t)) budgets_[b].spent--;
    return victims;
  }

  const std::vector<uint32_t>& BudgetsOf(Session& s, PodId pod) {
    const auto [it, added] = of_pod_.try_emplace(pod);
    if (!added) return it->second;
    const PodRow& p = s.store.pods[pod.value];
    const auto here = of_namespace_.find(p.namespace_);
    if (p.labels.empty() || here == of_namespace_.end()) return it->second;
    const std::string_view name = p.key.substr(p.key.find('/') + 1);
    for (const uint32_t b : here->second) {
      const BudgetRow& row = *budgets_[b].row;
      if (Matches(row, p.labels) && !std::binary_search(row.disrupted.begin(), row.disrupted.end(), name)) it->second.push_back(b);
    }
    return it->second;
  }

  std::vector<Budget> budgets_;                              ///< in the order of their keys
  std::map<StringId, std::vector<uint32_t>> of_namespace_;
  std::unordered_map<PodId, std::vector<uint32_t>> of_pod_;  ///< of pods that were asked about
  std::unordered_set<PodId> gone_;
};

}  // namespace

std::unique_ptr<Policy> MakePdb(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Pdb>(); }

}  // namespace basalt

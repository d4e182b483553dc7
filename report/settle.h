// What a cluster does with plans between offline cycles.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/plan.h"
#include "snapshot/store.h"

namespace basalt {

class Settlement {
 public:
  /// Bound pods run, since the time of the plan; evicted ones terminate for so many further cycles and are gone then; the use of ResourceQuotas follows
  /// both, and what PodDisruptionBudgets allow follows the evictions.
  void Apply(const Plan& plan, int64_t now_ns, uint32_t termination_cycles, Store* store);

 private:
  struct Dying { PodId pod; uint32_t cycles; };
  std::vector<Dying> dying_;
};

}  // namespace basalt

// What a cluster does with a plan before the next offline cycle.
#pragma once
#include "kernel/plan.h"
#include "snapshot/store.h"

namespace basalt {

/// Bound pods run; the use of ResourceQuotas follows them.
void Settle(const Plan& plan, Store* store);

}  // namespace basalt

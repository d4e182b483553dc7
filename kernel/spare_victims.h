// Evictions without a gain: what the setting `minimal` takes back.
#pragma once
#include "kernel/session.h"

namespace basalt {

/// Takes back every eviction of the plan without which all that was placed on the node still fits there, the most important pod first. Placements stay
/// as they are. Precondition: the actions are done, nothing that they placed has been taken off its node yet.
void SpareVictims(Session& session);

}  // namespace basalt

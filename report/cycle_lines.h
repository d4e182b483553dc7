// What a cycle decided as sorted lines: what plan hashes are made of.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/plan.h"
#include "snapshot/store.h"

namespace basalt {

/// "CYCLE KIND KEY VALUE\n" for binds, pipelined, evicted and the phases of all PodGroups; never ids, texts, times or scores.
std::vector<std::string> CycleLines(const Store& store, const Plan& plan, size_t cycle);

/// XXH3 over lines in their order.
uint64_t HashOf(const std::vector<std::string_view>& lines);

/// The hash of one cycle alone, as if it were the first.
uint64_t CycleHash(const Store& store, const Plan& plan);
std::string PlanHashText(uint64_t hash);  ///< 16 hexadecimal digits

}  // namespace basalt

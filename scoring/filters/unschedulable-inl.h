// spec.unschedulable refuses pods that do not tolerate the taint that stands for it (volcano-nodes, section 1.3). No switch of its own.
#pragma once
#include "scoring/filters/taints-inl.h"

namespace basalt::scoring {

struct Unschedulable {
  static constexpr Reason kReason = kReasonUnschedulable;

  static bool Applies(const RuleInput& in) {
    return !Tolerates(in.cls, {in.nodes.well_known.unschedulable_taint_key, in.nodes.well_known.empty, objects::TaintEffect::kNoSchedule});
  }
  static void Refuse(const RuleInput& in, size_t begin, size_t rows, uint8_t* refused) {
    const uint8_t* unschedulable = in.nodes.unschedulable.data() + begin;
    for (size_t k = 0; k < rows; k++) refused[k] = unschedulable[k] != 0;
  }
};

}  // namespace basalt::scoring

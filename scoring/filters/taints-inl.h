// Taints and tolerations (volcano-nodes, section 1.4). What a class makes of each distinct taint list is worked out once, a node is a look-up: integer
// work on ids, the same code for every backend.
#pragma once
#include "scoring/rule.h"

namespace basalt::scoring {

inline bool Tolerates(const TolerationRow& t, const TaintRow& taint) {
  if (t.effect != objects::TaintEffect::kNone && t.effect != taint.effect) return false;
  if (t.key && t.key != taint.key) return false;  // an empty key matches every key
  return t.op == objects::TolerationOperator::kExists || (t.op == objects::TolerationOperator::kEqual && t.value == taint.value);
}
inline bool Tolerates(const PodClass& cls, const TaintRow& taint) {
  for (const TolerationRow& t : cls.tolerations)
    if (Tolerates(t, taint)) return true;
  return false;
}

/// A value per taint list, worked out when it is first met, so a call for one row does not pay for all lists.
class TaintMemo {
 public:
  explicit TaintMemo(const NodeTable& nodes) : sets_(nodes.taint_sets), known_(nodes.taint_sets.size(), kUnknown) {}
  /// Taints of the list that `counts` says count and that the class does not tolerate.
  template <class Counts>
  int32_t Untolerated(const PodClass& cls, uint32_t set, Counts counts) {
    if (set >= known_.size()) return 0;
    int32_t& n = known_[set];
    if (n != kUnknown) return n;
    n = 0;
    for (const TaintRow& taint : sets_[set])
      if (counts(taint.effect) && !Tolerates(cls, taint)) n++;
    return n;
  }

 private:
  static constexpr int32_t kUnknown = -1;
  const std::vector<std::vector<TaintRow>>& sets_;
  std::vector<int32_t> known_;
};

struct Taints {
  static constexpr Reason kReason = kReasonTaint;
  static constexpr SwitchArgument kSwitch{"predicate.TaintTolerationEnable", &Profile::taint_toleration,
                                          "refuse nodes with NoSchedule or NoExecute taints that the pod does not tolerate"};

  static bool Applies(const RuleInput& in) { return in.profile.taint_toleration; }
  /// Sets refused[k] to 1 where the rule refuses row begin + k, else to 0.
  static void Refuse(const RuleInput& in, size_t begin, size_t rows, uint8_t* refused) {
    TaintMemo memo(in.nodes);
    const auto hard = [](objects::TaintEffect e) { return e == objects::TaintEffect::kNoSchedule || e == objects::TaintEffect::kNoExecute; };
    for (size_t k = 0; k < rows; k++) refused[k] = memo.Untolerated(in.cls, in.nodes.taint_set[begin + k], hard) > 0;
  }
};

}  // namespace basalt::scoring

// What policies say of nodes for the pods of a group: nodegroup (volcano-queues, section 6.1) and tdm (6.2), as far as they do not hang on the time.
#pragma once
#include <string>
#include <string_view>

#include "report/verify_cycle.h"

namespace basalt::verify {

class NodePolicies {
 public:
  explicit NodePolicies(const Cycle& cycle) : c_(cycle) {}

  /// The text with which nodegroup refuses a node to a PodGroup's pods; empty where it does not. Limits are not looked at.
  std::string_view GroupRefusal(int group, int node) const;
  /// Why a pod certainly may not stand on a node, by any of the policies; empty where it may.
  std::string Refusal(int pod, int node) const;
  /// False where a count of refusals hangs on what is not known here: the time, or what a queue held in between.
  bool Countable(int group) const;
  /// A queue's pods in a node group, with what this cycle places there, against its limit.
  void CheckLimits() const;

 private:
  const Queue& AffinityOf(int queue) const;
  const Cycle& c_;
};

}  // namespace basalt::verify

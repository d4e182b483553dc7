// Sentences for codes and numbers: conditions and reasons in Volcano's words (volcano-core, section 9).
#pragma once
#include <string>
#include <string_view>

#include "kernel/plan.h"
#include "snapshot/store.h"

namespace basalt {

/// A node in a plan where no bind is sent to it: the gang is not ready or the node is overcommitted.
std::string HeldText(std::string_view node);

std::string_view PhaseText(GroupPhase phase);  ///< "" for kEmpty
std::string_view StatusText(TaskStatus status);

/// One reason of scoring::Reason with its resource, "Insufficient cpu".
std::string ReasonText(const Store& store, uint16_t bit, ResourceId resource, PolicyReason policy = PolicyReason::kNone, StringId name = {});
/// Every reason of a row that refuses a pod. rules: what its view carried.
std::vector<std::string> ReasonTexts(const Store& store, const scoring::RowReason& reason, const NodeRules* rules);

/// "0/3 nodes are unavailable: 1 Insufficient cpu, 2 node(s) had untolerated taint(s)." and the other kinds. pod: the task it is told to.
std::string FitErrorText(const Store& store, const FitError& error, PodId pod);

/// "pod group is not ready, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is ..."
std::string GroupText(const Store& store, const Plan& plan, const GroupVerdict& group);

/// Reason and message of the pod condition. group_text: GroupText of the pod's group.
struct ConditionText { std::string reason, message; };
ConditionText VerdictText(const Store& store, const Plan& plan, const TaskVerdict& verdict, const std::string& group_text);

/// ": short of cpu nvidia.com/gpu in queue q" for a group that was not admitted; empty where the refusal names nothing.
std::string RefusalText(const Store& store, const EnqueueRefusal* refusal, QueueId own_queue);

/// "evicted by reclaim for ns/pod"
std::string EvictionText(const Store& store, const Eviction& eviction);

/// The gang condition of a group's verdict. Precondition: has_gang_condition.
GroupCondition GangCondition(const GroupVerdict& group, const std::string& group_text);

/// Histogram entries sorted as whole texts: "10 a, 2 b".
std::string JoinHistogram(std::vector<std::pair<int64_t, std::string>> entries);

/// An amount as a person writes it: cpu "1500m" or "2", memory "1.5Gi", scalars in whole units.
std::string AmountText(const Store& store, ResourceId resource, int64_t amount);

}  // namespace basalt

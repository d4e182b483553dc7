// What a cycle decided, as ids, codes and numbers. Sentences are made in report/, only for what is shown.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/node_rules.h"
#include "snapshot/ids.h"
#include "snapshot/store.h"

namespace basalt {

/// How many nodes refused a class for one combination of reasons (scoring::Reason bits).
struct ReasonCount {
  uint16_t bits = 0;
  ResourceId resource;  ///< for kReasonResource and kReasonProportional
  PolicyReason policy = PolicyReason::kNone;  ///< for kReasonPolicy, with the name that it is about
  StringId name;
  uint32_t nodes = 0;
};

/// Why a task could not be placed, as recorded when it was tried.
struct FitError {
  enum Kind : uint8_t {
    kNodes,          ///< no node fits: `reasons` over `nodes` nodes
    kRoleFailed,     ///< a task of the same role had failed before
    kTermsConflict,  ///< the required node affinity pins conflicting names
    kUnsupported,    ///< the pod or its PodGroup uses a rule that is not built yet: `field`
  } kind = kNodes;
  uint32_t nodes = 0;
  StringId role, field;
  std::vector<ReasonCount> reasons;
};
inline constexpr uint32_t kNoFitError = UINT32_MAX;

/// What a waiting task is told at the end of a cycle.
struct TaskVerdict {
  enum Kind : uint8_t {
    kSchedulable,  ///< had a node, its gang did not become ready
    kPipelined,    ///< waits for room on a node to be released
    kFit,          ///< `fit_error` says why no node fits
    kGroup,        ///< no error of its own: the state of the group is the reason
  } kind = kGroup;
  PodId pod;
  NodeId node;
  uint32_t fit_error = kNoFitError;
  bool nominated = false;  ///< kPipelined: pods were evicted for it there, so the node is to be its status.nominatedNodeName
};

/// State of one PodGroup after the cycle.
struct GroupVerdict {
  JobId job;
  GroupPhase phase = GroupPhase::kEmpty;
  bool has_gang_condition = false;  ///< the gang policy ran and the job has tasks
  bool gang_ready = false;          ///< condition Scheduled, else Unschedulable with the numbers below
  int32_t unready_tasks = 0, tasks = 0;
  bool ready = false;               ///< IsReady, for "pod group is ready"
  int32_t min_available = 0;
  std::array<int32_t, kTaskStatusCount> counts{};
  int32_t pending_schedulable = 0, pending_unschedulable = 0;  ///< Pending tasks by the reason they are told
  PodId origin;                     ///< a task with a fit error (the first in task order), kNone
  uint32_t origin_error = kNoFitError;
  int32_t running = 0, succeeded = 0, failed = 0;
};

/// Why a PodGroup was not admitted.
struct EnqueueRefusal {
  JobId job;
  uint16_t policy = 0;                ///< index in the policy catalogue
  std::vector<ResourceId> exceeded;   ///< dimensions that were short
  QueueId queue;                      ///< whose limit it was, where a queue's
  std::vector<StringId> quota_exceeded;  ///< names of the ResourceQuota that was short
};

struct Placement {
  PodId pod;
  NodeId node;
};

enum class EvictionAction : uint8_t { kPreempt, kReclaim, kGangPreempt, kGangReclaim, kShuffle };

/// A pod that has to go, and for whom.
struct Eviction {
  PodId pod;
  NodeId node;
  PodId by;                  ///< the task that takes its place, kNone where nobody does (shuffle)
  EvictionAction action = EvictionAction::kPreempt;
  TaskStatus was = TaskStatus::kRunning;
};

struct Plan {
  std::vector<Placement> binds, pipelined;
  std::vector<Placement> held;        ///< placed in the session, but no bind is sent: the job is not ready or the node's idle amount is negative
  std::vector<Eviction> evicted;
  std::vector<GroupVerdict> groups;   ///< every PodGroup of the session
  std::vector<TaskVerdict> waiting;   ///< every non-gated task that waits at the end
  std::vector<FitError> fit_errors;
  std::vector<EnqueueRefusal> refusals;
  int64_t next_wakeup_ns = 0;         ///< when rules that depend on time may decide differently; 0: never
  void Clear() { *this = {}; }
};

}  // namespace basalt

// A policy is what Volcano calls a plugin: callbacks of some families, asked tier by tier.
#pragma once
#include <cstdint>

#include "kernel/config.h"
#include "kernel/plan.h"
#include "kernel/vector.h"
#include "snapshot/ids.h"

namespace basalt {

class Session;

/// Callback families (volcano-core, section 3.2). A policy says which it has; a switch of its entry may turn some off.
enum class Family : uint8_t {
  kJobOrder, kQueueOrder, kTaskOrder, kJobValid, kJobReady, kJobPipelined, kJobEnqueueable, kJobEnqueued, kOverused, kAllocatable, kEvents, kClose,
  kNodeFilter, kNodeScore,
  kJobStarving, kPreemptive, kPreemptable, kReclaimable, kUnifiedEvictable, kVictimTasks, kVictimQueueOrder, kExpendable,
};
inline constexpr int kFamilyCount = 22;
constexpr uint32_t FamilyBit(Family f) { return 1u << static_cast<int>(f); }

enum class Vote : int8_t { kReject = -1, kAbstain = 0, kPermit = 1 };

/// What a policy that divides the cluster among queues knows of one of them, for reports. Amounts in Volcano's units.
struct QueueView {
  Vector allocated, inqueue, guarantee, deserved;
  Vector limit;            ///< what it may hold in all
  Vector real_capability;  ///< bound of admission: capability, and what others' guarantees leave
  double share = 0;
  Vector request;          ///< allocated and pending
};

/// What an action asks of policies: may these tasks go?
struct VictimQuery {
  PodId evictor;                          ///< the task that needs room; kNone for a whole job
  JobId job;                              ///< the job that needs room
  const std::vector<PodId>& candidates;   ///< in an order that rows do not decide
  bool reclaim = false;                   ///< kUnifiedEvictable: gangreclaim, not gangpreempt
};

class Policy {
 public:
  virtual ~Policy() = default;
  /// Families it has at all.
  virtual uint32_t Families() const = 0;
  /// Starts a cycle: every sum that is not kept in the store is built here.
  virtual void Open(Session&) {}

  virtual int JobOrder(Session&, JobId, JobId) { return 0; }    ///< negative: first goes first
  virtual int QueueOrder(Session&, QueueId, QueueId) { return 0; }
  virtual int TaskOrder(Session&, PodId, PodId) { return 0; }
  virtual bool JobValid(Session&, JobId) { return true; }
  virtual bool JobReady(Session&, JobId) { return true; }
  virtual Vote JobPipelined(Session&, JobId) { return Vote::kAbstain; }
  /// refusal: what made it reject, if it does.
  virtual Vote JobEnqueueable(Session&, JobId, EnqueueRefusal* refusal) { (void)refusal; return Vote::kAbstain; }
  virtual void JobEnqueued(Session&, JobId) {}
  virtual bool Overused(Session&, QueueId) { return false; }
  virtual bool Allocatable(Session&, QueueId, PodId) { return true; }
  /// After a task took room (sign 1: allocated or pipelined) or gave it back (sign -1); the store's sums are already new.
  virtual void Changed(Session&, PodId, int sign) { (void)sign; }
  /// Does the job still need tasks? Asked before preempting and reclaiming.
  virtual bool JobStarving(Session&, JobId) { return true; }
  /// May the queue take these tasks' room from other queues?
  virtual bool Preemptive(Session&, QueueId, const std::vector<PodId>& tasks) { (void)tasks; return true; }
  // Families of victims: those of the candidates that may go, in their order. False: no opinion.
  virtual bool Preemptable(Session&, const VictimQuery&, std::vector<PodId>* victims) { (void)victims; return false; }
  virtual bool Reclaimable(Session&, const VictimQuery&, std::vector<PodId>* victims) { (void)victims; return false; }
  virtual bool UnifiedEvictable(Session&, const VictimQuery&, std::vector<PodId>* victims) { (void)victims; return false; }
  /// Tasks among `running` that are to go without anybody taking their place.
  virtual void VictimTasks(Session&, const std::vector<PodId>& running, std::vector<PodId>* victims) { (void)running, (void)victims; }
  /// Of tasks that other policies want gone, those that may. Not asked with the setting `compat`: Volcano has no such family.
  virtual void Expendable(Session&, std::vector<PodId>* victims) { (void)victims; }
  /// Negative: tasks of queue a go before those of b, for a task of `evictor`.
  virtual int VictimQueueOrder(Session&, QueueId a, QueueId b, QueueId evictor) { (void)a, (void)b, (void)evictor; return 0; }
  /// After a cycle: false where the policy keeps no such sums, or none of this queue.
  virtual bool View(QueueId, QueueView*) const { return false; }
  /// After a cycle: the dominant share of a job; below 0 where the policy keeps none.
  virtual double JobShare(JobId) const { return -1; }
  /// Which of the policy's node rules hold for the pod: pods of an equal key are told the same of every node. 0: nothing is said of any node.
  virtual uint64_t NodeKey(Session&, PodId) { return 0; }
  /// Differs from before whenever what follows would say something else for the key. node_position: how often any node changed.
  virtual uint64_t NodeVersion(Session&, uint64_t key, uint64_t node_position) { (void)key, (void)node_position; return 0; }
  /// Adds the refusals and the scores for a key.
  virtual void RefuseNodes(Session&, uint64_t key, bool before_predicates, NodeRules* rules) { (void)key, (void)before_predicates, (void)rules; }
  virtual void ScoreNodes(Session&, uint64_t key, NodeRules* rules) { (void)key, (void)rules; }
  /// Before phases are computed: may write a group's verdict.
  virtual void Close(Session&, JobId, GroupVerdict*) {}
};

}  // namespace basalt

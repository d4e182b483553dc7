// What a cycle wants the API server to hold that it does not hold yet, as request bodies: the bridge sends them and reports back.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernel/plan.h"
#include "report/texts.h"
#include "snapshot/store.h"

namespace basalt {

/// The order is that of basalt_write_kind (basalt.h).
enum class WriteKind : uint32_t { kBind = 1, kPodCondition = 2, kPodGroupStatus = 3, kQueueStatus = 4, kEvict = 5, kEvent = 6 };

struct Write {
  WriteKind kind;
  std::string object_kind, namespace_, name, uid;
  std::string group;  ///< "namespace/name" of the PodGroup, kBind and kEvict
  std::string node;   ///< kBind
  std::string body;   ///< JSON; a Binding, or a merge patch of the object's status
  std::string event_type, event_reason, event_message;  ///< the event that goes with it; type empty: none
  int64_t created_seconds = 0, group_created_seconds = 0;  ///< kBind: creationTimestamps of the pod and of its PodGroup, 0: none
  uint32_t urgent = 0;  ///< 1: somebody waits for it (a PodGroup without pods is admitted); else it may wait for a later, better value
};

/// A pod and the condition that a cycle gives it.
struct PodCondition {
  PodId pod;
  ConditionText text;
  NodeId nominated;  ///< pods are evicted there for it; kNone: no word about that
  bool changed = false;  ///< differs from the one it had
};

/// Remembers what the API server holds of the statuses that we write, so that only what differs is written.
class Writes {
 public:
  explicit Writes(Store* store) : store_(*store) {}

  /// A PodGroup as the API server has it now. Precondition: the store has taken it in.
  void SawPodGroup(JobId job);
  /// The object is gone, or a write to it failed: the next cycle writes it again where it is there.
  void Forget(std::string_view kind, std::string_view key);

  /// Appends what the cycle's plan makes necessary. now_ns: since 1970; session: a text that no other cycle has.
  void Collect(const Plan& plan, const std::vector<PodCondition>& conditions, int64_t now_ns, std::string_view session);
  /// A bind was refused: tells the pod.
  void BindRefused(PodId pod, std::string_view node, std::string_view message, int64_t now_ns);

  std::vector<Write> pending;  ///< since the last one who took them

 private:
  struct GroupStatus {
    GroupPhase phase = GroupPhase::kEmpty;
    int32_t running = 0, succeeded = 0, failed = 0;
    std::vector<GroupCondition> conditions;
  };
  void CollectGroup(const GroupVerdict& verdict, int64_t now_ns, std::string_view session);
  void CollectQueues();
  void CollectEvictions(const std::vector<Eviction>& evicted, int64_t now_ns);
  void Condition(PodId pod, std::string_view reason, std::string_view message, NodeId nominated, int64_t now_ns);

  Store& store_;
  std::unordered_map<std::string, GroupStatus> groups_;                     ///< by key
  std::unordered_map<std::string, std::vector<ResourceAmount>> allocated_;  ///< by queue, as last written; nobody else writes it
};

}  // namespace basalt

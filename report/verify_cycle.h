// One cycle of a plan under examination, and the checks it goes through. Each check is a file.
#pragma once
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/verifier.h"
#include "report/verify_cluster.h"
#include "report/verify_plan.h"
#include "report/verify_room.h"
#include "report/verify_settings.h"

namespace basalt::verify {

/// What pods and PodGroups are at one moment.
struct State {
  std::vector<Status> status;
  std::vector<int> node;            ///< kNone: on no node, or on one that is not there
  std::vector<uint8_t> named_node;  ///< the pod names a node, there or not
  std::vector<uint8_t> gone;        ///< evicted by an earlier cycle and terminated: no member of its group any more
  std::vector<int64_t> terminates_in;  ///< evicted by an earlier cycle: cycles until it is gone; else below 0
  std::vector<uint8_t> told;        ///< a condition that says why it waits was written before
  std::vector<std::string> phase;   ///< by group
  std::set<std::string> bound_in;   ///< namespaces in which a pod was bound by an earlier cycle: their quotas are counted anew
};

/// A pod of the plan that had, or still has, a place in a transaction that was not sent.
struct Tentative { int pod, node; bool released; };  ///< released: it would wait for terminations

struct Cycle {
  const Cluster& cluster;
  const Settings& settings;
  const PlanCycle& plan;
  int number;
  State before, after;              ///< after: as the session stands when it closes
  std::vector<uint8_t> told_now;    ///< pods whose reason this cycle names
  std::vector<Tentative> tentative; ///< by their reasons
  std::vector<uint8_t> standing;    ///< groups whose transaction stands though it was not sent: it keeps its room to the end of the cycle
  Room start, end;                  ///< end: with what was placed, sent or held
  std::vector<Finding>* findings;

  void Report(FindingKind kind, std::string text) const { findings->push_back({kind, number, std::move(text)}); }
  const Pod& PodAt(int pod) const { return cluster.pods[static_cast<size_t>(pod)]; }
  const PodClass& ClassOf(int pod) const { return cluster.classes[static_cast<size_t>(PodAt(pod).cls)]; }
  const Group& GroupAt(int group) const { return cluster.groups[static_cast<size_t>(group)]; }
  Status After(int pod) const { return after.status[static_cast<size_t>(pod)]; }
  Status Before(int pod) const { return before.status[static_cast<size_t>(pod)]; }
  std::string_view PhaseBefore(int group) const { return before.phase[static_cast<size_t>(group)]; }
  std::string_view PhaseAfter(int group) const { return after.phase[static_cast<size_t>(group)]; }
  int FindPod(const std::string& key) const;
  int FindNode(std::string_view name) const;
  bool InSession(int group) const { return group != kNone && GroupAt(group).queue != kNone; }
  bool PendingBefore(int group) const { return PhaseBefore(group).empty() || PhaseBefore(group) == "Pending"; }
};

/// Tasks of a group by status.
struct Tally {
  std::array<int64_t, kStatusCount> count{};
  int64_t tasks = 0, pending_best_effort = 0, releasing_on_node = 0;
  Tally(const Cycle& cycle, int group, const State& state);
  int64_t operator[](Status s) const { return count[static_cast<size_t>(s)]; }
  int64_t Allocated() const { return (*this)[Status::kBound] + (*this)[Status::kBinding] + (*this)[Status::kRunning] + (*this)[Status::kAllocated]; }
  int64_t Ready() const { return Allocated() + (*this)[Status::kSucceeded]; }
  int64_t Valid() const { return Ready() + (*this)[Status::kPipelined] + (*this)[Status::kPending]; }
};
/// gang's JobValid: enough tasks, in every role. Always true without gang.
bool JobValid(const Cycle& cycle, int group, const State& state);
/// gang's JobReady: the minimum and every role's minimum stand. Always true where gang does not vote.
bool JobReady(const Cycle& cycle, int group, const State& state);
/// Is the group ready by number alone at the end: certainly, certainly not, or does it hang on placements the plan does not show?
enum class Certainty : uint8_t { kYes, kNo, kOpen };
Certainty ReadyAtEnd(const Cycle& cycle, int group);

/// Will a group that waits for admission be admitted in this cycle?
enum class Admitted : uint8_t { kMust, kCannot, kEither };

/// Queue limits of one cycle.
class Ceilings {
 public:
  explicit Ceilings(const Cycle& cycle);
  ~Ceilings();
  /// May the queue take one more pod of this class after everything that the plan places? False also where that is not certain.
  bool Takes(int queue, const PodClass& pod) const;
  void Check() const;
  Admitted Judge(int group) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

void TakePlacements(Cycle* cycle);        ///< names, eligibility, evictions; fills `after` and `end`
void FindTentative(Cycle* cycle);         ///< fills `tentative` and `standing`
void CheckNodes(const Cycle& cycle);      ///< capacity, slots, rules, ports
void CheckGangs(const Cycle& cycle);
void CheckEvictions(const Cycle& cycle, const Ceilings& ceilings);  ///< nobody protected, and nobody in vain
void CheckGroups(const Cycle& cycle, const Ceilings& ceilings);   ///< phases and conditions
void CheckReasons(const Cycle& cycle, const Ceilings& ceilings);

/// "Pod ns/name can possibly be assigned to NODE, once ..." split; false where the text is none.
bool ParsePossible(std::string_view text, std::string_view* pod, std::string_view* node, bool* released);

}  // namespace basalt::verify

// All or nothing, and what follows from it for phases and conditions of PodGroups (volcano-core, sections 2.6, 3.4 and 7.1).
#include <algorithm>
#include <set>

#include "report/verify_cycle.h"

namespace basalt::verify {
namespace {

// Does every role have its minimum of tasks for which `counts` holds? The roles are not asked where minMember is below their sum.
template <class F>
bool RolesHave(const Cycle& c, const Group& group, const F& counts) {
  if (group.min_member < group.role_min_total) return true;
  for (const auto& [role, min] : group.role_min) {
    int64_t have = 0;
    for (const int p : group.members) have += c.PodAt(p).role == role && counts(p);
    if (have < min) return false;
  }
  return true;
}

bool HasCondition(const PlanGroup& group, std::string_view type, std::string_view reason) {
  return std::any_of(group.conditions.begin(), group.conditions.end(),
                     [&](const PlanCondition& x) { return x.type == type && x.status == "True" && (reason.empty() || x.reason == reason); });
}

// gang says nothing of a group that only waits for its last pods to end.
bool OnlyEnding(const Group& group, const Tally& t) {
  const int64_t scheduled = t[Status::kRunning] + t[Status::kBound] + t[Status::kFailed] + t[Status::kSucceeded];
  return t.releasing_on_node > 0 && t[Status::kPending] == 0 && t[Status::kPipelined] == 0 &&
         scheduled + t.releasing_on_node >= group.min_member;
}

std::set<std::string> PossiblePhases(const Cycle& c, int g, const Tally& t, Certainty ready, Admitted admitted) {
  const Group& group = c.GroupAt(g);
  std::set<std::string> phases;
  if (t[Status::kRunning] > 0 && c.settings.gang && ready != Certainty::kYes && !OnlyEnding(group, t)) {
    phases.insert("Unknown");
    if (ready == Certainty::kNo) return phases;
  }
  const int64_t completed = t[Status::kFailed] + t[Status::kSucceeded];
  const int64_t scheduled = t[Status::kRunning] + t[Status::kBound] + completed + t.releasing_on_node;
  if (scheduled >= group.min_member) {
    phases.insert(scheduled == completed ? "Completed" : "Running");
  } else if (c.PhaseBefore(g) == "Inqueue") {
    phases.insert("Inqueue");
  } else if (!c.PendingBefore(g)) {
    phases.insert("Pending");  // a group that falls below its minimum has to be admitted again
  } else {
    if (admitted != Admitted::kCannot) phases.insert("Inqueue");
    if (admitted != Admitted::kMust) phases.insert("Pending");
  }
  return phases;
}

}  // namespace

Tally::Tally(const Cycle& cycle, int group, const State& state) {
  for (const int p : cycle.GroupAt(group).members) {
    const auto at = static_cast<size_t>(p);
    if (state.gone[at]) continue;
    const Status s = state.status[at];
    count[static_cast<size_t>(s)]++, tasks++;
    pending_best_effort += s == Status::kPending && cycle.ClassOf(p).best_effort;
    releasing_on_node += s == Status::kReleasing && state.named_node[at];
  }
}

bool JobValid(const Cycle& c, int g, const State& state) {
  if (!c.settings.gang) return true;
  const Group& group = c.GroupAt(g);
  const auto valid = [&](int p) {
    const Status s = state.status[static_cast<size_t>(p)];
    return IsAllocated(s) || s == Status::kSucceeded || s == Status::kPipelined || s == Status::kPending;
  };
  return Tally(c, g, state).Valid() >= group.min_member && RolesHave(c, group, valid);
}

bool JobReady(const Cycle& c, int g, const State& state) {
  if (!c.settings.gang_ready) return true;
  const Group& group = c.GroupAt(g);
  const Tally t(c, g, state);
  const auto stands = [&](int p) {
    const Status s = state.status[static_cast<size_t>(p)];
    return IsAllocated(s) || s == Status::kSucceeded || (s == Status::kPending && c.ClassOf(p).best_effort);
  };
  return t.Ready() + t.pending_best_effort >= group.min_member && RolesHave(c, group, stands);
}

Certainty ReadyAtEnd(const Cycle& c, int g) {
  const Tally t(c, g, c.after);
  const int64_t ready = t.Ready() + t.pending_best_effort, min = c.GroupAt(g).min_member;
  if (ready >= min) return Certainty::kYes;
  int64_t more = 0;
  for (const Tentative& x : c.tentative) more += c.PodAt(x.pod).group == g && c.After(x.pod) == Status::kPending;
  return ready + more >= min ? Certainty::kOpen : Certainty::kNo;
}

void CheckGangs(const Cycle& c) {
  struct Started { int64_t bound = 0, held = 0, pipelined = 0; };
  std::vector<Started> started(c.cluster.groups.size());
  for (size_t p = 0; p < c.after.status.size(); p++) {
    const Status s = c.after.status[p];
    if (s == c.before.status[p] || c.cluster.pods[p].group == kNone) continue;
    Started& at = started[static_cast<size_t>(c.cluster.pods[p].group)];
    (s == Status::kBinding ? at.bound : s == Status::kPipelined ? at.pipelined : at.held) += s != Status::kReleasing;
  }
  // What is held was not sent: it makes no gang, unless it asks for nothing.
  State sent = c.after;
  for (Status& s : sent.status)
    if (s == Status::kAllocated) s = Status::kPending;
  for (size_t i = 0; i < started.size(); i++) {
    const auto g = static_cast<int>(i);
    const Started& at = started[i];
    if (at.bound + at.held + at.pipelined == 0) continue;
    const Group& group = c.GroupAt(g);
    const Tally t(c, g, c.after);
    const std::string name = "PodGroup " + group.key + ": ";
    const std::string numbers = std::to_string(at.bound) + " pods are bound and " + std::to_string(t.Ready() + t.pending_best_effort) + " count as ready, its minimum is " +
                                std::to_string(group.min_member);
    if (!JobValid(c, g, c.before)) c.Report(FindingKind::kGang, name + "it has too few pods to be started: " + numbers);
    if (at.bound > 0 && !JobReady(c, g, sent)) c.Report(FindingKind::kGang, name + numbers + (t.Ready() + t.pending_best_effort >= group.min_member ? ", but a role misses its own" : ""));
    // Within a job preempt goes task by task and does not ask the gang.
    if (at.pipelined > 0 && c.settings.gang_pipelined && !c.settings.Has("preempt")) {
      int64_t allocated = 0;  // the rest of the transaction shows in the reasons only
      for (const Tentative& x : c.tentative) allocated += c.PodAt(x.pod).group == g && c.After(x.pod) == Status::kPending;
      if (t.Ready() + t.pending_best_effort + t[Status::kPipelined] + allocated < group.min_member)
        c.Report(FindingKind::kGang, name + std::to_string(at.pipelined) + " pods are pipelined though with them it stays below its minimum " + std::to_string(group.min_member));
    }
    if (c.PendingBefore(g) && c.settings.Has("enqueue") && c.PhaseAfter(g) == "Pending")
      c.Report(FindingKind::kGang, name + "pods are placed though it was not admitted (phase Pending)");
  }
}

void CheckGroups(const Cycle& c, const Ceilings& ceilings) {
  std::vector<uint8_t> seen(c.cluster.groups.size());
  for (const PlanGroup& x : c.plan.groups) {
    const auto it = c.cluster.group_by_key.find(x.key);
    if (it == c.cluster.group_by_key.end()) {
      c.Report(FindingKind::kUnknownName, "PodGroup " + x.key + " is not in the input");
      continue;
    }
    const int g = it->second;
    const Group& group = c.GroupAt(g);
    if (seen[static_cast<size_t>(g)]++) c.Report(FindingKind::kForm, "PodGroup " + x.key + " is listed twice");
    if (!c.InSession(g)) {
      if (x.phase != c.PhaseBefore(g))
        c.Report(FindingKind::kPhase, "PodGroup " + x.key + ": phase \"" + x.phase + "\", but its queue " + group.queue_name + " is not there and it was \"" + std::string(c.PhaseBefore(g)) + "\"");
      continue;
    }
    const Tally t(c, g, c.after);
    const Certainty ready = ReadyAtEnd(c, g);
    const std::set<std::string> phases = PossiblePhases(c, g, t, ready, ceilings.Judge(g));
    if (!phases.count(x.phase)) {
      std::string expected;
      for (const std::string& p : phases) expected += (expected.empty() ? "" : " or ") + p;
      c.Report(FindingKind::kPhase, "PodGroup " + x.key + ": phase \"" + x.phase + "\", expected " + expected + " (before \"" + std::string(c.PhaseBefore(g)) + "\", " +
                                        std::to_string(t[Status::kRunning]) + " running, minimum " + std::to_string(group.min_member) + ")");
    }
    if (!c.settings.gang || t.tasks == 0) continue;
    if (ready == Certainty::kYes && !HasCondition(x, "Scheduled", "")) c.Report(FindingKind::kCondition, "PodGroup " + x.key + ": it is ready but has no condition Scheduled");
    if (ready == Certainty::kNo && !OnlyEnding(group, t) && !HasCondition(x, "Unschedulable", "NotEnoughResources"))
      c.Report(FindingKind::kCondition, "PodGroup " + x.key + ": it is not ready but has no condition Unschedulable with reason NotEnoughResources");
  }
  for (size_t g = 0; g < seen.size(); g++)
    if (!seen[g]) c.Report(FindingKind::kGroups, "PodGroup " + c.cluster.groups[g].key + " is missing");
}

}  // namespace basalt::verify

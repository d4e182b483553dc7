// Why pods wait. A pod's reason tells of the moment when it was tried, between the start and the end of the cycle. Room only shrinks in between
// (without evictions), so every count of a reason lies between two counts that are known exactly.
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

#include "report/verify_cycle.h"
#include "report/verify_node_policies.h"

namespace basalt::verify {
namespace {

constexpr std::string_view kPodNumber = "node(s) pod number exceeded";
constexpr std::string_view kPorts = "node(s) didn't have free ports for the requested pod ports";
constexpr std::string_view kConflict = "plugin NodeAffinity pre-predicates failed pod affinity terms conflict";

std::string_view Text(Static refusal) {
  switch (refusal) {
    case Static::kUnschedulable: return "node(s) were unschedulable";
    case Static::kAffinity: return "node(s) didn't match Pod's node affinity/selector";
    case Static::kTaint: return "node(s) had untolerated taint(s)";
    case Static::kNone: break;
  }
  return "";
}

bool TakeNumber(std::string_view* text, int64_t* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc()) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}
bool TakePrefix(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

using Counts = std::map<std::string, int64_t, std::less<>>;

// "10 a, 2 b"
bool ParseCounts(std::string_view text, Counts* counts) {
  while (!text.empty()) {
    int64_t n = 0;
    if (!TakeNumber(&text, &n) || !TakePrefix(&text, " ")) return false;
    const size_t comma = std::min(text.find(", "), text.size());
    if (!counts->emplace(text.substr(0, comma), n).second) return false;
    text.remove_prefix(comma);
    if (!text.empty()) text.remove_prefix(2);
  }
  return true;
}

// "0/3 nodes are unavailable: 3 Insufficient cpu."
bool ParseUnavailable(std::string_view text, int64_t* nodes, Counts* counts) {
  if (!TakePrefix(&text, "0/") || !TakeNumber(&text, nodes) || !TakePrefix(&text, " nodes are unavailable")) return false;
  if (text.empty()) return *nodes == 0;
  return TakePrefix(&text, ": ") && text.ends_with('.') && ParseCounts(text.substr(0, text.size() - 1), counts);
}

struct Bounds {
  std::map<std::string, std::pair<int64_t, int64_t>, std::less<>> count;  ///< reason: at least, at most
  int feasible = kNone;                                                   ///< a node that would take the pod at the end
};

class Reasons {
 public:
  Reasons(const Cycle& c, const Ceilings& ceilings) : c_(c), ceilings_(ceilings), policies_(c), possible_(c.end) {
    // Transactions that stand without being sent keep their room; those that were undone do not.
    for (const Tentative& t : c.tentative)
      if (Unsent(t) && c.standing[static_cast<size_t>(c.PodAt(t.pod).group)]) possible_.Hold(t.node, c.ClassOf(t.pod), Status::kAllocated);
    for (size_t i = 0; i < c.tentative.size(); i++)
      if (Unsent(c.tentative[i])) of_group_[c.PodAt(c.tentative[i].pod).group].push_back(c.tentative[i]);
    // With two rounds, or with evictions, room may have come back in between.
    bounded_ = c.settings.Times("allocate") == 1 && !c.settings.Evicts() && !c.settings.proportional;
    for (const PlanPod& x : c.plan.pods) {
      const int p = c.FindPod(x.key);
      if (p != kNone && OwnFitError(x.message)) failed_groups_[c.PodAt(p).group] = true;
    }
  }

  void Check() {
    std::vector<uint8_t> seen(c_.cluster.pods.size());
    // Equal classes one after another: static rules are asked once per class.
    std::vector<std::pair<const PlanPod*, int>> order;
    for (const PlanPod& x : c_.plan.pods) {
      const int p = c_.FindPod(x.key);
      if (p == kNone) {
        c_.Report(FindingKind::kUnknownName, "pod " + x.key + " has a reason but is not in the input");
        continue;
      }
      if (seen[static_cast<size_t>(p)]++) c_.Report(FindingKind::kForm, "pod " + x.key + " has two reasons");
      const Status s = c_.After(p);
      if (s != Status::kPending && s != Status::kAllocated && s != Status::kPipelined)
        c_.Report(FindingKind::kReason, "pod " + x.key + " has a reason to wait but does not wait (" + std::string(StatusName(s)) + ")");
      else order.emplace_back(&x, p);
    }
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return c_.PodAt(a.second).cls < c_.PodAt(b.second).cls; });
    for (const auto& [x, p] : order) CheckOne(*x, p);
    for (const PlanGroup& g : c_.plan.groups) CheckCondition(g);
    for (size_t i = 0; i < seen.size(); i++) {
      const auto p = static_cast<int>(i);
      const Status s = c_.after.status[i];
      if (seen[i] || c_.before.told[i] || (s != Status::kPending && s != Status::kAllocated && s != Status::kPipelined)) continue;
      if (c_.cluster.pods[i].gated || !c_.InSession(c_.cluster.pods[i].group)) continue;
      c_.Report(FindingKind::kUnexplained, "pod " + c_.PodAt(p).key + " waits without a reason");
    }
  }

 private:
  bool Unsent(const Tentative& t) const { return c_.After(t.pod) == Status::kPending; }
  static bool OwnFitError(std::string_view message) {
    return message.starts_with("0/") || message.starts_with("not supported yet: ") || message.starts_with("Task ");
  }
  void Wrong(const std::string& who, const std::string& why) const { c_.Report(FindingKind::kReason, who + ": " + why); }
  void Wrong(int p, const std::string& why) const { Wrong(Who(p), why); }
  std::string Who(int p) const { return "pod " + c_.PodAt(p).key; }

  void CheckOne(const PlanPod& x, int p) {
    const Pod& pod = c_.PodAt(p);
    std::string_view of, node;
    bool released = false;
    const std::string_view expected = ParsePossible(x.message, &of, &node, &released) && !released ? "Schedulable" : "Unschedulable";
    if (x.reason != expected) Wrong(p, "reason \"" + x.reason + "\" does not go with \"" + x.message + "\"");
    if (!node.empty()) return CheckPossible(p, of, node, released);
    if (c_.After(p) != Status::kPending) return Wrong(p, "it has a place, but the reason does not name it: \"" + x.message + "\"");
    if (x.message.starts_with("0/")) return CheckUnavailable(Who(p), p, x.message);
    if (x.message.starts_with("pod group is ")) {
      if (!c_.InSession(pod.group)) return Wrong(p, "it has no PodGroup that takes part");
      // The group's pods have it in common: it is looked at once.
      if (auto& last = checked_[pod.group]; last != x.message) CheckGroupText(Who(p), pod.group, last = x.message);
      return CheckUntried(p);
    }
    if (std::string_view field = x.message; TakePrefix(&field, "not supported yet: ")) {
      const std::string& group = c_.InSession(pod.group) ? c_.GroupAt(pod.group).unsupported : pod.unsupported;
      if (field != pod.unsupported && field != group) Wrong(p, "it does not use " + std::string(field));
      return;
    }
    const std::string role_text = "Task " + pod.key.substr(pod.key.find('/') + 1) + " with role spec " + pod.role + " has already predicated failed, skip";
    if (x.message == role_text && !pod.role.empty()) return;
    Wrong(p, "unknown reason \"" + x.message + "\"");
  }

  // A place in a transaction: the node has to be fit for the pod, and had to have room when the cycle began.
  void CheckPossible(int p, std::string_view of, std::string_view name, bool released) {
    const std::string at = std::string(name);
    const PodClass& pod = c_.ClassOf(p);
    const int node = c_.FindNode(name);
    if (of != c_.PodAt(p).key) return Wrong(p, "its reason speaks of pod " + std::string(of));
    if (node == kNone) return Wrong(p, "its reason names node " + at + ", which is not there");
    const Status s = c_.After(p);
    if ((s == Status::kPipelined) != released && s != Status::kPending) Wrong(p, std::string("its reason says ") + (released ? "" : "not ") + "to wait for terminations");
    if (s != Status::kPending && c_.after.node[static_cast<size_t>(p)] != node)
      return Wrong(p, "it is placed on node " + c_.cluster.nodes[static_cast<size_t>(c_.after.node[static_cast<size_t>(p)])].name + ", its reason names node " + at);
    if (const Static refusal = StaticRefusal(c_.settings, pod, c_.cluster.nodes[static_cast<size_t>(node)]); refusal != Static::kNone)
      Wrong(p, "its reason names node " + at + ", but there: " + std::string(Text(refusal)));
    if (const std::string refusal = policies_.Refusal(p, node); !refusal.empty()) Wrong(p, "its reason names node " + at + ", but there: " + refusal);
    if (!pod.best_effort && !c_.settings.Evicts())
      for (const Amount& a : pod.request)
        if (a.value > (released ? c_.start.Future(node, a.dim) : c_.start.Idle(node, a.dim)))
          return Wrong(p, "its reason names node " + at + ", which has too little " + std::string(c_.cluster.dims.Name(a.dim)));
    if (s == Status::kPending && !pod.best_effort && bounded_ && c_.settings.gang_ready && JobReady(c_, c_.PodAt(p).group, c_.after))
      Wrong(p, "it could be assigned to node " + at + " and its PodGroup is ready, but it is not bound");
  }

  // gang's condition of a group that is not ready: "1/3 tasks in gang unschedulable: pod group is not ready, ...".
  void CheckCondition(const PlanGroup& x) {
    const auto it = c_.cluster.group_by_key.find(x.key);
    if (!c_.settings.gang || it == c_.cluster.group_by_key.end() || !c_.InSession(it->second)) return;
    const int g = it->second;
    const Tally t(c_, g, c_.after);
    // Without waiting tasks it may be an earlier cycle's.
    if (ReadyAtEnd(c_, g) != Certainty::kNo || t[Status::kPending] == 0) return;
    const auto condition = std::find_if(x.conditions.begin(), x.conditions.end(), [](const PlanCondition& k) { return k.type == "Unschedulable"; });
    if (condition == x.conditions.end()) return;  // told elsewhere
    const std::string who = "PodGroup " + x.key;
    std::string_view text = condition->message;
    int64_t unready = 0, tasks = 0, nearly = 0;
    if (!TakeNumber(&text, &unready) || !TakePrefix(&text, "/") || !TakeNumber(&text, &tasks) || !TakePrefix(&text, " tasks in gang unschedulable: "))
      return Wrong(who, "unknown condition \"" + condition->message + "\"");
    if (const auto own = of_group_.find(g); own != of_group_.end())
      for (const Tentative& place : own->second) nearly += !place.released;
    const int64_t missing = c_.GroupAt(g).min_member - (t.Ready() + nearly);
    if (tasks != t.tasks || unready != missing)
      Wrong(who, "\"" + condition->message + "\": " + std::to_string(missing) + " of its " + std::to_string(t.tasks) + " tasks are missing");
    CheckGroupText(who, g, text);
  }

  // who: whose text it is; p: the pod it tells of.
  void CheckUnavailable(const std::string& who, int p, std::string_view message) {
    int64_t nodes = 0;
    Counts counts;
    const std::string quoted = "\"" + std::string(message) + "\": ";
    if (!ParseUnavailable(message, &nodes, &counts)) return Wrong(who, quoted + "not a count of reasons");
    const auto all = static_cast<int64_t>(c_.cluster.nodes.size());
    if (nodes != all) return Wrong(who, quoted + "there are " + std::to_string(all) + " nodes");
    const PodClass& pod = c_.ClassOf(p);
    if (const auto it = counts.find(kConflict); it != counts.end()) {
      if (!c_.settings.predicates || !c_.settings.node_affinity || !TermsConflict(pod) || it->second != all || counts.size() != 1) Wrong(who, quoted + "its affinity terms do not conflict");
      return;
    }
    int64_t sum = 0, twice = 0;
    for (const auto& [reason, n] : counts) {
      if (n <= 0) return Wrong(who, quoted + "a count below 1");
      sum += n;
      if (reason == kPodNumber) twice = n;  // the one reason that may stand beside another
    }
    if (sum < all || sum - twice > all) return Wrong(who, quoted + "the counts make " + std::to_string(sum) + " of " + std::to_string(all) + " nodes");
    if (!policies_.Countable(c_.PodAt(p).group)) return;
    if (SharesErrors(p) || c_.settings.Evicts()) return;  // what a sibling met on a node may stand for this pod
    const Bounds& b = BoundsOf(p);
    for (const auto& [reason, n] : counts) {
      if (c_.settings.proportional && reason.starts_with("proportional of resource ")) continue;
      const auto it = b.count.find(reason);
      if (it == b.count.end()) return Wrong(who, quoted + "no node can say \"" + reason + "\"");
      const auto [least, most] = it->second;
      if (n >= least && n <= most) continue;
      const std::string range = least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
      return Wrong(who, quoted + "\"" + reason + "\" holds for " + range + " nodes");
    }
    for (const auto& [reason, range] : b.count)
      if (range.first > 0 && counts.find(reason) == counts.end())
        return Wrong(who, quoted + "\"" + reason + "\" holds for at least " + std::to_string(range.first) + " nodes");
    if (bounded_ && b.feasible != kNone)
      Wrong(who, quoted + "node " + c_.cluster.nodes[static_cast<size_t>(b.feasible)].name + " takes " + Who(p) + " even at the end");
  }

  // "pod group is not ready, 1 Pending, 2 minAvailable; Pending: 1 Unschedulable. Origin reason is task-0: 0/3 nodes ..."
  void CheckGroupText(const std::string& who, int g, std::string_view message) {
    const std::string quoted = "\"" + std::string(message) + "\": ";
    std::string_view rest = message, origin;
    if (const size_t at = rest.find(". Origin reason is "); at != std::string_view::npos) {
      origin = rest.substr(at + std::string_view(". Origin reason is ").size());
      rest = rest.substr(0, at);
    }
    const bool says_ready = rest.starts_with("pod group is ready, ");
    if (!says_ready && !rest.starts_with("pod group is not ready, ")) return Wrong(who, quoted + "unknown reason");
    rest.remove_prefix(rest.find(", ") + 2);
    std::string_view pending;
    if (const size_t at = rest.find("; Pending: "); at != std::string_view::npos) pending = rest.substr(at + 11), rest = rest.substr(0, at);
    Counts counts, pending_counts;
    if (!ParseCounts(rest, &counts) || !ParseCounts(pending, &pending_counts)) return Wrong(who, quoted + "not a count of tasks");
    const auto said = [](const Counts& list, std::string_view name) {
      const auto it = list.find(name);
      return it == list.end() ? int64_t{0} : it->second;
    };
    const Group& group = c_.GroupAt(g);
    const Tally t(c_, g, c_.after);
    for (int s = 0; s < kStatusCount; s++) {
      const auto status = static_cast<Status>(s);
      if (status == Status::kPending || status == Status::kAllocated) continue;
      if (said(counts, StatusName(status)) != t[status])
        return Wrong(who, quoted + std::to_string(t[status]) + " tasks of PodGroup " + group.key + " are " + std::string(StatusName(status)));
    }
    // What a transaction that was not sent had allocated shows in the tasks' own reasons.
    const int64_t allocated = said(counts, "Allocated"), waiting = said(counts, "Pending"), unsent = of_group_.count(g) ? static_cast<int64_t>(of_group_[g].size()) : 0;
    if (allocated + waiting != t[Status::kPending] + t[Status::kAllocated] || allocated < t[Status::kAllocated] || allocated > t[Status::kAllocated] + unsent)
      return Wrong(who, quoted + std::to_string(t[Status::kPending]) + " tasks of PodGroup " + group.key + " are Pending, " + std::to_string(t[Status::kAllocated]) + " Allocated");
    if (said(counts, "minAvailable") != group.min_member) return Wrong(who, quoted + "the minimum is " + std::to_string(group.min_member));
    if (said(pending_counts, "Schedulable") + said(pending_counts, "Unschedulable") != waiting) return Wrong(who, quoted + "the reasons of pending tasks do not make " + std::to_string(waiting));
    const Certainty ready = ReadyAtEnd(c_, g);
    if ((ready == Certainty::kYes && !says_ready) || (ready == Certainty::kNo && says_ready))
      return Wrong(who, quoted + std::to_string(t.Ready() + t.pending_best_effort) + " tasks count as ready, the minimum is " + std::to_string(group.min_member));
    CheckOrigin(who, g, quoted, origin);
  }

  void CheckOrigin(const std::string& who, int g, const std::string& quoted, std::string_view origin) {
    if (origin.empty()) return;
    const size_t colon = origin.find(": ");
    const std::string_view name = origin.substr(0, colon);
    const Group& group = c_.GroupAt(g);
    const auto it = std::find_if(group.members.begin(), group.members.end(), [&](int m) {
      const std::string_view key = c_.PodAt(m).key;
      return key.substr(key.find('/') + 1) == name;
    });
    if (it == group.members.end() || colon == std::string_view::npos) return Wrong(who, quoted + "no task " + std::string(name) + " in its PodGroup");
    const std::string_view why = origin.substr(colon + 2);
    if (why.starts_with("0/")) CheckUnavailable(who, *it, why);
  }

  // A pod that tells nothing of its own: was there a node, and nothing that kept it from being tried?
  void CheckUntried(int p) {
    const Pod& pod = c_.PodAt(p);
    const PodClass& cls = c_.ClassOf(p);
    const int g = pod.group;
    const Group& group = c_.GroupAt(g);
    if (c_.settings.Evicts() || c_.settings.proportional || !policies_.Countable(g) || !JobValid(c_, g, c_.before)) return;
    if (!pod.unsupported.empty() || !group.unsupported.empty() || pod.gated) return;
    const auto& actions = c_.settings.actions;
    const auto last = [&](std::string_view name) {
      for (size_t i = actions.size(); i-- > 0;)
        if (actions[i] == name) return static_cast<int>(i);
      return kNone;
    };
    const std::string_view action = cls.best_effort ? "backfill" : "allocate";
    const bool admitted_now = c_.PhaseAfter(g) == "Inqueue" && last("enqueue") < last(action) && (last("enqueue") != kNone || !cls.best_effort);
    if (last(action) == kNone || (c_.PendingBefore(g) && !admitted_now)) return;
    if (cls.best_effort) {
      if (const int node = BoundsOf(p).feasible; node != kNone)
        Wrong(p, "it asks for nothing and node " + c_.cluster.nodes[static_cast<size_t>(node)].name + " would take it");
      return;
    }
    const bool any_is_enough = JobReady(c_, g, c_.before) || (group.min_member <= 1 && group.role_min_total == 0);
    if (!bounded_ || !any_is_enough || failed_groups_.count(g) || !ceilings_.Takes(group.queue, cls)) return;
    if (const int node = BoundsOf(p).feasible; node != kNone)
      Wrong(p, "node " + c_.cluster.nodes[static_cast<size_t>(node)].name + " has room for it, its queue too, and nothing else held it back");
  }

  // Does the cache of refusals mix this pod's reasons with those of other pods? It is shared by the pods of a role.
  bool SharesErrors(int p) {
    const Pod& pod = c_.PodAt(p);
    if (!c_.settings.error_cache || pod.role.empty()) return false;
    const auto& members = c_.GroupAt(pod.group).members;
    return std::any_of(members.begin(), members.end(), [&](int m) { return c_.PodAt(m).role == pod.role && c_.PodAt(m).cls != pod.cls; });
  }

  const Bounds& BoundsOf(int p) {
    const int g = c_.PodAt(p).group;
    const bool own = of_group_.count(g) && !c_.standing[static_cast<size_t>(g)];
    const auto key = std::make_tuple(c_.PodAt(p).cls, own ? g : kNone, c_.settings.node_group && g != kNone ? c_.GroupAt(g).queue : kNone);
    const auto it = bounds_.find(key);
    if (it != bounds_.end()) return it->second;
    // The pod's own group had these places when the pod was tried.
    std::vector<Room::Row> undo;
    if (own)
      for (const Tentative& t : of_group_[g]) undo.push_back(possible_.Save(t.node)), possible_.Hold(t.node, c_.ClassOf(t.pod), Status::kAllocated);
    Bounds b = Work(c_.PodAt(p).cls, g);
    while (!undo.empty()) possible_.Restore(std::move(undo.back())), undo.pop_back();
    return bounds_.emplace(key, std::move(b)).first->second;
  }

  Bounds Work(int cls, int group) {
    const PodClass& pod = c_.cluster.classes[static_cast<size_t>(cls)];
    const Settings& s = c_.settings;
    if (static_class_ != cls) {
      static_class_ = cls, static_.clear();
      for (const Node& n : c_.cluster.nodes) static_.push_back(StaticRefusal(s, pod, n));
    }
    Bounds b;
    const size_t dims = pod.best_effort ? 0 : pod.request.size();
    std::vector<std::pair<int64_t, int64_t>> resource(dims);
    std::pair<int64_t, int64_t> slots{}, ports{}, fixed[4] = {};
    std::map<std::string, std::pair<int64_t, int64_t>> by_policy;
    for (size_t i = 0; i < c_.cluster.nodes.size(); i++) {
      const auto n = static_cast<int>(i);
      bool failed_start = false, failed_end = false;  // an earlier resource did
      for (size_t r = 0; r < dims; r++) {
        const Amount& a = pod.request[r];
        const bool at_start = a.value > c_.start.Future(n, a.dim), at_end = a.value > possible_.Future(n, a.dim);
        resource[r].first += at_start && !failed_end;
        resource[r].second += at_end && !failed_start;
        failed_start |= at_start, failed_end |= at_end;
      }
      const std::string policy(policies_.GroupRefusal(group, n));
      const bool first = !policy.empty() && s.node_group_first;
      if (first) by_policy[policy].first += !failed_end, by_policy[policy].second += !failed_start;
      bool free = !failed_end && policy.empty();
      bool refused_start = false, refused_end = false;
      if (s.predicates && !first) {
        const int64_t max = c_.cluster.nodes[i].max_pods;
        const bool full_start = max <= c_.start.PodCount(n), full_end = max <= possible_.PodCount(n);
        slots.first += !failed_end && full_start, slots.second += !failed_start && full_end;
        const auto refusal = static_cast<size_t>(static_[i]);
        const bool fixed_refusal = static_[i] != Static::kNone;
        fixed[refusal].first += !failed_end && fixed_refusal, fixed[refusal].second += !failed_start && fixed_refusal;
        const bool taken_start = s.ports && !c_.start.PortsFree(n, pod), taken_end = s.ports && !possible_.PortsFree(n, pod);
        ports.first += !failed_end && !fixed_refusal && taken_start, ports.second += !failed_start && !fixed_refusal && taken_end;
        free = free && !full_end && !fixed_refusal && !taken_end;
        refused_start = full_start || fixed_refusal || taken_start, refused_end = full_end || fixed_refusal || taken_end;
      }
      if (!policy.empty() && !first) {
        by_policy[policy].first += !failed_end && !refused_end;
        by_policy[policy].second += !failed_start && !refused_start;
      }
      if (free && b.feasible == kNone) b.feasible = n;
    }
    const auto all = static_cast<int64_t>(c_.cluster.nodes.size());
    const auto put = [&](std::string reason, std::pair<int64_t, int64_t> range, bool grows) {
      if (!bounded_) range.first = 0, range.second = grows ? all : range.second;
      if (range.second > 0) b.count.emplace(std::move(reason), range);
    };
    for (size_t r = 0; r < dims; r++) put("Insufficient " + std::string(c_.cluster.dims.Name(pod.request[r].dim)), resource[r], true);
    put(std::string(kPodNumber), slots, true), put(std::string(kPorts), ports, true);
    for (const Static refusal : {Static::kUnschedulable, Static::kAffinity, Static::kTaint}) put(std::string(Text(refusal)), fixed[static_cast<size_t>(refusal)], false);
    for (const auto& [text, range] : by_policy) put(text, range, false);
    return b;
  }

  const Cycle& c_;
  const Ceilings& ceilings_;
  const NodePolicies policies_;
  Room possible_;  ///< the end, with all that may have been in the way
  bool bounded_ = false;
  std::unordered_map<int, std::vector<Tentative>> of_group_;
  std::unordered_map<int, bool> failed_groups_;
  std::unordered_map<int, std::string> checked_;
  std::map<std::tuple<int, int, int>, Bounds> bounds_;
  int static_class_ = kNone;
  std::vector<Static> static_;
};

}  // namespace

bool ParsePossible(std::string_view text, std::string_view* pod, std::string_view* node, bool* released) {
  if (!TakePrefix(&text, "Pod ")) return false;
  const size_t at = text.find(" can possibly be assigned to ");
  if (at == std::string_view::npos) return false;
  *pod = text.substr(0, at);
  text.remove_prefix(at + std::string_view(" can possibly be assigned to ").size());
  const size_t comma = text.find(", ");
  if (comma == std::string_view::npos) return false;
  const std::string_view when = text.substr(comma + 2);
  *released = when == "once resource is released and minAvailable is satisfied";
  if (!*released && when != "once minAvailable is satisfied") return false;
  *node = text.substr(0, comma);
  return true;
}

void FindTentative(Cycle* c) {
  c->standing.assign(c->cluster.groups.size(), c->settings.gang_ready && !c->settings.gang_pipelined);
  for (size_t p = 0; p < c->after.status.size(); p++)
    if (c->after.status[p] == Status::kPipelined) c->standing[static_cast<size_t>(c->cluster.pods[p].group)] = 1;
  for (const PlanPod& x : c->plan.pods) {
    std::string_view of, name;
    bool released = false;
    const int pod = c->FindPod(x.key);
    if (pod == kNone) continue;
    c->told_now[static_cast<size_t>(pod)] = 1;
    if (!ParsePossible(x.message, &of, &name, &released) || c->PodAt(pod).group == kNone) continue;
    if (const int node = c->FindNode(name); node != kNone && of == x.key) c->tentative.push_back({pod, node, released});
  }
}

void CheckReasons(const Cycle& cycle, const Ceilings& ceilings) { Reasons(cycle, ceilings).Check(); }

}  // namespace basalt::verify

// Who is placed where: names, whether the pod may be placed at all, and what the nodes say to it.
#include <algorithm>
#include <map>

#include "report/verify_cycle.h"
#include "report/verify_node_policies.h"

namespace basalt::verify {
namespace {

// Why a pod may not be placed; empty where it may.
std::string Unplaceable(const Cycle& c, int p) {
  const Pod& pod = c.PodAt(p);
  const Status s = c.Before(p);
  if (IsFinished(s)) return "it has ended (" + std::string(StatusName(s)) + ")";
  if (s != Status::kPending) return "it is not pending (" + std::string(StatusName(s)) + ")";
  if (!pod.ours) return "it belongs to another scheduler";
  if (pod.gated) return "it has a scheduling gate";
  if (pod.group == kNone) return "it has no PodGroup" + (pod.group_key.empty() ? std::string() : ": " + pod.group_key + " is not there");
  if (!c.InSession(pod.group)) return "queue " + c.GroupAt(pod.group).queue_name + " of its PodGroup is not there";
  if (!pod.unsupported.empty()) return "it uses a rule that is not supported: " + pod.unsupported;
  if (!c.GroupAt(pod.group).unsupported.empty()) return "its PodGroup uses a rule that is not supported: " + c.GroupAt(pod.group).unsupported;
  return {};
}

void Place(Cycle* c, const PlanPlacement& p, Status status) {
  const char* what = status == Status::kPipelined ? "pipelined" : status == Status::kAllocated ? "held" : "bound";
  const int pod = c->FindPod(p.pod), node = c->FindNode(p.node);
  if (pod == kNone) c->Report(FindingKind::kUnknownName, "pod " + p.pod + " is " + what + " but is not in the input");
  if (node == kNone) c->Report(FindingKind::kUnknownName, "pod " + p.pod + " is " + what + " to node " + p.node + ", which is not in the input");
  if (pod == kNone || node == kNone) return;
  if (c->After(pod) != c->Before(pod)) return c->Report(FindingKind::kTwice, "pod " + p.pod + " is placed more than once, also on node " + p.node);
  if (const std::string why = Unplaceable(*c, pod); !why.empty())
    return c->Report(FindingKind::kNotOurs, "pod " + p.pod + " is " + what + " to node " + p.node + ": " + why);
  c->after.status[static_cast<size_t>(pod)] = status;
  c->after.node[static_cast<size_t>(pod)] = node, c->after.named_node[static_cast<size_t>(pod)] = 1;
}

void Evict(Cycle* c, const std::string& key) {
  const int pod = c->FindPod(key);
  if (pod == kNone) return c->Report(FindingKind::kUnknownName, "pod " + key + " is evicted but is not in the input");
  if (!c->settings.Evicts()) return c->Report(FindingKind::kEviction, "pod " + key + " is evicted though no action that evicts is configured");
  const Status s = c->After(pod);
  if (s != Status::kRunning && s != Status::kBound)
    return c->Report(FindingKind::kEviction, "pod " + key + " is evicted though it does not run (" + std::string(StatusName(s)) + ")");
  c->after.status[static_cast<size_t>(pod)] = Status::kReleasing;
  if (const int node = c->after.node[static_cast<size_t>(pod)]; node != kNone) c->end.Release(node, c->ClassOf(pod));
}

const char* Text(Static refusal) {
  switch (refusal) {
    case Static::kUnschedulable: return "the node is unschedulable";
    case Static::kAffinity: return "node selector or affinity does not match";
    case Static::kTaint: return "a taint is not tolerated";
    case Static::kNone: break;
  }
  return "";
}

}  // namespace

void TakePlacements(Cycle* c) {
  for (const std::string& key : c->plan.evicted) Evict(c, key);
  for (const auto& p : c->plan.binds) Place(c, p, p.held ? Status::kAllocated : Status::kBinding);
  for (const auto& p : c->plan.pipelined) Place(c, p, Status::kPipelined);
  for (size_t p = 0; p < c->after.status.size(); p++) {
    const Status s = c->after.status[p];
    if (s == c->before.status[p] || s == Status::kReleasing) continue;
    c->end.Hold(c->after.node[p], c->ClassOf(static_cast<int>(p)), s);
  }
}

void CheckNodes(const Cycle& c) {
  struct Newcomers {
    std::vector<int> pods;
    bool asks_idle = false, asks_future = false;  ///< one whose request is compared was bound, or pipelined
    int64_t unasked = 0;                          ///< best-effort pods: no room is compared for them
    std::vector<uint8_t> idle_dims, future_dims;  ///< dimensions that were compared
  };
  const NodePolicies policies(c);
  policies.CheckLimits();
  std::map<int, Newcomers> nodes;
  const auto dims = static_cast<size_t>(c.cluster.dims.Count());
  for (size_t p = 0; p < c.after.status.size(); p++) {
    const Status s = c.after.status[p];
    if (s == c.before.status[p] || s == Status::kReleasing) continue;
    Newcomers& n = nodes[c.after.node[p]];
    n.idle_dims.resize(dims), n.future_dims.resize(dims);
    n.pods.push_back(static_cast<int>(p));
    const PodClass& pod = c.ClassOf(static_cast<int>(p));
    if (pod.best_effort) {
      n.unasked++;
      continue;
    }
    for (const Amount& a : pod.request) {
      if (s != Status::kPipelined) n.idle_dims[static_cast<size_t>(a.dim)] = 1;
      n.future_dims[static_cast<size_t>(a.dim)] = 1;
    }
  }
  for (const auto& [node, n] : nodes) {
    const Node& object = c.cluster.nodes[static_cast<size_t>(node)];
    const auto at = [&] { return "node " + object.name + ": "; };
    for (int d = 0; d < static_cast<int>(dims); d++) {
      // Whoever was placed last found room, so none is missing at the end; only best-effort pods took their slot unasked, perhaps later.
      const int64_t unasked = d == kPods ? n.unasked : 0;
      const int64_t idle = SaturatingAdd(c.end.Idle(node, d), unasked), future = SaturatingAdd(c.end.Future(node, d), unasked);
      const auto short_of = [&](const char* what, int64_t left) {
        c.Report(FindingKind::kCapacity, at() + std::to_string(n.pods.size()) + " pods are placed, among them " + c.PodAt(n.pods.front()).key + ", and " + what + " " +
                                             c.cluster.dims.Text(d, left) + " is left");
      };
      if (n.idle_dims[static_cast<size_t>(d)] && idle < 0) short_of("idle", idle);
      else if (n.future_dims[static_cast<size_t>(d)] && future < 0) short_of("idle after terminations", future);
    }
    for (const int p : n.pods)
      if (const std::string why = policies.Refusal(p, node); !why.empty())
        c.Report(FindingKind::kNodeRule, "pod " + c.PodAt(p).key + " is placed on node " + object.name + ": " + why);
    if (!c.settings.predicates) continue;
    if (c.end.PodCount(node) > object.max_pods)
      c.Report(FindingKind::kPodSlots, at() + std::to_string(c.end.PodCount(node)) + " pods with " + c.PodAt(n.pods.front()).key + ", it takes " + std::to_string(object.max_pods));
    std::vector<const Port*> taken;
    for (const int p : n.pods) {
      const PodClass& pod = c.ClassOf(p);
      if (const Static refusal = StaticRefusal(c.settings, pod, object); refusal != Static::kNone)
        c.Report(FindingKind::kNodeRule, "pod " + c.PodAt(p).key + " is placed on node " + object.name + ": " + Text(refusal));
      if (!c.settings.ports || pod.ports.empty()) continue;
      const auto clash = [&](const Port& port) {
        return std::any_of(taken.begin(), taken.end(), [&](const Port* t) { return Clash(port, *t); });
      };
      const bool among_new = std::any_of(pod.ports.begin(), pod.ports.end(), clash);
      if (among_new || (!c.settings.Evicts() && !c.start.PortsFree(node, pod)))
        c.Report(FindingKind::kPorts, "pod " + c.PodAt(p).key + " is placed on node " + object.name + ": its host port " + std::to_string(pod.ports.front().port) + " is taken");
      for (const Port& port : pod.ports) taken.push_back(&port);
    }
  }
}

int Cycle::FindPod(const std::string& key) const {
  const auto it = cluster.pod_by_key.find(key);
  return it == cluster.pod_by_key.end() ? kNone : it->second;
}

int Cycle::FindNode(std::string_view name) const {
  const auto it = cluster.node_by_name.find(name);
  return it == cluster.node_by_name.end() ? kNone : it->second;
}

}  // namespace basalt::verify

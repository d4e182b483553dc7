#include "report/verify_node_policies.h"

#include <algorithm>
#include <map>

namespace basalt::verify {
namespace {

std::string_view Label(const Node& node, std::string_view key) {
  const auto it = node.labels.find(key);
  return it == node.labels.end() ? std::string_view() : it->second;
}
constexpr std::string_view kGroupLabel = "volcano.sh/nodegroup-name", kZoneLabel = "volcano.sh/revocable-zone";

bool In(const std::vector<std::string>& list, std::string_view name) { return std::find(list.begin(), list.end(), name) != list.end(); }

}  // namespace

// The queue whose affinity counts: the nearest one upwards that has one.
const Queue& NodePolicies::AffinityOf(int queue) const {
  const auto& queues = c_.cluster.queues;
  const Queue& own = queues[static_cast<size_t>(queue)];
  if (!c_.settings.node_group_inherits) return own;
  const Queue* at = &own;
  for (size_t steps = 0; steps <= queues.size(); steps++) {
    if (at->has_affinity) return *at;
    if (at->name == "root") break;
    const auto above = c_.cluster.queue_by_name.find(at->parent.empty() ? "root" : at->parent);
    if (above == c_.cluster.queue_by_name.end()) break;
    at = &queues[static_cast<size_t>(above->second)];
  }
  return own;
}

std::string_view NodePolicies::GroupRefusal(int group, int node) const {
  if (!c_.settings.node_group || !c_.InSession(group)) return {};
  const int queue = c_.GroupAt(group).queue;
  if (c_.cluster.queues[static_cast<size_t>(queue)].group_limits_invalid) return "node group resource limits annotation invalid";
  const Queue& q = AffinityOf(queue);
  const bool names_none = q.required.empty() && q.preferred.empty() && q.anti_required.empty() && q.anti_preferred.empty();
  const Node& object = c_.cluster.nodes[static_cast<size_t>(node)];
  if (object.labels.find(kGroupLabel) == object.labels.end()) return !c_.settings.node_group_strict && names_none ? "" : "node group label not found";
  if (names_none) return "node group affinity not specified";
  const std::string_view name = Label(object, kGroupLabel);
  const bool wanted = In(q.anti_preferred, name) || (!In(q.anti_required, name) && (In(q.required, name) || In(q.preferred, name)));
  return wanted ? "" : "node does not satisfy the node group affinity";
}

std::string NodePolicies::Refusal(int pod, int node) const {
  if (const std::string_view text = GroupRefusal(c_.PodAt(pod).group, node); !text.empty()) return std::string(text);
  if (!c_.settings.time_division) return {};
  const std::string zone(Label(c_.cluster.nodes[static_cast<size_t>(node)], kZoneLabel));
  if (zone.empty()) return {};
  if (!In(c_.settings.zones, zone)) return "revocable zone " + zone + " not support";
  return c_.PodAt(pod).revocable ? "" : "not allow to dispatch to revocable node";
}

bool NodePolicies::Countable(int group) const {
  if (c_.settings.time_division)
    for (const Node& n : c_.cluster.nodes)
      if (!Label(n, kZoneLabel).empty()) return false;
  return !c_.settings.node_group || !c_.InSession(group) || c_.cluster.queues[static_cast<size_t>(c_.GroupAt(group).queue)].group_limits.empty();
}

void NodePolicies::CheckLimits() const {
  if (!c_.settings.node_group) return;
  std::map<std::pair<int, std::string>, std::map<int, int64_t>> held;  // queue and node group -> dimension -> amount
  std::map<std::pair<int, std::string>, bool> placed;
  for (size_t p = 0; p < c_.after.status.size(); p++) {
    const int pod = static_cast<int>(p), group = c_.PodAt(pod).group, node = c_.after.node[p];
    if (!c_.InSession(group) || node == kNone) continue;
    const Status s = c_.After(pod);
    if (!IsAllocated(s) && s != Status::kPipelined) continue;
    const std::string name(Label(c_.cluster.nodes[static_cast<size_t>(node)], kGroupLabel));
    if (name.empty()) continue;
    const auto key = std::make_pair(c_.GroupAt(group).queue, name);
    for (const Amount& a : c_.ClassOf(pod).request) held[key][a.dim] = SaturatingAdd(held[key][a.dim], a.value);
    placed[key] |= s != c_.Before(pod) && !c_.ClassOf(pod).best_effort;
  }
  for (const auto& [key, amounts] : held) {
    const Queue& queue = c_.cluster.queues[static_cast<size_t>(key.first)];
    const auto limits = queue.group_limits.find(key.second);
    if (!placed[key] || limits == queue.group_limits.end()) continue;
    for (const Amount& limit : limits->second)
      if (const auto it = amounts.find(limit.dim); it != amounts.end() && it->second > limit.value && limit.dim != kPods)
        c_.Report(FindingKind::kQueue, "queue " + queue.name + ": its pods have " + c_.cluster.dims.Text(limit.dim, it->second) + " in node group " + key.second +
                                           ", its limit there is " + c_.cluster.dims.Text(limit.dim, limit.value));
  }
}

}  // namespace basalt::verify

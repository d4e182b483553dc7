#include "report/verify_cluster.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "report/verify_quotas.h"
#include "snapshot/config_value.h"

namespace basalt::verify {
namespace {

std::optional<std::string_view> Find(std::span<const objects::KeyValue> list, std::string_view key) {
  for (const auto& kv : list)
    if (kv.key == key) return kv.value;
  return std::nullopt;
}

template <class Int>
std::optional<Int> ParseInt(std::string_view s) {
  if (s.starts_with('+')) s.remove_prefix(1);
  Int v{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  return !s.empty() && error == std::errc() && end == s.data() + s.size() ? std::optional(v) : std::nullopt;
}

std::string KeyOf(const objects::Meta& meta) { return std::string(meta.namespace_) + "/" + std::string(meta.name); }

Status StatusOf(const objects::Pod& pod) {
  switch (pod.phase) {
    case objects::PodPhase::kSucceeded: return Status::kSucceeded;
    case objects::PodPhase::kFailed: return Status::kFailed;
    case objects::PodPhase::kRunning: return pod.meta.deleting ? Status::kReleasing : Status::kRunning;
    case objects::PodPhase::kPending: return pod.meta.deleting ? Status::kReleasing : pod.node_name.empty() ? Status::kPending : Status::kBound;
    default: return Status::kUnknown;
  }
}

// Fields one after another, each with its length, so that different lists never read alike.
struct KeyWriter {
  std::string text;
  void Put(std::string_view s) { text.append(std::to_string(s.size())).append(":").append(s); }
  void Put(int64_t v) { text.append(std::to_string(v)).append(";"); }
};

NamedQuantities NamedOf(objects::ResourceList list) {
  NamedQuantities out;
  for (const auto& r : list) out.emplace_back(r.name, r.amount);
  return out;
}

}  // namespace

std::string_view StatusName(Status status) {
  static constexpr std::string_view kNames[kStatusCount] = {"Pending", "Allocated", "Pipelined", "Binding", "Bound",
                                                            "Running", "Releasing", "Succeeded", "Failed",  "Unknown"};
  return kNames[static_cast<int>(status)];
}

void Cluster::Add(const Decoded& object) {
  if (object.set_aside) return;
  using objects::Kind;
  switch (object.kind) {
    case Kind::kNode: return AddNode(*object.node);
    case Kind::kPod: return AddPod(*object.pod);
    case Kind::kPodGroup: return AddGroup(*object.pod_group);
    case Kind::kQueue: return AddQueue(*object.queue);
    case Kind::kResourceQuota: return AddQuota(*object.meta, *object.resource_quota);
    case Kind::kConfigMap:
      if (!object.config_map->has_scheduler_conf || (has_config && object.meta->resource_version < config_version_)) return;
      has_config = true, config = object.config_map->scheduler_conf, config_version_ = object.meta->resource_version;
      return;
    default: return;
  }
}

void Cluster::AddNode(const objects::Node& o) {
  const auto [it, added] = node_by_name.try_emplace(std::string(o.meta.name), static_cast<int>(nodes.size()));
  if (added) nodes.emplace_back(), nodes_read++;
  Node& node = nodes[static_cast<size_t>(it->second)];
  if (!added && o.meta.resource_version < node.resource_version) return;
  node = {};
  node.name = o.meta.name, node.resource_version = o.meta.resource_version, node.unschedulable = o.unschedulable;
  for (const auto& t : o.taints) node.taints.push_back({std::string(t.key), std::string(t.value), t.effect});
  for (const auto& [key, value] : o.meta.labels) node.labels.emplace(key, value);
  node.allocatable = AmountsOf(o.allocatable);
  for (Amount& a : node.allocatable) {
    if (a.dim == kPods) node.max_pods = a.value;
    if (a.dim == kCpu || a.dim == kMemory) {
      const auto more = Find(o.meta.annotations, a.dim == kCpu ? "volcano.sh/oversubscription-cpu" : "volcano.sh/oversubscription-memory");
      if (more) a.value = SaturatingAdd(a.value, ParseInt<int64_t>(*more).value_or(0));
    }
    a.value = std::min(a.value, kAmountLimit - 1);
  }
}

int Cluster::ClassOf(const objects::Pod& o) {
  PodClass c;
  KeyWriter key;
  c.request = RequestOf(o);
  c.best_effort = std::all_of(c.request.begin(), c.request.end(), [](const Amount& a) { return a.dim == kPods || a.value <= 0; });
  for (const Amount& a : c.request) key.Put(a.dim), key.Put(a.value);
  key.Put("selector");
  for (const auto& [k, v] : o.node_selector) c.selector.emplace_back(k, v), key.Put(k), key.Put(v);
  c.has_required = o.has_required_affinity;
  key.Put(c.has_required);
  const auto take = [&key](std::span<const objects::Requirement> list) {
    std::vector<Requirement> out;
    key.Put(static_cast<int64_t>(list.size()));
    for (const auto& r : list) {
      Requirement& q = out.emplace_back(Requirement{std::string(r.key), r.op, {}});
      key.Put(r.key), key.Put(static_cast<int64_t>(r.op)), key.Put(static_cast<int64_t>(r.values.size()));
      for (const auto v : r.values) q.values.emplace_back(v), key.Put(v);
    }
    return out;
  };
  for (const auto& t : o.required_terms) {
    Term& term = c.required.emplace_back();
    term.expressions = take(t.expressions), term.fields = take(t.fields);
  }
  key.Put("tolerations");
  for (const auto& t : o.tolerations) {
    c.tolerations.push_back({std::string(t.key), std::string(t.value), t.op, t.effect});
    key.Put(t.key), key.Put(t.value), key.Put(static_cast<int64_t>(t.op)), key.Put(static_cast<int64_t>(t.effect));
  }
  key.Put("ports");
  const auto ports = [&](const objects::Container& container) {
    for (const auto& p : container.host_ports) {
      const std::string_view ip = p.ip == "0.0.0.0" ? std::string_view() : p.ip;
      c.ports.push_back({std::string(ip), p.port, p.protocol});
      key.Put(ip), key.Put(p.port), key.Put(static_cast<int64_t>(p.protocol));
    }
  };
  for (const auto& container : o.containers) ports(container);
  for (const auto& container : o.init_containers)
    if (container.restart_always) ports(container);
  const auto [it, added] = class_by_key_.try_emplace(std::move(key.text), static_cast<int>(classes.size()));
  if (added) classes.push_back(std::move(c));
  return it->second;
}

void Cluster::AddPod(const objects::Pod& o) {
  const std::string key = KeyOf(o.meta);
  const bool ours = std::any_of(options_.scheduler_names.begin(), options_.scheduler_names.end(),
                                [&](const std::string& n) { return n == "*" || n == o.scheduler_name; });
  if (pod_keys_.insert(key).second) pods_read++;
  const auto known = pod_by_key.find(key);
  if (known != pod_by_key.end() && o.meta.resource_version < pods[static_cast<size_t>(known->second)].resource_version) return;
  if (!ours && o.node_name.empty()) {
    // A pod of another scheduler that is not placed yet does not exist for us.
    if (known != pod_by_key.end()) pods[static_cast<size_t>(known->second)] = {}, pod_by_key.erase(known);
    return;
  }
  if (known == pod_by_key.end()) pod_by_key.emplace(key, static_cast<int>(pods.size())), pods.emplace_back();
  Pod& pod = pods[static_cast<size_t>(pod_by_key[key])];
  pod = {};
  pod.key = key;
  pod.uid = o.meta.uid.empty() ? key : std::string(o.meta.uid);
  pod.resource_version = o.meta.resource_version, pod.creation_seconds = o.meta.creation_seconds;
  pod.ours = ours;
  pod.status = StatusOf(o), pod.node_name = o.node_name;
  pod.unsupported = o.unsupported_field;
  pod.gated = !o.scheduling_gates.empty();
  pod.only_volcano_gate = o.scheduling_gates.size() == 1 && o.scheduling_gates[0] == "scheduling.volcano.sh/queue-allocation-gate";
  pod.told = o.scheduled_condition && o.scheduled_condition->status == "False";
  auto role = Find(o.meta.annotations, "volcano.sh/task-spec");
  if (!role) role = Find(o.meta.labels, "volcano.sh/task-spec");
  pod.role = role.value_or("");
  const std::string_view group = Find(o.meta.annotations, "scheduling.k8s.io/group-name").value_or("");
  if (!group.empty()) {
    pod.group_key = std::string(o.meta.namespace_) + "/" + std::string(group);
  } else if (ours && options_.implied_pod_groups) {
    pod.implies_group = true;
    pod.group_key = std::string(o.meta.namespace_) + "/podgroup-" + (o.meta.controller_uid.empty() ? pod.uid : std::string(o.meta.controller_uid));
    pod.queue_hint = Find(o.meta.annotations, "scheduling.volcano.sh/queue-name").value_or("");
    pod.group_min_hint = ParseInt<int32_t>(Find(o.meta.annotations, "scheduling.volcano.sh/group-min-member").value_or("")).value_or(1);
  }
  auto preemptable = Find(o.meta.annotations, "volcano.sh/preemptable");
  if (!preemptable) preemptable = Find(o.meta.labels, "volcano.sh/preemptable");
  if (preemptable) {
    pod.preemptable = false;
    for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) pod.preemptable |= *preemptable == yes;
  }
  pod.critical = o.priority_class_name == "system-cluster-critical" || o.priority_class_name == "system-node-critical" || o.meta.namespace_ == "kube-system";
  // A zone annotation has to be "*"; without one, a pod that says it may be preempted may be revoked too.
  if (const auto zone = Find(o.meta.annotations, "volcano.sh/revocable-zone")) pod.revocable = *zone == "*";
  else if (const auto text = Find(o.meta.annotations, "volcano.sh/preemptable"))
    for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) pod.revocable |= *text == yes;
  pod.cls = ClassOf(o);
}

void Cluster::AddGroup(const objects::PodGroup& o) {
  const auto [it, added] = group_by_key.try_emplace(KeyOf(o.meta), static_cast<int>(groups.size()));
  if (added) groups.emplace_back(), groups_read++;
  Group& group = groups[static_cast<size_t>(it->second)];
  if (!added && o.meta.resource_version < group.resource_version) return;
  group = {};
  group.key = it->first;
  group.resource_version = o.meta.resource_version;
  group.queue_name = o.queue.empty() ? options_.default_queue : std::string(o.queue);
  for (const std::string_view known : {"Pending", "Inqueue", "Running", "Unknown", "Completed"})
    if (o.phase == known) group.phase = known;
  group.unsupported = o.unsupported_field;
  group.min_member = o.min_member;
  for (const auto& t : o.min_task_member) group.role_min.emplace_back(t.role, t.min), group.role_min_total += t.min;
  group.has_min_resources = o.has_min_resources, group.min_resources = AmountsOf(o.min_resources);
  group.min_named = NamedOf(o.min_resources);
}

void Cluster::AddQuota(const objects::Meta& meta, const objects::ResourceQuota& o) {
  const auto [it, added] = quotas.try_emplace(KeyOf(meta));
  if (added || meta.resource_version >= it->second.resource_version) it->second = {meta.resource_version, NamedOf(o.hard), NamedOf(o.used)};
}

void Cluster::AddQueue(const objects::Queue& o) {
  const auto [it, added] = queue_by_name.try_emplace(std::string(o.meta.name), static_cast<int>(queues.size()));
  if (added) queues.emplace_back(), queues_read++;
  Queue& queue = queues[static_cast<size_t>(it->second)];
  if (!added && o.meta.resource_version < queue.resource_version) return;
  const bool open = o.state.empty() || o.state == "Open";
  queue = {};
  queue.name = it->first, queue.parent = o.parent, queue.resource_version = o.meta.resource_version, queue.open = open, queue.reclaimable = o.reclaimable, queue.weight = o.weight;
  queue.capability = AmountsOf(o.capability), queue.guarantee = AmountsOf(o.guarantee), queue.deserved = AmountsOf(o.deserved);
  queue.has_affinity = o.affinity.present;
  queue.required.assign(o.affinity.required.begin(), o.affinity.required.end());
  queue.preferred.assign(o.affinity.preferred.begin(), o.affinity.preferred.end());
  queue.anti_required.assign(o.affinity.anti_required.begin(), o.affinity.anti_required.end());
  queue.anti_preferred.assign(o.affinity.anti_preferred.begin(), o.affinity.anti_preferred.end());
  if (const auto text = Find(o.meta.annotations, "volcano.sh/nodegroup-resource-limits"); text && !text->empty()) ReadGroupLimits(*text, &queue);
}

// A text that cannot be read shuts the queue out of every node.
void Cluster::ReadGroupLimits(std::string_view text, Queue* queue) {
  using Type = ConfigValue::Type;
  ConfigValue root;
  std::string why;
  queue->group_limits_invalid = !ParseConfigText(text, &root, &why) || root.type != Type::kMap;
  for (const auto& [group, list] : root.map) {
    queue->group_limits_invalid |= list.type != Type::kMap;
    std::vector<objects::Resource> resources;
    for (const auto& [name, v] : list.map) {
      const std::string written = v.type == Type::kString ? v.string : v.type == Type::kInt ? std::to_string(v.integer) : v.type == Type::kFloat ? std::to_string(v.number) : "";
      const auto amount = Quantity::Parse(written);
      queue->group_limits_invalid |= !amount;
      if (amount) resources.push_back({name, *amount});
    }
    queue->group_limits[group] = AmountsOf(resources);
  }
}

int Cluster::QueueIndex(const std::string& name) const {
  const auto it = queue_by_name.find(name);
  return it == queue_by_name.end() ? kNone : it->second;
}

void Cluster::Finish() {
  for (const std::string& name : {std::string("root"), options_.default_queue})
    if (queue_by_name.try_emplace(name, static_cast<int>(queues.size())).second) queues.emplace_back().name = name;
  const size_t read = groups.size();
  for (size_t i = 0; i < pods.size(); i++) {
    Pod& pod = pods[i];
    if (pod.key.empty()) continue;
    if (const auto it = node_by_name.find(pod.node_name); it != node_by_name.end()) pod.node = it->second;
    if (pod.group_key.empty()) continue;
    auto it = group_by_key.find(pod.group_key);
    if (it == group_by_key.end() && pod.implies_group) {
      it = group_by_key.emplace(pod.group_key, static_cast<int>(groups.size())).first;
      groups.emplace_back();
      groups.back().key = pod.group_key;
    }
    if (it == group_by_key.end()) continue;
    pod.group = it->second;
    groups[static_cast<size_t>(pod.group)].members.push_back(static_cast<int>(i));
  }
  for (size_t g = 0; g < groups.size(); g++) {
    Group& group = groups[g];
    if (g >= read) {
      // Volcano's controller makes the group of an owner from one pod: the oldest, then the lowest name.
      const Pod* first = nullptr;
      for (const int m : group.members) {
        const Pod& pod = pods[static_cast<size_t>(m)];
        if (!first || std::tie(pod.creation_seconds, pod.key) < std::tie(first->creation_seconds, first->key)) first = &pod;
      }
      group.min_member = std::max(first->group_min_hint, 0);
      group.queue_name = first->queue_hint.empty() ? options_.default_queue : first->queue_hint;
      group.has_min_resources = true;
      group.min_resources = classes[static_cast<size_t>(first->cls)].request;
      for (Amount& a : group.min_resources) a.value = std::min(SaturatingMul(a.value, group.min_member), kAmountLimit);
      group.min_named = QuotaNames(dims, group.min_resources);
    }
    group.queue = QueueIndex(group.queue_name);
  }
}

}  // namespace basalt::verify

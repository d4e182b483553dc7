#include "snapshot/store.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "snapshot/class_builder.h"
#include "snapshot/resources.h"
#include "snapshot/time.h"

namespace basalt {
namespace {

// Go's strconv.ParseBool.
std::optional<bool> ParseGoBool(std::string_view s) {
  for (std::string_view t : {"1", "t", "T", "TRUE", "true", "True"})
    if (s == t) return true;
  for (std::string_view f : {"0", "f", "F", "FALSE", "false", "False"})
    if (s == f) return false;
  return std::nullopt;
}

// An annotation, else the label of the same name: absent gives `absent`, unparsable false.
bool FlagOf(const objects::Meta& meta, std::string_view key, bool absent) {
  bool found = false;
  std::string_view text = annotations::Find(meta.annotations, key, &found);
  if (!found) text = annotations::Find(meta.labels, key, &found);
  return found ? ParseGoBool(text).value_or(false) : absent;
}

std::string KeyOf(const objects::Meta& meta) {
  std::string key;
  key.reserve(meta.namespace_.size() + 1 + meta.name.size());
  key.append(meta.namespace_).append("/").append(meta.name);
  return key;
}

template <class Int>
std::optional<Int> ParseInt(std::string_view s) {
  if (!s.empty() && s.front() == '+') s.remove_prefix(1);
  Int v{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  return !s.empty() && error == std::errc() && end == s.data() + s.size() ? std::optional(v) : std::nullopt;
}

// The last '-' part of a name that has at least three parts.
int64_t NameIndex(std::string_view name) {
  const size_t last = name.rfind('-');
  if (last == std::string_view::npos || last == 0 || name.rfind('-', last - 1) == std::string_view::npos) return -1;
  return ParseInt<int64_t>(name.substr(last + 1)).value_or(-1);
}

TaskStatus StatusOf(const objects::Pod& pod) {
  using objects::PodPhase;
  switch (pod.phase) {
    case PodPhase::kRunning: return pod.meta.deleting ? TaskStatus::kReleasing : TaskStatus::kRunning;
    case PodPhase::kPending:
      return pod.meta.deleting ? TaskStatus::kReleasing : pod.node_name.empty() ? TaskStatus::kPending : TaskStatus::kBound;
    case PodPhase::kSucceeded: return TaskStatus::kSucceeded;
    case PodPhase::kFailed: return TaskStatus::kFailed;
    default: return TaskStatus::kUnknown;
  }
}

GroupPhase PhaseOf(std::string_view text) {
  if (text == "Pending") return GroupPhase::kPending;
  if (text == "Inqueue") return GroupPhase::kInqueue;
  if (text == "Running") return GroupPhase::kRunning;
  if (text == "Unknown") return GroupPhase::kUnknown;
  if (text == "Completed") return GroupPhase::kCompleted;
  return GroupPhase::kEmpty;
}

constexpr std::string_view kVolcanoGate = "scheduling.volcano.sh/queue-allocation-gate";

// Sums wrap instead of trapping where hostile input exceeds int64, so what is added can always be taken away again.
void AddWrapping(int64_t* sum, int64_t amount) { *sum = static_cast<int64_t>(static_cast<uint64_t>(*sum) + static_cast<uint64_t>(amount)); }

// Tasks on a node hold its room until they have ended.
bool IsResident(const PodRow& p) { return p.node && !IsFinished(p.status); }

}  // namespace

Store::Store(StoreOptions options) : options_(std::move(options)) {
  nodes.well_known.empty = names.Intern("");
  nodes.well_known.unschedulable_taint_key = names.Intern("node.kubernetes.io/unschedulable");
  nodes.well_known.group_column = LabelColumnOf(names.Intern("volcano.sh/nodegroup-name"));
  nodes.well_known.zone_column = LabelColumnOf(names.Intern("volcano.sh/revocable-zone"));
  nodes.taint_sets.emplace_back();
  taint_set_by_key_.emplace("", 0);
  Resource("cpu"), Resource("memory"), Resource("pods");
  if (options_.implied_queues)
    for (const std::string& name : {std::string("root"), options_.default_queue}) {
      QueueRow& q = queues[QueueRowOf(name).value];
      q.present = q.implied = true;
      q.reclaimable = name != "root";
    }
}

// ---- names and small tables ----

ResourceId Store::NameResource(std::string_view name) {
  const StringId text = names.Intern(name);
  const auto [it, added] = resource_by_name_.try_emplace(text.value, static_cast<uint32_t>(resource_names_.size()));
  if (added) {
    resource_names_.push_back(text);
    resource_asked_.push_back(false);
    resource_order_.clear();
    for (auto* columns : {&nodes.allocatable, &nodes.idle, &nodes.future}) columns->emplace_back().Share(zeros_);
  }
  return ResourceId{it->second};
}

ResourceId Store::Resource(std::string_view name) {
  const ResourceId id = NameResource(name);
  if (resource_asked_[id.value]) return id;
  resource_asked_[id.value] = true;
  for (uint32_t row = 0; row < node_other_.size(); row++) {
    auto& other = node_other_[row];
    const auto it = std::lower_bound(other.begin(), other.end(), id, [](const ResourceAmount& a, ResourceId r) { return a.id < r; });
    if (it == other.end() || it->id != id) continue;
    OwnColumns(id);
    // Whoever holds some on a node has asked for it.
    nodes.allocatable[id.value][row] = nodes.idle[id.value][row] = nodes.future[id.value][row] = it->amount;
    other.erase(it);
  }
  return id;
}

Store::NodeAmounts Store::AmountsOn(NodeId node, ResourceId resource) const {
  const uint32_t row = node.value, r = resource.value;
  if (resource_asked_[r]) return {nodes.allocatable[r][row], nodes.idle[r][row], nodes.future[r][row]};
  for (const ResourceAmount& a : node_other_[row])
    if (a.id == resource) return {a.amount, a.amount, a.amount};
  return {};
}

void Store::OwnColumns(ResourceId id) {
  if (!nodes.idle[id.value].IsShared()) return;
  for (auto* columns : {&nodes.allocatable, &nodes.idle, &nodes.future}) (*columns)[id.value].Own(nodes.rows);
  own_columns_.push_back(id);
}

const std::vector<ResourceId>& Store::ResourceOrder() {
  if (resource_order_.empty()) {
    for (uint32_t i = 0; i < resource_names_.size(); i++) resource_order_.push_back(ResourceId{i});
    std::sort(resource_order_.begin() + 2, resource_order_.end(), [this](ResourceId a, ResourceId b) { return ResourceName(a) < ResourceName(b); });
  }
  return resource_order_;
}

NodeId Store::FindNode(StringId name) const {
  const auto it = name ? node_by_name_.find(name.value) : node_by_name_.end();
  return it == node_by_name_.end() ? NodeId{} : NodeId{it->second};
}
NodeId Store::FindNode(std::string_view name) const { return FindNode(names.Find(name)); }
JobId Store::FindJob(std::string_view key) const {
  const auto it = job_by_key_.find(key);
  return it == job_by_key_.end() ? JobId{} : JobId{it->second};
}
PodId Store::FindPod(std::string_view key) const {
  const auto it = pod_by_key_.find(key);
  return it == pod_by_key_.end() ? PodId{} : PodId{it->second};
}
QueueId Store::FindQueue(std::string_view name) const {
  const StringId text = names.Find(name);
  const auto it = text ? queue_by_name_.find(text.value) : queue_by_name_.end();
  return it == queue_by_name_.end() ? QueueId{} : QueueId{it->second};
}

QueueId Store::QueueRowOf(std::string_view name) {
  const StringId text = names.Intern(name);
  const auto [it, added] = queue_by_name_.try_emplace(text.value, static_cast<uint32_t>(queues.size()));
  if (added) {
    queues.emplace_back();
    queues.back().name = text;
    queues.back().in_use = true;
  }
  return QueueId{it->second};
}

// ---- nodes ----

void Store::GrowNodeColumns() {
  const size_t rows = nodes.rows;
  nodes.present.Resize(rows), nodes.unschedulable.Resize(rows), nodes.name.Resize(rows), nodes.rank.Resize(rows), nodes.taint_set.Resize(rows);
  const int64_t* const zeros = zeros_.data();
  zeros_.Resize(rows);
  for (auto* columns : {&nodes.allocatable, &nodes.idle, &nodes.future}) {
    for (const ResourceId id : own_columns_) (*columns)[id.value].Resize(rows);
    if (zeros_.data() == zeros) continue;
    for (auto& c : *columns)
      if (c.IsShared()) c.Share(zeros_);
  }
  for (auto& c : nodes.capacity) c.Resize(rows);
  nodes.max_pods.Resize(rows), nodes.pod_count.Resize(rows);
  for (auto& c : nodes.kube_allocatable) c.Resize(rows);
  for (auto& c : nodes.kube_inverse) c.Resize(rows);
  for (auto& c : nodes.kube_requested) c.Resize(rows);
  for (auto& c : nodes.kube_nonzero) c.Resize(rows);
  for (auto& l : nodes.labels) l.value.Resize(rows), l.number.Resize(rows), l.has_number.Resize(rows);
  group_changed.Resize(PaddedRows(rows) / kRowPad);
  nodes.images.resize(rows), nodes.ports.resize(rows), nodes.object_generation.resize(rows);
  node_pods.resize(rows), node_other_.resize(rows), node_labels_.resize(rows), node_versions_.resize(rows), node_image_sizes_.resize(rows);
}

NodeId Store::NodeRowOf(std::string_view name) {
  const StringId text = names.Intern(name);
  const auto [it, added] = node_by_name_.try_emplace(text.value, 0);
  if (added) {
    uint32_t row;
    if (!free_nodes_.empty()) {
      row = free_nodes_.back();
      free_nodes_.pop_back();
    } else {
      row = static_cast<uint32_t>(nodes.rows++);
      GrowNodeColumns();
    }
    it->second = row;
    nodes.name[row] = text.value;
    unsorted_nodes_.push_back(row);
    ranks_dirty_ = true;
  }
  return NodeId{it->second};
}

void Store::FreeNodeIfUnused(NodeId id) {
  const uint32_t row = id.value;
  if (nodes.present[row] || !node_pods[row].empty()) return;
  node_by_name_.erase(nodes.name[row]);
  nodes.name[row] = StringId::kNoneValue;
  nodes.rank[row] = UINT64_MAX;
  std::erase(sorted_nodes_, row), std::erase(unsorted_nodes_, row);
  node_versions_[row] = 0;
  free_nodes_.push_back(row);
}

void Store::SetAllocatable(NodeId id, ResourceId resource, int64_t amount) {
  const uint32_t row = id.value, r = resource.value;
  const int64_t delta = amount - AmountsOn(id, resource).allocatable;
  if (delta == 0) return;
  total_allocatable.Add(resource, delta);
  if (resource_asked_[r]) {
    OwnColumns(resource);
    nodes.allocatable[r][row] = amount;
    AddWrapping(&nodes.idle[r][row], delta);
    AddWrapping(&nodes.future[r][row], delta);
    return;
  }
  auto& other = node_other_[row];
  const auto it = std::lower_bound(other.begin(), other.end(), resource, [](const ResourceAmount& a, ResourceId wanted) { return a.id < wanted; });
  if (it == other.end() || it->id != resource) other.insert(it, {resource, amount});
  else if (amount == 0) other.erase(it);
  else it->amount = amount;
}

void Store::KeepAllocatable(NodeId id, const std::vector<ResourceId>& named) {
  std::vector<ResourceId> gone;
  const auto look = [&](ResourceId r) {
    if (!std::binary_search(named.begin(), named.end(), r)) gone.push_back(r);
  };
  for (const ResourceId r : own_columns_)
    if (nodes.allocatable[r.value][id.value] != 0) look(r);
  for (const ResourceAmount& a : node_other_[id.value]) look(a.id);
  for (const ResourceId r : gone) SetAllocatable(id, r, 0);
}

uint32_t Store::LabelColumnOf(StringId key) {
  const auto [it, added] = label_column_by_key_.try_emplace(key.value, static_cast<uint32_t>(nodes.labels.size()));
  if (added) {
    nodes.labels.emplace_back();
    LabelColumn& column = nodes.labels.back();
    column.key = key;
    column.value.Resize(nodes.rows), column.number.Resize(nodes.rows), column.has_number.Resize(nodes.rows);
    for (uint32_t row = 0; row < nodes.rows; row++) FillLabels(NodeId{row});
  }
  return it->second;
}

void Store::FillLabels(NodeId id) {
  const uint32_t row = id.value;
  for (LabelColumn& column : nodes.labels) {
    const auto& labels = node_labels_[row];
    const auto it = std::lower_bound(labels.begin(), labels.end(), column.key, [](const LabelPair& l, StringId k) { return l.key < k; });
    const bool has = it != labels.end() && it->key == column.key;
    const auto number = has ? ParseInt<int64_t>(names.Text(it->value)) : std::nullopt;
    column.value[row] = has ? it->value.value : StringId::kNoneValue;
    column.number[row] = number.value_or(0);
    column.has_number[row] = number.has_value();
  }
}

uint32_t Store::TaintSetOf(std::span<const objects::Taint> taints) {
  std::string key;
  std::vector<TaintRow> rows;
  for (const objects::Taint& t : taints) {
    rows.push_back({names.Intern(t.key), names.Intern(t.value), t.effect});
    const uint32_t parts[3] = {rows.back().key.value, rows.back().value.value, static_cast<uint32_t>(t.effect)};
    key.append(reinterpret_cast<const char*>(parts), sizeof parts);
  }
  const auto [it, added] = taint_set_by_key_.try_emplace(std::move(key), static_cast<uint32_t>(nodes.taint_sets.size()));
  if (added) nodes.taint_sets.push_back(std::move(rows));
  return it->second;
}

bool Store::Selected(const objects::Node& node) const {
  const auto& wanted = options_.node_selector;
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const auto& pair) {
    bool found = false;
    const std::string_view value = annotations::Find(node.meta.labels, pair.first, &found);
    return found && value == pair.second;
  });
}

void Store::SetShard(const std::vector<std::string_view>& nodes) {
  std::unordered_set<uint32_t> set;
  for (const std::string_view node : nodes) set.insert(names.Intern(node).value);
  if (shard.restricts && shard.nodes == set) return;
  shard = {true, shard.version + 1, std::move(set)};
  generation++;
}

void Store::UpsertNode(const objects::Node& node) {
  const NodeId id = NodeRowOf(node.meta.name);
  const uint32_t row = id.value;
  if (!nodes.present[row]) nodes.present[row] = 1, nodes.present_count++;
  nodes.unschedulable[row] = node.unschedulable;
  nodes.taint_set[row] = TaintSetOf(node.taints);

  auto& labels = node_labels_[row];
  labels.clear();
  for (const auto& [key, value] : node.meta.labels) labels.push_back({names.Intern(key), names.Intern(value)});
  std::sort(labels.begin(), labels.end(), [](const LabelPair& a, const LabelPair& b) { return a.key < b.key; });
  FillLabels(id);

  std::vector<ResourceId> named;
  for (const objects::Resource& a : node.allocatable)
    if (KindOfResource(a.name) != ResourceKind::kDropped) named.push_back(NameResource(a.name));
  std::sort(named.begin(), named.end());
  KeepAllocatable(id, named);
  std::array<int64_t, 3> kube{};
  int64_t max_pods = 0;
  for (const objects::Resource& a : node.allocatable) {
    const ResourceKind kind = KindOfResource(a.name);
    if (kind == ResourceKind::kDropped) continue;
    int64_t amount = std::min(AmountOf(kind, a.amount), kAmountMax - 1);
    if (kind == ResourceKind::kPods) max_pods = amount;
    if (a.name == kAcceleratorName) kube[kKubeAccelerator] = std::min(a.amount.Value(), kAmountMax - 1);
    if (kind == ResourceKind::kCpu) kube[kKubeCpu] = amount;
    if (kind == ResourceKind::kMemory) kube[kKubeMemory] = amount;
    // Oversubscription enlarges Volcano's amounts whether or not the node carries the label; Kubernetes' own scorers do not see it.
    if (kind == ResourceKind::kCpu || kind == ResourceKind::kMemory) {
      const std::string_view text =
          annotations::Find(node.meta.annotations, kind == ResourceKind::kCpu ? "volcano.sh/oversubscription-cpu" : "volcano.sh/oversubscription-memory");
      if (const auto extra = ParseInt<int64_t>(text)) amount = std::clamp(SaturatingAdd(amount, *extra), -kAmountMax, kAmountMax - 1);
    }
    SetAllocatable(id, NameResource(a.name), amount);
  }
  nodes.max_pods[row] = max_pods;
  nodes.capacity[0][row] = nodes.capacity[1][row] = 0;
  for (const objects::Resource& c : node.capacity) {
    const ResourceKind kind = KindOfResource(c.name);
    if (kind == ResourceKind::kCpu || kind == ResourceKind::kMemory) nodes.capacity[kind == ResourceKind::kMemory][row] = std::min(AmountOf(kind, c.amount), kAmountMax - 1);
  }
  for (int d = 0; d < 3; d++) nodes.SetKubeAllocatable(d, row, kube[d]);

  auto& images = node_image_sizes_[row];
  const bool had_images = !images.empty();
  images.clear();
  for (const objects::Image& image : node.images)
    for (std::string_view name : image.names) images.emplace_back(names.Intern(name), image.size_bytes);
  if (had_images || !images.empty()) images_dirty_ = true;
  node_versions_[row] = node.meta.resource_version;
  nodes.object_generation[row]++;
  nodes_generation++;
  Touch(row);
}

// ---- classes ----

ClassId Store::ClassOf(const objects::Pod& pod) {
  thread_local ClassBuilder builder;
  builder.Build(pod, this);
  const auto it = class_by_key_.find(builder.key());
  if (it != class_by_key_.end()) return ClassId{it->second};
  uint32_t at;
  if (!free_classes_.empty()) {
    at = free_classes_.back();
    free_classes_.pop_back();
  } else {
    at = static_cast<uint32_t>(classes.size());
    classes.emplace_back();
    class_keys_.emplace_back();
  }
  classes[at] = builder.row();
  classes[at].users = 0;
  classes[at].generation = ++class_generation_;
  class_keys_[at] = builder.key();
  class_by_key_.emplace(builder.key(), at);
  return ClassId{at};
}

void Store::ReleaseClass(ClassId id) {
  if (--classes[id.value].users) return;
  class_by_key_.erase(class_keys_[id.value]);
  class_keys_[id.value].clear();
  classes[id.value] = {};
  classes[id.value].generation = ++class_generation_;
  free_classes_.push_back(id.value);
}

// ---- jobs ----

JobId Store::JobRowOf(std::string_view key) {
  if (const auto it = job_by_key_.find(key); it != job_by_key_.end()) return JobId{it->second};
  uint32_t at;
  if (!free_jobs_.empty()) {
    at = free_jobs_.back();
    free_jobs_.pop_back();
  } else {
    at = static_cast<uint32_t>(jobs.size());
    jobs.emplace_back();
  }
  const auto it = job_by_key_.emplace(std::string(key), at).first;
  JobRow& job = jobs[at];
  job.key = it->first;
  job.in_use = true;
  job.namespace_ = names.Intern(key.substr(0, key.find('/')));
  return JobId{at};
}

void Store::FreeJobIfUnused(JobId id) {
  JobRow& job = jobs[id.value];
  if (!job.in_use || !job.pods.empty() || (job.has_group && !job.implied)) return;
  const std::string key(job.key);
  const bool stale = job.implied_stale;
  job = {};
  job.implied_stale = stale;  // still listed; Prepare() takes it off
  job_by_key_.erase(key);
  free_jobs_.push_back(id.value);
}

void Store::MarkImplied(JobId id) {
  if (jobs[id.value].implied_stale) return;
  jobs[id.value].implied_stale = true;
  implied_.push_back(id);
}

Applied Store::UpsertPodGroup(const objects::PodGroup& group, std::vector<Diagnostic>* diagnostics) {
  const JobId id = JobRowOf(KeyOf(group.meta));
  JobRow& job = jobs[id.value];
  job.has_group = true, job.implied = false;
  job.uid = group.meta.uid;
  job.min_member = group.min_member;
  job.task_min.clear();
  job.task_min_total = 0;
  for (const auto& [role, min] : group.min_task_member) {
    job.task_min.emplace_back(names.Intern(role), min);
    job.task_min_total += min;
  }
  job.has_min_resources = group.has_min_resources;
  job.min_resources = AmountsOf(group.min_resources, this);
  job.min_named = NamedAmountsOf(group.min_resources, &names);
  job.priority_class = group.priority_class_name.empty() ? StringId{} : names.Intern(group.priority_class_name);
  job.creation_seconds = group.meta.creation_seconds;
  job.phase = PhaseOf(group.phase);
  job.conditions.clear();
  for (const auto& c : group.conditions)
    job.conditions.push_back({std::string(c.type), std::string(c.status), std::string(c.reason), std::string(c.message), std::string(c.transition_id), c.transition_seconds});
  job.status_running = group.running, job.status_succeeded = group.succeeded, job.status_failed = group.failed;
  job.preemptable = FlagOf(group.meta, "volcano.sh/preemptable", false);
  job.never_victim = !FlagOf(group.meta, "volcano.sh/preemptable", true);
  job.topology = annotations::Topology(group.meta, this);
  job.budget = annotations::Budget(group.meta, diagnostics);
  job.sla_waiting_ns = annotations::SlaWaiting(group.meta, diagnostics);
  job.unsupported = group.unsupported_field.empty() ? StringId{} : names.Intern(group.unsupported_field);
  job.resource_version = group.meta.resource_version;
  job.queue = QueueRowOf(group.queue.empty() ? std::string_view(options_.default_queue) : group.queue);
  priorities_dirty_ = true;
  return Applied::kAdded;
}

void Store::UpsertQueue(const objects::Queue& queue, std::vector<Diagnostic>* diagnostics) {
  const QueueId id = QueueRowOf(queue.meta.name);
  QueueRow& row = queues[id.value];
  row.present = true, row.implied = false;
  row.weight = queue.weight, row.priority = queue.priority, row.reclaimable = queue.reclaimable;
  row.parent = queue.parent.empty() ? StringId{} : names.Intern(queue.parent);
  row.state = names.Intern(queue.state);
  row.open = queue.state.empty() || queue.state == "Open";
  row.capability = AmountsOf(queue.capability, this);
  row.deserved = AmountsOf(queue.deserved, this);
  row.guarantee = AmountsOf(queue.guarantee, this);
  const auto group_names = [this](std::span<const std::string_view> list) {
    std::vector<StringId> ids;
    for (const std::string_view name : list) ids.push_back(names.Intern(name));
    return ids;
  };
  row.affinity = {queue.affinity.present, group_names(queue.affinity.required), group_names(queue.affinity.preferred),
                  group_names(queue.affinity.anti_required), group_names(queue.affinity.anti_preferred)};
  row.group_limits = annotations::NodeGroupLimits(queue.meta, this, diagnostics);
  row.creation_seconds = queue.meta.creation_seconds;
  row.resource_version = queue.meta.resource_version;
  bool found = false;
  const std::string_view path = annotations::Find(queue.meta.annotations, "volcano.sh/hierarchy", &found);
  row.hierarchy = found ? annotations::SplitAt(path, '/') : std::vector<std::string>{};
  row.hierarchy_weights = found ? annotations::SplitAt(annotations::Find(queue.meta.annotations, "volcano.sh/hierarchy-weights"), '/') : std::vector<std::string>{};
}

// ---- pods ----

// An amount of a list in its unit: cpu in thousandths, memory in bytes.
static int64_t AmountIn(objects::ResourceList list, ResourceKind kind) {
  for (const objects::Resource& r : list)
    if (KindOfResource(r.name) == kind) return AmountOf(kind, r.amount);
  return 0;
}

static std::array<int64_t, 2> LimitsOf(const objects::Pod& pod) {
  std::array<int64_t, 2> limits{};
  constexpr ResourceKind kKinds[2] = {ResourceKind::kCpu, ResourceKind::kMemory};
  for (int d = 0; d < 2; d++)
    for (const objects::Container& c : pod.containers) limits[d] = std::min(limits[d] + AmountIn(c.limits, kKinds[d]), kAmountMax);
  return limits;
}

static ServiceClass ServiceClassOf(const objects::Pod& pod) {
  bool any = false, all = true;
  for (const auto& containers : {pod.containers, pod.init_containers})
    for (const objects::Container& c : containers)
      for (const ResourceKind kind : {ResourceKind::kCpu, ResourceKind::kMemory}) {
        const int64_t request = AmountIn(c.requests, kind), limit = AmountIn(c.limits, kind);
        any |= request > 0 || limit > 0;
        all &= limit > 0 && request == limit;
      }
  return !any ? ServiceClass::kBestEffort : all ? ServiceClass::kGuaranteed : ServiceClass::kBurstable;
}

// A zone annotation has to be "*"; without one, the annotation that allows preemption counts.
static bool IsRevocable(const objects::Meta& meta) {
  bool found = false;
  const std::string_view zone = annotations::Find(meta.annotations, "volcano.sh/revocable-zone", &found);
  if (found) return zone == "*";
  const std::string_view preemptable = annotations::Find(meta.annotations, "volcano.sh/preemptable", &found);
  return found && ParseGoBool(preemptable).value_or(false);
}

Applied Store::UpsertPod(const objects::Pod& pod, std::vector<Diagnostic>* diagnostics) {
  const std::string key = KeyOf(pod.meta);
  const bool ours = std::any_of(options_.scheduler_names.begin(), options_.scheduler_names.end(),
                                [&](const std::string& n) { return n == "*" || n == pod.scheduler_name; });
  Applied applied = Applied::kAdded;
  bool leaves = false;
  if (const PodId old = FindPod(key)) {
    if (pod.meta.resource_version < pods[old.value].resource_version) return Applied::kIgnoredOlder;
    if (options_.live && pods[old.value].status == TaskStatus::kBinding && pods[old.value].uid == pod.meta.uid && pod.node_name.empty()) {
      pods[old.value].resource_version = pod.meta.resource_version;
      return Applied::kReplaced;
    }
    leaves = pods[old.value].eviction_sent && pods[old.value].uid == pod.meta.uid;
    RemovePod(old);
    applied = Applied::kReplaced;
  }
  if (!ours && pod.node_name.empty()) return applied == Applied::kReplaced ? applied : Applied::kIrrelevant;

  uint32_t at;
  if (!free_pods_.empty()) {
    at = free_pods_.back();
    free_pods_.pop_back();
  } else {
    at = static_cast<uint32_t>(pods.size());
    pods.emplace_back();
  }
  PodRow& p = pods[at];
  p.key = pod_by_key_.emplace(key, at).first->first;
  p.in_use = true;
  p.uid = pod.meta.uid.empty() ? key : std::string(pod.meta.uid);
  p.ours = ours;
  p.namespace_ = names.Intern(pod.meta.namespace_);
  p.priority_class = pod.priority_class_name.empty() ? StringId{} : names.Intern(pod.priority_class_name);
  p.creation_seconds = pod.meta.creation_seconds;
  p.name_index = NameIndex(pod.meta.name);
  p.resource_version = pod.meta.resource_version;
  p.deleting = pod.meta.deleting, p.mirror = pod.mirror, p.preemption_never = pod.preemption_never;
  p.unsupported = !pod.unsupported_field.empty();
  p.priority = pod.priority.value_or(1), p.pod_priority = pod.priority.value_or(0);
  p.preempted = pod.preempted;
  bool found = false;
  if (const auto parsed = ParseInt<int32_t>(annotations::Find(pod.meta.annotations, "volcano.sh/task-priority"))) p.priority = *parsed;
  std::string_view role = annotations::Find(pod.meta.annotations, "volcano.sh/task-spec", &found);
  p.role_annotated = found;
  if (!found) role = annotations::Find(pod.meta.labels, "volcano.sh/task-spec");
  p.role = role.empty() ? StringId{} : names.Intern(role);
  p.preemptable = FlagOf(pod.meta, "volcano.sh/preemptable", true);
  p.revocable = IsRevocable(pod.meta);
  p.labels = TakeLabels(pod.meta.labels, &label_texts_);
  p.scheduled_seconds = pod.scheduled_seconds, p.start_seconds = pod.start_seconds;
  p.limits = LimitsOf(pod);
  p.service = ServiceClassOf(pod);
  p.priority_given = pod.priority.has_value();
  p.cooldown_ns = annotations::Cooldown(pod.meta, diagnostics);
  p.gated = !pod.scheduling_gates.empty();
  p.volcano_gate_only = pod.scheduling_gates.size() == 1 && pod.scheduling_gates[0] == kVolcanoGate;
  p.nominated = pod.nominated_node_name.empty() ? StringId{} : names.Intern(pod.nominated_node_name);
  if (pod.scheduled_condition) {
    p.condition_false = pod.scheduled_condition->status == "False";
    p.condition_reason = pod.scheduled_condition->reason, p.condition_message = pod.scheduled_condition->message;
  }
  p.cls = ClassOf(pod);
  classes[p.cls.value].users++;
  p.status = StatusOf(pod);
  if (!pod.node_name.empty() && !IsFinished(p.status)) p.node = NodeRowOf(pod.node_name);

  std::string_view group = annotations::Find(pod.meta.annotations, "scheduling.k8s.io/group-name");
  std::string group_key;
  if (!group.empty()) {
    group_key.append(pod.meta.namespace_).append("/").append(group);
  } else if (ours && options_.implied_pod_groups) {
    const std::string_view owner = !pod.meta.controller_uid.empty() ? pod.meta.controller_uid : std::string_view(p.uid);
    group_key.append(pod.meta.namespace_).append("/podgroup-").append(owner);
    const std::string_view hint = annotations::Find(pod.meta.annotations, "scheduling.volcano.sh/queue-name");
    p.queue_hint = hint.empty() ? StringId{} : names.Intern(hint);
    p.group_min_hint = ParseInt<int32_t>(annotations::Find(pod.meta.annotations, "scheduling.volcano.sh/group-min-member")).value_or(1);
  }
  if (!group_key.empty()) {
    p.job = JobRowOf(group_key);
    JobRow& job = jobs[p.job.value];
    p.at_in_job = static_cast<uint32_t>(job.pods.size());
    job.pods.push_back(PodId{at});
    const auto& request = classes[p.cls.value].request;
    job.total.Add(request, 1);
    if (p.gated && !p.volcano_gate_only) job.gated.Add(request, 1);
    if (group.empty() && !job.has_group) job.implied = job.has_group = true;
    if (group.empty() && job.implied) MarkImplied(p.job);  // a new member may be the one that speaks for the group
  }
  const TaskStatus status = p.status;
  const NodeId node = p.node;
  // Enter through the primitive, so that events and transactions keep the same sums.
  p.status = TaskStatus::kPending, p.node = {};
  if (p.job) {
    JobRow& job = jobs[p.job.value];
    job.counts[static_cast<size_t>(TaskStatus::kPending)]++;
    job.pending_best_effort += classes[p.cls.value].best_effort;
    job.pending.Add(classes[p.cls.value].request, 1);
  }
  SetTask(PodId{at}, status, node);
  if (leaves && (status == TaskStatus::kRunning || status == TaskStatus::kBound)) {
    SetTask(PodId{at}, TaskStatus::kReleasing, node);
    EvictionSent(PodId{at}, status);
  }
  return applied;
}

void Store::RemovePod(PodId id) {
  const NodeId node = pods[id.value].node;
  SetTask(id, TaskStatus::kPending, {});
  PodRow& p = pods[id.value];
  const JobId job_id = p.job;
  const auto& request = classes[p.cls.value].request;
  if (job_id) {
    JobRow& job = jobs[job_id.value];
    job.counts[static_cast<size_t>(TaskStatus::kPending)]--;
    job.pending_best_effort -= classes[p.cls.value].best_effort;
    job.pending.Add(request, -1);
    job.total.Add(request, -1);
    if (p.gated && !p.volcano_gate_only) job.gated.Add(request, -1);
    job.pods[p.at_in_job] = job.pods.back();
    pods[job.pods.back().value].at_in_job = p.at_in_job;
    job.pods.pop_back();
  }
  ReleaseClass(p.cls);
  ReleaseLabels(p.labels, &label_texts_);
  const std::string key(p.key);
  p = {};
  pod_by_key_.erase(key);
  free_pods_.push_back(id.value);
  if (job_id) {
    FreeJobIfUnused(job_id);
    if (jobs[job_id.value].in_use && jobs[job_id.value].implied) MarkImplied(job_id);
  }
  if (node) FreeNodeIfUnused(node);
}

void Store::Account(const PodRow& p, int sign) {
  const uint32_t row = p.node.value;
  const PodClass& cls = classes[p.cls.value];
  const bool pipelined = p.status == TaskStatus::kPipelined, releasing = p.status == TaskStatus::kReleasing;
  for (const ResourceAmount& a : cls.request) {
    const int64_t delta = sign > 0 ? -a.amount : a.amount;
    if (delta == 0) continue;
    if (nodes.idle[a.id.value].IsShared()) [[unlikely]]  // no node has any
      OwnColumns(a.id);
    if (!pipelined) AddWrapping(&nodes.idle[a.id.value][row], delta);
    if (!releasing) AddWrapping(&nodes.future[a.id.value][row], delta);
  }
  if (releasing) releasing_tasks += sign;
  if (releasing || pipelined) nodes.moving_tasks += sign;
  if (!p.evicted) AccountKube(row, cls, sign);
  Touch(row);
}

// The part of a node that Kubernetes' filters and scores look at.
void Store::AccountKube(uint32_t row, const PodClass& cls, int sign) {
  nodes.pod_count[row] += sign;
  for (int d = 0; d < 3; d++) AddWrapping(&nodes.kube_requested[d][row], sign * cls.kube_request[d]);
  for (int d = 0; d < 2; d++) AddWrapping(&nodes.kube_nonzero[d][row], sign * cls.kube_nonzero[d]);
  for (const WantedPort& w : cls.ports) {
    auto& used = nodes.ports[row];
    auto it = std::find_if(used.begin(), used.end(), [&](const PortUse& u) { return u.ip == w.ip && u.port == w.port && u.protocol == w.protocol; });
    if (sign > 0) {
      if (it == used.end()) used.push_back({w.ip, w.port, w.protocol, 1});
      else it->count++;
    } else if (it != used.end() && --it->count == 0) {
      *it = used.back();
      used.pop_back();
    }
  }
}

void Store::SetTask(PodId id, TaskStatus status, NodeId node, bool evicted) {
  PodRow& p = pods[id.value];
  // Statuses that weigh alike on the same node (Allocated, Binding, Bound, Running) need no new accounting.
  const auto plain = [](TaskStatus s) { return IsAllocated(s) || s == TaskStatus::kUnknown; };
  const bool same_weight = IsResident(p) && p.node == node && plain(p.status) && plain(status);
  if (IsResident(p) && !same_weight) {
    Account(p, -1);
    auto& residents = node_pods[p.node.value];
    if (p.node != node || IsFinished(status)) {
      residents[p.at_in_node] = residents.back();
      pods[residents.back().value].at_in_node = p.at_in_node;
      residents.pop_back();
    }
  }
  const bool was_resident_here = IsResident(p) && p.node == node;
  if (p.job) {
    JobRow& job = jobs[p.job.value];
    const PodClass& cls = classes[p.cls.value];
    job.counts[static_cast<size_t>(p.status)]--, job.counts[static_cast<size_t>(status)]++;
    const bool pended = p.status == TaskStatus::kPending, pends = status == TaskStatus::kPending;
    if (pended != pends) {
      job.pending.Add(cls.request, pends ? 1 : -1);
      if (cls.best_effort) job.pending_best_effort += pends ? 1 : -1;
    }
    if (IsAllocated(p.status) != IsAllocated(status)) job.allocated.Add(cls.request, IsAllocated(status) ? 1 : -1);
    if ((p.status == TaskStatus::kPipelined) != (status == TaskStatus::kPipelined)) job.pipelined.Add(cls.request, status == TaskStatus::kPipelined ? 1 : -1);
  }
  p.status = status, p.node = node, p.evicted = evicted;
  if (IsResident(p) && !same_weight) {
    Account(p, 1);
    if (!was_resident_here) {
      auto& residents = node_pods[node.value];
      if (residents.capacity() == 0) residents.reserve(8);  // one allocation for most nodes instead of four
      p.at_in_node = static_cast<uint32_t>(residents.size());
      residents.push_back(id);
    }
  }
  generation++;
}

// ---- the door ----

Applied Store::Upsert(const Decoded& object, std::vector<Diagnostic>* diagnostics) {
  using objects::Kind;
  generation++;
  const uint64_t version = object.meta ? object.meta->resource_version : 0;
  switch (object.kind) {
    case Kind::kNode: {
      const NodeId old = FindNode(object.meta->name);
      const bool known = old && nodes.present[old.value];
      if (known && version < node_versions_[old.value]) return Applied::kIgnoredOlder;
      if (!known && !Selected(*object.node)) return Applied::kIrrelevant;
      UpsertNode(*object.node);
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    case Kind::kPod: return UpsertPod(*object.pod, diagnostics);
    case Kind::kPodGroup: {
      const JobId old = FindJob(KeyOf(*object.meta));
      const bool known = old && jobs[old.value].has_group && !jobs[old.value].implied;
      if (known && version < jobs[old.value].resource_version) return Applied::kIgnoredOlder;
      UpsertPodGroup(*object.pod_group, diagnostics);
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    case Kind::kQueue: {
      const QueueId old = FindQueue(object.meta->name);
      const bool known = old && queues[old.value].present && !queues[old.value].implied;
      if (known && version < queues[old.value].resource_version) return Applied::kIgnoredOlder;
      UpsertQueue(*object.queue, diagnostics);
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    case Kind::kPriorityClass: {
      const StringId name = names.Intern(object.meta->name);
      const auto it = priority_classes_.find(name.value);
      const bool known = it != priority_classes_.end();
      if (known && version < it->second.resource_version) return Applied::kIgnoredOlder;
      priority_classes_[name.value] = {object.priority_class->value, object.priority_class->global_default, version};
      priorities_dirty_ = true;
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    case Kind::kConfigMap: {
      if (!object.config_map->has_scheduler_conf) return Applied::kIrrelevant;
      const bool known = has_scheduler_conf_;
      if (known && version < scheduler_conf_version_) return Applied::kIgnoredOlder;
      scheduler_conf_.assign(object.config_map->scheduler_conf);
      has_scheduler_conf_ = true, scheduler_conf_version_ = version;
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    case Kind::kResourceQuota: {
      const auto [it, added] = quotas.try_emplace(KeyOf(*object.meta));
      QuotaRow& row = it->second;
      if (!added && version < row.resource_version) return Applied::kIgnoredOlder;
      row = {names.Intern(object.meta->namespace_), NamedAmountsOf(object.resource_quota->hard, &names), NamedAmountsOf(object.resource_quota->used, &names), version};
      return added ? Applied::kAdded : Applied::kReplaced;
    }
    case Kind::kPodDisruptionBudget: {
      const auto [it, added] = budgets.try_emplace(KeyOf(*object.meta));
      if (!added && version < it->second.resource_version) return Applied::kIgnoredOlder;
      ReleaseBudget(it->second, &label_texts_);
      it->second = TakeBudget(*object.pod_disruption_budget, &label_texts_, diagnostics);
      it->second.namespace_ = names.Intern(object.meta->namespace_);
      return added ? Applied::kAdded : Applied::kReplaced;
    }
    case Kind::kMetricValue: {
      const int which = MeasureOf(*object.metric_value);
      if (which < 0) return Applied::kIrrelevant;
      NodeLoad::Measure& measure = loads[names.Intern(object.metric_value->node)].of[static_cast<size_t>(which)];
      const bool known = measure.known;
      if (known && object.metric_value->seconds < measure.seconds) return Applied::kIgnoredOlder;
      measure = {true, PartOf(object.metric_value->value), object.metric_value->seconds};
      return known ? Applied::kReplaced : Applied::kAdded;
    }
    // Decoded so that mistakes in them are found; no rule that is built yet reads them.
    case Kind::kHyperNode: case Kind::kNamespace: case Kind::kOther: break;
  }
  return Applied::kIrrelevant;
}

void Store::Remove(objects::Kind kind, std::string_view key, std::string_view uid) {
  using objects::Kind;
  generation++;
  switch (kind) {
    case Kind::kPod:
      if (const PodId id = FindPod(key); id && (uid.empty() || pods[id.value].uid == uid)) RemovePod(id);
      return;
    case Kind::kNode:
      if (const NodeId id = FindNode(key); id && nodes.present[id.value]) {
        KeepAllocatable(id, {});
        nodes.present[id.value] = 0, nodes.present_count--;
        nodes.capacity[0][id.value] = nodes.capacity[1][id.value] = 0;
        nodes.max_pods[id.value] = 0, nodes.unschedulable[id.value] = 0, nodes.taint_set[id.value] = 0;
        for (int d = 0; d < 3; d++) nodes.SetKubeAllocatable(d, id.value, 0);
        node_labels_[id.value].clear();
        FillLabels(id);
        if (!node_image_sizes_[id.value].empty()) node_image_sizes_[id.value].clear(), images_dirty_ = true;
        nodes.object_generation[id.value]++, nodes_generation++;
        Touch(id.value);
        FreeNodeIfUnused(id);
      }
      return;
    case Kind::kPodGroup:
      if (const JobId id = FindJob(key); id && jobs[id.value].has_group && (uid.empty() || jobs[id.value].uid == uid)) {
        jobs[id.value].has_group = false;
        jobs[id.value].queue = {};
        FreeJobIfUnused(id);
      }
      return;
    case Kind::kQueue:
      if (const QueueId id = FindQueue(key)) {
        QueueRow& row = queues[id.value];
        const StringId name = row.name;
        row = {};
        row.name = name, row.in_use = true;
        if (options_.implied_queues && (key == "root" || key == options_.default_queue)) row.present = row.implied = true, row.reclaimable = key != "root";
      }
      return;
    case Kind::kPriorityClass:
      if (const StringId name = names.Find(key)) priority_classes_.erase(name.value), priorities_dirty_ = true;
      return;
    case Kind::kResourceQuota:
      if (const auto it = quotas.find(key); it != quotas.end()) quotas.erase(it);
      return;
    case Kind::kPodDisruptionBudget:
      if (const auto it = budgets.find(key); it != budgets.end()) {
        ReleaseBudget(it->second, &label_texts_);
        budgets.erase(it);
      }
      return;
    case Kind::kMetricValue:
      for (int d = 0; d < 2; d++)
        if (const size_t slash = key.find('/'); slash != key.npos && key.substr(slash + 1) == kLoadMetrics[d])
          if (const auto it = loads.find(names.Find(key.substr(0, slash))); it != loads.end()) it->second.of[d] = {};
      return;
    default: return;
  }
}

bool Store::IsCritical(PodId pod) const {
  const PodRow& p = pods[pod.value];
  const std::string_view cls = p.priority_class ? names.Text(p.priority_class) : std::string_view();
  return cls == "system-cluster-critical" || cls == "system-node-critical" || names.Text(p.namespace_) == "kube-system";
}

bool Store::ForgetBind(std::string_view key, std::string_view uid) {
  const PodId id = FindPod(key);
  if (!id || pods[id.value].uid != uid || pods[id.value].status != TaskStatus::kBinding) return false;
  SetTask(id, TaskStatus::kPending, {});
  return true;
}

void Store::EvictionSent(PodId id, TaskStatus was) {
  PodRow& p = pods[id.value];
  p.eviction_sent = p.deleting = p.preempted = true;
  p.before_eviction = was;
}

bool Store::ForgetEviction(std::string_view key, std::string_view uid) {
  const PodId id = FindPod(key);
  if (!id || pods[id.value].uid != uid || !pods[id.value].eviction_sent) return false;
  PodRow& p = pods[id.value];
  p.eviction_sent = p.deleting = p.preempted = false;
  SetTask(id, p.before_eviction, p.node);
  generation++;
  return true;
}

std::vector<std::string> Store::Keys(objects::Kind kind) const {
  using objects::Kind;
  std::vector<std::string> keys;
  switch (kind) {
    case Kind::kPod:
      for (const PodRow& p : pods)
        if (p.in_use) keys.emplace_back(p.key);
      break;
    case Kind::kNode:
      for (uint32_t row = 0; row < nodes.rows; row++)
        if (nodes.present[row]) keys.emplace_back(NodeName(NodeId{row}));
      break;
    case Kind::kPodGroup:
      for (const JobRow& job : jobs)
        if (job.in_use && job.has_group && !job.implied) keys.emplace_back(job.key);
      break;
    case Kind::kQueue:
      for (uint32_t q = 0; q < queues.size(); q++)
        if (queues[q].present && !queues[q].implied) keys.emplace_back(QueueName(QueueId{q}));
      break;
    case Kind::kResourceQuota:
      for (const auto& [name, row] : quotas) keys.push_back(name);
      break;
    case Kind::kPodDisruptionBudget:
      for (const auto& [name, row] : budgets) keys.push_back(name);
      break;
    case Kind::kMetricValue:
      for (const auto& [node, load] : loads)
        for (int d = 0; d < 2; d++)
          if (load.of[d].known) keys.push_back(std::string(names.Text(node)).append("/").append(kLoadMetrics[d]));
      break;
    case Kind::kPriorityClass:
      for (const auto& [name, row] : priority_classes_) keys.emplace_back(names.Text(StringId{name}));
      break;
    default: break;
  }
  return keys;
}

void Store::Prepare() {
  ImplyGroups();
  if (priorities_dirty_) RefreshPriorities();
  if (ranks_dirty_) RefreshRanks();
  if (images_dirty_) RefreshImages();
  TrimChanges();
}

std::vector<NamedAmount> Store::QuotaUse(const std::vector<ResourceAmount>& requests) {
  std::vector<NamedAmount> out;
  for (const ResourceAmount& r : requests) {
    const std::string_view name = ResourceName(r.id);
    const bool whole = r.id == kMemory || r.id == kPods;
    const Quantity amount = whole ? Quantity{r.amount, 0} : Quantity{r.amount / 1000, static_cast<uint32_t>(r.amount % 1000) * 1'000'000};
    out.push_back({names.Intern(name), amount});
    out.push_back({names.Intern((r.id == kPods ? "count/" : "requests.") + std::string(name)), amount});
  }
  return out;
}

// What Volcano's PodGroup controller would create: the oldest member (then lowest name) speaks for the group.
void Store::ImplyGroups() {
  for (const JobId id : implied_) {
    JobRow& job = jobs[id.value];
    job.implied_stale = false;
    if (!job.implied || job.pods.empty()) continue;
    const PodRow* first = nullptr;
    for (const PodId p : job.pods) {
      const PodRow& pod = pods[p.value];
      if (!first || pod.creation_seconds < first->creation_seconds || (pod.creation_seconds == first->creation_seconds && pod.key < first->key)) first = &pod;
    }
    job.min_member = std::max(first->group_min_hint, 0);
    job.has_min_resources = true;
    job.min_resources = classes[first->cls.value].request;
    for (ResourceAmount& a : job.min_resources) a.amount = std::min(SaturatingMul(a.amount, job.min_member), kAmountMax);
    job.min_named = QuotaUse(job.min_resources);
    job.priority_class = first->priority_class;
    job.creation_seconds = first->creation_seconds;
    job.queue = first->queue_hint ? QueueRowOf(names.Text(first->queue_hint)) : QueueRowOf(options_.default_queue);
    priorities_dirty_ = true;
  }
  implied_.clear();
}

void Store::RefreshPriorities() {
  // Kubernetes: several global defaults are possible only by a race; the lowest value counts then. A name that does not exist reads as the default.
  int32_t default_value = 0;
  bool has_default = false;
  for (const auto& [name, row] : priority_classes_)
    if (row.global_default && (!has_default || row.value < default_value)) default_value = row.value, has_default = true;
  for (JobRow& job : jobs) {
    if (!job.in_use) continue;
    const auto it = job.priority_class ? priority_classes_.find(job.priority_class.value) : priority_classes_.end();
    job.priority = it != priority_classes_.end() ? it->second.value : default_value;
  }
  priorities_dirty_ = false;
}

// Ranks are labels with gaps: a new node takes the middle of its neighbours' gap; only where there is none everything is relabelled, which
// changes no order.
void Store::RefreshRanks() {
  const auto by_name = [this](uint32_t a, uint32_t b) { return NodeName(NodeId{a}) < NodeName(NodeId{b}); };
  std::sort(unsorted_nodes_.begin(), unsorted_nodes_.end(), by_name);
  const bool few = unsorted_nodes_.size() * 8 < sorted_nodes_.size();
  bool relabel = !few;
  if (few) {
    for (const uint32_t row : unsorted_nodes_) {
      const auto at = std::upper_bound(sorted_nodes_.begin(), sorted_nodes_.end(), row, by_name);
      const uint64_t below = at == sorted_nodes_.begin() ? 0 : nodes.rank[*(at - 1)];
      const uint64_t above = at == sorted_nodes_.end() ? UINT64_MAX - 1 : nodes.rank[*at];
      nodes.rank[row] = below + (above - below) / 2;
      if (above - below < 2) relabel = true;
      sorted_nodes_.insert(at, row);
    }
  } else {
    const size_t middle = sorted_nodes_.size();
    sorted_nodes_.insert(sorted_nodes_.end(), unsorted_nodes_.begin(), unsorted_nodes_.end());
    std::inplace_merge(sorted_nodes_.begin(), sorted_nodes_.begin() + middle, sorted_nodes_.end(), by_name);
  }
  if (relabel) {
    const uint64_t step = (UINT64_MAX - 2) / (sorted_nodes_.size() + 1);
    for (size_t i = 0; i < sorted_nodes_.size(); i++) nodes.rank[sorted_nodes_[i]] = step * (i + 1);
  }
  unsorted_nodes_.clear();
  ranks_dirty_ = false;
}

// Volcano keeps, per node, the size first seen for an image and the number of nodes that had it when this node was last updated: both depend on
// the order of arrival. Here the order is that of the names, so the outcome is one: the node with the lowest name gives the size, and a node
// counts those that sort up to itself.
void Store::RefreshImages() {
  struct Seen { int64_t size_bytes; int64_t count; };
  std::unordered_map<uint32_t, Seen> seen;
  for (const uint32_t row : sorted_nodes_) {
    auto& images = nodes.images[row];
    images.clear();
    for (const auto& [name, size] : node_image_sizes_[row]) {
      Seen& s = seen.try_emplace(name.value, Seen{size, 0}).first->second;
      s.count++;
      images.push_back({name, s.size_bytes, s.count});
    }
    nodes.object_generation[row]++;
    Touch(row);
  }
  nodes.any_images = !seen.empty();
  nodes_generation++;
  images_dirty_ = false;
}

void Store::TrimChanges() {
  const size_t keep = std::max<size_t>(nodes.rows * 4, 65536);
  if (changed_nodes.size() <= keep * 2) return;
  const size_t drop = changed_nodes.size() - keep;
  changed_nodes.erase(changed_nodes.begin(), changed_nodes.begin() + drop);
  changes_base += drop;
}

}  // namespace basalt

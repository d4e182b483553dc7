#include "report/engine.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernel/include/basalt.h"
#include "kernel/actions/catalogue.h"
#include "kernel/policies/catalogue.h"
#include "report/consistency.h"
#include "report/cycle_lines.h"
#include "report/json_writer.h"
#include "report/thread_executor.h"
#include "snapshot/records.h"

namespace basalt {

Engine::Engine(EngineOptions o) : store(o.store), kernel(&store), options(std::move(o)), executor_(MakeExecutor(options.threads)) {
  if (options.backend) kernel.SetBackend(options.backend);
  if (!store.live()) return;
  live_ = std::make_unique<Live>(&store);
  kernel.stage_times().clock = [] { return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

// ---- input ----

namespace {

std::string RowlessKey(const Decoded& object) {
  std::string key(KindName(object.kind));
  return key.append("/").append(object.meta->namespace_).append("/").append(object.meta->name);
}

}  // namespace

void Engine::Take(const Decoded& object, std::string_view source) {
  using objects::Kind;
  counts.objects++;
  if (live_) {  // objects come again and again: nothing to tell
    if (!object.set_aside && object.kind != Kind::kOther) store.Upsert(object, &diagnostics);
    live_->Saw(object);
    return;
  }
  if (object.set_aside) {
    counts.set_aside++;
    return;
  }
  if (object.kind == Kind::kOther) {
    counts.skipped_kinds++;
    if (skipped_kinds_[std::string(object.kind_name)]++ == 0)
      diagnostics.push_back({Severity::kNote, std::string(source), std::string(object.kind_name), "", "objects of this kind are not used and are skipped"});
    return;
  }
  // Objects that get no row (kinds that no rule reads yet, other schedulers' pods without a node) are remembered by name, so that one seen twice is told.
  Applied applied = Applied::kIgnoredOlder;
  const bool may_be_rowless = object.kind != Kind::kPod || rowless_pods_ > 0;
  const auto seen = may_be_rowless && !rowless_.empty() ? rowless_.find(RowlessKey(object)) : rowless_.end();
  if (seen == rowless_.end() || seen->second <= object.meta->resource_version) {
    applied = store.Upsert(object, &diagnostics);
    if (seen != rowless_.end()) {
      if (applied == Applied::kIrrelevant) {
        seen->second = object.meta->resource_version;
      } else {
        rowless_.erase(seen);
        if (object.kind == Kind::kPod) rowless_pods_--;
      }
      applied = Applied::kReplaced;
    } else if (applied == Applied::kIrrelevant) {
      rowless_.emplace(RowlessKey(object), object.meta->resource_version);
      if (object.kind == Kind::kPod) rowless_pods_++;
    }
  }
  if (applied == Applied::kReplaced || applied == Applied::kIgnoredOlder) {
    counts.duplicates++;
    std::string name(KindName(object.kind));
    name.append(" ");
    if (!object.meta->namespace_.empty()) name.append(object.meta->namespace_).append("/");
    name.append(object.meta->name);
    diagnostics.push_back({Severity::kWarning, std::string(source), std::move(name), "/metadata/name",
                           applied == Applied::kReplaced ? "seen again; this one replaces the earlier" : "seen again with an older resourceVersion; ignored"});
    return;
  }
  counts.used++;
  switch (object.kind) {
    case Kind::kNode: counts.nodes++; break;
    case Kind::kPod: counts.pods++; break;
    case Kind::kPodGroup: counts.podgroups++; break;
    case Kind::kQueue: counts.queues++; break;
    default: break;
  }
}

bool Engine::ReadText(std::string_view text, std::string_view name, TextFormat format) {
  const size_t before = diagnostics.size();
  basalt::ReadText(text, name, format, executor_.get(), [&](const Decoded& d, std::string_view) { Take(d, name); }, &diagnostics);
  return std::none_of(diagnostics.begin() + before, diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::kUnreadable; });
}

bool Engine::Apply(std::string_view records, std::string_view name) {
  static_assert(kUpsertRecord == BASALT_RECORD_UPSERT);
  for (size_t next = 0; next < records.size();) {
    const size_t at = next;
    basalt::Record record;
    std::string why;
    if (!NextRecord(records, &next, &record, &why)) return RefuseRecord(at, name, why);
    if (!Take(record.type, record.payload, name, at)) return false;
  }
  return true;
}

bool Engine::RefuseRecord(size_t at, std::string_view name, const std::string& why) {
  diagnostics.push_back({Severity::kUnreadable, std::string(name), "", "", "record at byte " + std::to_string(at) + ": " + why});
  return false;
}

bool Engine::Take(uint16_t type, std::string_view payload, std::string_view name, size_t at) {
  std::string error;
  switch (type) {
    case BASALT_RECORD_UPSERT: return ReadText(payload, name, TextFormat::kJson);
    case BASALT_RECORD_REMOVE: return Drop(payload, name), true;
    case BASALT_RECORD_WATCH: return TakeWatch(payload, name, &error) || RefuseRecord(at, name, error);
    case BASALT_RECORD_LIST_BEGIN:
    case BASALT_RECORD_LIST_END:
      return (live_ && (type == BASALT_RECORD_LIST_BEGIN ? live_->ListBegin(payload) : live_->ListEnd(payload))) ||
             RefuseRecord(at, name, "no list of this kind can begin or end here: " + std::string(payload));
    case BASALT_RECORD_RESULT: return (live_ && live_->Result(payload, last_now_ns, &error)) || RefuseRecord(at, name, "result of a write: " + error);
    case BASALT_RECORD_ASSUMED: return (live_ && live_->Assume(payload, &error)) || RefuseRecord(at, name, "assumed state: " + error);
    case BASALT_RECORD_SHARD: return (live_ && live_->TakeShard(payload, &error)) || RefuseRecord(at, name, "shard: " + error);
    case BASALT_RECORD_CONFIG: return Configure(&payload, name);
    case BASALT_RECORD_CYCLE: {
      int64_t now = 0;
      if (payload.size() != sizeof now) return RefuseRecord(at, name, "a cycle record holds one 64-bit time");
      std::memcpy(&now, payload.data(), sizeof now);
      return Cycle(now, false), true;
    }
    default: return RefuseRecord(at, name, "unknown or unsupported record type " + std::to_string(type));
  }
}

void Engine::Drop(std::string_view json, std::string_view name) {
  basalt::ReadText(json, name, TextFormat::kJson, executor_.get(), [&](const Decoded& d, std::string_view) {
    if (!d.meta || d.meta->name.empty()) return;
    std::string key(d.meta->namespace_);
    if (!key.empty()) key += '/';
    key += d.meta->name;
    store.Remove(d.kind, key, d.meta->uid);
    if (live_) live_->Removed(d.kind, key);
  }, &diagnostics);
}

// The frame's own two fields are found by hand, so that the object is decoded where it lies: the API server writes them in this order and form.
bool Engine::TakeWatch(std::string_view frame, std::string_view name, std::string* error) {
  constexpr std::string_view kType = R"({"type":")", kObject = R"(","object":)";
  while (!frame.empty() && (frame.back() == '\n' || frame.back() == '\r' || frame.back() == ' ')) frame.remove_suffix(1);
  const size_t type_end = frame.starts_with(kType) ? frame.find('"', kType.size()) : std::string_view::npos;
  if (type_end == std::string_view::npos || !frame.substr(type_end).starts_with(kObject) || !frame.ends_with('}')) {
    *error = "not a watch frame";
    return false;
  }
  const std::string_view type = frame.substr(kType.size(), type_end - kType.size());
  const std::string_view object = frame.substr(type_end + kObject.size(), frame.size() - type_end - kObject.size() - 1);
  if (type == "BOOKMARK") return true;
  if (type == "DELETED") return Drop(object, name), true;
  if (type == "ADDED" || type == "MODIFIED") return ReadText(object, name, TextFormat::kJson);
  *error = "watch frame of type " + std::string(type);
  return false;
}

bool Engine::Configure(const std::string_view* text, std::string_view name) {
  std::string chosen, source(name);
  if (text) chosen = *text;
  else if (store.has_scheduler_conf()) chosen = store.scheduler_conf(), source = "ConfigMap data volcano-scheduler.conf";
  else chosen = DefaultConfigText(), source = "built-in default";
  ConfigValue value;
  std::string error;
  if (!ParseConfigText(chosen, &value, &error)) {
    diagnostics.push_back({Severity::kConfig, source, "scheduler configuration", "", error});
    return false;
  }
  if (!Configure(value, source)) return false;
  config_text = std::move(chosen), config_source = std::move(source);
  configured = true;
  return true;
}

bool Engine::Configure(const ConfigValue& value, std::string_view source) {
  Config config;
  const size_t before = diagnostics.size();
  const bool ok = ParseConfig(value, options.lenient, &config, &diagnostics);
  for (size_t i = before; i < diagnostics.size(); i++) diagnostics[i].source = source;
  if (!ok) return false;
  if (options.has_evictions) config.evictions = options.evictions;
  std::vector<scoring::ArgumentProblem> problems;
  kernel.Configure(std::move(config), &problems);
  for (const auto& p : problems) diagnostics.push_back({Severity::kWarning, std::string(source), "plugin " + p.plugin, p.key, p.message});
  return true;
}

void Engine::CheckConsistency() {
  if (consistency_checked_) return;
  consistency_checked_ = true;
  store.Prepare();  // implied PodGroups get their queue
  FindInconsistencies(store, UsesQueueTree(kernel.config()), &diagnostics);
}

// ---- cycles ----

const Plan& Engine::Cycle(int64_t now_ns, bool record) {
  last_now_ns = now_ns;
  const auto start = std::chrono::steady_clock::now();
  store.Prepare();
  if (!live_) {
    phases_before_.resize(store.jobs.size());
    for (size_t j = 0; j < phases_before_.size(); j++) phases_before_[j] = store.jobs[j].phase;
  }
  const Plan& plan = kernel.Cycle(now_ns);
  decide_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  // A plan that stands unchanged has its conditions written already.
  std::vector<PodCondition> written;
  if (record || kernel.cycles_decided() != conditions_of_) written = WriteConditions(plan);
  if (live_ && kernel.cycles_decided() != conditions_of_) {
    live_->writes.Collect(plan, written, now_ns, "basalt-" + std::to_string(now_ns));
    live_->Decided(plan, now_ns);
  }
  conditions_of_ = kernel.cycles_decided();
  if (record) Record(plan, written);
  return plan;
}

std::vector<PodCondition> Engine::WriteConditions(const Plan& plan) {
  std::vector<PodCondition> written;
  std::vector<std::string> group_texts(plan.groups.size());
  std::unordered_map<uint32_t, size_t> group_of;
  for (size_t i = 0; i < plan.groups.size(); i++) {
    const GroupVerdict& g = plan.groups[i];
    const bool waits = g.counts[static_cast<int>(TaskStatus::kPending)] || g.counts[static_cast<int>(TaskStatus::kAllocated)] || g.counts[static_cast<int>(TaskStatus::kPipelined)];
    if (waits || (g.has_gang_condition && !g.gang_ready)) group_texts[i] = GroupText(store, plan, g);
    group_of.emplace(g.job.value, i);
    if (!g.has_gang_condition) continue;
    GroupCondition condition = GangCondition(g, group_texts[i]);
    auto& conditions = store.jobs[g.job.value].conditions;
    const auto old = std::find_if(conditions.begin(), conditions.end(), [&](const GroupCondition& c) { return c.type == condition.type; });
    if (old == conditions.end()) conditions.push_back(std::move(condition));
    else *old = std::move(condition);
  }
  for (const TaskVerdict& v : plan.waiting) {
    PodRow& p = store.pods[v.pod.value];
    const ConditionText text = VerdictText(store, plan, v, group_texts[group_of[p.job.value]]);
    const NodeId nominated = v.nominated ? v.node : NodeId{};
    bool changed = !p.condition_false || p.condition_reason != text.reason || p.condition_message != text.message;
    p.condition_false = true, p.condition_reason = text.reason, p.condition_message = text.message;
    if (live_ && nominated && (!p.nominated || store.FindNode(p.nominated) != nominated)) changed = true, p.nominated = store.names.Intern(store.NodeName(nominated));
    written.push_back({v.pod, text, nominated, changed});
  }
  return written;
}

void Engine::Record(const Plan& plan, const std::vector<PodCondition>& written) {
  CycleRecord record;
  record.lines = CycleLines(store, plan, cycles.size());
  JsonWriter w(&record.json);
  const auto sorted = [this](std::vector<Placement> list) {
    std::sort(list.begin(), list.end(), [this](const Placement& a, const Placement& b) { return store.pods[a.pod.value].key < store.pods[b.pod.value].key; });
    return list;
  };
  w.Open('{');
  // Held placements stand among the binds with a remark, as the recorded decisions of Volcano have them.
  std::vector<Placement> sent_and_held = plan.binds;
  sent_and_held.insert(sent_and_held.end(), plan.held.begin(), plan.held.end());
  std::unordered_set<uint32_t> held;
  for (const Placement& p : plan.held) held.insert(p.pod.value);
  w.Key("binds").Open('{');
  for (const Placement& p : sorted(sent_and_held)) {
    const std::string_view pod = store.pods[p.pod.value].key;
    const std::string_view node = store.NodeName(p.node);
    w.Key(pod).String(held.count(p.pod.value) ? HeldText(node) : std::string(node));
  }
  w.Close('}');
  w.Key("pipelined").Open('{');
  for (const Placement& p : sorted(plan.pipelined)) w.Key(store.pods[p.pod.value].key).String(store.NodeName(p.node));
  w.Close('}');
  w.Key("evicted").Open('[');
  std::vector<std::string_view> evicted;
  for (const Eviction& e : plan.evicted) evicted.push_back(store.pods[e.pod.value].key);
  std::sort(evicted.begin(), evicted.end());
  for (const std::string_view key : evicted) w.String(key);
  w.Close(']');

  // Every PodGroup, also those whose queue is not there: they take no part in a cycle and keep their phase.
  std::vector<const JobRow*> groups;
  for (const JobRow& job : store.jobs)
    if (job.in_use && job.has_group) groups.push_back(&job);
  std::sort(groups.begin(), groups.end(), [](const JobRow* a, const JobRow* b) { return a->key < b->key; });
  // Of the two conditions that gangs have, the one of this cycle; the object keeps an older one of the other type, as Volcano leaves it.
  std::unordered_map<uint32_t, bool> gang_ready;
  for (const GroupVerdict& g : plan.groups)
    if (g.has_gang_condition) gang_ready.emplace(g.job.value, g.gang_ready);
  const auto outdated = [&](const JobRow* job, const GroupCondition& c) {
    const auto verdict = gang_ready.find(static_cast<uint32_t>(job - store.jobs.data()));
    return verdict != gang_ready.end() && c.type == (verdict->second ? "Unschedulable" : "Scheduled");
  };
  w.Key("podgroups").Open('{');
  for (const JobRow* job : groups) {
    w.Key(job->key).Open('{').Key("phase").String(PhaseText(job->phase)).Key("conditions").Open('[');
    for (const GroupCondition& c : job->conditions)
      if (!outdated(job, c)) w.Open('{').Key("type").String(c.type).Key("status").String(c.status).Key("reason").String(c.reason).Key("message").String(c.message).Close('}');
    w.Close(']').Close('}');
  }
  w.Close('}');
  w.Key("pods").Open('{');
  std::vector<const PodCondition*> order;
  for (const PodCondition& p : written) order.push_back(&p);
  std::sort(order.begin(), order.end(), [this](const PodCondition* a, const PodCondition* b) { return store.pods[a->pod.value].key < store.pods[b->pod.value].key; });
  for (const PodCondition* p : order)
    w.Key(store.pods[p->pod.value].key).Open('{').Key("reason").String(p->text.reason).Key("message").String(p->text.message).Close('}');
  w.Close('}').Close('}');
  cycles.push_back(std::move(record));
}

std::string Engine::plan_hash() const {
  std::vector<std::string_view> lines;
  for (const CycleRecord& c : cycles) lines.insert(lines.end(), c.lines.begin(), c.lines.end());
  std::sort(lines.begin(), lines.end());
  return PlanHashText(HashOf(lines));
}

const EnqueueRefusal* Engine::RefusalOf(JobId job) const {
  for (const EnqueueRefusal& r : kernel.plan().refusals)
    if (r.job == job) return &r;
  return nullptr;
}

void Engine::Rewind() {
  for (const Placement& b : kernel.plan().binds)
    if (store.pods[b.pod.value].status == TaskStatus::kBinding) store.SetTask(b.pod, TaskStatus::kPending, {});
  for (const Eviction& e : kernel.plan().evicted) store.SetTask(e.pod, e.was, e.node);
  for (size_t j = 0; j < phases_before_.size(); j++) store.jobs[j].phase = phases_before_[j];
}

void Engine::Settle(uint32_t termination_cycles) { settlement_.Apply(kernel.plan(), last_now_ns, termination_cycles, &store); }

}  // namespace basalt

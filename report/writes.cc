#include "report/writes.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "kernel/actions/catalogue.h"
#include "report/json_writer.h"

namespace basalt {

namespace {

std::string Rfc3339(int64_t seconds) {
  const std::time_t t = seconds;
  std::tm parts{};
  gmtime_r(&t, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::pair<std::string, std::string> SplitKey(std::string_view key) {
  const size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {"", std::string(key)};
  return {std::string(key.substr(0, slash)), std::string(key.substr(slash + 1))};
}

// A quantity that reads back to the amount, in the unit of the dimension: milli-CPU, bytes, whole pods, thousandths of everything else.
std::string QuantityText(ResourceId resource, int64_t amount) {
  if (resource == kMemory || resource == kPods) return std::to_string(amount);
  return amount % 1000 == 0 ? std::to_string(amount / 1000) : std::to_string(amount) + "m";
}

Write Of(WriteKind kind, std::string_view object_kind, std::string_view key, std::string_view uid) {
  Write w{};
  w.kind = kind, w.object_kind = object_kind, w.uid = uid;
  std::tie(w.namespace_, w.name) = SplitKey(key);
  return w;
}

void PodConditionTo(JsonWriter* json, std::string_view type, std::string_view status, std::string_view reason, std::string_view message, int64_t now_ns) {
  json->Open('{').Key("type").String(type).Key("status").String(status).Key("reason").String(reason).Key("message").String(message).Key("lastTransitionTime")
      .String(Rfc3339(now_ns / 1'000'000'000)).Close('}');
}

}  // namespace

void Writes::SawPodGroup(JobId id) {
  const JobRow& job = store_.jobs[id.value];
  groups_[std::string(job.key)] = {job.phase, job.status_running, job.status_succeeded, job.status_failed, job.conditions};
}

void Writes::Forget(std::string_view kind, std::string_view key) {
  if (kind == "PodGroup") groups_.erase(std::string(key));
  if (kind == "Queue") allocated_.erase(std::string(key));
  if (kind == "Pod")
    if (const PodId pod = store_.FindPod(key)) store_.pods[pod.value].condition_reason.clear(), store_.pods[pod.value].condition_false = false;
}

void Writes::Condition(PodId pod, std::string_view reason, std::string_view message, NodeId nominated, int64_t now_ns) {
  const PodRow& p = store_.pods[pod.value];
  Write w = Of(WriteKind::kPodCondition, "Pod", p.key, p.uid);
  // Merged by type, so that conditions of others stay.
  JsonWriter json(&w.body);
  json.Open('{').Key("metadata").Open('{').Key("uid").String(p.uid).Close('}').Key("status").Open('{');
  if (nominated) json.Key("nominatedNodeName").String(store_.NodeName(nominated));
  json.Key("conditions").Open('[');
  PodConditionTo(&json, "PodScheduled", "False", reason, message, now_ns);
  json.Close(']').Close('}').Close('}');
  w.event_type = "Warning", w.event_reason = "FailedScheduling", w.event_message = message;
  pending.push_back(std::move(w));
}

void Writes::BindRefused(PodId pod, std::string_view node, std::string_view message, int64_t now_ns) {
  PodRow& p = store_.pods[pod.value];
  std::string text = "failed to bind to node ";
  text.append(node).append(": ").append(message);
  Condition(pod, "SchedulerError", text, {}, now_ns);
  p.condition_false = true, p.condition_reason = "SchedulerError", p.condition_message = text;
}

void Writes::CollectGroup(const GroupVerdict& v, int64_t now_ns, std::string_view session) {
  JobRow& job = store_.jobs[v.job.value];
  if (job.implied) return;
  GroupStatus& api = groups_[std::string(job.key)];
  const auto same_text = [](const GroupCondition& a, const GroupCondition& b) { return a.SameText(b); };
  const bool same_conditions = std::ranges::equal(api.conditions, job.conditions, same_text);
  if (api.phase == job.phase && api.running == v.running && api.succeeded == v.succeeded && api.failed == v.failed && same_conditions) return;

  // A condition whose text stays keeps its time and session.
  for (GroupCondition& c : job.conditions) {
    const auto old = std::ranges::find_if(api.conditions, [&](const GroupCondition& o) { return o.SameText(c); });
    if (old != api.conditions.end()) c.transition_id = old->transition_id, c.transition_seconds = old->transition_seconds;
    else c.transition_id = session, c.transition_seconds = now_ns / 1'000'000'000;
  }
  Write w = Of(WriteKind::kPodGroupStatus, "PodGroup", job.key, job.uid);
  // Admission is what Volcano's job controller waits for before it makes the pods.
  w.urgent = job.phase == GroupPhase::kInqueue && api.phase != GroupPhase::kInqueue && v.tasks == 0;
  JsonWriter json(&w.body);
  json.Open('{').Key("metadata").Open('{').Key("uid").String(job.uid).Key("resourceVersion").String(std::to_string(job.resource_version)).Close('}');
  json.Key("status").Open('{').Key("phase").String(PhaseText(job.phase));
  json.Key("running").Integer(v.running).Key("succeeded").Integer(v.succeeded).Key("failed").Integer(v.failed).Key("conditions").Open('[');
  for (const GroupCondition& c : job.conditions) {
    json.Open('{').Key("type").String(c.type).Key("status").String(c.status).Key("transitionID").String(c.transition_id);
    if (c.transition_seconds) json.Key("lastTransitionTime").String(Rfc3339(c.transition_seconds));
    json.Key("reason").String(c.reason).Key("message").String(c.message).Close('}');
  }
  json.Close(']').Close('}').Close('}');
  if (v.has_gang_condition && !same_conditions) {
    const bool waits = job.phase == GroupPhase::kPending || job.phase == GroupPhase::kInqueue || job.phase == GroupPhase::kUnknown;
    if (!v.gang_ready) {
      w.event_type = "Warning", w.event_reason = "Unschedulable";
      for (const GroupCondition& c : job.conditions)
        if (c.type == "Unschedulable") w.event_message = c.message;
    } else if (!waits) {
      w.event_type = "Normal", w.event_reason = "Scheduled", w.event_message = "pod group is ready";
    }
  }
  pending.push_back(std::move(w));
  api = {job.phase, v.running, v.succeeded, v.failed, job.conditions};
}

// What a queue and the queues below it hold. Only that field is written, so the queue controller's own stay.
void Writes::CollectQueues() {
  std::vector<Amounts> sums(store_.queues.size());
  for (const JobRow& job : store_.jobs) {
    if (!job.in_use || !job.has_group || !job.queue) continue;
    QueueId at = job.queue;
    for (size_t depth = 0; at && depth <= store_.queues.size(); depth++) {  // a loop of parents ends
      for (uint32_t r = 0; r < job.allocated.size(); r++) sums[at.value].Add(ResourceId{r}, job.allocated[ResourceId{r}]);
      if (store_.QueueName(at) == "root") break;
      const StringId parent = store_.queues[at.value].parent;
      at = store_.FindQueue(parent ? store_.names.Text(parent) : std::string_view("root"));
    }
  }
  for (uint32_t q = 0; q < sums.size(); q++) {
    const QueueRow& row = store_.queues[q];
    if (!row.present || row.implied) continue;
    const std::string name(store_.QueueName(QueueId{q}));
    std::vector<ResourceAmount> now;
    for (const ResourceId r : store_.ResourceOrder())
      if (const int64_t amount = sums[q][r]) now.push_back({r, amount});
    const auto known = allocated_.find(name);
    const auto same = [](const ResourceAmount& a, const ResourceAmount& b) { return a.id == b.id && a.amount == b.amount; };
    if (known != allocated_.end() && std::ranges::equal(known->second, now, same)) continue;
    Write w = Of(WriteKind::kQueueStatus, "Queue", name, "");
    JsonWriter json(&w.body);
    json.Open('{').Key("status").Open('{').Key("allocated").Open('{');
    for (const ResourceAmount& a : now) json.Key(store_.ResourceName(a.id)).String(QuantityText(a.id, a.amount));
    // A merge patch removes what it names as null: what was there, or whatever may be there from an earlier process.
    for (const ResourceId r : store_.ResourceOrder()) {
      const bool there = known == allocated_.end() || std::ranges::any_of(known->second, [&](const ResourceAmount& k) { return k.id == r; });
      if (there && sums[q][r] == 0) json.Key(store_.ResourceName(r)).Null();
    }
    json.Close('}').Close('}').Close('}');
    pending.push_back(std::move(w));
    allocated_[name] = std::move(now);
  }
}

// As Volcano: two conditions and an event on the pod, and an event on its PodGroup (one for all its pods that go by the same action).
void Writes::CollectEvictions(const std::vector<Eviction>& evicted, int64_t now_ns) {
  std::set<std::pair<JobId, EvictionAction>> told;
  for (const Eviction& e : evicted) {
    const PodRow& p = store_.pods[e.pod.value];
    const std::string message = "Pod is evicted, because of " + std::string(NameOf(e.action));
    Write w = Of(WriteKind::kEvict, "Pod", p.key, p.uid);
    w.node = store_.NodeName(e.node);
    if (p.job) w.group = store_.jobs[p.job.value].key;
    JsonWriter json(&w.body);
    json.Open('{').Key("metadata").Open('{').Key("uid").String(p.uid).Close('}').Key("status").Open('{').Key("conditions").Open('[');
    PodConditionTo(&json, "Ready", "False", "Evict", message, now_ns);
    PodConditionTo(&json, "DisruptionTarget", "True", "PreemptionByScheduler", store_.scheduler_name() + ": preempting to accommodate a higher priority pod", now_ns);
    json.Close(']').Close('}').Close('}');
    w.event_type = "Warning", w.event_reason = "Evict", w.event_message = message;
    pending.push_back(std::move(w));
    store_.EvictionSent(e.pod, e.was);
    if (!p.job || store_.jobs[p.job.value].implied || !told.emplace(p.job, e.action).second) continue;
    const JobRow& job = store_.jobs[p.job.value];
    Write group = Of(WriteKind::kEvent, "PodGroup", job.key, job.uid);
    group.event_type = "Normal", group.event_reason = "Evict", group.event_message = NameOf(e.action);
    pending.push_back(std::move(group));
  }
}

void Writes::Collect(const Plan& plan, const std::vector<PodCondition>& conditions, int64_t now_ns, std::string_view session) {
  for (const Placement& b : plan.binds) {
    const PodRow& p = store_.pods[b.pod.value];
    Write w = Of(WriteKind::kBind, "Pod", p.key, p.uid);
    w.node = store_.NodeName(b.node);
    w.created_seconds = p.creation_seconds;
    if (p.job) w.group = store_.jobs[p.job.value].key, w.group_created_seconds = store_.jobs[p.job.value].creation_seconds;
    JsonWriter(&w.body).Open('{').Key("apiVersion").String("v1").Key("kind").String("Binding").Key("metadata").Open('{').Key("namespace").String(w.namespace_)
        .Key("name").String(w.name).Key("uid").String(w.uid).Close('}').Key("target").Open('{').Key("kind").String("Node").Key("name").String(w.node)
        .Close('}').Close('}');
    pending.push_back(std::move(w));
  }
  CollectEvictions(plan.evicted, now_ns);
  for (const GroupVerdict& g : plan.groups) CollectGroup(g, now_ns, session);
  for (const PodCondition& c : conditions)
    if (c.changed) Condition(c.pod, c.text.reason, c.text.message, c.nominated, now_ns);
  CollectQueues();
}

}  // namespace basalt

#include "report/change_search.h"

#include <algorithm>
#include <cmath>

#include "report/node_change.h"
#include "report/trial.h"
#include "snapshot/text/yaml_json.h"

namespace basalt {

namespace {

constexpr int kRounds = 32;

std::string Quoted(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

/// What stands in a pod's way after a cycle, and the changes that remove it.
class Obstacle {
 public:
  explicit Obstacle(Engine* engine) : engine_(*engine), store_(engine->store) {}

  /// Empty: nothing helps, *why_not says why.
  std::vector<Change> Remove(PodId pod, std::string* why_not) {
    const PodRow& p = store_.pods[pod.value];
    const StringId field = p.unsupported ? store_.classes[p.cls.value].unsupported : p.job ? store_.jobs[p.job.value].unsupported : StringId{};
    if (field) return *why_not = "not supported yet: " + std::string(store_.names.Text(field)), std::vector<Change>{};
    const std::string key(p.key);
    if (p.gated) return {{"Pod", key, {"spec", "schedulingGates"}, "", "no scheduling gates on " + key}};
    if (!p.job) return *why_not = "it belongs to no PodGroup", std::vector<Change>{};
    const JobRow& job = store_.jobs[p.job.value];
    const std::string group(job.key);
    const size_t slash = group.find('/');
    if (!job.has_group)
      return {{"PodGroup", group, {}, "{\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{\"namespace\":" + Quoted(group.substr(0, slash)) +
               ",\"name\":" + Quoted(group.substr(slash + 1)) + "},\"spec\":{\"minMember\":1},\"status\":{\"phase\":\"Inqueue\"}}", "a PodGroup " + group}};
    const std::string queue(store_.QueueName(job.queue));
    const QueueRow& row = store_.queues[job.queue.value];
    if (!row.present)
      return {{"Queue", queue, {}, "{\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"kind\":\"Queue\",\"metadata\":{\"name\":" + Quoted(queue) +
               "},\"spec\":{\"weight\":1},\"status\":{\"state\":\"Open\"}}", "a Queue " + queue}};
    if (!row.open) return {{"Queue", queue, {"status", "state"}, "\"Open\"", "queue " + queue + " open"}};
    if (auto changes = Minimum(p.job); !changes.empty()) return changes;
    if (job.IsPending()) return Admission(p.job);
    return Placement(pod, why_not);
  }

 private:
  // A minimum that the pods which are there, and may be placed, can reach.
  std::vector<Change> Minimum(JobId id) {
    const JobRow& job = store_.jobs[id.value];
    int32_t can = job.Ready();
    for (const PodId t : job.pods) {
      const PodRow& p = store_.pods[t.value];
      can += p.status == TaskStatus::kPending && !p.gated;
    }
    std::vector<Change> changes;
    if (can < job.min_member) changes.push_back(MinMember(id, can));
    for (const auto& [role, min] : job.task_min) {
      int32_t members = 0;
      for (const PodId t : job.pods) {
        const PodRow& p = store_.pods[t.value];
        members += p.role == role && (IsAllocated(p.status) || p.status == TaskStatus::kSucceeded || (p.status == TaskStatus::kPending && !p.gated));
      }
      if (members >= min || job.min_member < job.task_min_total) continue;
      const std::string name(store_.names.Text(role)), group(job.key);
      changes.push_back({"PodGroup", group, {"spec", "minTaskMember", name}, std::to_string(members),
                         std::to_string(min - members) + " more pods of role " + name + " in " + group + " (or minTaskMember " + std::to_string(members) + ")"});
    }
    return changes;
  }

  Change MinMember(JobId id, int32_t value) {
    const JobRow& job = store_.jobs[id.value];
    const std::string text = std::to_string(job.min_member - value) + " more pods in " + std::string(job.key) + " (or minMember " + std::to_string(value) + ")";
    if (!job.implied) return {"PodGroup", std::string(job.key), {"spec", "minMember"}, std::to_string(value), text};
    const PodRow* first = nullptr;  // the pod that speaks for an implied group
    for (const PodId t : job.pods) {
      const PodRow& p = store_.pods[t.value];
      if (!first || p.creation_seconds < first->creation_seconds || (p.creation_seconds == first->creation_seconds && p.key < first->key)) first = &p;
    }
    return {"Pod", std::string(first->key), {"metadata", "annotations", "scheduling.volcano.sh/group-min-member"}, "\"" + std::to_string(value) + "\"", text};
  }

  std::vector<Change> Admission(JobId id) {
    const JobRow& job = store_.jobs[id.value];
    std::vector<ResourceAmount> asked = job.min_resources;
    const EnqueueRefusal* refusal = engine_.RefusalOf(id);
    if (refusal && !refusal->exceeded.empty())
      std::erase_if(asked, [&](const ResourceAmount& a) { return std::find(refusal->exceeded.begin(), refusal->exceeded.end(), a.id) == refusal->exceeded.end(); });
    QueueView view;
    uint16_t policy = 0;
    if (refusal && engine_.kernel.View(job.queue, &view, &policy) && policy == refusal->policy) {
      // Admission counts what is admitted already: ask for all of that and this minimum.
      for (ResourceAmount& a : asked) a.amount = SaturatingAdd(a.amount, Ceil(view.allocated[a.id] + view.inqueue[a.id]));
      if (auto changes = Widen(job.queue, asked, view, /*deserved=*/false); !changes.empty()) return changes;
    }
    return ChangeOfClusterSize(&engine_, asked);
  }

  // Everybody in the way of the gang, one after another: its own pods first, then what the queue may hold.
  std::vector<Change> Placement(PodId pod, std::string* why_not) {
    const JobId id = store_.pods[pod.value].job;
    const JobRow& job = store_.jobs[id.value];
    const Plan& plan = engine_.kernel.plan();
    PodId failing = NodesFail(pod) ? pod : PodId{};
    for (size_t i = 0; i < plan.waiting.size() && !failing; i++) {
      const TaskVerdict& v = plan.waiting[i];
      if (store_.pods[v.pod.value].job != id) continue;
      if (v.kind == TaskVerdict::kPipelined || NodesFail(v.pod)) failing = v.pod;
    }
    if (failing) {
      const PodRow& f = store_.pods[failing.value];
      if (store_.classes[f.cls.value].terms_conflict)
        return {{"Pod", std::string(f.key), {"spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}, "",
                 "no contradicting node affinity of " + std::string(f.key)}};
      int64_t alike = 0;
      for (const PodId t : job.pods) {
        const PodRow& o = store_.pods[t.value];
        alike += o.status == TaskStatus::kPending && !o.gated && o.cls == f.cls;
      }
      const int64_t needed = std::clamp<int64_t>(job.min_member - job.Ready(), 1, std::max<int64_t>(alike, 1));
      return ChangeOfNearestNode(&engine_, failing, failing == pod && job.Ready() >= job.min_member ? 1 : needed);
    }
    // A best-effort pod is placed without looking at resources, but not sent to a node that is overcommitted.
    for (const TaskVerdict& v : plan.waiting) {
      if (store_.pods[v.pod.value].job != id || v.kind != TaskVerdict::kSchedulable || !store_.classes[store_.pods[v.pod.value].cls.value].best_effort) continue;
      std::vector<Change> changes;
      for (const ResourceAmount& r : store_.classes[store_.pods[v.pod.value].cls.value].request)
        if (const int64_t idle = store_.nodes.idle[r.id.value][v.node.value]; idle < 0) changes.push_back(MoreOnNode(store_, r.id, -idle, v.node));
      if (!changes.empty()) return changes;
    }
    QueueView view;
    uint16_t policy = 0;
    if (engine_.kernel.View(job.queue, &view, &policy)) {
      Amounts rest;
      for (const PodId t : job.pods) {
        const PodRow& o = store_.pods[t.value];
        if (o.status == TaskStatus::kPending && !o.gated) rest.Add(store_.classes[o.cls.value].request, 1);
      }
      std::vector<ResourceAmount> wanted;
      for (uint32_t r = 0; r < rest.size(); r++)
        if (const ResourceId at{r}; rest[at] > 0) wanted.push_back({at, SaturatingAdd(rest[at], Ceil(view.allocated[at]))});
      if (auto changes = Widen(job.queue, wanted, view, /*deserved=*/true); !changes.empty()) return changes;
    }
    const int64_t alike = std::max<int64_t>(job.min_member - job.Ready(), 1);
    (void)why_not;
    return ChangeOfNearestNode(&engine_, pod, alike);
  }

  bool NodesFail(PodId pod) const {
    for (const TaskVerdict& v : engine_.kernel.plan().waiting)
      if (v.pod == pod) return v.kind == TaskVerdict::kFit && engine_.kernel.plan().fit_errors[v.fit_error].kind != FitError::kRoleFailed;
    return false;
  }

  static int64_t Ceil(double v) { return v >= 9e18 ? INT64_MAX : static_cast<int64_t>(std::ceil(v)); }

  // Makes the queue's bound reach `wanted`. deserved: the bound of allocation, else that of admission.
  std::vector<Change> Widen(QueueId id, const std::vector<ResourceAmount>& wanted, const QueueView& view, bool deserved) {
    const QueueRow& row = store_.queues[id.value];
    const std::string queue(store_.QueueName(id));
    std::vector<Change> changes;
    std::vector<ResourceAmount> more;
    for (const ResourceAmount& w : wanted) {
      if (w.id == kPods) continue;  // no queue policy counts pods
      const double want = static_cast<double>(w.amount);
      const std::string name(store_.ResourceName(w.id)), value = QuantityJson(w.id, w.amount), text = " " + AmountText(store_, w.id, w.amount) + " " + name + " for queue " + queue;
      const auto listed = [&](const std::vector<ResourceAmount>& list) -> const ResourceAmount* {
        for (const ResourceAmount& a : list)
          if (a.id == w.id) return &a;
        return nullptr;
      };
      const ResourceAmount* capability = listed(row.capability);
      if (capability && capability->amount < w.amount && (capability->amount > 0 || w.id.value > kMemory.value))
        changes.push_back({"Queue", queue, {"spec", "capability", name}, value, "capability" + text});
      // A scalar that a capability list leaves out reads as none.
      if (!capability && !row.capability.empty() && view.real_capability[w.id] < want && w.id.value > kMemory.value)
        changes.push_back({"Queue", queue, {"spec", "capability", name}, value, "capability" + text});
      const bool bounded = view.limit[w.id] < want;
      if (deserved && bounded && view.deserved[w.id] < want) changes.push_back({"Queue", queue, {"spec", "guarantee", "resource", name}, value, "guarantee" + text});
      // What all queues share: the cluster less the others' guarantees.
      const double shared = static_cast<double>(store_.total_allocatable[w.id]) - (Guarantees(w.id) - view.guarantee[w.id]);
      if (shared < want) more.push_back({w.id, Ceil(want - shared)});
    }
    if (!more.empty()) MergeChanges(ChangeOfClusterSize(&engine_, more), &changes);
    return changes;
  }

  double Guarantees(ResourceId r) const {
    double sum = 0;
    for (const QueueRow& q : store_.queues)
      if (q.present)
        for (const ResourceAmount& a : q.guarantee)
          if (a.id == r) sum += static_cast<double>(a.amount);
    return sum;
  }

  Engine& engine_;
  Store& store_;
};

bool Placed(const Store& store, std::string_view key);

// Less room, as long as the pod is placed: by halves, down to a 64th or one unit of what a person would add.
void Shrink(Trial* trial, Engine* engine, const std::string& pod, std::vector<Change>* changes) {
  for (Change& c : *changes) {
    const NodeId node = engine->store.FindNode(c.key);
    if (c.more == 0 || !node) continue;  // of a node that is made, too
    const int64_t unit = c.resource == kPods || c.resource == kCpu ? 1 : c.resource == kMemory ? 1 << 20 : 1000;
    const Change enough = c;
    int64_t low = 0, high = (c.more + unit - 1) / unit;  // in units: too little, enough
    const int64_t close = std::max<int64_t>(high / 64, 1);
    while (high - low > close) {
      const int64_t middle = low + (high - low) / 2;
      c = MoreOnNode(engine->store, enough.resource, middle * unit, node);
      const bool placed = trial->Run(*changes) && Placed(engine->store, pod);
      trial->Undo();
      (placed ? high : low) = middle;
    }
    c = high * unit < enough.more ? MoreOnNode(engine->store, enough.resource, high * unit, node) : enough;
  }
}

bool Placed(const Store& store, std::string_view key) {
  const PodId pod = store.FindPod(key);
  return pod && store.pods[pod.value].status == TaskStatus::kBinding;
}

}  // namespace

ChangePlan FindChange(Engine* engine, const ObjectSource& source, std::string_view key) {
  ChangePlan plan;
  const std::string name(key);
  Trial trial(engine, source);
  for (int round = 0; round < kRounds && !plan.found; round++) {
    if (!trial.Run(plan.changes)) {
      plan.why_not = "an object to be changed is not in the input";
      break;
    }
    if (Placed(engine->store, name)) {
      plan.found = true;
    } else if (const PodId pod = engine->store.FindPod(name)) {
      std::vector<Change> more = Obstacle(engine).Remove(pod, &plan.why_not);
      if (more.empty()) round = kRounds;
      MergeChanges(std::move(more), &plan.changes);
    }
    trial.Undo();
  }
  // Others may take what is added for this one again and again, here and there: then room for all of them, on a node of its own.
  if (!plan.found && plan.why_not.empty()) {
    if (const PodId pod = engine->store.FindPod(name)) {
      plan.changes = ChangeForAllThatWaits(engine, pod);
      plan.found = trial.Run(plan.changes) && Placed(engine->store, name);
      trial.Undo();
    }
  }
  // What was in the way at first may not be after the rest: each change has to be needed.
  for (size_t i = plan.changes.size(); plan.found && i-- > 0 && plan.changes.size() > 1;) {
    std::vector<Change> fewer = plan.changes;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    if (trial.Run(fewer) && Placed(engine->store, name)) plan.changes = std::move(fewer);
    trial.Undo();
  }
  if (plan.found) {
    Shrink(&trial, engine, name, &plan.changes);
    plan.changes = trial.ForInput(std::move(plan.changes));
  }
  if (!plan.found) {
    plan.changes.clear();
    if (plan.why_not.empty()) plan.why_not = "no change was found";
  }
  return plan;
}

}  // namespace basalt

#include "report/figures.h"

#include <malloc.h>

#include <map>

#include "kernel/policies/catalogue.h"
#include "report/json_writer.h"

namespace basalt {
namespace {

void Amounts(const Store& store, std::string_view name, const Vector& v, JsonWriter* w) {
  w->Key(name).Open('{');
  v.ForEach([&](ResourceId r, double amount) { w->Key(store.ResourceName(r)).Number(amount); });
  w->Close('}');
}

void Queues(const Engine& engine, JsonWriter* w) {
  const Store& store = engine.store;
  w->Key("queues").Open('[');
  for (uint32_t q = 0; q < store.queues.size(); q++) {
    const QueueRow& row = store.queues[q];
    QueueView view;
    uint16_t policy = 0;
    if (!row.in_use || !row.present || !engine.kernel.View(QueueId{q}, &view, &policy)) continue;
    w->Open('{').Key("name").String(store.QueueName(QueueId{q})).Key("plugin").String(Policies()[policy].name).Key("weight").Integer(row.weight);
    w->Key("share").Number(view.share).Key("overused").Bool(view.deserved.LessEqual(view.allocated));
    Amounts(store, "allocated", view.allocated, w);
    Amounts(store, "request", view.request, w);
    Amounts(store, "deserved", view.deserved, w);
    Amounts(store, "capacity", Vector(row.capability), w);
    Amounts(store, "realCapacity", view.real_capability, w);
    Amounts(store, "inqueue", view.inqueue, w);
    w->Close('}');
  }
  w->Close(']');
}

void Jobs(Engine* engine, JsonWriter* w) {
  const Store& store = engine->store;
  std::vector<const GroupVerdict*> verdicts(store.jobs.size(), nullptr);
  for (const GroupVerdict& g : engine->kernel.plan().groups)
    if (g.job.value < verdicts.size()) verdicts[g.job.value] = &g;
  w->Key("jobs").Open('[');
  for (uint32_t j = 0; j < store.jobs.size(); j++) {
    const JobRow& job = store.jobs[j];
    if (!job.in_use || !job.has_group) continue;
    const size_t slash = job.key.find('/');
    w->Open('{').Key("namespace").String(job.key.substr(0, slash)).Key("name").String(job.key.substr(slash + 1));
    w->Key("queue").String(job.queue ? store.QueueName(job.queue) : std::string_view()).Key("created").Integer(job.creation_seconds);
    if (const GroupVerdict* v = verdicts[j]; v && v->has_gang_condition) w->Key("unready").Integer(v->gang_ready ? 0 : v->unready_tasks).Key("ready").Bool(v->gang_ready);
    if (const double share = engine->kernel.JobShare(JobId{j}); share >= 0) w->Key("share").Number(share);
    if (const Live::JobFigures* f = engine->live()->FiguresOf(job.key)) w->Key("retries").Integer(static_cast<int64_t>(f->retries)).Key("lastPlacedNs").Integer(f->last_placed_ns);
    w->Close('}');
  }
  w->Close(']');
}

// One word or two per pod, without names and numbers, so that there are few of them: of what nodes say, that which most nodes say.
std::string CauseOf(const Store& store, const Plan& plan, const TaskVerdict& v) {
  switch (v.kind) {
    case TaskVerdict::kSchedulable: return "gang is not whole";
    case TaskVerdict::kPipelined: return "room is being released";
    case TaskVerdict::kGroup: {
      const JobId job = store.pods[v.pod.value].job;
      return job && store.jobs[job.value].IsPending() ? "not admitted" : "not tried";
    }
    case TaskVerdict::kFit: break;
  }
  const FitError& error = plan.fit_errors[v.fit_error];
  switch (error.kind) {
    case FitError::kRoleFailed: return "another pod of its role failed";
    case FitError::kTermsConflict: return "node affinity contradicts itself";
    case FitError::kUnsupported: return "not supported yet";
    case FitError::kNodes: break;
  }
  const ReasonCount* most = nullptr;
  for (const ReasonCount& r : error.reasons)
    if (!most || r.nodes > most->nodes) most = &r;
  if (!most) return "no nodes";
  const auto lowest = static_cast<uint16_t>(most->bits & -most->bits);
  return ReasonText(store, lowest, most->resource, most->policy, most->name);
}

void Unschedulable(const Engine& engine, JsonWriter* w) {
  std::map<std::string, int64_t> counts;
  const Plan& plan = engine.kernel.plan();
  for (const TaskVerdict& v : plan.waiting)
    if (engine.store.pods[v.pod.value].in_use) counts[CauseOf(engine.store, plan, v)]++;
  w->Key("unschedulable").Open('{');
  for (const auto& [cause, pods] : counts) w->Key(cause).Integer(pods);
  w->Close('}');
}

}  // namespace

std::string FiguresJson(Engine* engine) {
  std::string json;
  JsonWriter w(&json);
  w.Open('{');
  Queues(*engine, &w);
  Jobs(engine, &w);
  Unschedulable(*engine, &w);
  // In a process whose other memory is Go's, what malloc has handed out is the library's.
  const struct mallinfo2 memory = mallinfo2();
  w.Key("memoryBytes").Integer(static_cast<int64_t>(memory.uordblks + memory.hblkhd)).Close('}');
  return json;
}

}  // namespace basalt

#include <algorithm>

#include "report/change_search.h"
#include "report/explain.h"
#include "report/score_source.h"

namespace basalt {

namespace {

constexpr size_t kBestShown = 3;

const TaskVerdict* VerdictOf(const Plan& plan, PodId pod) {
  for (const TaskVerdict& v : plan.waiting)
    if (v.pod == pod) return &v;
  return nullptr;
}

// The gates that stand before the nodes, as one sentence; empty where they are open.
std::string ClosedGate(const Engine& engine, PodId id) {
  const Store& store = engine.store;
  const PodRow& p = store.pods[id.value];
  const StringId field = p.unsupported ? store.classes[p.cls.value].unsupported : p.job ? store.jobs[p.job.value].unsupported : StringId{};
  if (field) return "not supported yet: " + std::string(store.names.Text(field));
  if (p.gated) return "it carries a scheduling gate";
  if (!p.job) return "it belongs to no PodGroup";
  const JobRow& job = store.jobs[p.job.value];
  const std::string group(job.key);
  if (!job.has_group) return "its PodGroup " + group + " is not there";
  const QueueRow& queue = store.queues[job.queue.value];
  const std::string queue_name(store.QueueName(job.queue));
  if (!queue.present) return "queue not found: " + queue_name;
  if (!queue.open) return "queue " + queue_name + " is " + std::string(store.names.Text(queue.state));
  if (job.Valid() < job.min_member)
    return "its PodGroup " + group + " has " + std::to_string(job.Valid()) + " of the " + std::to_string(job.min_member) + " pods that it needs";
  if (job.IsPending()) return "its PodGroup " + group + " is not admitted" + RefusalText(store, engine.RefusalOf(p.job), job.queue);
  return "";
}

}  // namespace

Explanation ExplainPod(Engine* engine, PodId id, const ObjectSource& source) {
  Store& store = engine->store;
  const PodRow& p = store.pods[id.value];
  const PodClass& cls = store.classes[p.cls.value];
  const std::string name(p.key);
  Explanation e;
  JsonWriter w(&e.json);
  w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("PodExplanation").Key("pod").String(name).Key("status").String(StatusText(p.status));
  std::string gates = "  asks      " + AmountsText(store, cls.request) + "\n";
  w.Key("asks");
  WriteAmounts(store, cls.request, &w);

  if (p.job && store.jobs[p.job.value].has_group) {
    const JobRow& job = store.jobs[p.job.value];
    const QueueRow& queue = store.queues[job.queue.value];
    const std::string queue_name(store.QueueName(job.queue)), state = !queue.present ? "not there" : queue.open ? "Open" : std::string(store.names.Text(queue.state));
    gates += "  queue     " + queue_name + ": " + state;
    w.Key("queue").Open('{').Key("name").String(queue_name).Key("state").String(state);
    QueueView view;
    uint16_t policy = 0;
    if (engine->kernel.View(job.queue, &view, &policy)) {
      gates += "; holds " + VectorText(store, view.allocated) + " of at most " + VectorText(store, view.limit);
      w.Key("allocated"), WriteVector(store, view.allocated, &w), w.Key("limit"), WriteVector(store, view.limit, &w);
      w.Key("deserved"), WriteVector(store, view.deserved, &w), w.Key("share").Number(view.share);
    }
    w.Close('}');
    const int32_t pending = job.Count(TaskStatus::kPending);
    gates += "\n  gang      " + std::string(job.key) + ": " + std::string(job.phase == GroupPhase::kEmpty ? "not admitted" : PhaseText(job.phase)) + ", needs " + std::to_string(job.min_member) + ", ready " +
             std::to_string(job.Ready()) + ", pending " + std::to_string(pending) + "\n";
    w.Key("gang").Open('{').Key("name").String(job.key).Key("phase").String(PhaseText(job.phase)).Key("minMember").Integer(job.min_member).Key("ready").Integer(job.Ready())
        .Key("pending").Integer(pending).Key("pods").Integer(static_cast<int64_t>(job.pods.size())).Close('}');
  }

  const scoring::Room room = cls.best_effort ? scoring::Room::kNone : scoring::Room::kIdle;
  if (p.node) {
    const bool now = p.status == TaskStatus::kBinding;
    std::string scores;
    if (now) {  // against what the nodes look like with it
      const NodeGate gate = JudgeNodes(engine, engine->kernel.View(id), room);
      scores = "; " + std::to_string(gate.fit) + "/" + std::to_string(gate.nodes) + " nodes still fit another pod like it";
    }
    w.Key("node").String(store.NodeName(p.node)).Close('}');
    e.text = name + (now ? " is placed on " : " is " + std::string(StatusText(p.status)) + " on ") + std::string(store.NodeName(p.node)) + scores + "\n" + gates;
    return e;
  }
  if (p.status != TaskStatus::kPending) {
    w.Close('}');
    e.text = name + " is " + std::string(StatusText(p.status)) + "\n" + gates;
    return e;
  }

  const std::string closed = ClosedGate(*engine, id);
  const NodeGate gate = JudgeNodes(engine, engine->kernel.View(id), room);
  const TaskVerdict* verdict = VerdictOf(engine->kernel.plan(), id);
  const std::string fit = std::to_string(gate.fit) + "/" + std::to_string(gate.nodes) + " nodes fit";
  std::string why = closed;
  if (why.empty()) {
    why = fit;
    if (!gate.refusals.empty()) why += ": " + RefusalsText(store, gate);
    if (gate.fit > 0) {
      if (verdict && verdict->kind == TaskVerdict::kSchedulable) why += "; it could go to " + std::string(store.NodeName(verdict->node)) + ", but its gang does not get all that it needs";
      else if (p.condition_false && !p.condition_message.empty()) why += "; " + p.condition_message;
    } else if (gate.nodes == 0) {
      why = "there is no node";
    }
  }
  gates += "  nodes     " + fit + "\n";
  w.Key("nodes").Open('{').Key("total").Integer(static_cast<int64_t>(gate.nodes)).Key("fit").Integer(static_cast<int64_t>(gate.fit)).Key("refusals").Open('[');
  for (const NodeGate::Refusal& r : gate.refusals) {
    gates += "            " + std::to_string(r.nodes) + " " + r.reason;
    w.Open('{').Key("reason").String(r.reason).Key("nodes").Integer(static_cast<int64_t>(r.nodes));
    if (r.resource) {
      gates += ": asks " + AmountText(store, r.resource, r.asks) + ", best has " + AmountText(store, r.resource, r.best) + " free: " + r.best_node;
      w.Key("resource").String(store.ResourceName(r.resource)).Key("bestNode").String(r.best_node);
    }
    gates += "\n";
    w.Close('}');
  }
  w.Close(']').Close('}');
  if (gate.fit > 0) {
    engine->store.Prepare();
    engine->kernel.Open(engine->last_now_ns);
    const std::vector<ScoreRow> rows = ScoreRows(engine->store, name).Pods();
    if (!rows.empty()) {
      const ScoreColumns sum_alone(ScoreBy::kSum);
      ScoreSource scores(engine, &rows, &sum_alone);
      scores.Judge(rows[0]);
      std::vector<size_t> best;
      for (size_t n = 0; n < scores.nodes(); n++)
        if (scores.Fits(n)) best.push_back(n);
      std::stable_sort(best.begin(), best.end(), [&](size_t a, size_t b) { return scores.Score(a) > scores.Score(b); });
      best.resize(std::min(best.size(), kBestShown));
      w.Key("best").Open('{');
      gates += "  scores   ";
      for (const size_t n : best) {
        std::string number;
        JsonWriter(&number).Number(scores.Score(n));
        gates += " " + std::string(scores.NodeName(n)) + " " + number;
        w.Key(scores.NodeName(n)).Number(scores.Score(n));
      }
      gates += "\n";
      w.Close('}');
    }
  }
  if (p.condition_false && !p.condition_message.empty()) gates += "  told      " + p.condition_reason + ": " + p.condition_message + "\n";
  w.Key("why").String(why).Key("condition").Open('{').Key("reason").String(p.condition_reason).Key("message").String(p.condition_message).Close('}');

  const ChangePlan plan = FindChange(engine, source, name);
  std::string change;
  if (plan.found) {
    change = "; would fit with " + ChangesText(plan.changes);
    gates += "  change    " + ChangesText(plan.changes) + "\n";
    w.Key("changes");
    WriteChanges(plan.changes, &w);
  } else {
    gates += "  change    none offered: " + plan.why_not + "\n";
    w.Key("changes").Open('[').Close(']').Key("noChange").String(plan.why_not);
  }
  w.Close('}');
  e.text = name + " waits: " + why + change + "\n" + gates;
  return e;
}

}  // namespace basalt

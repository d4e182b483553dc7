#include "report/table.h"

#include <algorithm>
#include <cstdio>

#include "report/columns.h"
#include "report/explain.h"
#include "report/plan_facts.h"

namespace basalt {
namespace {

constexpr size_t kRowsShown = 40, kReasonsShown = 5;

using Line = std::vector<std::string>;

void Append(const std::vector<std::string>& more, Line* line) { line->insert(line->end(), more.begin(), more.end()); }

std::string AmountsOf(const Store& store, const Amounts& amounts) {
  std::vector<ResourceAmount> list;
  for (uint32_t r = 0; r < amounts.size(); r++)
    if (ResourceId id{r}; id != kPods) list.push_back({id, amounts[id]});
  return AmountsText(store, list);
}

/// "and 20 more podgroups, 5 of them with waiting pods (-o wide shows all)"
std::string More(size_t hidden, const char* what, size_t waiting) {
  if (!hidden) return "";
  return "and " + std::to_string(hidden) + " more " + what + ", " + (waiting ? std::to_string(waiting) : "none") +
         " of them with waiting pods (-o wide shows all)\n";
}

std::string Queues(const Engine& engine, const PlanFacts& facts, bool wide) {
  const Store& store = engine.store;
  std::vector<std::pair<std::string_view, PodTally>> queues(facts.queues.begin(), facts.queues.end());
  size_t shown = queues.size();
  if (!wide && shown > kRowsShown) {
    std::stable_partition(queues.begin(), queues.end(), [](const auto& q) { return q.second.waiting > 0; });
    shown = kRowsShown;
  }
  std::vector<Line> lines = {{"QUEUE", "STATE", "PLACED", "RUNNING", "WAITING", "SHARE", "ALLOCATED", "DESERVED"}};
  if (wide) Append({"LIMIT", "GUARANTEE", "WEIGHT", "PARENT"}, &lines[0]);
  for (size_t i = 0; i < shown; i++) {
    const auto& [name, pods] = queues[i];
    const QueueId id = store.FindQueue(name);
    const QueueRow* row = id && store.queues[id.value].present ? &store.queues[id.value] : nullptr;
    Line line = {std::string(name),
                 !row        ? "not there"
                 : row->open ? "Open"
                             : std::string(store.names.Text(row->state)),
                 std::to_string(pods.placed), std::to_string(pods.running), std::to_string(pods.waiting)};
    QueueView view;
    uint16_t policy = 0;
    const bool divided = row && engine.kernel.View(id, &view, &policy);
    char share[32];
    std::snprintf(share, sizeof share, "%.2f", view.share);
    Append(divided ? Line{share, VectorText(store, view.allocated), VectorText(store, view.deserved)} : Line{"-", "-", "-"}, &line);
    if (wide) {
      Append(divided ? Line{VectorText(store, view.limit), VectorText(store, view.guarantee)} : Line{"-", "-"}, &line);
      Append(row ? Line{std::to_string(row->weight), row->parent ? std::string(store.names.Text(row->parent)) : "root"} : Line{"-", "-"}, &line);
    }
    lines.push_back(std::move(line));
  }
  const size_t hidden_waiting =
      static_cast<size_t>(std::count_if(queues.begin() + static_cast<ptrdiff_t>(shown), queues.end(), [](const auto& q) { return q.second.waiting > 0; }));
  return Columns(lines) + More(queues.size() - shown, "queues", hidden_waiting);
}

std::string Jobs(const Store& store, const PlanFacts& facts, bool wide) {
  const std::vector<JobFacts>& jobs = facts.jobs;
  const size_t shown = wide ? jobs.size() : std::min(jobs.size(), kRowsShown);
  std::vector<Line> lines = {{"QUEUE", "PODGROUP", "PHASE", "MIN", "PLACED", "RUNNING", "WAITING"}};
  if (wide) Append({"PODS", "PRIORITY", "ASKS"}, &lines[0]);
  lines[0].push_back("REASON");
  for (size_t i = 0; i < shown; i++) {
    const JobFacts& job = jobs[i];
    Line line = {job.queue.empty() ? "-" : std::string(job.queue),
                 std::string(job.row->key),
                 job.row->has_group ? std::string(PhaseText(job.row->phase)) : "not there",
                 std::to_string(job.row->min_member),
                 std::to_string(job.pods.placed),
                 std::to_string(job.pods.running),
                 std::to_string(job.pods.waiting)};
    if (wide) Append({std::to_string(job.row->pods.size()), std::to_string(job.row->priority), AmountsOf(store, job.row->total)}, &line);
    const auto most = std::max_element(job.reasons.begin(), job.reasons.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    line.push_back(most == job.reasons.end() ? "" : most->first);
    lines.push_back(std::move(line));
  }
  const size_t hidden_waiting =
      static_cast<size_t>(std::count_if(jobs.begin() + static_cast<ptrdiff_t>(shown), jobs.end(), [](const JobFacts& j) { return j.pods.waiting > 0; }));
  return Columns(lines) + More(jobs.size() - shown, "podgroups", hidden_waiting);
}

std::string Reasons(const PlanFacts& facts, bool wide) {
  if (facts.reasons.empty()) return "";
  std::vector<std::pair<size_t, std::string>> top;
  for (const auto& [reason, pods] : facts.reasons) top.emplace_back(pods, reason);
  std::stable_sort(top.begin(), top.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const size_t shown = wide ? top.size() : std::min(top.size(), kReasonsShown);
  std::vector<Line> lines;
  for (size_t i = 0; i < shown; i++) lines.push_back({"  " + std::to_string(top[i].first), top[i].second});
  std::string text = "\nWhy pods wait:\n" + Columns(lines);
  if (shown == top.size()) return text;
  size_t pods = 0;
  for (size_t i = shown; i < top.size(); i++) pods += top[i].first;
  return text + "  and " + std::to_string(top.size() - shown) + " more reasons of " + std::to_string(pods) + " pods (-o wide shows all)\n";
}

std::string Total(const Engine& engine, const PlanFacts& facts, bool wide) {
  const Plan& plan = engine.kernel.plan();
  std::string text = "\n" + std::to_string(plan.binds.size()) + " pods placed in the last cycle, " + std::to_string(facts.waiting) + " waiting";
  std::string of_these;
  if (!plan.pipelined.empty()) of_these += std::to_string(plan.pipelined.size()) + " pipelined";
  if (!plan.held.empty()) of_these += (of_these.empty() ? "" : ", ") + std::to_string(plan.held.size()) + " held";
  if (!of_these.empty()) text += " (" + of_these + ")";
  if (!plan.evicted.empty()) text += ", " + std::to_string(plan.evicted.size()) + " evicted";
  text += ", " + std::to_string(engine.store.nodes.present_count) + " nodes";
  if (wide) {
    char decided[48];
    std::snprintf(decided, sizeof decided, ", decided in %.3f ms", static_cast<double>(engine.decide_ns) / 1e6);
    text += decided;
  }
  return text + "\n";
}

/// Every pod that got a node in the last cycle, and those that were evicted.
std::string Placements(const Engine& engine) {
  const Store& store = engine.store;
  const Plan& plan = engine.kernel.plan();
  std::vector<Line> rows;
  const auto row = [&](PodId pod, std::string node, std::string outcome) {
    const PodRow& p = store.pods[pod.value];
    const JobRow* job = p.job ? &store.jobs[p.job.value] : nullptr;
    rows.push_back({std::string(p.key), std::move(node), std::move(outcome), job ? std::string(job->key) : "-",
                    job && job->queue ? std::string(store.QueueName(job->queue)) : "-"});
  };
  for (const Placement& p : plan.binds) row(p.pod, std::string(store.NodeName(p.node)), "placed");
  for (const Placement& p : plan.pipelined) row(p.pod, std::string(store.NodeName(p.node)), "pipelined");
  for (const Placement& p : plan.held) row(p.pod, std::string(store.NodeName(p.node)), "held");
  for (const Eviction& e : plan.evicted) row(e.pod, std::string(store.NodeName(e.node)), EvictionText(store, e));
  if (rows.empty()) return "";
  std::sort(rows.begin(), rows.end());
  rows.insert(rows.begin(), {"POD", "NODE", "OUTCOME", "PODGROUP", "QUEUE"});
  return "\n" + Columns(rows);
}

}  // namespace

std::string PlanTable(const Engine& engine, bool wide) {
  const PlanFacts facts = FactsOf(engine);
  std::string out = Queues(engine, facts, wide) + "\n" + Jobs(engine.store, facts, wide) + Reasons(facts, wide) + Total(engine, facts, wide);
  if (wide) out += Placements(engine);
  return out;
}

}  // namespace basalt

#include "report/table.h"

#include <algorithm>
#include <map>

#include "report/columns.h"
#include "report/explain.h"

namespace basalt {
namespace {

constexpr size_t kJobsShown = 40, kReasonsShown = 5;

using Line = std::vector<std::string>;

struct Tally {
  size_t placed = 0, running = 0, waiting = 0;
};

// What a waiting pod lacks, in a form that many pods share.
std::string ReasonOf(const Engine& engine, const PodRow& p, const TaskVerdict* v, bool gang_has_node_error) {
  const Store& store = engine.store;
  if (p.gated) return "carries a scheduling gate";
  if (!p.job || !store.jobs[p.job.value].has_group) return "its PodGroup is not there";
  const JobRow& job = store.jobs[p.job.value];
  if (!job.queue || !store.queues[job.queue.value].present) return "queue not found: " + std::string(job.queue ? store.QueueName(job.queue) : "");
  if (!store.queues[job.queue.value].open) return "queue " + std::string(store.QueueName(job.queue)) + " is " + std::string(store.names.Text(store.queues[job.queue.value].state));
  if (job.IsPending()) return "PodGroup not admitted" + RefusalText(store, engine.RefusalOf(p.job), job.queue);
  if (job.Valid() < job.min_member) return "fewer pods than the gang's minimum";
  if (!v || v->kind == TaskVerdict::kGroup) {
    // Without an error of a node, it was the queue's bound that ended the attempt.
    if (gang_has_node_error) return "its gang does not get all that it needs";
    return "queue " + std::string(store.QueueName(job.queue)) + " may not hold more";
  }
  if (v->kind == TaskVerdict::kFit) return FitErrorText(store, engine.kernel.plan().fit_errors[v->fit_error], v->pod);
  return v->kind == TaskVerdict::kPipelined ? "waits for room that is being released" : "has a node, but its gang does not get all that it needs";
}

}  // namespace

std::string PlanTable(const Engine& engine, bool wide) {
  const Store& store = engine.store;
  const Plan& plan = engine.kernel.plan();
  std::map<JobId, size_t> bound;
  for (const Placement& p : plan.binds) bound[store.pods[p.pod.value].job]++;
  std::map<uint32_t, bool> node_error;  ///< by job
  for (const GroupVerdict& g : plan.groups) node_error[g.job.value] = static_cast<bool>(g.origin);
  std::map<uint32_t, const TaskVerdict*> verdicts;
  for (const TaskVerdict& v : plan.waiting) verdicts[v.pod.value] = &v;

  // Jobs, waiting ones first: they are what a person looks for.
  struct Job { const JobRow* row; std::string_view queue; Tally tally; std::map<std::string, size_t> reasons; };
  std::vector<Job> jobs;
  std::map<std::string_view, Tally> queues;
  std::map<std::string, size_t> reasons;
  size_t waiting = 0;
  for (uint32_t j = 0; j < store.jobs.size(); j++) {
    const JobRow& row = store.jobs[j];
    if (!row.in_use) continue;
    Job job{&row, row.queue ? store.QueueName(row.queue) : "", {}, {}};
    const auto placed = bound.find(JobId{j});
    job.tally.placed = placed == bound.end() ? 0 : placed->second;
    job.tally.running = static_cast<size_t>(row.Count(TaskStatus::kRunning) + row.Count(TaskStatus::kBound));
    for (const PodId t : row.pods) {
      const PodRow& p = store.pods[t.value];
      if (!p.ours || p.status != TaskStatus::kPending) continue;
      job.tally.waiting++, waiting++;
      const auto v = verdicts.find(t.value);
      const std::string reason = ReasonOf(engine, p, v == verdicts.end() ? nullptr : v->second, node_error[j]);
      job.reasons[reason]++, reasons[reason]++;
    }
    Tally& q = queues[job.queue];
    q.placed += job.tally.placed, q.running += job.tally.running, q.waiting += job.tally.waiting;
    if (row.has_group) jobs.push_back(std::move(job));
  }
  std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    if ((a.tally.waiting > 0) != (b.tally.waiting > 0)) return a.tally.waiting > 0;
    return a.queue != b.queue ? a.queue < b.queue : a.row->key < b.row->key;
  });

  std::vector<Line> lines = {{"QUEUE", "STATE", "PLACED", "RUNNING", "WAITING", "SHARE", "ALLOCATED", "DESERVED"}};
  for (const auto& [name, tally] : queues) {
    const QueueId id = store.FindQueue(name);
    const bool there = id && store.queues[id.value].present;
    Line line = {std::string(name), !there ? "not there" : store.queues[id.value].open ? "Open" : std::string(store.names.Text(store.queues[id.value].state)),
                 std::to_string(tally.placed), std::to_string(tally.running), std::to_string(tally.waiting)};
    QueueView view;
    uint16_t policy = 0;
    if (there && engine.kernel.View(id, &view, &policy)) {
      char share[32];
      std::snprintf(share, sizeof share, "%.2f", view.share);
      line.insert(line.end(), {share, VectorText(store, view.allocated), VectorText(store, view.deserved)});
    } else {
      line.insert(line.end(), {"-", "-", "-"});
    }
    lines.push_back(std::move(line));
  }
  std::string out = Columns(lines) + "\n";

  lines = {{"QUEUE", "PODGROUP", "PHASE", "MIN", "PLACED", "RUNNING", "WAITING", "REASON"}};
  const size_t shown = wide ? jobs.size() : std::min(jobs.size(), kJobsShown);
  for (size_t i = 0; i < shown; i++) {
    const Job& job = jobs[i];
    const auto most = std::max_element(job.reasons.begin(), job.reasons.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    lines.push_back({std::string(job.queue), std::string(job.row->key), std::string(PhaseText(job.row->phase)), std::to_string(job.row->min_member), std::to_string(job.tally.placed),
                     std::to_string(job.tally.running), std::to_string(job.tally.waiting), most == job.reasons.end() ? "" : most->first});
  }
  out += Columns(lines);
  if (shown < jobs.size()) out += "and " + std::to_string(jobs.size() - shown) + " more podgroups (-o wide shows all)\n";

  if (!reasons.empty()) {
    std::vector<std::pair<size_t, std::string>> top;
    for (const auto& [reason, pods] : reasons) top.emplace_back(pods, reason);
    std::stable_sort(top.begin(), top.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    out += "\nWhy pods wait:\n";
    for (size_t i = 0; i < std::min(top.size(), kReasonsShown); i++) out += "  " + std::to_string(top[i].first) + "  " + top[i].second + "\n";
    if (top.size() > kReasonsShown) out += "  and " + std::to_string(top.size() - kReasonsShown) + " more reasons\n";
  }
  out += "\n" + std::to_string(plan.binds.size()) + " pods placed in the last cycle, " + std::to_string(waiting) + " waiting, " + std::to_string(store.nodes.present_count) + " nodes\n";
  if (wide) {
    std::vector<Line> binds = {{"POD", "NODE"}};
    std::map<std::string_view, std::string_view> sorted;
    for (const Placement& p : plan.binds) sorted.emplace(store.pods[p.pod.value].key, store.NodeName(p.node));
    for (const auto& [pod, node] : sorted) binds.push_back({std::string(pod), std::string(node)});
    out += "\n" + Columns(binds);
  }
  return out;
}

}  // namespace basalt

#include "report/table.h"

#include <algorithm>
#include <map>

#include "report/columns.h"

namespace basalt {
namespace {

using Line = std::vector<std::string>;

}  // namespace

std::string PlanTable(const Engine& engine, bool wide) {
  const Store& store = engine.store;
  const Plan& plan = engine.kernel.plan();
  std::map<std::pair<std::string_view, std::string_view>, const JobRow*> jobs;
  for (const JobRow& job : store.jobs)
    if (job.in_use && job.has_group) jobs.emplace(std::pair(job.queue ? store.QueueName(job.queue) : "", job.key), &job);
  std::map<JobId, size_t> bound;
  for (const Placement& p : plan.binds) bound[store.pods[p.pod.value].job]++;
  // What is said of a job is what its best informed waiting pod is told: why no node fits, before the state of the group, before "could go there".
  std::map<JobId, std::pair<int, std::string_view>> told;
  for (const TaskVerdict& v : plan.waiting) {
    const PodRow& p = store.pods[v.pod.value];
    const int rank = v.kind == TaskVerdict::kFit ? 0 : v.kind == TaskVerdict::kGroup ? 1 : 2;
    const std::pair<int, std::string_view> mine(rank, p.condition_message);
    const auto [it, added] = told.try_emplace(p.job, mine);
    if (!added && mine < it->second) it->second = mine;
  }
  std::vector<Line> lines = {{"QUEUE", "PODGROUP", "PHASE", "PLACED", "RUNNING", "WAITING", "REASON"}};
  for (const auto& [key, job] : jobs) {
    const auto reason_of = told.find(store.FindJob(job->key));
    const std::string reason(reason_of == told.end() ? std::string_view() : reason_of->second.second);
    const size_t placed = bound[store.FindJob(job->key)];
    lines.push_back({std::string(key.first), std::string(key.second), std::string(PhaseText(job->phase)), std::to_string(placed),
                     std::to_string(job->Count(TaskStatus::kRunning)), std::to_string(job->Count(TaskStatus::kPending)), reason});
  }
  std::string out = Columns(lines);
  size_t waiting = 0;
  for (const PodRow& p : store.pods) waiting += p.in_use && p.ours && p.status == TaskStatus::kPending;
  out += "\n" + std::to_string(plan.binds.size()) + " pods placed in the last cycle, " + std::to_string(waiting) + " waiting, " +
         std::to_string(store.nodes.present_count) + " nodes\n";
  if (wide) {
    std::map<std::string_view, std::string_view> binds;
    for (const Placement& p : plan.binds) binds.emplace(store.pods[p.pod.value].key, store.NodeName(p.node));
    for (const auto& [pod, node] : binds) out += std::string(pod) + " -> " + std::string(node) + "\n";
  }
  return out;
}

}  // namespace basalt

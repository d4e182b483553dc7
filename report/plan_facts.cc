#include "report/plan_facts.h"

#include <algorithm>
#include <unordered_map>

namespace basalt {
namespace {

class Reasons {
 public:
  explicit Reasons(const Engine& engine) : engine_(engine), store_(engine.store) {
    const Plan& plan = engine.kernel.plan();
    for (const GroupVerdict& g : plan.groups) groups_[g.job.value] = &g;
    for (const TaskVerdict& v : plan.waiting) verdicts_[v.pod.value] = &v;
  }

  std::string Of(PodId pod) const {
    const PodRow& p = store_.pods[pod.value];
    if (p.gated) return "carries a scheduling gate";
    if (!p.job || !store_.jobs[p.job.value].has_group) return "its PodGroup is not there";
    const JobRow& job = store_.jobs[p.job.value];
    if (!job.queue || !store_.queues[job.queue.value].present) return "queue not found: " + std::string(job.queue ? store_.QueueName(job.queue) : "");
    const QueueRow& queue = store_.queues[job.queue.value];
    if (!queue.open) return "queue " + std::string(store_.QueueName(job.queue)) + " is " + std::string(store_.names.Text(queue.state));
    if (job.IsPending()) return "PodGroup not admitted" + RefusalText(store_, engine_.RefusalOf(p.job), job.queue);
    if (job.Valid() < job.min_member) return "fewer pods than the gang's minimum";
    const auto verdict = verdicts_.find(pod.value);
    const auto group = groups_.find(p.job.value);
    const GroupVerdict* g = group == groups_.end() ? nullptr : group->second;
    if (verdict == verdicts_.end() || verdict->second->kind == TaskVerdict::kGroup) {
      // Without an error of a node, it was the queue's bound that ended the attempt.
      return g && g->origin ? "its gang does not get all that it needs" : "queue " + std::string(store_.QueueName(job.queue)) + " may not hold more";
    }
    return OfVerdict(*verdict->second, g && g->ready);
  }

 private:
  std::string OfVerdict(const TaskVerdict& v, bool gang_ready) const {
    switch (v.kind) {
      case TaskVerdict::kFit: {
        const FitError& error = engine_.kernel.plan().fit_errors[v.fit_error];
        return error.kind == FitError::kRoleFailed ? "another pod of its role found no node" : FitErrorText(store_, error, v.pod);
      }
      case TaskVerdict::kPipelined: return "waits for room that is being released";
      default: return gang_ready ? "has a node, but what runs there asks more than it has" : "has a node, but its gang does not get all that it needs";
    }
  }

  const Engine& engine_;
  const Store& store_;
  std::unordered_map<uint32_t, const GroupVerdict*> groups_;
  std::unordered_map<uint32_t, const TaskVerdict*> verdicts_;
};

}  // namespace

PlanFacts FactsOf(const Engine& engine) {
  const Store& store = engine.store;
  const Reasons why(engine);
  std::unordered_map<uint32_t, size_t> placed;
  for (const Placement& p : engine.kernel.plan().binds) placed[store.pods[p.pod.value].job.value]++;
  PlanFacts facts;
  for (uint32_t q = 0; q < store.queues.size(); q++)
    if (store.queues[q].present && !store.queues[q].implied) facts.queues[store.QueueName(QueueId{q})];
  for (uint32_t j = 0; j < store.jobs.size(); j++) {
    const JobRow& row = store.jobs[j];
    if (!row.in_use) continue;
    JobFacts job{&row, row.queue ? store.QueueName(row.queue) : "", {}, {}};
    if (const auto at = placed.find(j); at != placed.end()) job.pods.placed = at->second;
    job.pods.running = static_cast<size_t>(row.Count(TaskStatus::kRunning) + row.Count(TaskStatus::kBound));
    for (const PodId pod : row.pods) {
      const PodRow& p = store.pods[pod.value];
      if (!p.ours || p.status != TaskStatus::kPending) continue;
      const std::string reason = why.Of(pod);
      job.pods.waiting++, facts.waiting++, job.reasons[reason]++, facts.reasons[reason]++;
    }
    if (row.queue) {
      PodTally& queue = facts.queues[job.queue];
      queue.placed += job.pods.placed, queue.running += job.pods.running, queue.waiting += job.pods.waiting;
    }
    if (row.has_group || job.pods.waiting) facts.jobs.push_back(std::move(job));
  }
  std::sort(facts.jobs.begin(), facts.jobs.end(), [](const JobFacts& a, const JobFacts& b) {
    if ((a.pods.waiting > 0) != (b.pods.waiting > 0)) return a.pods.waiting > 0;
    return a.queue != b.queue ? a.queue < b.queue : a.row->key < b.row->key;
  });
  return facts;
}

}  // namespace basalt

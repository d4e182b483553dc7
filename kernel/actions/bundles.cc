#include "kernel/actions/bundles.h"

#include <algorithm>
#include <limits>
#include <map>

namespace basalt {
namespace {

/// Tasks of a role beyond its minimum; only roles with a minimum have an entry.
std::map<StringId, int64_t> RoleSurplus(const Store& store, const JobRow& job) {
  std::map<StringId, int64_t> surplus;
  if (job.min_member < job.task_min_total) return surplus;
  for (const auto& [role, min] : job.task_min) surplus.emplace(role, -int64_t{min});
  for (const PodId t : job.pods) {
    const PodRow& p = store.pods[t.value];
    const auto it = surplus.find(p.role);
    if (it != surplus.end())
      it->second += IsAllocated(p.status) || p.status == TaskStatus::kSucceeded || (p.status == TaskStatus::kPending && store.classes[p.cls.value].best_effort);
  }
  return surplus;
}

// Σ over what is needed of amount / need; capped: no more than is needed counts.
double Score(const Amounts& amounts, const Need& need, bool capped) {
  double score = 0;
  for (const ResourceAmount& n : need) {
    if (n.amount <= 0) continue;
    const double value = static_cast<double>(amounts[n.id]) / static_cast<double>(n.amount);
    score += capped ? std::min(value, 1.0) : value;
  }
  return score;
}

double Value(const Store& store, const Bundle& bundle, const Need& need) {
  if (!bundle.whole) return std::numeric_limits<double>::infinity();
  const double lost = Score(store.jobs[bundle.job.value].total, need, false);
  if (lost <= 0) return std::numeric_limits<double>::infinity();
  Amounts freed;
  for (const PodId t : bundle.tasks) freed.Add(store.classes[store.pods[t.value].cls.value].request, 1);
  return Score(freed, need, true) / lost;
}

}  // namespace

std::vector<Bundle> BundlesOf(const Store& store, JobId id, std::vector<PodId> tasks) {
  const JobRow& job = store.jobs[id.value];
  std::sort(tasks.begin(), tasks.end(), [&](PodId a, PodId b) {
    const int32_t pa = store.pods[a.value].priority, pb = store.pods[b.value].priority;
    return pa != pb ? pa < pb : store.CompareUid(a, b) < 0;
  });
  int64_t surplus = int64_t{job.Ready()} - job.min_member;
  if (surplus < 0) return {{id, false, std::move(tasks)}};  // a gang that is broken already
  std::map<StringId, int64_t> of_role = RoleSurplus(store, job);
  Bundle spare{id, false, {}}, rest{id, true, {}};
  for (const PodId t : tasks) {
    const auto role = of_role.find(store.pods[t.value].role);
    if (surplus <= 0 || (role != of_role.end() && role->second <= 0)) {
      rest.tasks.push_back(t);
      continue;
    }
    surplus--;
    if (role != of_role.end()) role->second--;
    spare.tasks.push_back(t);
  }
  std::vector<Bundle> bundles;
  for (Bundle* b : {&spare, &rest})
    if (!b->tasks.empty()) bundles.push_back(std::move(*b));
  return bundles;
}

void SortBundles(Session& session, JobId evictor, bool reclaim, const Need& need, std::vector<Bundle>* bundles) {
  const Store& store = session.store;
  for (Bundle& b : *bundles) b.value = Value(store, b, need);
  const QueueId of = store.jobs[evictor.value].queue;
  const auto queue_order = [&](QueueId a, QueueId b) {
    for (const auto& tier : session.PoliciesOf(Family::kVictimQueueOrder))
      for (Policy* p : tier)
        if (const int order = p->VictimQueueOrder(session, a, b, of)) return order;
    return session.QueueLess(b, a) ? -1 : 1;
  };
  std::stable_sort(bundles->begin(), bundles->end(), [&](const Bundle& a, const Bundle& b) {
    if (a.whole != b.whole) return b.whole;
    const QueueId qa = store.jobs[a.job.value].queue, qb = store.jobs[b.job.value].queue;
    if (reclaim && qa != qb) return queue_order(qa, qb) < 0;
    if (!reclaim && a.job != b.job) {
      if (session.JobLess(b.job, a.job)) return true;
      if (session.JobLess(a.job, b.job)) return false;
    }
    if (a.value != b.value) return a.value > b.value;
    if (a.job != b.job) return store.CompareKey(a.job, b.job) < 0;
    if (const int uid = store.CompareUid(a.tasks[0], b.tasks[0])) return uid < 0;
    return a.tasks.size() < b.tasks.size();
  });
}

}  // namespace basalt

#include "report/settle.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace basalt {
namespace {

// The use that the quotas of these namespaces report: what pods on nodes ask, under the names that are limited. Names that no request has
// (limits, counts of other objects) stay as they are.
void RecountQuotas(const std::set<StringId>& namespaces, Store* store) {
  std::map<StringId, std::map<StringId, Quantity>> use;
  for (const PodRow& p : store->pods) {
    if (!p.in_use || !p.node || IsFinished(p.status) || !namespaces.count(p.namespace_)) continue;
    for (const NamedAmount& a : store->QuotaUse(store->classes[p.cls.value].request)) {
      Quantity& sum = use[p.namespace_][a.name];
      sum = sum + a.amount;
    }
  }
  for (auto& [key, quota] : store->quotas) {
    if (!namespaces.count(quota.namespace_)) continue;
    for (const NamedAmount& limit : quota.hard) {
      const auto& now = use[quota.namespace_];
      const auto amount = now.find(limit.name);
      if (amount == now.end()) continue;
      const auto old = std::find_if(quota.used.begin(), quota.used.end(), [&](const NamedAmount& u) { return u.name == limit.name; });
      if (old == quota.used.end()) quota.used.push_back({limit.name, amount->second});
      else old->amount = amount->second;
    }
  }
}

}  // namespace

void Settlement::Apply(const Plan& plan, int64_t now_ns, uint32_t termination_cycles, Store* store) {
  std::set<StringId> changed;
  for (const Placement& p : plan.binds) {
    PodRow& pod = store->pods[p.pod.value];
    if (pod.status != TaskStatus::kBinding) continue;
    store->SetTask(p.pod, TaskStatus::kRunning, p.node);
    pod.condition_false = false;
    pod.scheduled_seconds = now_ns / 1'000'000'000;
    changed.insert(pod.namespace_);
  }
  for (const Eviction& e : plan.evicted) {
    PodRow& pod = store->pods[e.pod.value];
    if (pod.status != TaskStatus::kReleasing || pod.deleting) continue;
    pod.deleting = pod.preempted = true;
    for (auto& [key, budget] : store->budgets)
      if (budget.namespace_ == pod.namespace_ && budget.allowed > 0 && Matches(budget, pod.labels)) budget.allowed--;
    dying_.push_back({e.pod, termination_cycles});
  }
  std::vector<Dying> left;
  for (const Dying& d : dying_) {
    if (d.cycles > 0) {
      left.push_back({d.pod, d.cycles - 1});
      continue;
    }
    const PodRow& pod = store->pods[d.pod.value];
    changed.insert(pod.namespace_);
    store->Remove(objects::Kind::kPod, std::string(pod.key), std::string(pod.uid));
  }
  dying_ = std::move(left);
  if (!store->quotas.empty() && !changed.empty()) RecountQuotas(changed, store);
}

}  // namespace basalt

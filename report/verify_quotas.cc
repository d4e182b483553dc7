#include "report/verify_quotas.h"

#include <algorithm>

#include "report/verify_cycle.h"

namespace basalt::verify {
namespace {

std::string NamespaceOf(const std::string& key) { return key.substr(0, key.find('/')); }

const Quantity* Find(const NamedQuantities& list, const std::string& name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.first == name; });
  return at == list.end() ? nullptr : &at->second;
}

Quantity Negative(Quantity q) { return {q.nano ? -q.units - 1 : -q.units, q.nano ? 1'000'000'000 - q.nano : 0}; }

void AddTo(NamedQuantities* sum, const NamedQuantities& list, int sign) {
  for (const auto& [name, amount] : list) {
    const Quantity signed_amount = sign > 0 ? amount : Negative(amount);
    const auto at = std::find_if(sum->begin(), sum->end(), [&, &n = name](const auto& s) { return s.first == n; });
    if (at == sum->end()) sum->emplace_back(name, signed_amount);
    else at->second = at->second + signed_amount;
  }
}

}  // namespace

NamedQuantities QuotaNames(const Dimensions& dims, const Amounts& request) {
  NamedQuantities out;
  for (const Amount& a : request) {
    const std::string name(dims.Name(a.dim));
    const bool whole = a.dim == kMemory || a.dim == kPods;
    const Quantity amount = whole ? Quantity{a.value, 0} : Quantity{a.value / 1000, static_cast<uint32_t>(a.value % 1000) * 1'000'000};
    out.emplace_back(name, amount);
    out.emplace_back((a.dim == kPods ? "count/" : "requests.") + name, amount);
  }
  return out;
}

QuotaVotes::QuotaVotes(const Cycle& cycle) : c_(cycle) {
  for (const auto& [key, quota] : c_.cluster.quotas) spaces_[NamespaceOf(key)].quotas.push_back(&quota);
  if (spaces_.empty()) return;
  for (size_t i = 0; i < c_.cluster.groups.size(); i++) {
    const auto space = spaces_.find(NamespaceOf(c_.cluster.groups[i].key));
    if (space != spaces_.end() && Admits(static_cast<int>(i))) AddTo(&space->second.admitted, c_.cluster.groups[i].min_named, 1);
  }
  for (size_t p = 0; p < c_.cluster.pods.size(); p++) {
    if (!c_.before.named_node[p] || IsFinished(c_.before.status[p])) continue;
    const std::string name = NamespaceOf(c_.cluster.pods[p].key);
    const auto space = spaces_.find(name);
    if (space != spaces_.end() && c_.before.bound_in.count(name)) AddTo(&space->second.use, QuotaNames(c_.cluster.dims, c_.ClassOf(static_cast<int>(p)).request), 1);
  }
}

bool QuotaVotes::Admits(int group) const {
  return c_.GroupAt(group).has_min_resources && c_.InSession(group) && c_.PendingBefore(group) && c_.PhaseAfter(group) != "Pending";
}

void QuotaVotes::Vote(int g, bool* yes, bool* no) const {
  const Group& group = c_.GroupAt(g);
  const auto at = spaces_.find(NamespaceOf(group.key));
  if (at == spaces_.end()) return;
  const Space& space = at->second;
  NamedQuantities others = space.admitted;
  if (Admits(g)) AddTo(&others, group.min_named, -1);
  for (const Quota* quota : space.quotas)
    for (const auto& [name, limit] : quota->hard) {
      const Quantity *asked = Find(group.min_named, name), *used = Find(space.use, name), *other = Find(others, name);
      if (!asked) continue;
      if (!used) used = Find(quota->used, name);
      const Quantity least = *asked + (used ? *used : Quantity{});
      if (least > limit) *no = true;
      if (least + (other ? *other : Quantity{}) > limit) *yes = false;
    }
}

}  // namespace basalt::verify

#include "kernel/spare_victims.h"

#include <algorithm>

namespace basalt {
namespace {

class Sparing {
 public:
  explicit Sparing(Session& session) : session_(session), store_(session.store) {}

  bool MoreImportant(const Eviction& a, const Eviction& b) const {
    const PodRow &pa = store_.pods[a.pod.value], &pb = store_.pods[b.pod.value];
    if (pa.job != pb.job && session_.Takes(pa.job) && session_.Takes(pb.job)) return session_.JobLess(pa.job, pb.job);
    if (pa.job != pb.job) return session_.Takes(pa.job);
    return session_.TaskLess(a.pod, b.pod);
  }

  // May the pod stay, beside those that wait for the node's room?
  bool MayStay(const Eviction& e) const {
    if (e.action == EvictionAction::kShuffle) return false;
    // A gang that is broken for another goes as a whole: what is left of it would run for nothing.
    const bool for_gang = e.action == EvictionAction::kGangPreempt || e.action == EvictionAction::kGangReclaim;
    if (for_gang && !session_.JobReady(store_.pods[e.pod.value].job)) return false;
    const PodClass& stays = ClassOf(e.pod);
    const NodeTable& nodes = store_.nodes;
    bool anybody = false;
    for (const PodId t : store_.node_pods[e.node.value]) {
      if (store_.pods[t.value].status != TaskStatus::kPipelined) continue;
      anybody = true;
      const PodClass& waits = ClassOf(t);
      for (const ResourceAmount& r : stays.request)
        for (const ResourceAmount& w : waits.request)
          if (w.id == r.id && SaturatingSub(nodes.future[r.id.value][e.node.value], r.amount) < 0) return false;
      for (const WantedPort& a : stays.ports)
        for (const WantedPort& b : waits.ports)
          if (a.port == b.port && a.protocol == b.protocol && (!a.ip || !b.ip || a.ip == b.ip)) return false;
    }
    return !anybody || !session_.index.profile().predicates || nodes.pod_count[e.node.value] < nodes.max_pods[e.node.value];
  }

 private:
  const PodClass& ClassOf(PodId pod) const { return store_.classes[store_.pods[pod.value].cls.value]; }
  Session& session_;
  Store& store_;
};

}  // namespace

void SpareVictims(Session& session) {
  auto& evicted = session.plan.evicted;
  if (evicted.empty()) return;
  const Sparing sparing(session);
  std::vector<size_t> order(evicted.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return evicted[a].node < evicted[b].node; });
  // Within a node an insertion sort: it is safe with an order that need not be transitive, and a node has few victims.
  for (size_t i = 1; i < order.size(); i++)
    for (size_t j = i; j > 0 && evicted[order[j]].node == evicted[order[j - 1]].node && sparing.MoreImportant(evicted[order[j]], evicted[order[j - 1]]); j--)
      std::swap(order[j], order[j - 1]);
  std::vector<uint8_t> spared(evicted.size(), 0);
  for (const size_t i : order) {
    if (!sparing.MayStay(evicted[i])) continue;
    session.Spare(evicted[i]);
    // It may have gone for its queue's limit. reclaim alone does not ask for that after evictions.
    spared[i] = evicted[i].action == EvictionAction::kReclaim || session.StillAllocatable(evicted[i].by);
    if (!spared[i]) session.Spare(evicted[i], /*evict=*/true);
  }
  std::vector<Eviction> left;
  for (size_t i = 0; i < evicted.size(); i++)
    if (!spared[i]) left.push_back(evicted[i]);
  evicted = std::move(left);
}

}  // namespace basalt

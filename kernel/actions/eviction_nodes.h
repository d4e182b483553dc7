// The nodes on which evicting somebody may help a task, all at once: what preempt and reclaim try, in their order.
#pragma once
#include <vector>

#include "kernel/session.h"

namespace basalt {

/// Does the task's request fit what the node has or will have (FutureIdle)?
bool FitsFuture(const Store& store, PodId task, NodeId node);
/// The same with the requests of `victims` freed. Precondition: they stand on the node and are not leaving.
bool FitsWithout(const Store& store, PodId task, NodeId node, const std::vector<PodId>& victims);

/// Nodes that no rule refuses whatever is evicted there, and where evicting every task that `may_go` says could make room (or nobody has to go).
/// scored: by the scores of the configuration, best first, then by name; else by name.
/// may_go(pod): a running task may be asked to go. It has to be a superset of what policies allow.
template <class MayGo>
std::vector<NodeId> EvictionNodes(Session& session, PodId task, bool scored, const MayGo& may_go) {
  const Store& store = session.store;
  const ClassView view = session.View(task);
  const auto& request = store.classes[view.cls.value].request;
  const Column<uint8_t>& open = session.index.Candidates(store, view);
  std::vector<uint8_t> help(store.nodes.rows, 0);
  bool any = false;
  for (uint32_t row = 0; row < store.nodes.rows; row++) {
    if (!open[row]) continue;
    bool fits = true;
    size_t r = 0;
    for (; r < request.size() && fits; r++) fits = request[r].amount <= store.nodes.future[request[r].id.value][row];
    if (!fits) {
      Amounts freed;
      for (const PodId t : store.node_pods[row])
        if (may_go(t)) freed.Add(store.classes[store.pods[t.value].cls.value].request, 1);
      fits = true;
      for (const ResourceAmount& a : request) fits = fits && a.amount <= SaturatingAdd(store.nodes.future[a.id.value][row], freed[a.id]);
    }
    help[row] = fits;
    any |= fits;
  }
  if (!any) return {};
  return session.index.Ranked(store, view, help, scored);
}

}  // namespace basalt

#include "kernel/actions/eviction_nodes.h"

namespace basalt {

bool FitsFuture(const Store& store, PodId task, NodeId node) { return FitsWithout(store, task, node, {}); }

bool FitsWithout(const Store& store, PodId task, NodeId node, const std::vector<PodId>& victims) {
  Amounts freed;
  for (const PodId v : victims) freed.Add(store.classes[store.pods[v.value].cls.value].request, 1);
  for (const ResourceAmount& a : store.classes[store.pods[task.value].cls.value].request)
    if (a.amount > SaturatingAdd(store.nodes.future[a.id.value][node.value], freed[a.id])) return false;
  return true;
}

}  // namespace basalt

#include <algorithm>
#include <map>

#include "report/explain.h"
#include "report/node_change.h"

namespace basalt {

NodeGate JudgeNodes(Engine* engine, ClassView view, scoring::Room room) {
  const Store& store = engine->store;
  const NodeTable& nodes = store.nodes;
  const PodClass& cls = store.classes[view.cls.value];
  const auto& fixed = engine->kernel.index().Fixed(store, view);
  NodeGate gate;
  std::map<std::string, size_t> at;
  for (uint32_t row = 0; row < nodes.rows; row++) {
    if (!nodes.present[row]) continue;
    gate.nodes++;
    const scoring::RowReason reason = scoring::ReasonOfRow(nodes, cls, engine->kernel.profile(), fixed, room, row);
    if (!reason.bits) gate.fit++;
    for (std::string& text : ReasonTexts(store, reason, view.rules)) {
      const auto [it, added] = at.try_emplace(text, gate.refusals.size());
      // A shortage stands alone: the fit test ends the node.
      if (added) gate.refusals.push_back({std::move(text), 0, reason.bits == scoring::kReasonResource ? reason.resource : ResourceId{}, 0, 0, ""});
      NodeGate::Refusal& r = gate.refusals[it->second];
      r.nodes++;
      if (!r.resource) continue;
      for (const ResourceAmount& a : cls.request)
        if (a.id == r.resource) r.asks = a.amount;
      const int64_t free = r.resource.value < nodes.idle.size() ? std::min(nodes.idle[r.resource.value][row], nodes.future[r.resource.value][row]) : 0;
      const std::string name(store.NodeName(NodeId{row}));
      if (r.best_node.empty() || free > r.best || (free == r.best && name < r.best_node)) r.best = free, r.best_node = name;
    }
  }
  std::sort(gate.refusals.begin(), gate.refusals.end(), [](const auto& a, const auto& b) { return a.nodes != b.nodes ? a.nodes > b.nodes : a.reason < b.reason; });
  return gate;
}

std::string RefusalsText(const Store& store, const NodeGate& gate) {
  std::string text;
  for (const NodeGate::Refusal& r : gate.refusals) {
    text += (text.empty() ? "" : ", ") + std::to_string(r.nodes) + " " + r.reason;
    if (r.resource) text += " (asks " + AmountText(store, r.resource, r.asks) + ", best has " + AmountText(store, r.resource, r.best) + " free: " + r.best_node + ")";
  }
  return text;
}

std::string AmountsText(const Store& store, const std::vector<ResourceAmount>& amounts) {
  std::string text;
  for (const ResourceAmount& a : amounts)
    if (a.amount > 0) text += (text.empty() ? "" : ", ") + std::string(store.ResourceName(a.id)) + " " + AmountText(store, a.id, a.amount);
  return text.empty() ? "nothing" : text;
}

std::string VectorText(const Store& store, const Vector& v) {
  std::string text;
  v.ForEach([&](ResourceId r, double x) {
    if (r == kPods || x == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(store.ResourceName(r)) + " " + (x >= 9e18 ? "unlimited" : AmountText(store, r, static_cast<int64_t>(x)));
  });
  return text.empty() ? "nothing" : text;
}

void WriteAmounts(const Store& store, const std::vector<ResourceAmount>& amounts, JsonWriter* w) {
  w->Open('{');
  for (const ResourceAmount& a : amounts) w->Key(store.ResourceName(a.id)).Raw(QuantityJson(a.id, a.amount));
  w->Close('}');
}

void WriteVector(const Store& store, const Vector& v, JsonWriter* w) {
  w->Open('{');
  v.ForEach([&](ResourceId r, double x) {
    if (x >= 9e18) w->Key(store.ResourceName(r)).Null();  // no bound
    else w->Key(store.ResourceName(r)).Raw(QuantityJson(r, static_cast<int64_t>(x)));
  });
  w->Close('}');
}

}  // namespace basalt

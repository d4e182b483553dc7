#include "report/node_change.h"

#include <algorithm>
#include <optional>

#include "scoring/filters/node_affinity-inl.h"
#include "scoring/filters/taints-inl.h"
#include "snapshot/text/yaml_json.h"

namespace basalt {

namespace {

using scoring::Room;

std::string Quoted(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

// What stands in the Node object: oversubscription enlarges only what the kernel works with.
int64_t Written(const NodeTable& nodes, ResourceId r, uint32_t row) {
  if (r == kCpu) return nodes.kube_allocatable[kKubeCpu][row];
  if (r == kMemory) return nodes.kube_allocatable[kKubeMemory][row];
  if (r == kPods) return nodes.max_pods[row];
  return nodes.allocatable[r.value][row];
}

Change MoreOf(const Store& store, ResourceId r, int64_t amount, uint32_t row) {
  const std::string node(store.NodeName(NodeId{row})), name(store.ResourceName(r));
  return {"Node", node, {"status", "allocatable", name}, QuantityJson(r, SaturatingAdd(Written(store.nodes, r, row), amount)),
          AmountText(store, r, amount) + " more " + (r == kPods ? "pod slots" : name) + " on " + node};
}

std::string_view EffectText(objects::TaintEffect e) {
  return e == objects::TaintEffect::kNoSchedule ? "NoSchedule" : e == objects::TaintEffect::kNoExecute ? "NoExecute" : "PreferNoSchedule";
}

bool Passes(const NodeTable& nodes, const LabelTest& test, uint32_t row) {
  uint8_t match = 1;
  scoring::AndLabelTest(nodes, test, row, 1, &match);
  return match;
}

// A label that passes the test; value empty: the label has to go. Nothing where only another name would pass.
std::optional<std::pair<std::string, std::string>> LabelFor(const Store& store, const LabelTest& test) {
  using objects::Operator;
  if (test.column == LabelTest::kNodeName) return std::nullopt;
  const std::string key(store.names.Text(store.nodes.labels[test.column].key));
  switch (test.op) {
    case Operator::kIn:
      if (test.values.empty()) return std::nullopt;
      return std::pair(key, std::string(store.names.Text(test.values[0])));
    case Operator::kExists: return std::pair(key, std::string("true"));
    case Operator::kNotIn: case Operator::kDoesNotExist: return std::pair(key, std::string());
    case Operator::kGt: return std::pair(key, std::to_string(SaturatingAdd(test.bound, 1)));
    case Operator::kLt: return std::pair(key, std::to_string(SaturatingSub(test.bound, 1)));
  }
  return std::nullopt;
}

// Labels that make a row match selector and required affinity, those that it lacks; nothing where no labels can.
std::optional<std::vector<Change>> LabelChanges(const Store& store, const PodClass& cls, uint32_t row) {
  const std::string node(store.NodeName(NodeId{row}));
  std::optional<std::vector<Change>> best;
  const auto try_tests = [&](std::vector<const LabelTest*> tests) {
    std::vector<Change> changes;
    for (const LabelTest* t : tests) {
      if (Passes(store.nodes, *t, row)) continue;
      const auto label = LabelFor(store, *t);
      if (!label) return;
      const auto& [key, value] = *label;
      changes.push_back({"Node", node, {"metadata", "labels", key}, value.empty() && t->op != objects::Operator::kIn ? "" : Quoted(value),
                         value.empty() ? "no label " + key + " on " + node : "label " + key + "=" + value + " on " + node});
    }
    if (!best || changes.size() < best->size()) best = std::move(changes);
  };
  std::vector<const LabelTest*> selector;
  for (const LabelTest& t : cls.node_selector) selector.push_back(&t);
  if (!cls.has_required) try_tests(selector);
  for (const SelectorTerm& term : cls.required_terms) {
    if (term.never) continue;
    std::vector<const LabelTest*> tests = selector;
    for (const LabelTest& t : term.tests) tests.push_back(&t);
    try_tests(std::move(tests));
  }
  return best;
}

Change NewNode(const Store& store, const PodClass* cls, const std::vector<ResourceAmount>& amounts) {
  std::string name = "added-node";
  while (store.FindNode(name)) name += "-1";
  std::string labels, allocatable, text;
  const auto append = [](std::string member, std::string* to) { to->append(to->empty() ? "" : ",").append(member); };
  if (cls) {
    std::vector<const LabelTest*> tests;
    for (const LabelTest& t : cls->node_selector) tests.push_back(&t);
    for (const SelectorTerm& term : cls->required_terms) {
      if (term.never) continue;
      for (const LabelTest& t : term.tests) tests.push_back(&t);
      break;
    }
    std::vector<std::string> keys;
    for (const LabelTest* t : tests) {
      if (t->column == LabelTest::kNodeName && t->op == objects::Operator::kIn && !t->values.empty()) name = store.names.Text(t->values[0]);
      const auto label = LabelFor(store, *t);
      if (!label || label->second.empty() || std::find(keys.begin(), keys.end(), label->first) != keys.end()) continue;
      keys.push_back(label->first);
      append(Quoted(label->first) + ":" + Quoted(label->second), &labels);
    }
  }
  for (const ResourceAmount& a : amounts) {
    if (a.amount <= 0) continue;
    append(Quoted(store.ResourceName(a.id)) + ":" + QuantityJson(a.id, a.amount), &allocatable);
    append(AmountText(store, a.id, a.amount) + " " + std::string(store.ResourceName(a.id)), &text);
  }
  std::replace(text.begin(), text.end(), ',', '+');
  return {"Node", name, {}, "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":" + Quoted(name) + ",\"labels\":{" + labels + "}},\"spec\":{},\"status\":{\"allocatable\":{" +
          allocatable + "}}}", "a further node " + name + " with " + text};
}

}  // namespace

std::string QuantityJson(ResourceId resource, int64_t amount) {
  if (resource == kMemory || resource == kPods) return "\"" + std::to_string(amount) + "\"";
  return amount % 1000 == 0 ? "\"" + std::to_string(amount / 1000) + "\"" : "\"" + std::to_string(amount) + "m\"";
}

std::vector<Change> ChangeOfNearestNode(Engine* engine, PodId pod, int64_t count) {
  Store& store = engine->store;
  const NodeTable& nodes = store.nodes;
  const ClassId cls_id = store.pods[pod.value].cls;
  const PodClass& cls = store.classes[cls_id.value];
  const auto& fixed = engine->kernel.index().Fixed(store, cls_id);
  const auto needs = [&](uint32_t row, const auto& each) {
    for (const ResourceAmount& r : cls.request) {
      const bool known = r.id.value < nodes.idle.size() && nodes.idle[r.id.value].size() > row;
      const int64_t free = known ? std::min(nodes.idle[r.id.value][row], nodes.future[r.id.value][row]) : 0;
      const int64_t missing = SaturatingSub(SaturatingMul(r.amount, count), free);
      if (missing > 0 && !(cls.best_effort && r.id != kPods)) each(r, missing);
    }
  };
  // Cost: what is missing, in pods; anything beside resources counts as two pods, since it is easier to add room than to change what nodes are.
  constexpr double kObstacle = 2;
  double best_cost = 0;
  uint32_t best = UINT32_MAX;
  for (uint32_t row = 0; row < nodes.rows; row++) {
    if (!nodes.present[row]) continue;
    double cost = 0;
    if (scoring::ReasonOfRow(nodes, cls, engine->kernel.profile(), fixed, Room::kNone, row).bits & scoring::kReasonPorts) continue;
    if (!cls.ports.empty() && count > 1) continue;  // two of them never share a node
    const uint8_t fail = fixed.fail[row];
    if (fail) cost += kObstacle;
    if (fail == scoring::kReasonNodeAffinity && !LabelChanges(store, cls, row)) continue;
    needs(row, [&](const ResourceAmount& r, int64_t missing) { cost += static_cast<double>(missing) / static_cast<double>(std::max<int64_t>(r.amount, 1)); });
    const int64_t slots = nodes.max_pods[row] - nodes.pod_count[row];
    if (slots < count) cost += static_cast<double>(count - slots);
    if (best == UINT32_MAX || cost < best_cost || (cost == best_cost && nodes.rank[row] < nodes.rank[best])) best = row, best_cost = cost;
  }
  if (best == UINT32_MAX) {
    std::vector<ResourceAmount> amounts = cls.request;
    for (ResourceAmount& a : amounts) a.amount = SaturatingMul(a.amount, cls.ports.empty() ? count : 1);
    return {NewNode(store, &cls, amounts)};
  }

  std::vector<Change> changes;
  const std::string node(store.NodeName(NodeId{best}));
  if (nodes.unschedulable[best] && fixed.fail[best] == scoring::kReasonUnschedulable)
    changes.push_back({"Node", node, {"spec", "unschedulable"}, "", "uncordoning " + node});
  // All obstacles at once: the filters tell only the first.
  if (engine->kernel.profile().predicates && fixed.fail[best]) {
    std::string kept, gone;
    for (const TaintRow& t : nodes.taint_sets[nodes.taint_set[best]]) {
      const std::string key(store.names.Text(t.key)), value(store.names.Text(t.value)), effect(EffectText(t.effect));
      if (t.effect == objects::TaintEffect::kPreferNoSchedule || scoring::Tolerates(cls, t)) {
        kept += (kept.empty() ? "" : ",") + std::string("{\"key\":") + Quoted(key) + ",\"value\":" + Quoted(value) + ",\"effect\":\"" + effect + "\"}";
      } else {
        gone += (gone.empty() ? "" : ", ") + key + (value.empty() ? "" : "=" + value) + ":" + effect;
      }
    }
    if (!gone.empty()) changes.push_back({"Node", node, {"spec", "taints"}, "[" + kept + "]", "no taint " + gone + " on " + node + " (or a toleration)"});
    if (const auto labels = LabelChanges(store, cls, best)) changes.insert(changes.end(), labels->begin(), labels->end());
  }
  int64_t more_slots = std::max<int64_t>(count - (nodes.max_pods[best] - nodes.pod_count[best]), 0);
  needs(best, [&](const ResourceAmount& r, int64_t missing) {
    if (r.id == kPods) more_slots = std::max(more_slots, missing);
    else changes.push_back(MoreOf(store, r.id, missing, best));
  });
  if (more_slots > 0) changes.push_back(MoreOf(store, kPods, more_slots, best));
  return changes;
}

std::vector<Change> ChangeOfClusterSize(Engine* engine, const std::vector<ResourceAmount>& amounts) {
  const Store& store = engine->store;
  uint32_t largest = UINT32_MAX;
  for (uint32_t row = 0; row < store.nodes.rows; row++) {
    if (!store.nodes.present[row]) continue;
    const auto bigger = [&](uint32_t a, uint32_t b) {
      const int64_t ca = store.nodes.kube_allocatable[kKubeCpu][a], cb = store.nodes.kube_allocatable[kKubeCpu][b];
      return ca != cb ? ca > cb : store.nodes.rank[a] < store.nodes.rank[b];
    };
    if (largest == UINT32_MAX || bigger(row, largest)) largest = row;
  }
  if (largest == UINT32_MAX) return {NewNode(store, nullptr, amounts)};
  std::vector<Change> changes;
  for (const ResourceAmount& a : amounts)
    if (a.amount > 0) changes.push_back(MoreOf(store, a.id, a.amount, largest));
  return changes;
}

}  // namespace basalt

#include "report/node_change.h"

#include <algorithm>
#include <charconv>
#include <map>
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

std::string_view EffectText(objects::TaintEffect e) {
  return e == objects::TaintEffect::kNoSchedule ? "NoSchedule" : e == objects::TaintEffect::kNoExecute ? "NoExecute" : "PreferNoSchedule";
}

// A label's value, or that the label is not there.
using LabelText = std::optional<std::string>;

bool Passes(const Store& store, const LabelTest& test, const LabelText& value) {
  using objects::Operator;
  const auto listed = [&] { return value && std::any_of(test.values.begin(), test.values.end(), [&](StringId v) { return store.names.Text(v) == *value; }); };
  int64_t number = 0;
  const bool whole = value && !value->empty() && std::from_chars(value->data(), value->data() + value->size(), number).ptr == value->data() + value->size();
  switch (test.op) {
    case Operator::kIn: return listed();
    case Operator::kNotIn: return !listed();
    case Operator::kExists: return value.has_value();
    case Operator::kDoesNotExist: return !value;
    case Operator::kGt: return whole && number > test.bound;
    case Operator::kLt: return whole && number < test.bound;
  }
  return false;
}

// Values of one label, by its key, that pass every test on it; the one that is there first. Nothing where no value passes.
std::optional<LabelText> ValueFor(const Store& store, const std::vector<const LabelTest*>& tests, const LabelText& now) {
  using objects::Operator;
  std::vector<LabelText> candidates = {now};
  for (const LabelTest* t : tests) {
    if (t->op == Operator::kIn)
      for (const StringId v : t->values) candidates.emplace_back(std::string(store.names.Text(v)));
    if (t->op == Operator::kGt) candidates.emplace_back(std::to_string(SaturatingAdd(t->bound, 1)));
    if (t->op == Operator::kLt) candidates.emplace_back(std::to_string(SaturatingSub(t->bound, 1)));
  }
  candidates.emplace_back("true"), candidates.emplace_back(std::nullopt);
  for (const LabelText& c : candidates)
    if (std::all_of(tests.begin(), tests.end(), [&](const LabelTest* t) { return Passes(store, *t, c); })) return c;
  return std::nullopt;
}

using LabelsByKey = std::vector<std::pair<std::string, LabelText>>;

// Labels that make a node match selector and required affinity: those that have to change on `row` (UINT32_MAX: a node without labels, called *name), by the
// term that needs fewest. Nothing where no labels can.
std::optional<LabelsByKey> LabelsFor(const Store& store, const PodClass& cls, uint32_t row, std::string* name) {
  std::optional<LabelsByKey> best;
  const auto try_term = [&](const SelectorTerm* term) {
    std::map<uint32_t, std::vector<const LabelTest*>> by_column;
    for (const LabelTest& t : cls.node_selector) by_column[t.column].push_back(&t);
    if (term)
      for (const LabelTest& t : term->tests) by_column[t.column].push_back(&t);
    LabelsByKey labels;
    std::string called;
    for (const auto& [column, tests] : by_column) {
      LabelText now;
      if (column == LabelTest::kNodeName) {
        now = row == UINT32_MAX ? *name : std::string(store.NodeName(NodeId{row}));
      } else if (row != UINT32_MAX && store.nodes.labels[column].value[row] != StringId::kNoneValue) {
        now = std::string(store.names.Text(StringId{store.nodes.labels[column].value[row]}));
      }
      const auto value = ValueFor(store, tests, now);
      if (!value) return;
      if (*value == now) continue;
      if (column != LabelTest::kNodeName) {
        labels.emplace_back(store.names.Text(store.nodes.labels[column].key), *value);
      } else if (row == UINT32_MAX && *value) {
        called = **value;
      } else {
        return;
      }
    }
    if (best && best->size() <= labels.size()) return;
    best = std::move(labels);
    if (!called.empty()) *name = called;
  };
  if (!cls.has_required) try_term(nullptr);
  for (const SelectorTerm& term : cls.required_terms)
    if (!term.never) try_term(&term);
  return best;
}

std::optional<std::vector<Change>> LabelChanges(const Store& store, const PodClass& cls, uint32_t row) {
  std::string node(store.NodeName(NodeId{row}));
  const auto labels = LabelsFor(store, cls, row, &node);
  if (!labels) return std::nullopt;
  std::vector<Change> changes;
  for (const auto& [key, value] : *labels)
    changes.push_back({"Node", node, {"metadata", "labels", key}, value ? Quoted(*value) : "", value ? "label " + key + "=" + *value + " on " + node : "no label " + key + " on " + node});
  return changes;
}

Change NewNode(const Store& store, const PodClass* cls, const std::vector<ResourceAmount>& amounts) {
  std::string name = "added-node";
  while (store.FindNode(name)) name += "-1";
  std::string labels, allocatable, text;
  const auto append = [](std::string member, std::string* to) { to->append(to->empty() ? "" : ",").append(member); };
  if (cls)
    if (const auto wanted = LabelsFor(store, *cls, UINT32_MAX, &name))
      for (const auto& [key, value] : *wanted)
        if (value) append(Quoted(key) + ":" + Quoted(*value), &labels);
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

Change MoreOnNode(const Store& store, ResourceId r, int64_t amount, NodeId id) {
  const std::string node(store.NodeName(id)), name(store.ResourceName(r));
  return {"Node", node, {"status", "allocatable", name}, QuantityJson(r, SaturatingAdd(Written(store.nodes, r, id.value), amount)),
          AmountText(store, r, amount) + " more " + (r == kPods ? "pod slots" : name) + " on " + node, amount, r};
}

std::vector<Change> ChangeOfNearestNode(Engine* engine, PodId pod, int64_t count) {
  Store& store = engine->store;
  const NodeTable& nodes = store.nodes;
  const ClassId cls_id = store.pods[pod.value].cls;
  const PodClass& cls = store.classes[cls_id.value];
  const auto& fixed = engine->kernel.index().Fixed(store, engine->kernel.View(pod));
  const auto needs = [&](uint32_t row, const auto& each) {
    for (const ResourceAmount& r : cls.request) {
      const bool known = r.id.value < nodes.idle.size() && nodes.idle[r.id.value].size() > row;
      const int64_t free = known ? std::min(nodes.idle[r.id.value][row], nodes.future[r.id.value][row]) : 0;
      const int64_t missing = SaturatingSub(SaturatingMul(r.amount, count), free);
      if (missing > 0) each(r, missing);
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
    if (fixed.policy_refused.size() && fixed.policy_refused[row]) continue;  // no change of the node is offered for a policy
    const uint8_t fail = fixed.fail[row];
    if (fail) cost += kObstacle;
    if (fail == scoring::kReasonNodeAffinity && !LabelChanges(store, cls, row)) continue;
    needs(row, [&](const ResourceAmount& r, int64_t missing) { cost += static_cast<double>(missing) / static_cast<double>(std::max<int64_t>(r.amount, 1)); });
    const int64_t slots = nodes.max_pods[row] - nodes.pod_count[row];
    if (slots < count) cost += static_cast<double>(count - slots);
    if (best == UINT32_MAX || cost < best_cost || (cost == best_cost && nodes.rank[row] < nodes.rank[best])) best = row, best_cost = cost;
  }
  if (best == UINT32_MAX) {
    std::string name = "added-node";
    if (!LabelsFor(store, cls, UINT32_MAX, &name)) {
      const std::string key(store.pods[pod.value].key);
      const std::string text = " of " + key + ", which no node can match";
      return {{"Pod", key, {"spec", "nodeSelector"}, "", "without the node selector" + text},
              {"Pod", key, {"spec", "affinity"}, "", "without the node affinity" + text}};
    }
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
    else changes.push_back(MoreOnNode(store, r.id, missing, NodeId{best}));
  });
  if (more_slots > 0) changes.push_back(MoreOnNode(store, kPods, more_slots, NodeId{best}));
  return changes;
}

std::vector<Change> ChangeForAllThatWaits(Engine* engine, PodId pod) {
  const Store& store = engine->store;
  Amounts sum;
  for (const PodRow& p : store.pods)
    if (p.in_use && p.ours && p.status == TaskStatus::kPending) sum.Add(store.classes[p.cls.value].request, 1);
  std::vector<ResourceAmount> amounts;
  for (uint32_t r = 0; r < sum.size(); r++) amounts.push_back({ResourceId{r}, std::clamp<int64_t>(sum[ResourceId{r}], 0, kAmountMax - 1)});
  return {NewNode(store, &store.classes[store.pods[pod.value].cls.value], amounts)};
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
    if (a.amount > 0) changes.push_back(MoreOnNode(store, a.id, a.amount, NodeId{largest}));
  return changes;
}

}  // namespace basalt

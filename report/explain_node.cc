#include <algorithm>
#include <map>

#include "report/explain.h"

namespace basalt {

Explanation ExplainNode(Engine* engine, NodeId id) {
  Store& store = engine->store;
  const NodeTable& nodes = store.nodes;
  const uint32_t row = id.value;
  const std::string name(store.NodeName(id));
  Explanation e;
  JsonWriter w(&e.json);
  w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("NodeExplanation").Key("node").String(name);
  std::string text = name + (nodes.unschedulable[row] ? " is cordoned" : " takes pods") + ": " + std::to_string(nodes.pod_count[row]) + " of " + std::to_string(nodes.max_pods[row]) + " pods\n";
  w.Key("unschedulable").Bool(nodes.unschedulable[row]).Key("pods").Integer(nodes.pod_count[row]).Key("maxPods").Integer(nodes.max_pods[row]);
  std::vector<ResourceAmount> allocatable, idle;
  for (const ResourceId r : store.ResourceOrder()) {
    const auto [has, free, later] = store.AmountsOn(id, r);
    if (r == kPods || (!has && !free)) continue;
    std::string start = "  " + std::string(store.ResourceName(r));
    start.resize(std::max<size_t>(start.size() + 1, 20), ' ');
    text += start + AmountText(store, r, free) + " free of " + AmountText(store, r, has);
    if (later != free) text += ", " + AmountText(store, r, later) + " once leaving pods are gone";
    if (free < 0) text += " (overcommitted)";
    text += "\n";
    allocatable.push_back({r, has}), idle.push_back({r, free});
  }
  w.Key("allocatable"), WriteAmounts(store, allocatable, &w), w.Key("idle"), WriteAmounts(store, idle, &w);
  w.Key("taints").Open('[');
  for (const TaintRow& t : nodes.taint_sets[nodes.taint_set[row]]) {
    const std::string key(store.names.Text(t.key)), value(store.names.Text(t.value));
    const std::string taint = key + (value.empty() ? "" : "=" + value) + ":" +
                              (t.effect == objects::TaintEffect::kNoSchedule ? "NoSchedule" : t.effect == objects::TaintEffect::kNoExecute ? "NoExecute" : "PreferNoSchedule");
    text += "  taint             " + taint + "\n";
    w.String(taint);
  }
  w.Close(']');

  // Who waits, view by view: does the node take it?
  std::map<std::pair<uint32_t, uint64_t>, std::pair<PodId, std::vector<std::string_view>>> waiting;
  for (uint32_t i = 0; i < store.pods.size(); i++) {
    const PodRow& p = store.pods[i];
    if (!p.in_use || !p.ours || p.status != TaskStatus::kPending) continue;
    const ClassView view = engine->kernel.View(PodId{i});
    auto& alike = waiting[{view.cls.value, view.rules ? view.rules->id : 0}];
    alike.first = PodId{i};
    alike.second.push_back(p.key);
  }
  std::map<std::string, std::pair<size_t, std::string_view>> reasons;  // reason, "" where it fits -> pods, an example
  for (const auto& [of, alike] : waiting) {
    const auto& [pod_id, pods] = alike;
    const ClassView view = engine->kernel.View(pod_id);
    const PodClass& cls = store.classes[of.first];
    const auto& fixed = engine->kernel.index().Fixed(store, view);
    const auto reason = scoring::ReasonOfRow(nodes, cls, engine->kernel.profile(), fixed, cls.best_effort ? scoring::Room::kNone : scoring::Room::kIdle, row);
    std::string why;
    for (const std::string& text : ReasonTexts(store, reason, view.rules)) why += (why.empty() ? "" : ", ") + text;
    auto& entry = reasons[why];
    for (const std::string_view pod : pods)
      if (entry.second.empty() || pod < entry.second) entry.second = pod;
    entry.first += pods.size();
  }
  w.Key("waitingPods").Open('{');
  for (const auto& [why, entry] : reasons) {
    text += "  waiting pods      " + std::to_string(entry.first) + " " + (why.empty() ? "would fit" : "do not fit: " + why) + " (" + std::string(entry.second) + (entry.first > 1 ? ", ..." : "") + ")\n";
    w.Key(why.empty() ? "fit" : why).Integer(static_cast<int64_t>(entry.first));
  }
  w.Close('}');
  std::vector<std::string_view> residents;
  for (const PodId p : store.node_pods[row]) residents.push_back(store.pods[p.value].key);
  std::sort(residents.begin(), residents.end());
  w.Key("residents").Open('{');
  for (const std::string_view pod : residents) {
    const PodRow& p = store.pods[store.FindPod(pod).value];
    text += "  pod               " + std::string(pod) + " (" + std::string(StatusText(p.status)) + ")\n";
    w.Key(pod).String(StatusText(p.status));
  }
  w.Close('}').Close('}');
  e.text = std::move(text);
  return e;
}

}  // namespace basalt

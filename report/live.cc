#include "report/live.h"

#include <simdjson.h>

#include "report/json_writer.h"

namespace basalt {

namespace {

std::string KeyOf(const objects::Meta& meta) {
  std::string key(meta.namespace_);
  if (!key.empty()) key += '/';
  return key.append(meta.name);
}

}  // namespace

void Live::Saw(const Decoded& object) {
  if (!object.meta) return;
  const auto listing = listing_.find(object.kind);
  if (listing != listing_.end()) listing->second.insert(KeyOf(*object.meta));  // also one that was set aside: what was known of it stays
  if (object.kind == objects::Kind::kPodGroup && !object.set_aside)
    if (const JobId job = store_.FindJob(KeyOf(*object.meta))) writes.SawPodGroup(job);
}

void Live::Removed(objects::Kind kind, std::string_view key) {
  writes.Forget(KindName(kind), key);
  if (kind == objects::Kind::kPodGroup) figures_.erase(std::string(key));
}

void Live::Decided(const Plan& plan, int64_t now_ns) {
  for (const GroupVerdict& g : plan.groups)
    if (g.has_gang_condition && !g.gang_ready) figures_[std::string(store_.jobs[g.job.value].key)].retries++;
  for (const Placement& b : plan.binds)
    if (const JobId job = store_.pods[b.pod.value].job) figures_[std::string(store_.jobs[job.value].key)].last_placed_ns = now_ns;
}

const Live::JobFigures* Live::FiguresOf(std::string_view key) const {
  const auto it = figures_.find(std::string(key));
  return it == figures_.end() ? nullptr : &it->second;
}

bool Live::ListBegin(std::string_view name) {
  const objects::Kind kind = KindOf(name, "");
  if (kind == objects::Kind::kOther) return false;
  listing_[kind].clear();
  return true;
}

bool Live::ListEnd(std::string_view name) {
  const objects::Kind kind = KindOf(name, "");
  const auto listing = listing_.find(kind);
  if (kind == objects::Kind::kOther || listing == listing_.end()) return false;
  for (const std::string& key : store_.Keys(kind))
    if (!listing->second.contains(key)) store_.Remove(kind, key, ""), Removed(kind, key);
  listing_.erase(listing);
  return true;
}

bool Live::Result(std::string_view json, int64_t now_ns, std::string* error) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto code = parser.parse(json.data(), json.size()).get(root)) {
    *error = simdjson::error_message(code);
    return false;
  }
  const auto text = [&](const char* field) {
    std::string_view value;
    return root[field].get(value) == simdjson::SUCCESS ? value : std::string_view();
  };
  std::string key(text("namespace"));
  if (!key.empty()) key += '/';
  key += text("name");
  const std::string_view write = text("write"), outcome = text("outcome");
  if (outcome != "done" && outcome != "refused" && outcome != "unknown") {
    *error = "outcome is none of done, refused, unknown";
    return false;
  }
  if (write == "bind") {
    // Done: the watch tells. Unknown: the placement stays until somebody knows.
    if (outcome != "refused") return true;
    const PodId pod = store_.FindPod(key);
    if (!pod) return true;
    const std::string node(store_.pods[pod.value].node ? store_.NodeName(store_.pods[pod.value].node) : std::string_view());
    if (store_.ForgetBind(key, text("uid"))) writes.BindRefused(pod, node, text("message"), now_ns);
    return true;
  }
  if (write == "evict") {
    // Done: the watch tells when it is gone. Unknown: it leaves until somebody knows.
    if (outcome == "refused") store_.ForgetEviction(key, text("uid"));
    return true;
  }
  if (outcome != "done") writes.Forget(write == "podgroup" ? "PodGroup" : write == "queue" ? "Queue" : "Pod", key);
  store_.generation++;  // what failed is written again by the next cycle, which must not take the last plan as it stands
  return true;
}

bool Live::TakeShard(std::string_view json, std::string* error) {
  simdjson::dom::parser parser;
  simdjson::dom::array list;
  if (const auto code = parser.parse(json.data(), json.size()).get(list)) return *error = simdjson::error_message(code), false;
  std::vector<std::string_view> nodes;
  for (const auto item : list) {
    std::string_view node;
    if (item.get(node) != simdjson::SUCCESS) return *error = "the name of a node is no text", false;
    nodes.push_back(node);
  }
  store_.SetShard(nodes);
  return true;
}

std::string Live::Assumed() const {
  std::string json;
  JsonWriter w(&json);
  w.Open('{').Key("pods").Open('{');
  for (const PodRow& p : store_.pods)
    if (p.in_use && p.status == TaskStatus::kBinding) w.Key(p.key).Open('{').Key("uid").String(p.uid).Key("node").String(store_.NodeName(p.node)).Close('}');
  w.Close('}').Key("podgroups").Open('{');
  for (const JobRow& job : store_.jobs)
    if (job.in_use && job.has_group && !job.implied) w.Key(job.key).String(PhaseText(job.phase));
  w.Close('}').Close('}');
  return json;
}

bool Live::Assume(std::string_view json, std::string* error) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object pods, groups;
  if (const auto code = parser.parse(json.data(), json.size()).get(root)) return *error = simdjson::error_message(code), false;
  if (root["pods"].get(pods) != simdjson::SUCCESS || root["podgroups"].get(groups) != simdjson::SUCCESS) return *error = "pods or podgroups are not there", false;
  for (const auto [key, value] : pods) {
    std::string_view uid, node;
    if (value["uid"].get(uid) != simdjson::SUCCESS || value["node"].get(node) != simdjson::SUCCESS) return *error = "pod " + std::string(key) + " without uid or node", false;
    const PodId pod = store_.FindPod(key);
    const NodeId to = store_.FindNode(node);
    if (!pod || !to || store_.pods[pod.value].uid != uid || store_.pods[pod.value].status != TaskStatus::kPending) return *error = "pod " + std::string(key) + " does not fit the objects", false;
    store_.SetTask(pod, TaskStatus::kBinding, to);
  }
  for (const auto [key, value] : groups) {
    const JobId job = store_.FindJob(key);
    std::string_view phase;
    if (!job || value.get(phase) != simdjson::SUCCESS) return *error = "PodGroup " + std::string(key) + " does not fit the objects", false;
    bool known = false;
    for (const GroupPhase p : {GroupPhase::kEmpty, GroupPhase::kPending, GroupPhase::kInqueue, GroupPhase::kRunning, GroupPhase::kUnknown, GroupPhase::kCompleted})
      if (PhaseText(p) == phase) store_.jobs[job.value].phase = p, known = true;
    if (!known) return *error = "PodGroup " + std::string(key) + " in phase " + std::string(phase), false;
  }
  store_.generation++;
  return true;
}

}  // namespace basalt

#include "report/live.h"

#include <simdjson.h>

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

void Live::Removed(objects::Kind kind, std::string_view key) { writes.Forget(KindName(kind), key); }

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

}  // namespace basalt

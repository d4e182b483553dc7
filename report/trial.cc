#include "report/trial.h"

#include <algorithm>

#include "report/json_edit.h"
#include "snapshot/text/reader.h"

namespace basalt {

void Trial::Take(std::string_view json) {
  std::string padded(json);
  padded.append(kJsonPaddingBytes, '\0');
  std::vector<Diagnostic> ignored;
  ReadText(std::string_view(padded).substr(0, json.size()), "trial", TextFormat::kJson, engine_.executor(),
           [&](const Decoded& d, std::string_view) {
             if (!d.set_aside) engine_.store.Upsert(d, &ignored);
           }, &ignored);
}

namespace {

// The queues `root` and `default` are there without an object.
std::string ImpliedObject(const Store& store, const std::string& kind, const std::string& key) {
  const QueueId queue = kind == "Queue" ? store.FindQueue(key) : QueueId{};
  if (!queue || !store.queues[queue.value].implied) return "";
  std::string json;
  JsonWriter w(&json);
  w.Open('{').Key("apiVersion").String(ApiVersionOf(objects::Kind::kQueue)).Key("kind").String(kind).Key("metadata").Open('{').Key("name").String(key).Close('}');
  w.Key("spec").Open('{').Key("weight").Integer(store.queues[queue.value].weight).Key("reclaimable").Bool(store.queues[queue.value].reclaimable).Close('}');
  w.Key("status").Open('{').Key("state").String("Open").Close('}').Close('}');
  return json;
}

}  // namespace

const std::string& Trial::Original(const std::string& kind, const std::string& key) {
  std::string& json = seen_[{kind, key}];
  if (json.empty()) json = source_(kind, key);
  return json;
}

std::vector<Change> Trial::ForInput(std::vector<Change> changes) {
  for (Change& c : changes) {
    if (c.path.empty() || !Original(c.kind, c.key).empty()) continue;
    const bool made = std::any_of(changes.begin(), changes.end(), [&](const Change& o) { return o.path.empty() && o.kind == c.kind && o.key == c.key; });
    const std::string base = made ? "" : ImpliedObject(engine_.store, c.kind, c.key);
    if (!base.empty()) c.value = SetJson(base, c.path, c.value), c.path.clear();
  }
  return changes;
}

bool Trial::Run(std::span<const Change> changes) {
  std::map<std::pair<std::string, std::string>, std::string> edited;
  for (const Change& c : changes) {
    const std::pair<std::string, std::string> id(c.kind, c.key);
    if (c.path.empty()) {
      edited[id] = c.value;
      created_.push_back(id);
      continue;
    }
    if (!edited.contains(id)) {
      edited[id] = Original(c.kind, c.key);
      if (!edited[id].empty()) {
        originals_.emplace_back(c.kind, edited[id]);
      } else {
        edited[id] = ImpliedObject(engine_.store, c.kind, c.key);
        if (edited[id].empty()) return Undo(), false;
        created_.push_back(id);
      }
    }
    edited[id] = SetJson(edited[id], c.path, c.value);
  }
  for (const auto& [id, json] : edited) Take(json);
  engine_.Cycle(engine_.last_now_ns, false);
  run_ = true;
  return true;
}

void Trial::Undo() {
  if (run_) engine_.Rewind();
  run_ = false;
  for (const auto& [kind, json] : originals_) Take(json);
  for (const auto& [kind, key] : created_) engine_.store.Remove(KindOf(kind, ""), key, "");
  originals_.clear(), created_.clear();
}

Trial::~Trial() {
  if (run_) Undo();
  engine_.Cycle(engine_.last_now_ns, false);
}

}  // namespace basalt

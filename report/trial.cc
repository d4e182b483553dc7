#include "report/trial.h"

#include <map>

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
      auto& json = seen_[id];
      if (json.empty()) json = source_(c.kind, c.key);
      if (json.empty()) return Undo(), false;
      edited[id] = json;
      originals_.emplace_back(c.kind, json);
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

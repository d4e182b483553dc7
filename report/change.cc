#include "report/change.h"

#include <algorithm>

#include "report/json_edit.h"

namespace basalt {

void MergeChanges(std::vector<Change> more, std::vector<Change>* changes) {
  for (Change& m : more) {
    const auto old = std::find_if(changes->begin(), changes->end(), [&](const Change& c) { return c.kind == m.kind && c.key == m.key && c.path == m.path; });
    if (old == changes->end()) changes->push_back(std::move(m));
    else *old = std::move(m);
  }
}

std::string ChangesText(const std::vector<Change>& changes) {
  std::string text;
  for (size_t i = 0; i < changes.size(); i++) {
    if (i > 0) text += i + 1 == changes.size() ? " and " : ", ";
    text += changes[i].text;
  }
  return text;
}

void WriteChanges(const std::vector<Change>& changes, JsonWriter* w) {
  w->Open('[');
  for (const Change& c : changes) {
    const size_t slash = c.key.find('/');
    w->Open('{').Key("kind").String(c.kind);
    if (slash != c.key.npos) w->Key("namespace").String(c.key.substr(0, slash));
    w->Key("name").String(slash == c.key.npos ? c.key : c.key.substr(slash + 1));
    if (c.path.empty()) {
      w->Key("create").Raw(c.value);
    } else {
      w->Key("patch").Open('[').Open('{').Key("op").String(c.value.empty() ? "remove" : "add").Key("path").String(JsonPointer(c.path));
      if (!c.value.empty()) w->Key("value").Raw(c.value);
      w->Close('}').Close(']');
    }
    w->Key("text").String(c.text).Close('}');
  }
  w->Close(']');
}

}  // namespace basalt

#include "snapshot/decode_walk.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "snapshot/time.h"

namespace basalt::decode {
namespace {

/// kubectl's copy of the applied manifest: often the largest string of an object, all of it escaped, and read by nobody.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

std::string_view ReadName(Walk& w, const char* what) {
  const size_t token = w.Token();
  const std::string_view name = w.String();
  if (w.Ok() && !name.empty() && !IsUsableName(name)) w.Fail(token, std::string("bad ") + what + ' ' + w.Describe(token));
  return name;
}

void ReadOwners(Walk& w, objects::Meta* meta) {
  for (Items items(w); items.Next();) {
    std::string_view uid;
    bool controller = false;
    for (Fields f(w); f.Next();) switch (f.key) {
        case Key::kUid: uid = w.String(); break;
        case Key::kController: controller = w.Bool(); break;
        default: w.Skip();
      }
    if (controller && meta->controller_uid.empty()) meta->controller_uid = uid;
  }
}

}  // namespace

bool IsUsableName(std::string_view name) {
  return !name.empty() && name.size() <= 253 &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; });
}

void ReadMeta(Walk& w, objects::Meta* meta) {
  const size_t object = w.Token();
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kName: meta->name = ReadName(w, "name"); break;
      case Key::kNamespace: meta->namespace_ = ReadName(w, "namespace"); break;
      case Key::kUid: meta->uid = w.String(); break;
      case Key::kResourceVersion: {
        const std::string_view text = w.String();
        uint64_t version = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
        meta->resource_version = error == std::errc() && end == text.data() + text.size() ? version : 0;
        break;
      }
      case Key::kCreationTimestamp: meta->creation_seconds = ReadTime(w); break;
      case Key::kDeletionTimestamp: ReadTime(w), meta->deleting = true; break;
      case Key::kOwnerReferences: ReadOwners(w, meta); break;
      case Key::kLabels: meta->labels = ReadKeyValues(w); break;
      case Key::kAnnotations: meta->annotations = ReadKeyValues(w); break;
      case Key::kManagedFields: w.PassOver(); break;  // read by nobody, and half of many dumps
      default: w.Skip();
    }
  if (meta->name.empty()) w.Fail(object, "missing name", "name");
}

std::span<const objects::KeyValue> ReadKeyValues(Walk& w) {
  w.key_values.clear();
  for (Members m(w); m.Next();) {
    if (m.key == kLastApplied) w.Skip();
    else w.key_values.push_back({m.key, w.String()});
  }
  return w.arena->Copy(w.key_values);
}

void ReadResources(Walk& w, const char* noun, std::vector<objects::Resource>* out) {
  for (Members m(w); m.Next();) out->push_back({m.key, w.NonNegative(noun)});
}

objects::ResourceList ReadResourceList(Walk& w, const char* noun) {
  w.resources.clear();
  ReadResources(w, noun, &w.resources);
  return w.arena->Copy(w.resources);
}

int64_t ReadTime(Walk& w) {
  const size_t token = w.Token();
  const std::string_view text = w.String();
  if (!w.Ok()) return 0;
  const std::optional<int64_t> seconds = ParseRfc3339(text);
  if (!seconds) w.Fail(token, "bad time " + w.Describe(token));
  return seconds.value_or(0);
}

objects::TaintEffect ReadEffect(Walk& w) {
  const size_t token = w.Token();
  const std::string_view text = w.String();
  if (text == "NoSchedule") return objects::TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return objects::TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return objects::TaintEffect::kNoExecute;
  if (!text.empty()) w.Unknown("effect", token);
  return objects::TaintEffect::kNone;
}

}  // namespace basalt::decode

#include "snapshot/text/compact.h"

#include "snapshot/decode.h"
#include "snapshot/text/yaml_json.h"

namespace basalt {

namespace {

bool HasKey(std::string_view member, std::string_view quoted_key) { return member.starts_with(quoted_key) && member.substr(quoted_key.size()).starts_with(':'); }

void AppendMembers(std::string_view object, const auto& append, std::string* out) {
  std::vector<std::string_view> members;
  SplitJson(object, &members);
  *out += '{';
  const size_t begin = out->size();
  for (const std::string_view m : members) {
    const size_t before = out->size();
    if (before > begin) *out += ',';
    if (!append(m)) out->resize(before);
  }
  *out += '}';
}

}  // namespace

void AppendCompact(std::string_view json, std::string* out) {
  size_t done = 0;
  for (size_t i = 0; i < json.size(); i++) {
    const char c = json[i];
    if (c == '"') {
      i += JsonStringEnd(json.substr(i)) - 1;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      out->append(json, done, i - done);
      done = i + 1;
    }
  }
  out->append(json, done, json.size() - done);
}

void AppendStandalone(std::string_view json, std::string_view kind_name, std::string* out) {
  std::string compact;
  AppendCompact(json, &compact);
  if (!compact.starts_with('{')) {
    out->append(compact);
    return;
  }
  std::vector<std::string_view> members;
  SplitJson(compact, &members);
  bool has_kind = false, has_version = false;
  for (const std::string_view m : members) has_kind |= HasKey(m, "\"kind\""), has_version |= HasKey(m, "\"apiVersion\"");
  std::string head;
  if (!has_kind && !kind_name.empty()) {
    const std::string_view version = ApiVersionOf(KindOf(kind_name, ""));
    if (!has_version && !version.empty()) head.append("\"apiVersion\":\"").append(version).append("\",");
    head += "\"kind\":";
    AppendJsonString(kind_name, &head);
    if (!members.empty()) head += ',';
  }
  const size_t at = out->size();
  AppendMembers(compact, [&](std::string_view member) {
    constexpr std::string_view kMetadata = "\"metadata\":{";
    if (!member.starts_with(kMetadata)) return out->append(member), true;
    out->append(kMetadata, 0, kMetadata.size() - 1);
    AppendMembers(member.substr(kMetadata.size() - 1), [&](std::string_view inner) { return !HasKey(inner, "\"managedFields\"") && (out->append(inner), true); }, out);
    return true;
  }, out);
  out->insert(at + 1, head);
}

}  // namespace basalt

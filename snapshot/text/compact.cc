#include "snapshot/text/compact.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "snapshot/text/yaml_json.h"

namespace basalt {

namespace {

constexpr std::string_view kManagedFields = "\"managedFields\":", kMetadata = "\"metadata\":{";

/// The members ("key":value) of a compact object, as far as `keep` wants them.
void AppendMembers(const std::vector<std::string_view>& members, const auto& keep, std::string* out) {
  const char* separator = "";
  for (const std::string_view m : members)
    if (keep(m)) out->append(std::exchange(separator, ",")).append(m);
}

size_t Count(const std::vector<std::string_view>& members, std::string_view start) {
  return static_cast<size_t>(std::count_if(members.begin(), members.end(), [&](std::string_view m) { return m.starts_with(start); }));
}

/// `compact` without metadata.managedFields, where both stand in it once.
std::string WithoutManagedFields(std::string compact) {
  if (compact.find(kManagedFields) == std::string::npos) return compact;
  std::vector<std::string_view> members, inner;
  SplitJson(compact, &members);
  const auto metadata = std::find_if(members.begin(), members.end(), [](std::string_view m) { return m.starts_with(kMetadata); });
  if (metadata == members.end() || Count(members, kMetadata.substr(0, kMetadata.size() - 1)) > 1) return compact;
  const std::string_view object = metadata->substr(kMetadata.size() - 1);
  SplitJson(object, &inner);
  if (Count(inner, kManagedFields) != 1) return compact;
  std::string out(compact, 0, static_cast<size_t>(object.data() - compact.data()) + 1);
  AppendMembers(inner, [](std::string_view m) { return !m.starts_with(kManagedFields); }, &out);
  out += '}';
  return out.append(compact, static_cast<size_t>(object.data() + object.size() - compact.data()));
}

/// Puts `key` with the text `value` (as it stands in JSON, without quotes) in front, unless the object has it; null and "" count as nothing.
void PutFirst(std::string_view key, std::string_view value, std::string* compact) {
  const std::string start = std::string("\"").append(key).append("\":");
  std::vector<std::string_view> members;
  SplitJson(*compact, &members);
  const auto none = [&](std::string_view m) { return m.starts_with(start) && (m.substr(start.size()) == "null" || m.substr(start.size()) == "\"\""); };
  if (value.empty() || Count(members, start) > 1 || std::any_of(members.begin(), members.end(), [&](std::string_view m) { return m.starts_with(start) && !none(m); })) return;
  std::string out = std::string("{").append(start).append("\"").append(value).append("\"");
  if (members.size() > Count(members, start)) out += ',';
  AppendMembers(members, [&](std::string_view m) { return !none(m); }, &out);
  *compact = out += '}';
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

void AppendStandalone(std::string_view json, std::string_view list_kind, std::string_view list_api_version, std::string* out) {
  std::string compact;
  AppendCompact(json, &compact);
  if (compact.starts_with('{')) {
    compact = WithoutManagedFields(std::move(compact));
    PutFirst("kind", list_kind, &compact);
    PutFirst("apiVersion", list_api_version, &compact);
  }
  out->append(compact);
}

}  // namespace basalt

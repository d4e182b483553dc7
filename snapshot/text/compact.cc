#include "snapshot/text/compact.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "snapshot/text/yaml_json.h"

namespace basalt {

namespace {

/// Whether a member ("key":value) has this key, of letters only, also where it is written with escapes.
bool KeyIs(std::string_view member, std::string_view key) {
  size_t at = 1;
  for (const char c : key) {
    unsigned code = 0;
    if (!member.substr(at).starts_with("\\u")) {
      if (member[at++] != c) return false;
    } else {
      const std::string_view digits = member.substr(at + 2, 4);
      if (std::from_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr != digits.data() + 4 || code != static_cast<unsigned char>(c)) return false;
      at += 6;
    }
  }
  return member.substr(at).starts_with("\":");
}

std::string_view ValueOf(std::string_view member) { return member.substr(JsonStringEnd(member) + 1); }

size_t Count(const std::vector<std::string_view>& members, std::string_view key) {
  return static_cast<size_t>(std::count_if(members.begin(), members.end(), [&](std::string_view m) { return KeyIs(m, key); }));
}

/// Appends those members of an object that have another key.
void AppendOthers(const std::vector<std::string_view>& members, std::string_view key, const char* separator, std::string* out) {
  for (const std::string_view m : members)
    if (!KeyIs(m, key)) out->append(std::exchange(separator, ",")).append(m);
}

/// `compact` without metadata.managedFields, where both stand in it once.
std::string WithoutManagedFields(std::string compact) {
  constexpr std::string_view kField = "managedFields", kMetadata = "metadata";
  if (compact.find(kField) == std::string::npos) return compact;
  std::vector<std::string_view> members, inner;
  SplitJson(compact, &members);
  const auto metadata = std::find_if(members.begin(), members.end(), [&](std::string_view m) { return KeyIs(m, kMetadata); });
  if (Count(members, kMetadata) != 1 || !ValueOf(*metadata).starts_with('{')) return compact;
  const std::string_view object = ValueOf(*metadata);
  SplitJson(object, &inner);
  if (Count(inner, kField) != 1) return compact;
  const auto begin = static_cast<size_t>(object.data() - compact.data());
  std::string out(compact, 0, begin + 1);
  AppendOthers(inner, kField, "", &out);
  return (out += '}').append(compact, begin + object.size());
}

/// Puts `key` with the text `value` (as it stands in JSON, without quotes) in front, unless the object has it; null and "" count as nothing.
void PutFirst(std::string_view key, std::string_view value, std::string* compact) {
  std::vector<std::string_view> members;
  SplitJson(*compact, &members);
  const auto said = std::find_if(members.begin(), members.end(), [&](std::string_view m) { return KeyIs(m, key); });
  if (value.empty() || Count(members, key) > 1 || (said != members.end() && ValueOf(*said) != "null" && ValueOf(*said) != "\"\"")) return;
  std::string out = "{\"";
  out.append(key).append("\":\"").append(value).append("\"");
  AppendOthers(members, key, ",", &out);
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

#include "snapshot/annotations.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "snapshot/config_value.h"
#include "snapshot/resources.h"
#include "snapshot/store.h"
#include "snapshot/time.h"

namespace basalt::annotations {
namespace {

template <class Int>
std::optional<Int> ParseInt(std::string_view s) {
  Int v{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  return !s.empty() && error == std::errc() && end == s.data() + s.size() ? std::optional(v) : std::nullopt;
}

std::string ObjectKey(const objects::Meta& meta) { return std::string(meta.namespace_).append("/").append(meta.name); }

}  // namespace

std::string_view Find(std::span<const objects::KeyValue> list, std::string_view key, bool* found) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const auto& kv) { return kv.key == key; });
  if (found) *found = at != list.end();
  return at == list.end() ? std::string_view() : at->value;
}

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// The first of the two annotations that is a duration above 0 counts; the other is told.
int64_t SlaWaiting(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics) {
  constexpr std::pair<std::string_view, const char*> kKeys[] = {{"volcano.sh/sla-waiting-time", "/metadata/annotations/volcano.sh~1sla-waiting-time"},
                                                                {"sla-waiting-time", "/metadata/annotations/sla-waiting-time"}};
  for (const auto& [key, pointer] : kKeys) {
    bool found = false;
    const std::string_view text = Find(meta.annotations, key, &found);
    if (!found) continue;
    if (const std::optional<int64_t> duration = ParseGoDuration(text); duration && *duration > 0) return *duration;
    diagnostics->push_back({Severity::kWarning, "", "PodGroup " + ObjectKey(meta), pointer,
                            "\"" + std::string(text.substr(0, 64)) + "\" is no duration above 0; ignored"});
  }
  return 0;
}

// The label goes before the annotation, also where it cannot be read.
int64_t Cooldown(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics) {
  constexpr std::string_view kKey = "volcano.sh/cooldown-time";
  bool labelled = false, annotated = false;
  std::string_view text = Find(meta.labels, kKey, &labelled);
  if (!labelled) text = Find(meta.annotations, kKey, &annotated);
  if (!labelled && !annotated) return 0;
  if (const std::optional<int64_t> duration = ParseGoDuration(text)) return std::max<int64_t>(*duration, 0);
  diagnostics->push_back({Severity::kWarning, "", "Pod " + ObjectKey(meta), labelled ? "/metadata/labels/volcano.sh~1cooldown-time" : "/metadata/annotations/volcano.sh~1cooldown-time",
                          "\"" + std::string(text.substr(0, 64)) + "\" is no duration; ignored"});
  return 0;
}

// "3" or "50%"; the minimum goes before the maximum.
DisruptionBudget Budget(const objects::Meta& meta, std::vector<Diagnostic>* diagnostics) {
  constexpr std::tuple<std::string_view, const char*, DisruptionBudget::Kind> kKeys[] = {
      {"volcano.sh/jdb-min-available", "/metadata/annotations/volcano.sh~1jdb-min-available", DisruptionBudget::kMinAvailable},
      {"volcano.sh/jdb-max-unavailable", "/metadata/annotations/volcano.sh~1jdb-max-unavailable", DisruptionBudget::kMaxUnavailable}};
  for (const auto& [key, pointer, kind] : kKeys) {
    bool found = false;
    std::string_view text = Find(meta.annotations, key, &found);
    if (!found || text.empty()) continue;
    const bool percent = text.back() == '%';
    if (percent) text.remove_suffix(1);
    if (const auto value = ParseInt<int32_t>(text); value && *value >= 0) return {kind, percent, *value};
    diagnostics->push_back({Severity::kWarning, "", "PodGroup " + ObjectKey(meta), pointer, "expected a whole number or a percentage; ignored"});
  }
  return {};
}

std::shared_ptr<const TaskTopology> Topology(const objects::Meta& meta, Store* store) {
  TaskTopology topology;
  bool any = false;
  const auto groups = [&](std::string_view key) {
    std::vector<std::vector<StringId>> out;
    bool found = false;
    std::string_view rest = Find(meta.annotations, key, &found);
    any |= found;
    for (bool more = found; more;) {
      const size_t end = std::min(rest.find(';'), rest.size());
      out.emplace_back();
      for (const std::string& role : SplitAt(rest.substr(0, end), ',')) out.back().push_back(store->names.Intern(role));
      more = end < rest.size();
      rest.remove_prefix(more ? end + 1 : end);
    }
    return out;
  };
  topology.affinity = groups("volcano.sh/task-topology-affinity");
  topology.anti_affinity = groups("volcano.sh/task-topology-anti-affinity");
  bool found = false;
  const std::string_view order = Find(meta.annotations, "volcano.sh/task-topology-task-order", &found);
  any |= found;
  if (found)
    for (const std::string& role : SplitAt(order, ',')) topology.order.push_back(store->names.Intern(role));
  return any ? std::make_shared<const TaskTopology>(std::move(topology)) : nullptr;
}

// The annotation is JSON in a text: group name -> resource list. What cannot be read shuts the queue out of every node, as in Volcano.
GroupLimits NodeGroupLimits(const objects::Meta& meta, Store* store, std::vector<Diagnostic>* diagnostics) {
  GroupLimits out;
  bool found = false;
  const std::string_view text = Find(meta.annotations, "volcano.sh/nodegroup-resource-limits", &found);
  if (!found || text.empty()) return out;
  const auto refuse = [&](const std::string& why) {
    out.by_group.clear();
    out.invalid = true;
    diagnostics->push_back({Severity::kWarning, "", "Queue " + std::string(meta.name), "/metadata/annotations/volcano.sh~1nodegroup-resource-limits",
                            why + "; the queue gets no node where policy nodegroup runs"});
    return out;
  };
  ConfigValue root;
  std::string error;
  if (!ParseConfigText(text, &root, &error)) return refuse(error);
  if (root.type != ConfigValue::Type::kMap) return refuse("expected a map of node groups");
  for (const auto& [group, list] : root.map) {
    if (list.type != ConfigValue::Type::kMap) return refuse("expected a resource list for node group " + group);
    std::vector<ResourceAmount> limits;
    for (const auto& [name, value] : list.map) {
      using Type = ConfigValue::Type;
      const std::string amount = value.type == Type::kString ? value.string : value.type == Type::kInt ? std::to_string(value.integer)
                                 : value.type == Type::kFloat ? std::to_string(value.number) : "";
      const std::optional<Quantity> quantity = Quantity::Parse(amount);
      if (!quantity) return refuse("no quantity of " + name + " for node group " + group);
      const ResourceKind kind = KindOfResource(name);
      if (kind != ResourceKind::kDropped) limits.push_back({store->Resource(name), AmountOf(kind, *quantity)});
    }
    out.by_group.emplace_back(store->names.Intern(group), std::move(limits));
  }
  return out;
}

}  // namespace basalt::annotations

#include "report/verify_plan.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace basalt::verify {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kHeld = " (allocated, not dispatched)";

struct Reader {
  std::vector<std::string>* problems;

  void Problem(const std::string& where, const std::string& what) { problems->push_back(where + ": " + what); }

  /// A member of an object; what is absent or of another type is a problem.
  template <class T>
  bool Get(dom::element parent, const char* key, const std::string& where, const char* type, T* out) {
    if (parent[key].get(*out) == simdjson::SUCCESS) return true;
    return Problem(where + "/" + key, std::string("expected ") + type), false;
  }
  std::string String(dom::element value, const std::string& where) {
    std::string_view s;
    if (value.get(s) != simdjson::SUCCESS) Problem(where, "expected a string");
    return std::string(s);
  }
  std::string Member(dom::element parent, const char* key, const std::string& where) {
    std::string_view s;
    Get(parent, key, where, "a string", &s);
    return std::string(s);
  }
  int64_t Count(dom::element parent, const char* key) {
    int64_t n = -1;
    Get(parent, key, "/inputs", "a number", &n);
    return n;
  }

  void Placements(dom::element cycle, const char* key, const std::string& where, std::vector<PlanPlacement>* out) {
    dom::object map;
    if (!Get(cycle, key, where, "an object", &map)) return;
    for (const auto& [pod, value] : map) {
      PlanPlacement p{std::string(pod), String(value, where + "/" + key + "/" + std::string(pod)), false};
      if (p.node.ends_with(kHeld)) p.held = true, p.node.resize(p.node.size() - kHeld.size());
      out->push_back(std::move(p));
    }
  }

  void Cycle(dom::element cycle, const std::string& where, PlanCycle* out) {
    Placements(cycle, "binds", where, &out->binds);
    Placements(cycle, "pipelined", where, &out->pipelined);
    dom::array evicted, conditions;
    dom::object groups, pods;
    if (Get(cycle, "evicted", where, "a list", &evicted))
      for (const dom::element e : evicted) out->evicted.push_back(String(e, where + "/evicted"));
    if (Get(cycle, "podgroups", where, "an object", &groups))
      for (const auto& [key, value] : groups) {
        const std::string at = where + "/podgroups/" + std::string(key);
        PlanGroup g{std::string(key), Member(value, "phase", at), {}};
        if (Get(value, "conditions", at, "a list", &conditions))
          for (const dom::element c : conditions)
            g.conditions.push_back({Member(c, "type", at), Member(c, "status", at), Member(c, "reason", at), Member(c, "message", at)});
        out->groups.push_back(std::move(g));
      }
    if (Get(cycle, "pods", where, "an object", &pods))
      for (const auto& [key, value] : pods) {
        const std::string at = where + "/pods/" + std::string(key);
        out->pods.push_back({std::string(key), Member(value, "reason", at), Member(value, "message", at)});
      }
  }
};

}  // namespace

bool ReadPlan(std::string_view json, PlanDocument* plan, std::vector<std::string>* problems, std::string* error) {
  *plan = {};
  dom::parser parser;
  dom::element root;
  if (const auto code = parser.parse(json.data(), json.size(), /*realloc_if_needed=*/true).get(root)) {
    *error = std::string("the plan is not JSON: ") + simdjson::error_message(code);
    return false;
  }
  if (!root.is_object()) return *error = "the plan is not a JSON object", false;
  Reader reader{problems};
  if (const std::string v = reader.Member(root, "apiVersion", ""); v != "basalt.dev/v1alpha1") reader.Problem("/apiVersion", "\"" + v + "\" is not basalt.dev/v1alpha1");
  if (const std::string k = reader.Member(root, "kind", ""); k != "Schedule") reader.Problem("/kind", "\"" + k + "\" is not Schedule");
  dom::object inputs, stats;
  if (reader.Get(root, "inputs", "", "an object", &inputs))
    plan->inputs = {reader.Count(root["inputs"], "nodes"), reader.Count(root["inputs"], "pods"), reader.Count(root["inputs"], "podgroups"), reader.Count(root["inputs"], "queues")};
  dom::array cycles;
  if (reader.Get(root, "cycles", "", "a list", &cycles)) {
    for (const dom::element cycle : cycles) {
      plan->cycles.emplace_back();
      reader.Cycle(cycle, "/cycles/" + std::to_string(plan->cycles.size() - 1), &plan->cycles.back());
    }
    if (plan->cycles.empty()) reader.Problem("/cycles", "is empty");
  }
  if (reader.Get(root, "stats", "", "an object", &stats)) plan->hash = reader.Member(root["stats"], "plan_hash", "/stats");
  return true;
}

std::string PlanHash(const PlanDocument& plan) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < plan.cycles.size(); i++) {
    const PlanCycle& c = plan.cycles[i];
    const auto line = [&](std::string_view kind, std::string_view key, std::string_view value) {
      std::string l = std::to_string(i);
      l.append(" ").append(kind).append(" ").append(key).append(" ").append(value).append("\n");
      lines.push_back(std::move(l));
    };
    for (const auto& p : c.binds) line("bind", p.pod, p.held ? p.node + std::string(kHeld) : p.node);
    for (const auto& p : c.pipelined) line("pipelined", p.pod, p.node);
    for (const auto& e : c.evicted) line("evicted", e, "");
    for (const auto& g : c.groups) line("phase", g.key, g.phase);
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& l : lines) all += l;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(XXH3_64bits(all.data(), all.size())));
  return text;
}

}  // namespace basalt::verify

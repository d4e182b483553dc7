// The plan document as plain texts (design, section 5), and its hash.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::verify {

struct PlanPlacement {
  std::string pod, node;
  bool held = false;  ///< "(allocated, not dispatched)": holds room in this cycle, but was not sent
};
struct PlanCondition { std::string type, status, reason, message; };
struct PlanGroup { std::string key, phase; std::vector<PlanCondition> conditions; };
struct PlanPod { std::string key, reason, message; };
struct PlanCycle {
  std::vector<PlanPlacement> binds, pipelined;
  std::vector<std::string> evicted;
  std::vector<PlanGroup> groups;
  std::vector<PlanPod> pods;
};
struct PlanInputs { int64_t nodes = 0, pods = 0, podgroups = 0, queues = 0; };
struct PlanDocument {
  PlanInputs inputs;
  std::vector<PlanCycle> cycles;
  std::string hash;  ///< stats.plan_hash as written
};

/// Returns false and sets *error where the text is no JSON. What is wrong with its form goes to *problems, one sentence each.
bool ReadPlan(std::string_view json, PlanDocument* plan, std::vector<std::string>* problems, std::string* error);

/// XXH3-64 over the sorted lines "cycle kind key value" of binds, pipelined, evicted and phases: 16 lower-case hexadecimal digits.
std::string PlanHash(const PlanDocument& plan);

}  // namespace basalt::verify

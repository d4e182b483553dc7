#include "report/cycle_lines.h"

#include <algorithm>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "report/texts.h"

namespace basalt {

std::vector<std::string> CycleLines(const Store& store, const Plan& plan, size_t cycle) {
  std::vector<std::string> lines;
  const std::string number = std::to_string(cycle);
  const auto line = [&](std::string_view kind, std::string_view key, std::string_view value) {
    std::string l = number;
    l.append(" ").append(kind).append(" ").append(key).append(" ").append(value).append("\n");
    lines.push_back(std::move(l));
  };
  for (const Placement& p : plan.binds) line("bind", store.pods[p.pod.value].key, store.NodeName(p.node));
  for (const Placement& p : plan.held) line("bind", store.pods[p.pod.value].key, HeldText(store.NodeName(p.node)));
  for (const Placement& p : plan.pipelined) line("pipelined", store.pods[p.pod.value].key, store.NodeName(p.node));
  for (const Eviction& e : plan.evicted) line("evicted", store.pods[e.pod.value].key, "");
  for (const JobRow& job : store.jobs)
    if (job.in_use && job.has_group) line("phase", job.key, PhaseText(job.phase));
  std::sort(lines.begin(), lines.end());
  return lines;
}

uint64_t HashOf(const std::vector<std::string_view>& lines) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const std::string_view l : lines) XXH3_64bits_update(&state, l.data(), l.size());
  return XXH3_64bits_digest(&state);
}

uint64_t CycleHash(const Store& store, const Plan& plan) {
  const std::vector<std::string> lines = CycleLines(store, plan, 0);
  return HashOf({lines.begin(), lines.end()});
}

std::string PlanHashText(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace basalt

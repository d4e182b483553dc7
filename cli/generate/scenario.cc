#include "cli/generate/scenario.h"

#include <algorithm>

#include <fmt/format.h>

namespace basalt::cli {

std::string Numbered(std::string_view name, int64_t number, int64_t count) {
  return fmt::format("{}-{:0{}}", name, number, std::to_string(std::max<int64_t>(count - 1, 0)).size());
}

std::string QueueName(int64_t number, int64_t count) { return count <= 1 ? "default" : Numbered("queue", number, count); }

void RunningPods::Write(int64_t count, int64_t gang, ObjectWriter* writer) {
  constexpr int64_t kCpuMilli = 500, kMemoryMib = 1024;
  size_t at = 0, full = 0;
  for (int64_t i = 0; i < count && full < nodes_.size();) {
    Free& node = nodes_[at];
    at = (at + 1) % nodes_.size();
    if (node.cpu_milli < kCpuMilli || node.memory_mib < kMemoryMib || node.pods < 1) {
      full++;
      continue;
    }
    full = 0;
    node.cpu_milli -= kCpuMilli, node.memory_mib -= kMemoryMib, node.pods--;
    PodSpec pod;
    pod.space = "default", pod.group = Numbered("run", i / gang, (count + gang - 1) / gang);
    if (i % gang == 0) {
      GroupSpec group;
      group.space = pod.space, group.name = pod.group, group.queue = "default", group.phase = "Running";
      group.min_member = std::min(gang, count - i);
      writer->PodGroup(group);
    }
    pod.name = fmt::format("{}-worker-{}", pod.group, i % gang), pod.index = i % gang;
    pod.cpu_milli = kCpuMilli, pod.memory_mib = kMemoryMib, pod.node = node.name;
    writer->Pod(pod);
    i++;
  }
}

}  // namespace basalt::cli

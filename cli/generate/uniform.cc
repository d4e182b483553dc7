// uniform: nodes all alike, pods all alike. What every scheduler does well.
#include <fmt/format.h>

#include "cli/generate/scenario.h"

namespace basalt::cli {

namespace {

void Objects(const Sizes& sizes, uint64_t, ObjectWriter* writer) {
  constexpr int64_t kZones = 3;
  RunningPods running;
  for (int64_t i = 0; i < sizes.nodes; i++) {
    NodeSpec node;
    node.name = Numbered("node", i, sizes.nodes), node.zone = fmt::format("zone-{}", i % kZones);
    node.cpu_milli = 32'000, node.memory_mib = 128 * 1024;
    writer->Node(node);
    running.AddNode(node);
  }
  for (int64_t i = 0; i < sizes.queues; i++) writer->Queue({QueueName(i, sizes.queues), 1, 0});
  running.Write(sizes.running, sizes.gang, writer);
  const int64_t jobs = (sizes.pods + sizes.gang - 1) / sizes.gang;
  for (int64_t job = 0, left = sizes.pods; job < jobs; job++) {
    const int64_t size = std::min(left, sizes.gang);
    left -= size;
    GroupSpec group;
    group.space = "default", group.name = Numbered("job", job, jobs), group.queue = QueueName(job % sizes.queues, sizes.queues);
    group.min_member = size, group.cpu_milli = 1000 * size, group.memory_mib = 2048 * size;
    writer->PodGroup(group);
    for (int64_t i = 0; i < size; i++) {
      PodSpec pod;
      pod.space = group.space, pod.group = group.name, pod.name = fmt::format("{}-worker-{}", group.name, i), pod.index = i;
      pod.cpu_milli = 1000, pod.memory_mib = 2048;
      writer->Pod(pod);
    }
  }
}

}  // namespace

const Scenario kUniform{"uniform", "nodes all alike, pods all alike", {.nodes = 100, .pods = 1000}, &Objects, nullptr};

}  // namespace basalt::cli

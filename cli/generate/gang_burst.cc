// gang-burst: many gangs arrive at once, of few kinds; nodes in many sizes. Sizes of nodes and pods are those of the calibrator in bench/, so
// that speeds compare.
#include <fmt/format.h>

#include "cli/generate/scenario.h"

namespace basalt::cli {

namespace {

void Objects(const Sizes& sizes, uint64_t seed, ObjectWriter* writer) {
  Random random(seed);
  RunningPods running;
  for (int64_t i = 0; i < sizes.nodes; i++) {
    NodeSpec node;
    node.name = Numbered("node", i, sizes.nodes), node.zone = fmt::format("zone-{}", i % 8);
    node.cpu_milli = static_cast<int64_t>(random.Below(8) + 1) * 16'000;
    node.memory_mib = static_cast<int64_t>(random.Below(8) + 1) * 65'536;
    if (sizes.tainted && random.Percent(static_cast<uint64_t>(sizes.tainted))) node.taint = random.Percent(50) ? "dedicated=batch:NoSchedule" : "dedicated=batch:PreferNoSchedule";
    writer->Node(node);
    running.AddNode(node);
  }
  for (int64_t i = 0; i < sizes.queues; i++) writer->Queue({QueueName(i, sizes.queues), 1, 0});
  running.Write(sizes.running, sizes.gang, writer);
  for (int64_t i = 0; i < sizes.unplaceable; i++) {
    const std::string name = Numbered("huge", i / sizes.gang, (sizes.unplaceable + sizes.gang - 1) / sizes.gang);
    GroupSpec group;
    group.space = "default", group.name = name, group.queue = QueueName(0, sizes.queues), group.min_member = std::min(sizes.gang, sizes.unplaceable - i);
    if (i % sizes.gang == 0) writer->PodGroup(group);
    PodSpec pod;
    pod.space = group.space, pod.group = name, pod.index = i % sizes.gang, pod.name = fmt::format("{}-worker-{}", name, pod.index);
    pod.cpu_milli = 200'000, pod.memory_mib = 1024;  // the largest node has 128 CPUs
    writer->Pod(pod);
  }
  const int64_t jobs = (sizes.pods + sizes.gang - 1) / sizes.gang;
  for (int64_t job = 0, left = sizes.pods; job < jobs; job++) {
    const int64_t size = std::min(left, sizes.gang), kind = job % sizes.templates;
    left -= size;
    const int64_t cpu_milli = 100 * (kind % 7 + 1), memory_mib = 256 * (kind % 5 + 1) + kind / 35;
    GroupSpec group;
    group.space = "default", group.name = Numbered("job", job, jobs), group.queue = QueueName(job % sizes.queues, sizes.queues);
    group.min_member = size, group.cpu_milli = cpu_milli * size, group.memory_mib = memory_mib * size;
    writer->PodGroup(group);
    for (int64_t i = 0; i < size; i++) {
      PodSpec pod;
      pod.space = group.space, pod.group = group.name, pod.name = fmt::format("{}-worker-{}", group.name, i), pod.index = i;
      pod.cpu_milli = cpu_milli, pod.memory_mib = memory_mib;
      if (kind * 100 < sizes.preferring * sizes.templates) pod.preferred_zone = fmt::format("zone-{}", kind % 8);
      if (sizes.distinct == "requests") pod.memory_mib = 256 + (job * sizes.gang + i) % 1'000'000;
      if (sizes.distinct == "names") pod.labels = {{"example.com/run", pod.name}}, pod.env = {{"RANK", std::to_string(i)}, {"RUN", pod.name}};
      writer->Pod(pod);
    }
  }
}

}  // namespace

const Scenario kGangBurst{"gang-burst",
                          "gangs of few kinds arrive at once; nodes of many sizes",
                          {.nodes = 10'000, .pods = 100'000, .gang = 100, .templates = 35},
                          &Objects,
                          nullptr};

}  // namespace basalt::cli

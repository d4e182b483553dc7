// heterogeneous: node shapes, GPUs, taints, zones, priorities, affinities and queues mixed; some jobs can never be placed.
#include <algorithm>

#include <fmt/format.h>

#include "cli/generate/scenario.h"

namespace basalt::cli {

namespace {

constexpr char kBatchTaint[] = "dedicated=batch:NoSchedule";
constexpr const char* kModels[] = {"a100", "h100", "l4"};
constexpr int64_t kZones = 3;

NodeSpec RandomNode(int64_t index, int64_t count, Random* random) {
  NodeSpec node;
  node.name = Numbered("node", index, count), node.zone = fmt::format("zone-{}", index % kZones);
  const uint64_t kind = random->Below(100);
  if (kind < 45) {
    node.cpu_milli = 15'800, node.memory_mib = 62 * 1024 + 300;
  } else if (kind < 70) {
    node.cpu_milli = 63'600, node.memory_mib = 507 * 1024 + 64;
  } else if (kind < 90) {
    node.cpu_milli = 95'400, node.memory_mib = 1000 * 1024 + 11, node.gpus = 8, node.gpu_model = kModels[random->Below(2)];
  } else {
    node.cpu_milli = 31'500, node.memory_mib = 120 * 1024, node.gpus = 4, node.gpu_model = kModels[2];
  }
  if (random->Percent(12)) node.taint = kBatchTaint;
  node.unschedulable = random->Percent(2);
  node.labels = {{"example.com/disk", random->Percent(50) ? "nvme" : "hdd"}};
  return node;
}

/// What the pods of one job ask for.
PodSpec RandomPod(Random* random) {
  PodSpec pod;
  pod.space = fmt::format("team-{}", random->Below(4));
  pod.cpu_milli = static_cast<int64_t>(random->Below(32) + 1) * 250, pod.memory_mib = static_cast<int64_t>(random->Below(32) + 1) * 512;
  if (random->Percent(25)) {
    pod.gpus = int64_t{1} << random->Below(4);
    if (random->Percent(40)) pod.gpu_models = {kModels[random->Below(3)]};
    if (random->Percent(20)) pod.gpu_models = {kModels[0], kModels[1]};
  }
  if (random->Percent(10)) pod.selector = {{std::string(kZoneLabel), fmt::format("zone-{}", random->Below(kZones))}};
  if (random->Percent(10)) pod.selector = {{"example.com/disk", "nvme"}};
  if (random->Percent(2)) pod.selector = {{"example.com/disk", "tape"}};  // no node has it
  if (random->Percent(15)) pod.preferred_zone = fmt::format("zone-{}", random->Below(kZones));
  if (random->Percent(20)) pod.tolerated = kBatchTaint;
  if (random->Percent(20)) pod.priority_class = "high", pod.priority = 1000;
  return pod;
}

void Objects(const Sizes& sizes, uint64_t seed, ObjectWriter* writer) {
  Random random(seed);
  RunningPods running;
  for (int64_t i = 0; i < sizes.nodes; i++) {
    const NodeSpec node = RandomNode(i, sizes.nodes, &random);
    writer->Node(node);
    if (!node.unschedulable && node.taint.empty()) running.AddNode(node);
  }
  for (int64_t i = 0; i < sizes.queues; i++) writer->Queue({QueueName(i, sizes.queues), 1 + i % 3, i == 2 ? sizes.nodes * 2000 : 0});
  writer->PriorityClass("high", 1000);
  running.Write(sizes.running, std::max<int64_t>(sizes.gang / 2, 1), writer);
  for (int64_t job = 0, left = sizes.pods; left > 0; job++) {
    PodSpec pod = RandomPod(&random);
    const int64_t size = std::min<int64_t>(left, random.Percent(50) ? 1 : random.Below(sizes.gang) + 1);
    left -= size;
    GroupSpec group;
    group.space = pod.space, group.name = fmt::format("job-{:05}", job), group.priority_class = pod.priority_class;
    group.queue = QueueName(static_cast<int64_t>(random.Below(sizes.queues)), sizes.queues);
    group.min_member = random.Percent(80) ? size : (size + 1) / 2;
    group.cpu_milli = pod.cpu_milli * group.min_member, group.memory_mib = pod.memory_mib * group.min_member, group.gpus = pod.gpus * group.min_member;
    writer->PodGroup(group);
    pod.group = group.name;
    for (pod.index = 0; pod.index < size; pod.index++) {
      pod.name = fmt::format("{}-worker-{}", group.name, pod.index);
      writer->Pod(pod);
    }
  }
}

}  // namespace

const Scenario kHeterogeneous{"heterogeneous",
                              "node shapes, GPUs, taints, zones, priorities and queues mixed",
                              {.nodes = 200, .pods = 2000, .gang = 16, .queues = 4},
                              &Objects,
                              nullptr};

}  // namespace basalt::cli

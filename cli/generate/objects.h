// API objects as kubectl prints them, with the parts that a scheduler reads set and the usual rest around.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/generate/random.h"

namespace basalt::cli {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct NodeSpec {
  std::string name, zone, gpu_model;
  int64_t cpu_milli = 0, memory_mib = 0, gpus = 0, pods = 110;
  Pairs labels;
  std::string taint;  ///< "key=value:Effect", or empty
  bool unschedulable = false;
};

struct QueueSpec {
  std::string name;
  int64_t weight = 1, capability_cpu_milli = 0;  ///< 0: no ceiling
};

struct GroupSpec {
  std::string name, space, queue, priority_class, phase = "Pending";
  int64_t min_member = 1, cpu_milli = 0, memory_mib = 0, gpus = 0;  ///< what the whole minimum asks for; 0: not written
};

struct PodSpec {
  std::string name, space, group, role = "worker", priority_class, node;  ///< node: it runs there
  std::string tolerated;                                                  ///< "key=value:Effect", or empty
  Pairs selector, labels, env;
  std::vector<std::string> gpu_models;      ///< required node affinity: one of these
  std::string preferred_zone;               ///< preferred node affinity
  int64_t cpu_milli = 0, memory_mib = 0, gpus = 0, priority = 0, index = 0;
};

/// Labels that generated nodes carry and generated pods ask for.
inline constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone", kGpuModelLabel = "example.com/gpu-model";

/// Builds the objects one by one and hands each text over; it dies after the call. Later objects are younger.
class ObjectWriter {
 public:
  using Sink = std::function<void(std::string_view json)>;
  /// indent: blanks per level; level: the depth at which an object's text will stand.
  ObjectWriter(int indent, int level, uint64_t seed, Sink sink) : indent_(indent), level_(level), random_(seed), sink_(std::move(sink)) {}

  void Node(const NodeSpec& node);
  void Queue(const QueueSpec& queue);
  void PriorityClass(const std::string& name, int64_t value);
  void PodGroup(const GroupSpec& group);
  void Pod(const PodSpec& pod);
  void ConfigMap(const std::string& space, const std::string& name, const std::string& key, const std::string& text);

 private:
  std::string Uid();
  std::string Moment() const;
  void Emit();

  const int indent_, level_;
  int64_t age_ = 0;  ///< objects so far
  Random random_;
  Sink sink_;
  std::string text_;
};

}  // namespace basalt::cli

// Clusters made by rule and seed: the same flags give the same bytes on every machine.
#pragma once
#include <cstdint>
#include <string>

#include "cli/generate/objects.h"

namespace basalt::cli {

/// What flags may change; a scenario's own sizes stand in its catalogue entry.
struct Sizes {
  int64_t nodes = 0, pods = 0, gang = 1, templates = 1, queues = 1, running = 0;
  // gang-burst only:
  int64_t tainted = 0;      ///< percent of the nodes, one half of them NoSchedule, the other PreferNoSchedule
  int64_t preferring = 0;   ///< percent of the templates that prefer a zone
  int64_t unplaceable = 0;  ///< pods, beside the others and older, that ask for more than any node has
  std::string distinct{};   ///< "requests": no two pods ask for the same; "names": pods differ in what no rule reads
};

struct Scenario {
  const char* name;
  const char* description;
  Sizes sizes;
  void (*objects)(const Sizes& sizes, uint64_t seed, ObjectWriter* writer);             ///< nullptr: not as API objects
  std::string (*csv)(const Sizes& sizes, uint64_t seed, bool pods);                     ///< nullptr: not as CSV
};

extern const Scenario kUniform, kHeterogeneous, kGangBurst, kOpenbSample;
inline const Scenario* const kScenarios[] = {&kUniform, &kHeterogeneous, &kGangBurst, &kOpenbSample};

/// Places pods that already run: next fit over the nodes, so that it costs O(nodes + pods).
class RunningPods {
 public:
  void AddNode(const NodeSpec& node) { nodes_.push_back({node.name, node.cpu_milli, node.memory_mib, node.pods}); }
  /// Writes `count` running pods of half a core and 1 GiB in groups of `gang`; fewer where the cluster is full.
  void Write(int64_t count, int64_t gang, ObjectWriter* writer);

 private:
  struct Free {
    std::string name;
    int64_t cpu_milli, memory_mib, pods;
  };
  std::vector<Free> nodes_;
};

/// "NAME-000123": names sort as their numbers do.
std::string Numbered(std::string_view name, int64_t number, int64_t count);
/// "default" for one queue, else queue-0, queue-1, ...
std::string QueueName(int64_t number, int64_t count);

}  // namespace basalt::cli

// What nodes are measured to use, as the custom metrics API says.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "snapshot/ids.h"
#include "snapshot/objects.h"

namespace basalt {

/// By measure.
inline constexpr std::string_view kLoadMetrics[2] = {"node_cpu_usage_avg", "node_memory_usage_avg"};
inline constexpr int64_t kWholeLoad = 1'000'000'000;

struct NodeLoad {
  struct Measure {
    bool known = false;
    int64_t part = 0;     ///< of the node, in units of 1 / kWholeLoad
    int64_t seconds = 0;  ///< when
  };
  std::array<Measure, 2> of;  ///< cpu, memory
  /// When the older of what is known was measured.
  int64_t Seconds() const { return of[0].known && (!of[1].known || of[0].seconds < of[1].seconds) ? of[0].seconds : of[1].seconds; }
  bool Known() const { return of[0].known || of[1].known; }
};
/// By the name of the node.
using LoadTable = std::unordered_map<StringId, NodeLoad>;

/// Which measure a metric is: 0 cpu, 1 memory, -1 another.
int MeasureOf(const objects::MetricValue& metric);
int64_t PartOf(Quantity value);

}  // namespace basalt

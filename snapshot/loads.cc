#include "snapshot/loads.h"

namespace basalt {

int MeasureOf(const objects::MetricValue& metric) {
  if (metric.node.empty()) return -1;
  return metric.metric == kLoadMetrics[0] ? 0 : metric.metric == kLoadMetrics[1] ? 1 : -1;
}

int64_t PartOf(Quantity value) { return SaturatingAdd(SaturatingMul(value.units, kWholeLoad), value.nano); }

}  // namespace basalt

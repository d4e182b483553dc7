// Image locality: how much of the pod's images a node already has, weighed by how many nodes have them (volcano-nodes, section 2.11). Integer 0..100,
// static per class and node. Images are lists of uneven length, so rows are worked out one by one, by the same text for every backend.
#pragma once
#include "scoring/rule.h"

namespace basalt::scoring {

inline int8_t ImageLocality(const NodeTable& nodes, const PodClass& cls, size_t row) {
  constexpr int64_t kMinBytes = 23ll << 20, kMaxBytesPerContainer = 1000ll << 20;
  int64_t sum = 0;
  for (const StringId wanted : cls.images)
    for (const NodeImage& image : nodes.images[row])
      if (image.name == wanted) {
        // Division first, then multiplication, then truncation, as Kubernetes.
        sum += static_cast<int64_t>(static_cast<double>(image.size_bytes) * (static_cast<double>(image.num_nodes) / static_cast<double>(nodes.present_count)));
        break;
      }
  const int64_t max = kMaxBytesPerContainer * cls.image_containers;
  sum = sum < kMinBytes ? kMinBytes : sum > max ? max : sum;
  return max <= kMinBytes ? 0 : static_cast<int8_t>(100 * (sum - kMinBytes) / (max - kMinBytes));
}

}  // namespace basalt::scoring

// Resource names and amounts as Volcano counts them (reference: volcano-core, section 2.2).
#pragma once
#include <string_view>

#include "snapshot/quantity.h"

namespace basalt {

enum class ResourceKind : uint8_t {
  kCpu,      ///< milli-value
  kMemory,   ///< value in bytes
  kPods,     ///< plain count
  kScalar,   ///< milli-value: ephemeral-storage, extended resources, hugepages-*, names with kubernetes.io/, attachable-volumes-*
  kDropped,  ///< count/*, storage, requests.cpu and whatever else Volcano does not count
};
ResourceKind KindOfResource(std::string_view name);

/// The amount in Volcano's unit for that kind: rounded up, clamped to [-kAmountMax, kAmountMax] (store.h).
int64_t AmountOf(ResourceKind kind, Quantity quantity);

}  // namespace basalt

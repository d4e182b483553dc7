// Strong 32-bit ids. Every id is dense within its table; no decision and no hash depends on an id's value.
#pragma once
#include <cstdint>
#include <functional>

namespace basalt {

/// A dense index of one table. `kNone` (all ones) stands for "absent".
template <class Tag>
struct Id {
  static constexpr uint32_t kNoneValue = UINT32_MAX;
  uint32_t value = kNoneValue;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  constexpr explicit operator bool() const { return value != kNoneValue; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using StringId = Id<struct StringTag>;        ///< an interned string
using ResourceId = Id<struct ResourceTag>;    ///< a resource dimension; 0 cpu, 1 memory, 2 pods, then by arrival
using NodeId = Id<struct NodeTag>;            ///< a row of the node columns
using PodId = Id<struct PodTag>;              ///< a row of the pod columns
using JobId = Id<struct JobTag>;              ///< a PodGroup (a "job" in Volcano's words)
using QueueId = Id<struct QueueTag>;
using ClassId = Id<struct ClassTag>;          ///< pods that are alike for scheduling

}  // namespace basalt

template <class Tag>
struct std::hash<basalt::Id<Tag>> {
  size_t operator()(basalt::Id<Tag> id) const noexcept { return id.value * 0x9E3779B97F4A7C15ull >> 16; }
};

// The node columns. Rows are stable: a node keeps its row while it lives; freed rows are reused and read as "not present".
// Written by the store (events) and by the kernel's transactions through the store; scoring only reads.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "snapshot/column.h"
#include "snapshot/ids.h"
#include "snapshot/objects.h"

namespace basalt {

inline constexpr ResourceId kCpu{0};     ///< milli-CPU
inline constexpr ResourceId kMemory{1};  ///< bytes
inline constexpr ResourceId kPods{2};    ///< whole pods; every other dimension: amount * 1000

/// The three dimensions that Kubernetes' own scorers look at (as Volcano configures them), in Kubernetes' units:
/// milli-CPU, bytes, whole devices of kAcceleratorName.
enum KubeDimension : int { kKubeCpu = 0, kKubeMemory = 1, kKubeAccelerator = 2 };
inline constexpr std::string_view kAcceleratorName = "nvidia.com/gpu";

/// One label key that some pod selects on: the value of every node.
struct LabelColumn {
  StringId key;
  Column<uint32_t> value{StringId::kNoneValue};  ///< StringId of the value, kNoneValue where the node lacks the key
  Column<int64_t> number;                        ///< the value as a decimal int64, where has_number
  Column<uint8_t> has_number;                    ///< 1 where the value parses as a whole number (Gt, Lt)
};

struct TaintRow {
  StringId key, value;  ///< value: the empty string's id where there is none
  objects::TaintEffect effect;
};

struct NodeImage {
  StringId name;
  int64_t size_bytes;  ///< as first seen for this name when the node was last updated (Volcano)
  int64_t num_nodes;   ///< nodes that had the image when this node was last updated (Volcano's stale count)
};

struct PortUse {
  StringId ip;  ///< kNone: the wildcard address
  int32_t port;
  objects::Protocol protocol;
  uint32_t count;  ///< resident pods that hold it
};

/// Struct of arrays over node rows. Shapes: every column has `rows` entries, padded to kRowPad with its fill value.
struct NodeTable {
  size_t rows = 0;     ///< rows handed out so far, free ones included
  size_t present_count = 0;

  Column<uint8_t> present;               ///< 1: a Node object is known (only then a target)
  Column<uint8_t> unschedulable;         ///< spec.unschedulable
  Column<uint32_t> name{StringId::kNoneValue};
  Column<uint64_t> rank{UINT64_MAX};     ///< order of names: lower rank = name sorts first; labels have gaps
  Column<uint32_t> taint_set;            ///< index into taint_sets; 0: no taints

  // Volcano's vectors, by ResourceId. idle = allocatable - used (may be negative); future = idle + releasing - pipelined.
  // A name that only nodes know has zeros here (Store::AmountsOn has its amounts): no decision compares them, and hostile nodes could have thousands.
  std::vector<Column<int64_t>> allocatable, idle, future;
  int64_t moving_tasks = 0;  ///< resident tasks that are releasing or pipelined; none: future equals idle everywhere
  std::array<Column<int64_t>, 2> capacity;  ///< status.capacity: cpu milli, memory bytes
  Column<int64_t> max_pods;              ///< Volcano MaxTaskNum: allocatable pods
  Column<int64_t> pod_count;             ///< resident pods of any status (Kubernetes NodeInfo.Pods)

  // Kubernetes' NodeInfo, by KubeDimension: allocatable without oversubscription, requested without and with the scoring defaults.
  std::array<Column<int64_t>, 3> kube_allocatable, kube_requested;
  std::array<Column<int64_t>, 2> kube_nonzero;
  std::array<Column<double>, 3> kube_inverse;  ///< 1 / kube_allocatable, rounded to nearest; 1 where that is 0: vectors multiply where Kubernetes divides

  std::vector<LabelColumn> labels;                  ///< keys that are selected on, by index
  std::vector<std::vector<TaintRow>> taint_sets;    ///< distinct taint lists; [0] is empty
  std::vector<std::vector<NodeImage>> images;       ///< by row
  bool any_images = true;                           ///< false: no node has any, as in generated clusters
  std::vector<std::vector<PortUse>> ports;          ///< by row: host ports in use (usually empty)
  /// Ids of fixed strings that rules compare with.
  struct WellKnown {
    StringId empty, unschedulable_taint_key;
    uint32_t group_column = 0, zone_column = 0;  ///< indices into `labels`: volcano.sh/nodegroup-name, volcano.sh/revocable-zone
  } well_known;
  std::vector<uint64_t> object_generation;          ///< by row: rises when labels, taints, images, unschedulable or capacities change

  /// Sets kube_allocatable and what is derived from it.
  void SetKubeAllocatable(int dimension, size_t row, int64_t amount) {
    kube_allocatable[dimension][row] = amount;
    kube_inverse[dimension][row] = amount > 0 ? 1.0 / static_cast<double>(amount) : 1.0;
  }
};

}  // namespace basalt

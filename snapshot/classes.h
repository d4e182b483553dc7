// Pod classes: pods whose scheduling-relevant spec is equal share one row, so everything O(nodes) is done once per class.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "snapshot/ids.h"
#include "snapshot/nodes.h"
#include "snapshot/objects.h"

namespace basalt {

struct ResourceAmount {
  ResourceId id;
  int64_t amount = 0;
  friend bool operator==(ResourceAmount, ResourceAmount) = default;
};

/// One test of a node selector term, compiled to columns.
struct LabelTest {
  static constexpr uint32_t kNodeName = UINT32_MAX;  ///< `column`: tests metadata.name (matchFields) instead of a label
  uint32_t column = 0;                               ///< index into NodeTable::labels
  objects::Operator op = objects::Operator::kIn;
  std::vector<StringId> values;                      ///< kIn, kNotIn
  int64_t bound = 0;                                 ///< kGt, kLt: value > bound, value < bound
};
/// Tests are ANDed. `never`: an empty term, or one Kubernetes cannot parse (it then matches no node).
struct SelectorTerm {
  std::vector<LabelTest> tests;
  bool never = false;
};
struct PreferredSelectorTerm {
  int32_t weight = 0;
  SelectorTerm term;
};
struct TolerationRow {
  StringId key;    ///< kNone: empty key (all keys)
  StringId value;  ///< the empty string's id where absent
  objects::TolerationOperator op;
  objects::TaintEffect effect;  ///< kNone: all effects
};
struct WantedPort {
  StringId ip;  ///< kNone: wildcard
  int32_t port;
  objects::Protocol protocol;
};

/// resource-strategy-fit's pod annotations.
struct PodStrategy {
  enum Kind : uint8_t { kAbsent, kMost, kLeast, kInvalid } kind = kAbsent;  ///< kInvalid: every node scores 0
  std::vector<ResourceAmount> weights;                                      ///< exact names; any integer
};

struct PodClass {
  /// Volcano's Resreq: cpu and memory always and first, then every named scalar (zeros too) and pods = 1, sorted by resource name.
  std::vector<ResourceAmount> request;
  bool best_effort = false;                   ///< Volcano IsEmpty: no dimension but pods
  std::array<int64_t, 3> kube_request{};      ///< by KubeDimension, without defaults
  std::array<int64_t, 2> kube_nonzero{};      ///< cpu milli, memory bytes with the defaults 100m and 200Mi per container

  std::vector<LabelTest> node_selector;       ///< spec.nodeSelector, ANDed
  bool has_required = false;                  ///< required node affinity present: at least one of required_terms must match
  std::vector<SelectorTerm> required_terms;
  bool terms_conflict = false;                ///< every required term pins metadata.name and the pins conflict (a pre-predicate error)
  std::vector<PreferredSelectorTerm> preferred_terms;
  std::vector<TolerationRow> tolerations;
  std::vector<WantedPort> ports;
  std::vector<StringId> images;               ///< normalised image names of init containers, containers and image volumes, in order
  int32_t image_containers = 0;               ///< init containers + containers
  PodStrategy strategy;
  StringId unsupported;                       ///< JSON pointer of a rule that is not built yet; kNone: none

  uint64_t users = 0;                         ///< pods of this class; a class without users is freed
  uint64_t generation = 0;                    ///< rises whenever the id is given to a different class
};

}  // namespace basalt

// A change of the cluster that an explanation proposes: one member of one object, or an object that is not there yet.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/json_writer.h"
#include "snapshot/ids.h"

namespace basalt {

struct Change {
  std::string kind, key;           ///< "Node", "n1"; "PodGroup", "ns/name"
  std::vector<std::string> path;   ///< of the member; empty: the whole object, which is new
  std::string value;               ///< JSON; empty: the member is removed
  std::string text;                ///< "3 more nvidia.com/gpu on n1"
  /// Room that is added to a node: how much, in the kernel's units, so that less can be tried. 0: no such change.
  int64_t more = 0;
  ResourceId resource{};
};

/// The JSON of an object of the input, empty where there is none.
using ObjectSource = std::function<std::string(std::string_view kind, std::string_view key)>;

/// Adds `more` to `changes`; a later change of the same member replaces the earlier one.
void MergeChanges(std::vector<Change> more, std::vector<Change>* changes);
/// "a, b and c".
std::string ChangesText(const std::vector<Change>& changes);
/// [{"kind", "namespace", "name", "patch": [RFC 6902 operations]} or {"kind", "namespace", "name", "create": object}], each with "text".
void WriteChanges(const std::vector<Change>& changes, JsonWriter* w);

}  // namespace basalt

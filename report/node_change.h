// Which node is nearest to taking a pod, and what it lacks.
#pragma once
#include <string>
#include <vector>

#include "report/change.h"
#include "report/engine.h"

namespace basalt {

/// Changes that make the nearest node take `count` pods like this one beside what it holds now; where no node can be made to (ports in use, names that do
/// not exist), a node that is made for them.
std::vector<Change> ChangeOfNearestNode(Engine* engine, PodId pod, int64_t count);

/// `amounts` more on the largest node: for limits that look at the whole cluster. A new node where there is none.
std::vector<Change> ChangeOfClusterSize(Engine* engine, const std::vector<ResourceAmount>& amounts);

/// `amount` more of a resource on a node.
Change MoreOnNode(const Store& store, ResourceId resource, int64_t amount, NodeId node);

/// A further node for everything that waits, with labels for this pod.
std::vector<Change> ChangeForAllThatWaits(Engine* engine, PodId pod);

/// A JSON text of an amount as a quantity: "1500m", "1073741824", "3".
std::string QuantityJson(ResourceId resource, int64_t amount);

}  // namespace basalt

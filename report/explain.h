// Why a pod, PodGroup, queue or node stands where it stands after the last cycle: gate by gate, with numbers. Each function gives the text a person reads, or
// the same as JSON.
#pragma once
#include <string>

#include "report/change.h"
#include "report/engine.h"

namespace basalt {

/// What has been found out: a line for people, members for machines.
struct Explanation {
  std::string text, json;
};

/// Precondition of all: one cycle has run since the input was read or settled. source: the objects of the input, for trials of changes.
Explanation ExplainPod(Engine* engine, PodId pod, const ObjectSource& source);
Explanation ExplainPodGroup(Engine* engine, JobId job, const ObjectSource& source);
Explanation ExplainQueue(Engine* engine, QueueId queue);
Explanation ExplainNode(Engine* engine, NodeId node);

// ---- what they share ----

/// The filters of a class over all nodes, and where a resource is short: who has most.
struct NodeGate {
  size_t nodes = 0, fit = 0;
  struct Refusal {
    std::string reason;
    size_t nodes = 0;
    ResourceId resource;   ///< kNone where it is no resource
    int64_t asks = 0, best = 0;
    std::string best_node; ///< the one with most of it among those refused
  };
  std::vector<Refusal> refusals;  ///< most nodes first
};
NodeGate JudgeNodes(Engine* engine, ClassView view, scoring::Room room);
/// "1200 Insufficient nvidia.com/gpu (asks 8, best has 5 free: node-0412), 310 ..."
std::string RefusalsText(const Store& store, const NodeGate& gate);

/// "cpu 4, memory 16Gi, pods 1"; only what is above 0.
std::string AmountsText(const Store& store, const std::vector<ResourceAmount>& amounts);
std::string VectorText(const Store& store, const Vector& v);
void WriteAmounts(const Store& store, const std::vector<ResourceAmount>& amounts, JsonWriter* w);
void WriteVector(const Store& store, const Vector& v, JsonWriter* w);

}  // namespace basalt

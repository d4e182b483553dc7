// Nodes at one moment of a cycle, and whether a pod may stand on one.
#pragma once
#include <vector>

#include "report/verify_cluster.h"
#include "report/verify_settings.h"

namespace basalt::verify {

/// What is free on every node, in Volcano's sense (volcano-core, section 2.5): idle, and future = idle + releasing - pipelined.
class Room {
 public:
  Room(const Cluster& cluster, const std::vector<Status>& status, const std::vector<int>& node);

  /// Puts a pod on a node.
  void Hold(int node, const PodClass& pod, Status status);
  /// A running pod is being evicted: what it holds will be free, and Kubernetes' filters do not see it any more.
  void Release(int node, const PodClass& pod);
  int64_t Idle(int node, int dim) const { return idle_[At(node, dim)]; }
  int64_t Future(int node, int dim) const { return future_[At(node, dim)]; }
  int64_t PodCount(int node) const { return pods_[static_cast<size_t>(node)]; }
  bool PortsFree(int node, const PodClass& pod) const;

  /// One node's state, to put back after a trial.
  struct Row { int node; std::vector<int64_t> idle, future; int64_t pods; std::vector<Port> ports; };
  Row Save(int node) const;
  void Restore(Row row);

 private:
  size_t At(int node, int dim) const { return static_cast<size_t>(node) * dims_ + static_cast<size_t>(dim); }
  size_t dims_;
  std::vector<int64_t> idle_, future_, pods_;
  std::vector<std::vector<Port>> ports_;
};

/// The rules that depend on the node object alone; the first that fails, in the reference's order.
enum class Static : uint8_t { kNone, kUnschedulable, kAffinity, kTaint };
Static StaticRefusal(const Settings& settings, const PodClass& pod, const Node& node);
/// Every required term pins the node's name and the pins of each contradict one another: refused before any node is looked at.
bool TermsConflict(const PodClass& pod);
bool Clash(const Port& a, const Port& b);

}  // namespace basalt::verify

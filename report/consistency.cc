#include "report/consistency.h"

#include <algorithm>
#include <map>
#include <string>

#include "kernel/queue_tree.h"
#include "report/texts.h"

namespace basalt {
namespace {

struct Finder {
  const Store& store;
  std::vector<Diagnostic>* out;

  void Warn(std::string object, std::string field, std::string message) {
    out->push_back({Severity::kWarning, "", std::move(object), std::move(field), std::move(message)});
  }

  void UnknownNodes() {
    std::map<std::string_view, uint64_t> pods_on;
    for (uint32_t row = 0; row < store.nodes.rows; row++)
      if (!store.nodes.present[row] && !store.node_pods[row].empty()) pods_on[store.NodeName(NodeId{row})] += store.node_pods[row].size();
    for (const auto& [node, pods] : pods_on)
      Warn("Node " + std::string(node), "/spec/nodeName",
           std::to_string(pods) + (pods == 1 ? " pod refers to unknown node " : " pods refer to unknown node ") + std::string(node));
  }

  void Groups(const QueueTree* tree) {
    std::map<std::string_view, const JobRow*> sorted;
    for (const JobRow& job : store.jobs)
      if (job.in_use) sorted.emplace(job.key, &job);
    for (const auto& [key, job] : sorted) {
      if (!job->has_group) {
        const bool ours = std::any_of(job->pods.begin(), job->pods.end(), [&](PodId p) { return store.pods[p.value].ours; });
        if (ours) Warn("PodGroup " + std::string(key), "", std::to_string(job->pods.size()) + " pods refer to a PodGroup that is not there; they wait");
      } else if (!job->queue || !store.queues[job->queue.value].present) {
        Warn("PodGroup " + std::string(key), "/spec/queue", "queue not found: " + std::string(job->queue ? store.QueueName(job->queue) : ""));
      } else {
        if (job->topology && !job->pods.empty()) Topology(*job);
        if (tree && !tree->IsLeaf(job->queue))
          Warn("PodGroup " + std::string(key), "/spec/queue", "queue " + std::string(store.QueueName(job->queue)) + " has child queues; only a leaf takes jobs");
        if (!job->pods.empty() && job->Count(TaskStatus::kPending) && job->has_min_resources) MinimumBelowPods(*job);
      }
    }
  }

  // A role that is misspelt, or named twice, makes all of the annotations void.
  void Topology(const JobRow& job) {
    const auto check = [&](const std::vector<StringId>& group, const char* annotation) {
      for (size_t i = 0; i < group.size(); i++) {
        if (group[i] == store.nodes.well_known.empty) continue;
        const bool known = std::any_of(job.pods.begin(), job.pods.end(), [&](PodId t) { return store.pods[t.value].role == group[i]; });
        const bool twice = std::count(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(i), group[i]) > 0;
        if (known && !twice) continue;
        Warn("PodGroup " + std::string(job.key), std::string("/metadata/annotations/volcano.sh~1task-topology-") + annotation,
             (known ? "role named twice: " : "no pod has role: ") + std::string(store.names.Text(group[i])) + "; the group's task topology is void");
      }
    };
    for (const auto& group : job.topology->affinity) check(group, "affinity");
    for (const auto& group : job.topology->anti_affinity) check(group, "anti-affinity");
    check(job.topology->order, "task-order");
  }

  // minResources smaller than the smallest pods that make minMember: admission passes, placement does not.
  void MinimumBelowPods(const JobRow& job) {
    for (const ResourceAmount& min : job.min_resources) {
      if (min.id == kPods) continue;
      std::vector<int64_t> amounts;
      for (const PodId p : job.pods)
        for (const ResourceAmount& r : store.classes[store.pods[p.value].cls.value].request)
          if (r.id == min.id) amounts.push_back(r.amount);
      if (static_cast<int64_t>(amounts.size()) < job.min_member || job.min_member <= 0) continue;
      std::sort(amounts.begin(), amounts.end());
      int64_t sum = 0;
      for (int32_t i = 0; i < job.min_member; i++) sum = SaturatingAdd(sum, amounts[i]);
      if (min.amount < sum)
        Warn("PodGroup " + std::string(job.key), "/spec/minResources/" + std::string(store.ResourceName(min.id)),
             "minResources " + AmountText(store, min.id, min.amount) + " is below what " + std::to_string(job.min_member) + " of its pods request (" +
                 AmountText(store, min.id, sum) + ")");
    }
  }

  void Queues(const QueueTree& tree) {
    std::map<std::string_view, const QueueRow*> sorted;
    for (const QueueRow& q : store.queues)
      if (q.present) sorted.emplace(store.names.Text(q.name), &q);
    for (const auto& [name, q] : sorted) {
      Above(*q, q->guarantee, "guarantee", q->capability, "capability");
      Above(*q, q->deserved, "deserved", q->capability, "capability");
      for (const ResourceAmount& c : q->capability)
        if (c.id != kPods && c.amount > store.total_allocatable[c.id] && store.total_allocatable[c.id] > 0)
          Warn("Queue " + std::string(name), "/spec/capability/" + std::string(store.ResourceName(c.id)),
               "capability " + AmountText(store, c.id, c.amount) + " is above what the cluster has (" + AmountText(store, c.id, store.total_allocatable[c.id]) + ")");
      Place(*q, tree);
    }
  }

  void Above(const QueueRow& q, const std::vector<ResourceAmount>& low, const char* low_name, const std::vector<ResourceAmount>& high, const char* high_name) {
    for (const ResourceAmount& l : low)
      for (const ResourceAmount& h : high)
        if (l.id == h.id && l.amount > h.amount)
          Warn("Queue " + std::string(store.names.Text(q.name)), std::string("/spec/") + low_name,
               std::string(low_name) + " " + AmountText(store, l.id, l.amount) + " > " + high_name + " " + AmountText(store, h.id, h.amount) + " (" +
                   std::string(store.ResourceName(l.id)) + ")");
  }

  // A running pod counts with its resources; what else it asks of pods that come later is not seen. Named is one pod per rule, the first by name.
  void ResidentsWithRulesNotBuilt() {
    std::map<std::string_view, std::pair<size_t, std::string_view>> rules;
    for (const PodRow& p : store.pods) {
      if (!p.in_use || !p.node || !p.unsupported) continue;
      auto& [pods, first] = rules[store.names.Text(store.classes[p.cls.value].unsupported)];
      if (pods++ == 0 || p.key < first) first = p.key;
    }
    for (const auto& [field, rule] : rules)
      Warn("Pod " + std::string(rule.second), std::string(field), "not supported yet: a pod that runs counts with its resources, but this rule of it is not kept for pods that come later (" +
               std::to_string(rule.first) + (rule.first == 1 ? " pod)" : " pods)"));
  }

  // A wrong place in the tree sets the queue aside wherever queues are a hierarchy.
  void Place(const QueueRow& q, const QueueTree& tree) {
    const std::string_view name = store.names.Text(q.name);
    const std::string object = "Queue " + std::string(name), parent(q.parent ? store.names.Text(q.parent) : "root");
    switch (tree.Fault(store.FindQueue(name))) {
      case QueueFault::kNone: break;
      case QueueFault::kLoop: Warn(object, "/spec/parent", "queue hierarchy loop: it is its own ancestor"); break;
      case QueueFault::kNoParent: Warn(object, "/spec/parent", "parent queue not found: " + parent); break;
      case QueueFault::kAncestor:
        Warn(object, "/spec/parent", "set aside: its parent " + parent + " has no place in the queue hierarchy");
        break;
    }
  }
};

}  // namespace

void FindInconsistencies(const Store& store, bool queue_hierarchy, std::vector<Diagnostic>* diagnostics) {
  Finder finder{store, diagnostics};
  const QueueTree tree(store);
  finder.UnknownNodes();
  finder.Groups(queue_hierarchy ? &tree : nullptr);
  finder.Queues(tree);
  finder.ResidentsWithRulesNotBuilt();
}

}  // namespace basalt

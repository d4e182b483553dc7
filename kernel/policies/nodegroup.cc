// nodegroup: queues name the groups of nodes that they may, should or must not use (volcano-queues, section 6.1).
#include <algorithm>
#include <map>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

bool Contains(const std::vector<StringId>& list, StringId name) { return std::find(list.begin(), list.end(), name) != list.end(); }

class NodeGroup final : public Policy {
 public:
  NodeGroup(bool strict, bool preferred_order, bool hierarchy) : strict_(strict), preferred_order_(preferred_order), hierarchy_(hierarchy) {}
  uint32_t Families() const override { return FamilyBit(Family::kNodeFilter) | FamilyBit(Family::kNodeScore) | FamilyBit(Family::kEvents); }

  void Open(Session& s) override {
    held_.clear();
    for (const JobId id : s.jobs()) {
      const JobRow& job = s.store.jobs[id.value];
      if (s.store.queues[job.queue.value].group_limits.by_group.empty()) continue;
      for (const PodId t : job.pods)
        if (IsAllocated(s.store.pods[t.value].status)) Move(s, t, 1);
    }
  }

  void Changed(Session& s, PodId pod, int sign) override {
    if (!s.store.queues[QueueOf(s, pod).value].group_limits.by_group.empty()) Move(s, pod, sign);
  }

  // Queues with limits are told by class too, since a limit compares the request.
  uint64_t NodeKey(Session& s, PodId pod) override {
    const QueueId queue = QueueOf(s, pod);
    if (!queue) return 0;
    const uint64_t cls = s.store.queues[queue.value].group_limits.by_group.empty() ? 0 : s.store.pods[pod.value].cls.value + uint64_t{1};
    return cls << 32 | (queue.value + uint64_t{1});
  }
  uint64_t NodeVersion(Session&, uint64_t key, uint64_t) override {
    const auto held = held_.find(QueueOf(key));
    return held == held_.end() ? 0 : held->second.version;
  }

  void RefuseNodes(Session& s, uint64_t key, bool before_predicates, NodeRules* rules) override {
    std::map<StringId, uint8_t> code_of;  // by group
    ForEachNode(s, [&](uint32_t row, StringId group) {
      const auto [it, added] = code_of.try_emplace(group, uint8_t{0});
      if (added) {
        const PolicyReason reason = Refusal(s, key, group);
        it->second = reason == PolicyReason::kNone ? uint8_t{0} : rules->CodeOf(reason, {}, before_predicates);
      }
      if (!it->second) return;
      rules->refused.Resize(PaddedRows(s.store.nodes.rows));
      if (!rules->refused[row]) rules->refused[row] = it->second;
    });
  }

  void ScoreNodes(Session& s, uint64_t key, NodeRules* rules) override {
    const QueueRow::Affinity& affinity = AffinityOf(s, QueueOf(key));
    if (affinity.Unset()) return;
    Column<double>& score = rules->score[static_cast<size_t>(scoring::PolicyScore::kNodeGroup)];
    score.Resize(PaddedRows(s.store.nodes.rows));
    ForEachNode(s, [&](uint32_t row, StringId group) { score[row] = group ? Score(affinity, group) : 0; });
  }

 private:
  static QueueId QueueOf(Session& s, PodId pod) {
    const JobId job = s.store.pods[pod.value].job;
    return job ? s.store.jobs[job.value].queue : QueueId{};
  }
  static QueueId QueueOf(uint64_t key) { return QueueId{static_cast<uint32_t>(key) - 1}; }

  /// f(row, group) for every present node; group kNone where its label is absent.
  template <class F>
  static void ForEachNode(Session& s, const F& f) {
    const NodeTable& nodes = s.store.nodes;
    const auto& label = nodes.labels[nodes.well_known.group_column].value;
    for (uint32_t row = 0; row < nodes.rows; row++)
      if (nodes.present[row]) f(row, StringId{label[row]});
  }

  // A queue without an affinity object takes its nearest ancestor's, as far as the parents are there.
  const QueueRow::Affinity& AffinityOf(Session& s, QueueId queue) const {
    const QueueRow* row = &s.store.queues[queue.value];
    if (!hierarchy_ || row->affinity.present) return row->affinity;
    const QueueRow* at = row;
    for (size_t steps = 0; steps < s.store.queues.size(); steps++) {
      const std::string_view name = s.store.names.Text(at->name);
      if (name == "root") break;
      const QueueId parent = at->parent ? s.store.FindQueue(s.store.names.Text(at->parent)) : s.store.FindQueue("root");
      if (!s.QueueExists(parent)) break;
      at = &s.store.queues[parent.value];
      if (at->affinity.present) return at->affinity;
    }
    return row->affinity;
  }

  PolicyReason Refusal(Session& s, uint64_t key, StringId group) const {
    const QueueRow& queue = s.store.queues[QueueOf(key).value];
    if (queue.group_limits.invalid) return PolicyReason::kGroupLimitsInvalid;
    const QueueRow::Affinity& affinity = AffinityOf(s, QueueOf(key));
    const bool unset = affinity.Unset();
    if (!group) return !strict_ && unset ? PolicyReason::kNone : PolicyReason::kGroupLabelMissing;
    if (unset) return PolicyReason::kGroupNotWanted;
    bool match = Contains(affinity.required, group) || Contains(affinity.preferred, group);
    if (Contains(affinity.anti_required, group)) match = false;
    if (Contains(affinity.anti_preferred, group)) match = true;  // the last word, as in Volcano
    if (!match) return PolicyReason::kGroupMismatch;
    const auto limit = std::find_if(queue.group_limits.by_group.begin(), queue.group_limits.by_group.end(), [&](const auto& l) { return l.first == group; });
    if (limit == queue.group_limits.by_group.end()) return PolicyReason::kNone;
    const auto held = held_.find(QueueOf(key));
    const auto& request = s.store.classes[(key >> 32) - 1].request;
    for (const ResourceAmount& l : limit->second) {
      int64_t amount = 0;
      if (held != held_.end())
        if (const auto in_group = held->second.by_group.find(group); in_group != held->second.by_group.end()) amount = in_group->second[l.id];
      for (const ResourceAmount& r : request)
        if (r.id == l.id) amount = SaturatingAdd(amount, r.amount);
      if (amount > l.amount) return PolicyReason::kGroupLimit;
    }
    return PolicyReason::kNone;
  }

  double Score(const QueueRow::Affinity& affinity, StringId group) const {
    if (Contains(affinity.anti_preferred, group)) return -1;
    double score = Contains(affinity.required, group) ? 100 : 0;
    if (!Contains(affinity.preferred, group)) return score;
    if (!preferred_order_) return score + 50;
    // The place in the list counts; of a name that stands twice the later one.
    size_t at = 0, distinct = 0;
    for (size_t i = 0; i < affinity.preferred.size(); i++) {
      if (affinity.preferred[i] == group) at = i;
      distinct += std::find(affinity.preferred.begin(), affinity.preferred.begin() + static_cast<std::ptrdiff_t>(i), affinity.preferred[i]) ==
                  affinity.preferred.begin() + static_cast<std::ptrdiff_t>(i);
    }
    return score + 50 * (static_cast<double>(distinct) - static_cast<double>(at)) / static_cast<double>(distinct);
  }

  void Move(Session& s, PodId pod, int sign) {
    const PodRow& p = s.store.pods[pod.value];
    const NodeTable& nodes = s.store.nodes;
    Held& held = held_[QueueOf(s, pod)];
    // When room is given back the task may stand on no node any more: where it was is remembered.
    StringId& group = held.group_of[pod];
    if (sign > 0) group = p.node ? StringId{nodes.labels[nodes.well_known.group_column].value[p.node.value]} : StringId{};
    if (group) held.by_group[group].Add(s.store.classes[p.cls.value].request, sign);
    held.version++;
  }

  struct Held {
    std::map<StringId, Amounts> by_group;
    std::map<PodId, StringId> group_of;
    uint64_t version = 1;
  };
  const bool strict_, preferred_order_, hierarchy_;
  std::map<QueueId, Held> held_;  ///< of queues with limits
};

}  // namespace

std::unique_ptr<Policy> MakeNodeGroup(const PluginOption& option, scoring::ArgumentReader* arguments) {
  const bool strict = arguments->Bool("strict", true), preferred_order = arguments->Bool("enablePreferredOrder", false);
  return std::make_unique<NodeGroup>(strict, preferred_order, option.On(Switch::kHierarchy));
}

}  // namespace basalt

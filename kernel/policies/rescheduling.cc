// rescheduling: takes pods off nodes that are measured to be busy while others are idle (volcano-queues, section 5.7).
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

constexpr int64_t kMinute = 60'000'000'000, kPercent = kWholeLoad / 100;

/// lowNodeUtilization, the only strategy there is. Parts of a node in units of 1 / kWholeLoad, by cpu and memory.
struct Strategy {
  std::array<int64_t, 2> low, target;
};

class Rescheduling final : public Policy {
 public:
  Rescheduling(int64_t interval_ns, bool has_load, std::vector<Strategy> strategies)
      : interval_ns_(interval_ns), has_load_(has_load), strategies_(std::move(strategies)) {}
  uint32_t Families() const override { return FamilyBit(Family::kVictimTasks); }

  // The first run is one interval after the start (G56).
  void Open(Session& s) override {
    if (!last_ns_) last_ns_ = s.now_ns;
    const int64_t next = SaturatingAdd(*last_ns_, interval_ns_);
    s.WakeAt(next > s.now_ns ? next : SaturatingAdd(s.now_ns, interval_ns_));
  }

  void VictimTasks(Session& s, const std::vector<PodId>& running, std::vector<PodId>* victims) override {
    if (SaturatingSub(s.now_ns, *last_ns_) < interval_ns_) return;
    last_ns_ = s.now_ns;
    if (!has_load_) return;
    Running pods;
    for (const PodId t : running) pods.all.insert(t), pods.by_name.try_emplace(NameOf(s.store, t), t);
    for (const Strategy& strategy : strategies_) Relieve(s, strategy, &pods, victims);
  }

 private:
  struct Running {
    std::unordered_set<PodId> all;
    std::unordered_map<std::string_view, PodId> by_name;  ///< the first of each name
    std::unordered_set<PodId> taken;
  };
  struct Node {
    uint32_t row;
    std::array<int64_t, 2> load;
  };

  void Relieve(Session& s, const Strategy& strategy, Running* running, std::vector<PodId>* victims) {
    const NodeTable& nodes = s.store.nodes;
    std::array<int64_t, 2> budget{};
    size_t all = 0, low = 0;
    std::vector<Node> high;
    for (uint32_t row = 0; row < nodes.rows; row++) {
      if (!nodes.present[row]) continue;
      all++;
      Node node{row, {}};
      if (const auto load = s.store.loads.find(StringId{nodes.name[row]}); load != s.store.loads.end())
        for (int d = 0; d < 2; d++) node.load[d] = load->second.of[d].part;
      if (!nodes.unschedulable[row] && node.load[0] < strategy.low[0] && node.load[1] < strategy.low[1]) {
        low++;
        const bool empty = nodes.allocatable[kCpu.value][row] == 0 && nodes.allocatable[kMemory.value][row] == 0;
        for (int d = 0; d < 2; d++) {
          const int64_t amount = empty ? nodes.capacity[d][row] : nodes.allocatable[d == 0 ? kCpu.value : kMemory.value][row];
          budget[d] = SaturatingAdd(budget[d], Part(amount, strategy.target[d] - node.load[d]));
        }
      } else if (Busy(strategy, node)) {
        high.push_back(node);
      }
    }
    if (low == 0 || low == all || high.empty()) return;
    std::sort(high.begin(), high.end(), [&](const Node& a, const Node& b) {
      const int64_t sum_a = SaturatingAdd(a.load[0], a.load[1]), sum_b = SaturatingAdd(b.load[0], b.load[1]);
      return sum_a != sum_b ? sum_a > sum_b : nodes.rank[a.row] < nodes.rank[b.row];
    });
    for (Node& node : high) RelieveNode(s, strategy, running, &node, &budget, victims);
  }

  void RelieveNode(Session& s, const Strategy& strategy, Running* running, Node* node, std::array<int64_t, 2>* budget, std::vector<PodId>* victims) {
    const Store& store = s.store;
    std::vector<PodId> pods = store.node_pods[node->row];
    std::sort(pods.begin(), pods.end(), [&](PodId a, PodId b) {
      const PodRow &pa = store.pods[a.value], &pb = store.pods[b.value];
      if (pa.priority_given != pb.priority_given) return !pa.priority_given;
      if (pa.pod_priority != pb.pod_priority) return pa.pod_priority < pb.pod_priority;
      return pa.service != pb.service ? pa.service < pb.service : store.CompareUid(a, b) < 0;
    });
    for (const PodId pod : pods) {
      // Volcano stops where a budget is exactly used up, not where it is overdrawn (G55).
      const bool spent = s.config.evictions == Evictions::kCompat ? (*budget)[0] == 0 || (*budget)[1] == 0 : (*budget)[0] <= 0 || (*budget)[1] <= 0;
      if (spent || (node->load[0] < strategy.target[0] && node->load[1] < strategy.target[1])) return;
      const PodId victim = VictimOf(s, pod, *running);
      if (!victim || !running->taken.insert(victim).second) continue;
      victims->push_back(victim);
      for (const ResourceAmount& r : store.classes[store.pods[victim.value].cls.value].request) {
        if (r.id != kCpu && r.id != kMemory) continue;
        const int d = r.id == kMemory;
        (*budget)[d] = SaturatingSub((*budget)[d], r.amount);
        if (const int64_t capacity = store.nodes.capacity[d][node->row]; capacity > 0)
          node->load[d] = SaturatingSub(node->load[d], static_cast<int64_t>(static_cast<__int128>(r.amount) * kWholeLoad / capacity));
      }
    }
  }

  // Volcano takes a running pod of the same name, whatever its namespace, and whether it may be preempted or not (G55).
  static PodId VictimOf(Session& s, PodId pod, const Running& running) {
    if (s.config.evictions == Evictions::kCompat) {
      const auto found = running.by_name.find(NameOf(s.store, pod));
      return found == running.by_name.end() ? PodId{} : found->second;
    }
    return running.all.count(pod) && s.store.pods[pod.value].preemptable && !s.IsProtected(pod) ? pod : PodId{};
  }
  static std::string_view NameOf(const Store& store, PodId pod) {
    const std::string_view key = store.pods[pod.value].key;
    return key.substr(key.find('/') + 1);
  }

  static bool Busy(const Strategy& strategy, const Node& node) { return node.load[0] > strategy.target[0] || node.load[1] > strategy.target[1]; }
  static int64_t Part(int64_t amount, int64_t part) { return static_cast<int64_t>(static_cast<__int128>(amount) * part / kWholeLoad); }

  const int64_t interval_ns_;
  const bool has_load_;  ///< metricsPeriod is the period that load is known for
  const std::vector<Strategy> strategies_;
  std::optional<int64_t> last_ns_;  ///< the start, then the last run
};

std::array<int64_t, 2> ReadParts(scoring::ArgumentReader* params, std::string_view key) {
  scoring::ArgumentReader parts(params, key);
  parts.Known("pod");  // never used, as in Volcano
  return {parts.Int("cpu", 100) * kPercent, parts.Int("memory", 100) * kPercent};
}

Strategy ReadStrategy(scoring::ArgumentReader* params) {
  for (const char* unused : {"nodeFit", "numberOfNodes", "thresholdPriorityClassName"}) params->Known(unused);
  return {ReadParts(params, "thresholds"), ReadParts(params, "targetThresholds")};
}

}  // namespace

std::unique_ptr<Policy> MakeRescheduling(const PluginOption&, scoring::ArgumentReader* arguments) {
  const int64_t interval = arguments->Duration("interval", 5 * kMinute);
  const std::string period = arguments->Text("metricsPeriod");
  constexpr std::string_view kKnownPeriod = "10m";
  if (period != kKnownPeriod)
    arguments->Problem("metricsPeriod", "load is known as the average of 10m only; with " + (period.empty() ? std::string("the default 5m") : "\"" + period.substr(0, 64) + "\"") +
                                            " every node reads as idle and nothing goes");
  std::vector<Strategy> strategies;
  const ConfigValue* list = arguments->List("strategies");
  const ConfigValue none;
  if (!list) {
    scoring::ArgumentReader params(arguments, "strategies", none);
    strategies.push_back(ReadStrategy(&params));
  } else {
    for (size_t i = 0; i < list->list.size(); i++) {
      const std::string at = "strategies." + std::to_string(i);
      scoring::ArgumentReader entry(arguments, at, list->list[i]);
      const std::string name = entry.Text("name");
      if (name == "lowNodeUtilization") {
        scoring::ArgumentReader params(&entry, "params");
        strategies.push_back(ReadStrategy(&params));
        continue;
      }
      entry.Known("params");
      arguments->Problem(at + ".name", "\"" + name.substr(0, 64) + "\" is no strategy; it is left out");
    }
  }
  return std::make_unique<Rescheduling>(interval, period == kKnownPeriod, std::move(strategies));
}

}  // namespace basalt

// The best node of a class, brought up to date after few and after many changes, against a plain loop over all nodes: every backend, nodes in the order of
// their names and not, classes with and without normalised rules.
#include "kernel/class_index.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/scoring/agree.h"
#include "tests/support/scenario.h"

namespace basalt {
namespace {

// The definition: filter every row, take the extremes over those that pass, score each, the highest wins, then the lowest rank.
NodeId PlainBest(const Store& store, ClassIndex* index, ClassId cls) {
  const scoring::StaticColumns& fixed = index->Fixed(store, cls);
  const PodClass& pod = store.classes[cls.value];
  const scoring::Profile& profile = index->profile();
  scoring::Norm norm;
  const size_t rows = store.nodes.rows;
  for (size_t row = 0; row < rows; row++) {
    if (!scoring::RowFeasible(store.nodes, pod, profile, fixed, scoring::Room::kIdle, row)) continue;
    if (fixed.affinity_raw.size()) norm.affinity_max = std::max(norm.affinity_max, fixed.affinity_raw[row]);
    if (fixed.taint_raw.size()) norm.taint_max = std::max(norm.taint_max, fixed.taint_raw[row]);
  }
  NodeId best;
  double best_key = scoring::kInfeasible;
  for (uint32_t row = 0; row < rows; row++) {
    const double key = scoring::RowTotal(store.nodes, pod, profile, fixed, norm, scoring::Room::kIdle, row);
    if (key == scoring::kInfeasible) continue;
    if (!best || key > best_key || (key == best_key && store.nodes.rank[row] < store.nodes.rank[best.value])) best = NodeId{row}, best_key = key;
  }
  return best;
}

TEST(ClassIndex, GivesWhatAPlainLoopGives) {
  for (const bool by_name : {true, false}) {
    constexpr int kNodes = 300;
    test::Scenario s;
    s.Queue("default", "weight: 1");
    for (int i = 0; i < kNodes; i++) {
      const int n = by_name ? i : i * 7 % kNodes;
      const std::string name = "n" + std::to_string(1000 + n);
      const std::string taint = n % 5 == 0 ? "taints: [{key: k, effect: PreferNoSchedule}]" : "";
      s.Add("{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {zone: z" + std::to_string(n % 3) + "}}, spec: {" + taint +
            "}, status: {allocatable: {pods: 5, cpu: " + std::to_string(4 + n % 4) + ", memory: " + std::to_string(8 + n % 7) + "Gi}}}");
    }
    const std::string prefers =
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 10, preference: {matchExpressions: [{key: zone, operator: In, "
        "values: [z1]}]}}, {weight: 3, preference: {matchExpressions: [{key: zone, operator: NotIn, values: [z0]}]}}]}}";
    const std::string tolerates = "tolerations: [{key: k, operator: Exists}]";
    s.Group("a", "minMember: 1").Pods("a", 200, "cpu: 1, memory: 1Gi");
    s.Group("b", "minMember: 1").Pods("b", 200, "cpu: 2, memory: 512Mi", "", 0, "", tolerates);
    s.Group("c", "minMember: 1").Pods("c", 200, "cpu: 700m, memory: 2Gi", "", 0, "", prefers);
    s.Group("d", "minMember: 1").Pods("d", 200, "cpu: 3500m, memory: 3Gi", "", 0, "", prefers + ", " + tolerates);
    s.Run("actions: \"backfill\"\ntiers:\n- plugins:\n  - name: predicates\n  - name: nodeorder\n", 1);
    Store& store = s.engine().store;
    const scoring::Profile profile = s.engine().kernel.profile();

    std::vector<PodId> pods;
    for (uint32_t p = 0; p < store.pods.size(); p++) pods.push_back(PodId{p});
    for (const auto* backend : test::AllBackends()) {
      ClassIndex index;
      index.Configure(backend, &profile);
      std::mt19937 random(7);
      int found = 0, none = 0;
      for (int step = 0; step < 120; step++) {
        // Steps of one change, of a few, and of more than are walked one by one; in between nodes fill up, so that extremes go and come.
        const int moves = step % 3 == 0 ? 1 : step % 3 == 1 ? 12 : 90;
        for (int m = 0; m < moves; m++) {
          const PodId pod = pods[random() % pods.size()];
          const bool leaves = random() % (step < 60 ? 5 : 2) == 0;
          const NodeId node{static_cast<uint32_t>(random() % (step % 2 ? 40 : kNodes))};
          store.SetTask(pod, leaves ? TaskStatus::kPending : TaskStatus::kAllocated, leaves ? NodeId{} : node);
        }
        for (const char* group : {"a", "b", "c", "d"}) {
          const ClassId cls = store.pods[store.FindPod("ns/" + std::string(group) + "-0").value].cls;
          const NodeId expect = PlainBest(store, &index, cls);
          ASSERT_EQ(expect, index.Best(store, cls)) << backend->Name() << ", step " << step << ", class of " << group << (by_name ? ", by name" : "");
          (expect ? found : none)++;
        }
      }
      EXPECT_GT(found, 300) << "most steps find a node";
      for (const PodId pod : pods) store.SetTask(pod, TaskStatus::kPending, {});
    }
  }
}

}  // namespace
}  // namespace basalt

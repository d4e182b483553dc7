// The store as a state machine: any order of events ends in the same state, removing undoes adding, only what is touched changes.
#include "snapshot/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "snapshot/executor.h"
#include "snapshot/text/reader.h"

namespace basalt {
namespace {

using objects::Kind;

std::string Node(const std::string& name, int cpu, int version = 1, const std::string& labels = "") {
  return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"(","resourceVersion":")" + std::to_string(version) + R"(","labels":{)" + labels +
         R"(}},"status":{"allocatable":{"cpu":")" + std::to_string(cpu) + R"(","memory":"8Gi","pods":"10"}}})";
}
std::string Pod(const std::string& name, const std::string& group, int cpu, const std::string& node = "", int version = 1) {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"n","name":")" + name + R"(","uid":"u-)" + name + R"(","resourceVersion":")" + std::to_string(version) +
         R"(","annotations":{"scheduling.k8s.io/group-name":")" + group + R"("}},"spec":{"schedulerName":"volcano",)" + (node.empty() ? "" : R"("nodeName":")" + node + R"(",)") +
         R"("nodeSelector":{"disk":"ssd"},"containers":[{"name":"c","resources":{"requests":{"cpu":")" + std::to_string(cpu) + R"("}}}]},"status":{"phase":")" +
         (node.empty() ? "Pending" : "Running") + R"("}})";
}
std::string Group(const std::string& name, const std::string& queue) {
  return R"({"kind":"PodGroup","apiVersion":"scheduling.volcano.sh/v1beta1","metadata":{"namespace":"n","name":")" + name + R"("},"spec":{"minMember":2,"queue":")" + queue +
         R"("},"status":{"phase":"Inqueue"}})";
}
std::string Queue(const std::string& name) {
  return R"({"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1","metadata":{"name":")" + name + R"("},"spec":{"weight":3},"status":{"state":"Open"}})";
}

Applied Put(Store* store, std::string json) {
  const size_t size = json.size();
  json.append(kJsonPaddingBytes, ' ');
  InlineExecutor executor;
  std::vector<Diagnostic> diagnostics;
  Applied applied = Applied::kIrrelevant;
  ReadText(std::string_view(json).substr(0, size), "test", TextFormat::kJson, &executor, [&](const Decoded& d, std::string_view) { applied = store->Upsert(d, &diagnostics); }, &diagnostics);
  for (const Diagnostic& d : diagnostics) EXPECT_NE(Severity::kBadObject, d.severity) << d.message;
  return applied;
}

// Everything that decisions look at, by names instead of rows.
std::string State(Store* store) {
  store->Prepare();
  std::map<std::string, std::string> lines;
  const NodeTable& t = store->nodes;
  for (uint32_t row = 0; row < t.rows; row++) {
    if (t.name[row] == StringId::kNoneValue) continue;
    std::string& line = lines["node " + std::string(store->NodeName(NodeId{row}))];
    line = std::to_string(t.present[row]) + " pods " + std::to_string(t.pod_count[row]) + "/" + std::to_string(t.max_pods[row]);
    for (const ResourceId r : store->ResourceOrder()) {
      const auto [allocatable, idle, future] = store->AmountsOn(NodeId{row}, r);
      line += " " + std::string(store->ResourceName(r)) + " " + std::to_string(allocatable) + "," + std::to_string(idle) + "," + std::to_string(future);
    }
    for (const auto& label : t.labels)
      if (label.value[row] != StringId::kNoneValue) line += " " + std::string(store->names.Text(label.key)) + "=" + std::string(store->names.Text(StringId{label.value[row]}));
  }
  for (const JobRow& job : store->jobs) {
    if (!job.in_use) continue;
    std::string& line = lines["job " + std::string(job.key)];
    line = std::to_string(job.has_group) + " min " + std::to_string(job.min_member) + " queue " + std::string(job.queue ? store->QueueName(job.queue) : "") + " ready " +
           std::to_string(job.Ready()) + " pending " + std::to_string(job.Count(TaskStatus::kPending));
    for (uint32_t r = 0; r < store->ResourceCount(); r++) line += " " + std::to_string(job.allocated[ResourceId{r}]) + "," + std::to_string(job.pending[ResourceId{r}]);
  }
  for (const PodRow& p : store->pods)
    if (p.in_use) lines["pod " + std::string(p.key)] = std::to_string(static_cast<int>(p.status)) + " on " + std::string(p.node ? store->NodeName(p.node) : "");
  for (uint32_t q = 0; q < store->queues.size(); q++)
    if (store->queues[q].present) lines["queue " + std::string(store->QueueName(QueueId{q}))] = std::to_string(store->queues[q].weight);
  lines["total"] = std::to_string(store->total_allocatable[kCpu]);
  std::string out;
  for (const auto& [key, value] : lines) out += key + ": " + value + "\n";
  return out;
}

std::vector<std::string> Cluster() {
  return {Node("a", 8, 1, R"("disk":"ssd")"), Node("b", 4), Queue("q"), Group("g", "q"), Group("h", "default"), Pod("p1", "g", 2), Pod("p2", "g", 1, "a"),
          Pod("p3", "h", 3, "b"), Pod("p4", "h", 1), Pod("p5", "h", 1, "ghost")};
}

TEST(Store, AnyOrderOfEventsEndsInTheSameState) {
  std::mt19937 random(7);
  std::vector<std::string> events = Cluster();
  Store first;
  for (const std::string& e : events) Put(&first, e);
  const std::string want = State(&first);
  for (int round = 0; round < 50; round++) {
    std::shuffle(events.begin(), events.end(), random);
    Store store;
    for (const std::string& e : events) {
      Put(&store, e);
      if (random() % 3 == 0) store.Prepare();  // also with cycles in between
    }
    ASSERT_EQ(want, State(&store)) << "round " << round;
  }
}

TEST(Store, RemovingUndoesAdding) {
  std::mt19937 random(8);
  Store store;
  for (const std::string& e : Cluster()) Put(&store, e);
  const std::string want = State(&store);
  for (int round = 0; round < 30; round++) {
    std::vector<std::pair<Kind, std::string>> extra;
    for (int i = 0; i < 5; i++) {
      const std::string n = std::to_string(i);
      Put(&store, Pod("x" + n, i % 2 ? "g" : "fresh", 1, i % 3 ? "a" : "")), extra.emplace_back(Kind::kPod, "n/x" + n);
      Put(&store, Node("extra" + n, 2)), extra.emplace_back(Kind::kNode, "extra" + n);
    }
    Put(&store, Group("fresh", "q")), extra.emplace_back(Kind::kPodGroup, "n/fresh");
    std::shuffle(extra.begin(), extra.end(), random);
    for (const auto& [kind, key] : extra) store.Remove(kind, key, "");
    ASSERT_EQ(want, State(&store)) << "round " << round;
  }
}

TEST(Store, AnEventTouchesOnlyItsNode) {
  Store store;
  for (int i = 0; i < 1000; i++) Put(&store, Node("n" + std::to_string(i), 4));
  store.Prepare();
  const uint64_t before = store.ChangePosition(), nodes = store.nodes_generation;
  Put(&store, Pod("p", "g", 1, "n500"));
  EXPECT_LE(store.ChangePosition() - before, 2u);
  for (uint64_t at = before; at < store.ChangePosition(); at++) EXPECT_EQ("n500", store.NodeName(NodeId{store.changed_nodes[at - store.changes_base]}));
  EXPECT_EQ(nodes, store.nodes_generation) << "no Node object changed";
}

TEST(Store, OnlyResourcesThatAreAskedForHaveColumns) {
  const auto node = [](const std::string& name, const std::string& has, const char* amount) {
    return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"("},"status":{"allocatable":{"cpu":"4","x.com/)" + has + R"(":")" + amount + R"("}}})";
  };
  const auto pod = [](const std::string& name, const std::string& asks, const std::string& on) {
    return R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"n","name":")" + name + R"("},"spec":{"schedulerName":"volcano","nodeName":")" + on +
           R"(","containers":[{"name":"c","resources":{"requests":{"x.com/)" + asks + R"(":"2"}}}]},"status":{"phase":"Running"}})";
  };
  std::vector<std::string> events;
  for (int i = 0; i < 100; i++) events.push_back(node("n" + std::to_string(i), "r" + std::to_string(i % 10), i % 2 ? "3" : "5"));
  events.push_back(pod("a", "r1", "n1")), events.push_back(pod("b", "nowhere", "n2")), events.push_back(pod("c", "r4", "n5"));
  std::mt19937 random(11);
  std::string want;
  for (int round = 0; round < 20; round++) {
    Store store;
    for (const std::string& e : events) Put(&store, e);
    store.Resource("x.com/never");
    size_t own = 0;
    for (const auto& column : store.nodes.idle) own += !column.IsShared();
    EXPECT_EQ(2 + 3, own) << "cpu, pods, and what the three pods hold; not memory, eight further names of nodes and one that nobody has";
    EXPECT_EQ(5000, store.AmountsOn(store.FindNode("n6"), store.Resource("x.com/r6")).idle);
    EXPECT_EQ(50'000, store.total_allocatable[store.Resource("x.com/r6")]);
    EXPECT_EQ(5000, store.nodes.future[store.Resource("x.com/r6").value][store.FindNode("n6").value]) << "now it is asked for";
    EXPECT_EQ(1000, store.nodes.idle[store.Resource("x.com/r1").value][store.FindNode("n1").value]);
    EXPECT_EQ(-2000, store.nodes.idle[store.Resource("x.com/r4").value][store.FindNode("n5").value]);
    EXPECT_EQ(-2000, store.nodes.idle[store.Resource("x.com/nowhere").value][store.FindNode("n2").value]);
    Put(&store, node("n6", "other", "1"));
    EXPECT_EQ(0, store.AmountsOn(store.FindNode("n6"), store.Resource("x.com/r6")).idle);
    Put(&store, node("n7", "other", "1"));
    store.Remove(Kind::kNode, "n8", ""), store.Remove(Kind::kPod, "n/b", "");
    EXPECT_EQ(45'000, store.total_allocatable[store.Resource("x.com/r6")]) << "n6 has none any more";
    EXPECT_EQ(27'000, store.total_allocatable[store.Resource("x.com/r7")]) << "nor has n7, of which no columns are";
    EXPECT_EQ(45'000, store.total_allocatable[store.Resource("x.com/r8")]);
    std::string amounts;
    for (int i = 0; i < 100; i++) {
      const NodeId id = store.FindNode("n" + std::to_string(i));
      for (const ResourceId r : store.ResourceOrder()) {
        if (!id) continue;
        const auto [allocatable, idle, future] = store.AmountsOn(id, r);
        amounts += " " + std::to_string(allocatable) + "," + std::to_string(idle) + "," + std::to_string(future);
      }
    }
    if (round) ASSERT_EQ(want, amounts);
    want = amounts;
    std::shuffle(events.begin(), events.end(), random);
  }
}

TEST(Store, AnOlderVersionIsIgnoredAnEqualOneReplaces) {
  Store store;
  EXPECT_EQ(Applied::kAdded, Put(&store, Node("a", 4, 5)));
  EXPECT_EQ(Applied::kIgnoredOlder, Put(&store, Node("a", 2, 4)));
  EXPECT_EQ(Applied::kReplaced, Put(&store, Node("a", 3, 5)));
  EXPECT_EQ(3000, store.total_allocatable[kCpu]);
}

TEST(Store, ObjectGenerationsRiseWithTheObjectOnly) {
  Store store;
  Put(&store, Node("a", 4)), Put(&store, Node("b", 4));
  const uint32_t a = store.FindNode("a").value, b = store.FindNode("b").value;
  const uint64_t ga = store.nodes.object_generation[a], gb = store.nodes.object_generation[b];
  Put(&store, Node("a", 5, 2));
  EXPECT_GT(store.nodes.object_generation[a], ga);
  EXPECT_EQ(store.nodes.object_generation[b], gb);
}

TEST(Store, TasksMoveAndComeBackToTheBit) {
  std::mt19937 random(9);
  Store store;
  for (const std::string& e : Cluster()) Put(&store, e);
  const std::string want = State(&store);
  struct Undo { PodId pod; TaskStatus status; NodeId node; };
  for (int round = 0; round < 100; round++) {
    std::vector<Undo> log;
    for (int i = 0; i < 20; i++) {
      const PodId pod{static_cast<uint32_t>(random() % store.pods.size())};
      log.push_back({pod, store.pods[pod.value].status, store.pods[pod.value].node});
      constexpr TaskStatus kTo[] = {TaskStatus::kPending, TaskStatus::kAllocated, TaskStatus::kPipelined, TaskStatus::kBinding, TaskStatus::kReleasing, TaskStatus::kRunning};
      const TaskStatus to = kTo[random() % std::size(kTo)];
      store.SetTask(pod, to, to == TaskStatus::kPending ? NodeId{} : NodeId{static_cast<uint32_t>(random() % 2)});
    }
    while (!log.empty()) store.SetTask(log.back().pod, log.back().status, log.back().node), log.pop_back();
    ASSERT_EQ(want, State(&store)) << "round " << round;
  }
}

TEST(Store, AClassWithoutPodsIsFreed) {
  Store store;
  Put(&store, Pod("p1", "g", 1)), Put(&store, Pod("p2", "g", 1));
  const ClassId cls = store.pods[store.FindPod("n/p1").value].cls;
  EXPECT_EQ(cls, store.pods[store.FindPod("n/p2").value].cls);
  EXPECT_EQ(2u, store.classes[cls.value].users);
  store.Remove(Kind::kPod, "n/p1", ""), store.Remove(Kind::kPod, "n/p2", "u-p2");
  EXPECT_EQ(0u, store.classes[cls.value].users);
  store.Remove(Kind::kPod, "n/p2", "another uid");
}

}  // namespace
}  // namespace basalt

// rescheduling: pods leave busy nodes while others are idle. Load and time are data.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;
using Names = std::vector<std::string>;

constexpr int64_t kNow = Scenario::kNoonSeconds + 3600;
constexpr char kThresholds[] = "{name: lowNodeUtilization, params: {thresholds: {cpu: 30, memory: 30}, targetThresholds: {cpu: 60, memory: 60}}}";
std::string Config(const std::string& arguments = std::string("metricsPeriod: 10m, strategies: [") + kThresholds + "]", const std::string& more = "") {
  return "actions: shuffle\ntiers:\n- plugins: [{name: rescheduling, arguments: {" + arguments + "}}" + more + "]\n";
}
std::string Load(const std::string& node, const std::string& cpu, const std::string& memory) {
  const auto metric = [&](const std::string& name, const std::string& value) {
    return "{describedObject: {kind: Node, name: " + node + ", apiVersion: /v1}, metric: {name: " + name + "}, timestamp: '2026-01-01T12:59:00Z', value: '" + value + "'}";
  };
  return "{kind: MetricValueList, apiVersion: custom.metrics.k8s.io/v1beta2, metadata: {}, items: [" + metric("node_cpu_usage_avg", cpu) + ", " + metric("node_memory_usage_avg", memory) + "]}";
}
std::string Node(const std::string& name, const std::string& more = "") {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, spec: {" + more +
         "}, status: {capacity: {pods: 110, cpu: 10, memory: 10Gi}, allocatable: {pods: 110, cpu: 10, memory: 10Gi}}}";
}
// A busy node with four pods of 1 cpu, 1 Gi, and an idle one.
void Fill(Scenario* s, const std::string& busy = "850m", const std::string& idle = "100m") {
  s->Add(Node("busy")).Add(Node("idle")).Add(Load("busy", busy, "200m")).Add(Load("idle", idle, "100m"));
  s->Group("g", "queue: default, minMember: 0", "Running");
  for (int i = 0; i < 4; i++) s->Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", i, "", "priority: " + std::to_string(10 - i));
}
// The first cycle is the start, an interval later it runs.
Names Gone(Scenario* s, const std::string& config = Config(), int64_t later_seconds = 300) {
  s->Run(config, 1, kNow);
  EXPECT_TRUE(s->Evicted().empty());  // G56
  s->engine().Cycle((kNow + later_seconds) * 1'000'000'000, false);
  return s->Evicted();
}

TEST(Rescheduling, TheLeastImportantGoUntilTheNodeIsBelowItsTarget) {  // 85 % -> 75, 65, 55
  for (const Evictions mode : {Evictions::kMinimal, Evictions::kCompat}) {
    Scenario s(mode);
    Fill(&s);
    EXPECT_EQ(Gone(&s), (Names{"g-1", "g-2", "g-3"}));
  }
}

TEST(Rescheduling, RunsOnceInAnInterval) {
  Scenario s;
  Fill(&s);
  EXPECT_TRUE(Gone(&s, Config(), 299).empty());
  EXPECT_EQ(s.engine().kernel.plan().next_wakeup_ns, (kNow + 300) * 1'000'000'000);
  Scenario t;
  Fill(&t);
  EXPECT_EQ(Gone(&t, Config(std::string("interval: 10s, metricsPeriod: 10m, strategies: [") + kThresholds + "]"), 10).size(), 3u);
}

TEST(Rescheduling, NothingWithoutLowOrHighNodesOrWhereAllAreLow) {
  for (const auto& [busy, idle] : {std::pair("850m", "300m"), std::pair("600m", "100m"), std::pair("290m", "100m")}) {
    Scenario s;
    Fill(&s, busy, idle);
    EXPECT_TRUE(Gone(&s).empty()) << busy;
  }
  Scenario s;  // an unschedulable node is not low
  Fill(&s);
  s.Add("{apiVersion: v1, kind: Node, metadata: {name: idle, resourceVersion: '2'}, spec: {unschedulable: true}, status: {allocatable: {pods: 110, cpu: 10, memory: 10Gi}}}");
  EXPECT_TRUE(Gone(&s).empty());
}

TEST(Rescheduling, PodsWithoutAPriorityGoFirstThenByClassOfService) {
  Scenario s;
  s.Add(Node("busy")).Add(Node("idle")).Add(Load("busy", "650m", "200m")).Add(Load("idle", "100m", "100m"));
  s.Group("g", "queue: default, minMember: 0", "Running").Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", 0, "", "priority: -5").Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", 1);
  EXPECT_EQ(Gone(&s), Names{"g-1"});
  Scenario t;
  t.Add(Node("busy")).Add(Node("idle")).Add(Load("busy", "650m", "200m")).Add(Load("idle", "100m", "100m"));
  t.Group("g", "queue: default, minMember: 0", "Running").Pods("g", 1, "cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi", "busy", 0).Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", 1);
  EXPECT_EQ(Gone(&t), Names{"g-1"});
}

TEST(Rescheduling, ABudgetThatIsExactlyUsedUpEndsIt) {  // G55: 10 * (60 % - 40 %) = 2 cpu
  const auto run = [](Evictions mode, const std::string& idle) {
    Scenario s(mode);
    Fill(&s, "990m", idle);
    return Gone(&s, Config("metricsPeriod: 10m, strategies: [{name: lowNodeUtilization, params: {thresholds: {cpu: 50}, targetThresholds: {cpu: 60, memory: 90}}}]")).size();
  };
  EXPECT_EQ(run(Evictions::kMinimal, "400m"), 2u);
  EXPECT_EQ(run(Evictions::kCompat, "400m"), 2u);
  EXPECT_EQ(run(Evictions::kMinimal, "450m"), 2u);  // 1.5 cpu: the second pod overdraws it
  EXPECT_EQ(run(Evictions::kCompat, "450m"), 4u);
}

TEST(Rescheduling, OnlyVolcanoTakesAPodOfTheSameNameElsewhereOrOneThatMayNotBePreempted) {  // G55
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    s.Add(Node("busy")).Add(Node("idle")).Add(Load("busy", "650m", "200m")).Add(Load("idle", "100m", "100m"));
    s.Group("g", "queue: default, minMember: 0", "Running").Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", 0, "volcano.sh/preemptable: 'false'");
    return Gone(&s).size();
  };
  EXPECT_EQ(run(Evictions::kMinimal), 0u);
  EXPECT_EQ(run(Evictions::kCompat), 1u);
  const auto named = [](Evictions mode) {
    Scenario s(mode);
    s.Add(Node("busy")).Add(Node("idle")).Add(Load("busy", "650m", "200m")).Add(Load("idle", "100m", "100m"));
    s.Group("g", "queue: default, minMember: 0", "Running").Pods("g", 1, "cpu: 1, memory: 1Gi", "idle", 0);
    s.Add("{apiVersion: v1, kind: Pod, metadata: {name: g-0, namespace: else, uid: z}, spec: {schedulerName: other, nodeName: busy, containers: [{name: c}]}, status: {phase: Running}}");
    return Gone(&s);
  };
  EXPECT_TRUE(named(Evictions::kMinimal).empty());
  EXPECT_EQ(named(Evictions::kCompat), Names{"g-0"});
}

TEST(Rescheduling, BudgetsAndCoolDownsHoldHereToo) {
  Scenario s;
  s.Add("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: ns}, spec: {selector: {matchLabels: {app: web}}}, status: {disruptionsAllowed: 1}}");
  s.Add(Node("busy")).Add(Node("idle")).Add(Load("busy", "850m", "200m")).Add(Load("idle", "100m", "100m"));
  s.Group("g", "queue: default, minMember: 0", "Running").Pods("g", 4, "cpu: 1, memory: 1Gi", "busy", 0, "", "", "app: web");
  EXPECT_EQ(Gone(&s, Config(std::string("metricsPeriod: 10m, strategies: [") + kThresholds + "]", ", {name: pdb}")).size(), 1u);
}

TEST(Rescheduling, DefaultsDoNothingAndSaySo) {  // G54
  Scenario s;
  Fill(&s);
  EXPECT_TRUE(Gone(&s, Config("")).empty());
  EXPECT_TRUE(s.Told("plugin rescheduling", "the default 5m"));
}

TEST(Rescheduling, WrongArgumentsGiveDefaultsAndAreTold) {
  Scenario s;
  Fill(&s);
  EXPECT_TRUE(Gone(&s, Config("interval: 7, metricsPeriod: 10, x: 1, strategies: [{name: other}, 7, {name: lowNodeUtilization, params: {thresholds: {cpu: '20', gpu: 1}, targetThresholds: 7, nodeFit: 3}}]")).empty());
  for (const char* part : {"7 where a text is expected", "10 where a text is expected", "\"other\" is no strategy", "7 where a map is expected", "\"20\" where a whole number", "unknown argument"})
    EXPECT_TRUE(s.Told("plugin rescheduling", part)) << part;
  Scenario t;
  Fill(&t);
  EXPECT_TRUE(Gone(&t, Config("metricsPeriod: 10m, strategies: low")).empty());
  EXPECT_TRUE(t.Told("plugin rescheduling", "where a list is expected"));
}

TEST(Rescheduling, TheOrderOfTheInputDoesNotMatter) {
  Scenario s;
  s.Group("g", "queue: default, minMember: 0", "Running");
  for (int i = 4; i-- > 0;) s.Pods("g", 1, "cpu: 1, memory: 1Gi", "busy", i, "", "priority: " + std::to_string(10 - i));
  s.Add(Load("idle", "100m", "100m")).Add(Load("busy", "850m", "200m")).Add(Node("idle")).Add(Node("busy"));
  EXPECT_EQ(Gone(&s), (Names{"g-1", "g-2", "g-3"}));
}

}  // namespace
}  // namespace basalt

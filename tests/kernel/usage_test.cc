// usage: nodes by the load that is measured on them. Load and time are data.
#include "report/texts.h"
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

constexpr int64_t kNow = Scenario::kNoonSeconds + 3600;
std::string Config(const std::string& arguments = "", const std::string& more = "", const std::string& top = "") {
  return "actions: allocate\n" + top + "tiers:\n- plugins: [{name: gang}, {name: predicates}, {name: usage, arguments: {" + arguments + "}" + more + "}]\n";
}
std::string Metric(const std::string& node, const std::string& name, const std::string& value, int64_t ago = 60) {
  return "{kind: MetricValue, apiVersion: custom.metrics.k8s.io/v1beta1, describedObject: {kind: Node, name: " + node + "}, metricName: " + name + ", timestamp: '" +
         FormatRfc3339(kNow - ago) + "', value: '" + value + "'}";
}
std::string Load(const std::string& node, const std::string& cpu, const std::string& memory, int64_t ago = 60) {
  return Metric(node, "node_cpu_usage_avg", cpu, ago) + "\n---\n" + Metric(node, "node_memory_usage_avg", memory, ago);
}
std::string Node(const std::string& name) {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, status: {capacity: {pods: 110, cpu: 10, memory: 10Gi}, allocatable: {pods: 110, cpu: 10, memory: 10Gi}}}";
}
// Where one pod goes, "" where it goes nowhere. Among equals the first name.
std::string Where(const std::vector<std::string>& objects, const std::string& config = Config()) {
  Scenario s;
  for (const char* name : {"a", "b"}) s.Add(Node(name));
  for (const std::string& o : objects) s.Add(o);
  s.Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi");
  const auto binds = s.Run(config).Binds();
  const auto at = binds.find("j-0");
  return at == binds.end() ? "" : at->second;
}

TEST(Usage, ABusyNodeTakesNothingAndAnIdleOneIsBetter) {
  EXPECT_EQ(Where({}), "a");
  EXPECT_EQ(Where({Load("a", "500m", "100m"), Load("b", "100m", "100m")}), "b");
  EXPECT_EQ(Where({Load("a", "810m", "100m")}), "b");
  EXPECT_EQ(Where({Load("a", "810m", "0"), Load("b", "100m", "900m")}), "");
}

TEST(Usage, TheThresholdItselfIsWithin) {
  EXPECT_EQ(Where({Load("a", "800m", "800m"), Load("b", "801m", "0")}), "a");
  EXPECT_EQ(Where({Load("a", "200m", "0"), Load("b", "210m", "0")}, Config("thresholds: {cpu: 20}")), "a");
  EXPECT_EQ(Where({Load("a", "200m", "0"), Load("b", "210m", "0")}, Config("thresholds: {cpu: 19}")), "");
  EXPECT_EQ(Where({Load("a", "0", "11m")}, Config("thresholds: {mem: 1}")), "b");
}

TEST(Usage, WhatIsOldSaysNothing) {  // five minutes; a stale node passes, with a score of 0
  EXPECT_EQ(Where({Load("a", "900m", "0", 300), Load("b", "900m", "0", 301)}), "b");
  EXPECT_EQ(Where({Load("a", "100m", "100m", 301), Load("b", "700m", "700m", 300)}), "b");
  EXPECT_EQ(Where({Load("a", "900m", "0", 60), Load("a", "100m", "0", 30)}), "a");  // the newer counts
  EXPECT_EQ(Where({Load("a", "100m", "0", 30), Load("a", "900m", "0", 60)}), "a");
}

TEST(Usage, TheKernelWakesWhenALoadGrowsOld) {
  Scenario s;
  s.Add(Node("a")).Add(Load("a", "900m", "0"));
  s.Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi").Run(Config());
  EXPECT_TRUE(s.Binds().empty());
  EXPECT_EQ(s.engine().kernel.plan().next_wakeup_ns, (kNow + 240) * 1'000'000'000 + 1);
  s.engine().Cycle((kNow + 241) * 1'000'000'000, false);
  EXPECT_EQ(s.Bound("j"), 1);
}

TEST(Usage, FilterAndScoreCanBeSwitchedOff) {
  EXPECT_EQ(Where({Load("a", "900m", "0"), Load("b", "950m", "0")}, Config("", ", enablePredicate: false")), "a");
  EXPECT_EQ(Where({Load("a", "500m", "100m"), Load("b", "100m", "100m")}, Config("", ", enableNodeOrder: false")), "a");
}

TEST(Usage, TheWeightsDecideWhichLoadCounts) {
  const std::vector<std::string> loads = {Load("a", "600m", "100m"), Load("b", "100m", "400m")};
  EXPECT_EQ(Where(loads), "b");
  EXPECT_EQ(Where(loads, Config("cpu.weight: 1, memory.weight: 9")), "a");
  EXPECT_EQ(Where(loads, Config("cpu.weight: 0, memory.weight: 0")), "a");  // no score at all
}

TEST(Usage, TheReasonIsToldCpuFirst) {
  Scenario s;
  s.Add(Node("a")).Add(Node("b")).Add(Load("a", "900m", "900m")).Add(Load("b", "0", "900m"));
  s.Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi").Run(Config());
  EXPECT_FALSE(s.engine().kernel.plan().fit_errors.empty());
  const Store& store = s.engine().store;
  EXPECT_EQ(ReasonText(store, scoring::kReasonPolicy, {}, PolicyReason::kCpuLoad, {}), "the CPU load of the node exceeds the upper limit");
  EXPECT_EQ(ReasonText(store, scoring::kReasonPolicy, {}, PolicyReason::kMemoryLoad, {}), "the memory load of the node exceeds the upper limit");
}

// What each of `n` pods of 1 cpu on node a makes it worth, seen through the node b that has this load.
bool StillBetter(const std::string& load_b, int pods, const std::string& arguments = "", const std::string& requests = "cpu: 1, memory: 1Gi", const std::string& top = "", int64_t started_ago = -1) {
  Scenario s;
  for (const char* name : {"a", "b"}) s.Add(Node(name));
  s.Add(Load("a", "100m", "100m")).Add(Load("b", load_b, load_b)).Group("r", "queue: default, minMember: 0", "Running");
  for (int i = 0; i < pods; i++)
    s.Add("{apiVersion: v1, kind: Pod, metadata: {name: r-" + std::to_string(i) + ", namespace: ns, annotations: {scheduling.k8s.io/group-name: r}}, spec: {schedulerName: volcano, nodeName: a, containers: [" +
          "{name: c, resources: {requests: {" + requests + "}}}]}, status: {phase: Running" + (started_ago < 0 ? "" : ", startTime: '" + FormatRfc3339(kNow - started_ago) + "'") + "}}");
  s.Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi");
  return s.Run(Config(arguments, "", top)).Binds().at("j-0") == "a";
}

TEST(Usage, NewPodsAreEstimated) {  // 0.1 + 0.7 * 1/10 = 0.17 for one pod
  EXPECT_TRUE(StillBetter("171m", 1));
  EXPECT_FALSE(StillBetter("169m", 1));
  EXPECT_TRUE(StillBetter("101m", 1, "", "cpu: 1, memory: 1Gi", "", 30));  // started an interval ago: it shows in what is measured
  EXPECT_FALSE(StillBetter("169m", 1, "", "cpu: 1, memory: 1Gi", "", 29));
  EXPECT_FALSE(StillBetter("169m", 1, "", "cpu: 1, memory: 1Gi", "metrics: {interval: 60s}\n", 59));
}

TEST(Usage, LimitsAndBurstCount) {  // (1 * 0.7 + 3 * 0.5) / 10
  EXPECT_TRUE(StillBetter("321m", 1, "estimator: {burst_ratio: 0.5}", "cpu: 1, memory: 1Gi}, limits: {cpu: 4, memory: 4Gi"));
  EXPECT_FALSE(StillBetter("319m", 1, "estimator: {burst_ratio: 0.5}", "cpu: 1, memory: 1Gi}, limits: {cpu: 4, memory: 4Gi"));
}

TEST(Usage, PodsWithoutRequestsHaveTheirOwnEstimate) {  // 1 cpu, 1 GiB of 10
  EXPECT_TRUE(StillBetter("201m", 1, "estimator: {be_cpu: 1000, be_mem: 1Gi}", ""));
  EXPECT_FALSE(StillBetter("199m", 1, "estimator: {be_cpu: '1', be_mem: 1024}", ""));
}

TEST(Usage, FromTheRiskThresholdOnEstimatesAreRaised) {  // 0.1, 0.17, then 0.7 * 1.2: 0.254
  EXPECT_TRUE(StillBetter("255m", 2, "estimator: {risk_threshold: 0.15}"));
  EXPECT_FALSE(StillBetter("253m", 2, "estimator: {risk_threshold: 0.15}"));
  EXPECT_TRUE(StillBetter("241m", 2));
}

TEST(Usage, PodsOfOneCycleSpread) {
  Scenario s;
  s.Add(Node("a")).Add(Node("b")).Add(Load("a", "100m", "100m")).Add(Load("b", "110m", "110m"));
  s.Group("j", "queue: default, minMember: 4", "Inqueue").Pods("j", 4, "cpu: 1, memory: 1Gi");
  std::map<std::string, int> on;
  for (const auto& [pod, node] : s.Run(Config()).Binds()) on[node]++;
  EXPECT_EQ(on, (std::map<std::string, int>{{"a", 2}, {"b", 2}}));
}

TEST(Usage, ADiscardedGangLeavesNoEstimate) {
  Scenario s;
  s.Add(Node("a")).Add(Node("b")).Add(Load("a", "100m", "100m")).Add(Load("b", "110m", "110m"));
  s.Group("big", "queue: default, minMember: 30", "Inqueue").Pods("big", 30, "cpu: 1, memory: 1Gi").Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi");
  EXPECT_EQ(s.Run(Config()).Binds().at("j-0"), "a");
}

TEST(Usage, WrongArgumentsGiveDefaultsAndAreTold) {
  Scenario s;
  s.Add(Node("a")).Add(Load("a", "801m", "0")).Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi");
  s.Run(Config("usage.weight: -1, cpu.weight: '1', memory.weight: 1.5, thresholds: {cpu: 101, mem: x}, x: 1, estimator: {request_ratio: 2, burst_ratio: -1, risk_threshold: a, risk_factor: 0.5, be_cpu: -1, "
               "be_mem: 1Zi, y: 2}", "", "metrics: {type: prometheus, interval: 5}\n"));
  EXPECT_TRUE(s.Binds().empty());  // the default of 80
  for (const char* part : {"-1 is not within", "\"1\" where a whole number", "1.500000 where a whole number", "101 is not within", "\"x\" where a whole number", "is above 1", "is too small",
                           "\"a\" where a number", "expected a whole number or a quantity", "unknown argument"})
    EXPECT_TRUE(s.Told("plugin usage", part)) << part;
  EXPECT_TRUE(s.Told("scheduler configuration", "no load is collected"));
  EXPECT_TRUE(s.Told("scheduler configuration", "expected a duration above 0; the default 30s is used"));
}

TEST(Usage, ALoadThatIsTakenBackSaysNothing) {
  Scenario s;
  s.Add(Node("a")).Add(Load("a", "900m", "0")).Group("j", "queue: default, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1, memory: 1Gi");
  EXPECT_TRUE(s.Run(Config()).Binds().empty());
  const std::vector<std::string> keys = s.engine().store.Keys(objects::Kind::kMetricValue);
  EXPECT_EQ(keys.size(), 2u);
  for (const std::string& key : keys) s.engine().store.Remove(objects::Kind::kMetricValue, key, "");
  EXPECT_TRUE(s.engine().store.Keys(objects::Kind::kMetricValue).empty());
  EXPECT_EQ(s.Run(Config()).Bound("j"), 1);
}

TEST(Usage, OtherMetricsAndObjectsAreNotLoad) {
  EXPECT_EQ(Where({Metric("a", "node_cpu", "1"), "{kind: MetricValue, describedObject: {kind: Pod, name: a}, metric: {name: node_cpu_usage_avg}, timestamp: '2026-01-01T13:00:00Z', value: '1'}"}), "a");
}

}  // namespace
}  // namespace basalt

// preempt: between the jobs of a queue, within a job, and who may not be touched.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;
using Names = std::vector<std::string>;

std::string Config(const std::string& plugins = "{name: priority}, {name: gang}, {name: conformance}, {name: predicates}, {name: nodeorder}", const std::string& actions = "allocate, preempt") {
  return "actions: \"" + actions + "\"\ntiers:\n- plugins: [" + plugins + "]\n";
}
void Classes(Scenario* s) {
  for (const auto& [name, value] : {std::pair("high", 1000), std::pair("low", 10)})
    s->Add(std::string("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ") + name + "}, value: " + std::to_string(value) + "}");
}
std::string Group(const std::string& cls, int min = 1, const std::string& queue = "default") {
  return "queue: " + queue + ", priorityClassName: " + cls + ", minMember: " + std::to_string(min);
}

TEST(Preempt, AnImportantJobTakesRoomOfItsQueueOnly) {
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 4, memory: 8Gi").Queue("other", "weight: 1");
  s.Group("low", Group("low"), "Running").Pods("low", 2, "cpu: 1", "n1");
  s.Group("alien", Group("low", 1, "other"), "Running").Pods("alien", 2, "cpu: 1", "n1");
  s.Group("j", Group("high")).Pods("j", 2, "cpu: 1").Run(Config());
  EXPECT_EQ(s.Evicted(), Names{"low-1"});  // gang keeps low's minimum of one
  EXPECT_EQ(s.Pipelined().size(), 1u);
}

TEST(Preempt, AGangThatDoesNotFitWholeEvictsNobody) {
  for (const Evictions mode : {Evictions::kCompat, Evictions::kMinimal}) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi").Group("low", Group("low"), "Running").Pods("low", 4, "cpu: 1", "n1");
    s.Group("j", Group("high", 4)).Pods("j", 4, "cpu: 1").Run(Config());
    EXPECT_TRUE(s.Evicted().empty());
    EXPECT_TRUE(s.Pipelined().empty());
  }
}

TEST(Preempt, TheLeastImportantAndNewestGoFirst) {
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 4, memory: 8Gi");
  s.Group("low", Group("low"), "Running").Pods("low", 3, "cpu: 1", "n1").Pods("low", 1, "cpu: 1", "n1", 3, "volcano.sh/task-priority: '0'");
  s.Group("j", Group("high", 2)).Pods("j", 2, "cpu: 1").Run(Config());
  EXPECT_EQ(s.Evicted(), (Names{"low-2", "low-3"}));
}

TEST(Preempt, WithinAJobTheMoreImportantTask) {  // G43: task by task, without asking the gang
  Scenario s;
  s.Node("n1", "cpu: 2, memory: 8Gi");
  s.Group("j", "queue: default, minMember: 3", "Inqueue").Pods("j", 2, "cpu: 1", "n1").Pods("j", 2, "cpu: 1", "", 2, "", "priority: 50");
  s.Run(Config("{name: priority}, {name: conformance}, {name: predicates}"));
  EXPECT_EQ(s.Evicted().size(), 2u);
  EXPECT_EQ(s.Pipelined().size(), 2u);
}

TEST(Preempt, CriticalPodsStayWhateverIsConfigured) {
  const auto run = [](Evictions mode, const std::string& plugins) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 2, memory: 8Gi");
    s.Group("low", Group("low", 0), "Running").Pods("low", 2, "cpu: 1", "n1", 0, "", "priorityClassName: system-node-critical");
    s.Group("j", Group("high")).Pods("j", 1, "cpu: 1").Run(Config(plugins));
    return s.Evicted().size();
  };
  const char *with = "{name: priority}, {name: gang}, {name: conformance}, {name: predicates}", *without = "{name: priority}, {name: gang}, {name: predicates}";
  EXPECT_EQ(run(Evictions::kCompat, with), 0u);
  EXPECT_EQ(run(Evictions::kCompat, without), 1u);
  EXPECT_EQ(run(Evictions::kMinimal, without), 0u);
}

TEST(Preempt, BestEffortTakesFromBestEffortOnly) {
  Scenario s;
  Classes(&s);
  s.Add("{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {pods: 2, cpu: 4, memory: 8Gi}}}");
  s.Group("low", Group("low", 0), "Running").Pods("low", 2, "cpu: 1", "n1");
  s.Group("j", Group("high")).Pods("j", 1, "").Run(Config());
  EXPECT_TRUE(s.Evicted().empty());
}

TEST(Preempt, OnlyWhatIsNeededGoes) {  // compat pops the queue of victims until it fits; the small one that went first is not needed then
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi");
    s.Group("low", Group("low", 0), "Running").Pods("low", 1, "cpu: 3", "n1").Pods("low", 1, "cpu: 1", "n1", 1);  // the newer and smaller one goes first
    s.Group("j", Group("high")).Pods("j", 1, "cpu: 3").Run(Config());
    EXPECT_EQ(s.Pipelined().size(), 1u);
    return s.Evicted();
  };
  EXPECT_EQ(run(Evictions::kCompat), (Names{"low-0", "low-1"}));
  EXPECT_EQ(run(Evictions::kMinimal), Names{"low-0"});
}

TEST(Preempt, DrfComparesSharesWithAndWithout) {  // worked example 7.3: one of B and two of A may go
  Scenario s;
  s.Node("n1", "cpu: 9, memory: 18Gi");
  s.Group("a", "queue: default, minMember: 1", "Running").Pods("a", 3, "cpu: 1, memory: 4Gi", "n1");
  s.Group("b", "queue: default, minMember: 1", "Running").Pods("b", 2, "cpu: 3, memory: 1Gi", "n1");
  s.Group("p", "queue: default, minMember: 1", "Inqueue").Pods("p", 1, "cpu: 1, memory: 4Gi");
  s.Run("actions: preempt\ntiers:\n- plugins: [{name: gang, enablePreemptable: false}, {name: drf}, {name: predicates}]\n");
  EXPECT_EQ(s.Evicted().size(), 1u);
  // B's second task is no victim: without both, B's share is 0.
  Scenario t;
  t.Node("n1", "cpu: 9, memory: 18Gi");
  t.Group("b", "queue: default, minMember: 1", "Running").Pods("b", 3, "cpu: 3, memory: 6Gi", "n1");
  t.Group("p", "queue: default, minMember: 1", "Inqueue").Pods("p", 1, "cpu: 7, memory: 4Gi");
  t.Run("actions: preempt\ntiers:\n- plugins: [{name: gang, enablePreemptable: false}, {name: drf}, {name: predicates}]\n");
  EXPECT_TRUE(t.Evicted().empty());
}

TEST(Preempt, AQueueAtItsLimitSwapsWithinItself) {  // G41: only Allocatable stands in the way, and it is asked after the evictions
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 8, memory: 8Gi").Queue("q", "capability: {cpu: 2}");
  s.Group("low", Group("low", 0, "q"), "Running").Pods("low", 2, "cpu: 1", "n1");
  s.Group("j", Group("high", 1, "q")).Pods("j", 1, "cpu: 1");
  s.Run(Config("{name: priority}, {name: gang}, {name: conformance}, {name: capacity}, {name: predicates}"));
  EXPECT_EQ(s.Evicted().size(), 1u);
}

TEST(Preempt, APortOfAVictimIsFreeForItsSuccessor) {
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 8, memory: 8Gi");
  const auto pod = [](const std::string& group, const std::string& node) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + group + "-0, namespace: ns, uid: u-" + group + ", annotations: {scheduling.k8s.io/group-name: " + group +
           "}}, spec: {schedulerName: volcano" + node + ", containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}], resources: {requests: {cpu: 1}}}]}, status: {phase: " +
           (node.empty() ? "Pending" : "Running") + "}}";
  };
  s.Group("low", Group("low", 0), "Running").Add(pod("low", ", nodeName: n1"));
  s.Group("j", Group("high")).Add(pod("j", "")).Run(Config());
  EXPECT_EQ(s.Evicted(), Names{"low-0"});
  EXPECT_EQ(s.Pipelined().count("j-0"), 1u);
  s.Run(Config());
  EXPECT_EQ(s.Bound("j"), 1);
}

}  // namespace
}  // namespace basalt

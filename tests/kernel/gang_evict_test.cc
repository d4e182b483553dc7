// gangpreempt and gangreclaim: a whole gang or nothing, in bundles that break as few other gangs as possible.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;
using Names = std::vector<std::string>;

std::string Config(const std::string& actions = "allocate, gangpreempt", const std::string& extra = "") {
  return "actions: \"" + actions +
         "\"\ntiers:\n- plugins: [{name: priority}, {name: gang}, {name: conformance}]\n- plugins: [{name: capacity}, {name: predicates}, {name: nodeorder}]\n" + extra;
}
void Classes(Scenario* s) {
  for (const auto& [name, value] : {std::pair("high", 1000), std::pair("mid", 100), std::pair("low", 10)})
    s->Add(std::string("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ") + name + "}, value: " + std::to_string(value) + "}");
}
std::string Group(const std::string& cls, int min, const std::string& queue = "default") {
  return "queue: " + queue + ", priorityClassName: " + cls + ", minMember: " + std::to_string(min);
}
const Evictions kBoth[] = {Evictions::kCompat, Evictions::kMinimal};

TEST(GangPreempt, WhatAJobCanSpareGoesBeforeAnyGangIsBroken) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi");
    s.Group("whole", Group("low", 2), "Running").Pods("whole", 2, "cpu: 1", "n1");
    s.Group("spare", Group("mid", 0), "Running").Pods("spare", 2, "cpu: 1", "n1");  // more important, and yet it goes first
    s.Group("j", Group("high", 2), "Inqueue").Pods("j", 2, "cpu: 1").Run(Config());
    EXPECT_EQ(s.Evicted(), (Names{"spare-0", "spare-1"}));
    EXPECT_EQ(s.Pipelined().size(), 2u);
  }
}

TEST(GangPreempt, AGangIsBrokenWhollyTheLeastImportantFirst) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi");
    s.Group("a", Group("mid", 2), "Running").Pods("a", 2, "cpu: 1", "n1");
    s.Group("b", Group("low", 2), "Running").Pods("b", 2, "cpu: 1", "n1");
    s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 1").Run(Config());
    EXPECT_EQ(s.Evicted(), (Names{"b-0", "b-1"}));  // one would do, but half a gang runs for nothing
  }
}

TEST(GangPreempt, WholeGangsStayWhereTheArgumentSaysSo) {
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 2, memory: 8Gi").Group("b", Group("low", 2), "Running").Pods("b", 2, "cpu: 1", "n1");
  s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 1");
  s.Run(Config("allocate, gangpreempt", "configurations: [{name: gangpreempt, arguments: {allowWholeBundle: false, maxDomains: 2}}]"));
  EXPECT_TRUE(s.Evicted().empty());
}

TEST(GangPreempt, NobodyGoesForAGangThatDoesNotFitEvenThen) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 3, memory: 8Gi").Node("n2", "cpu: 3, memory: 8Gi");
    s.Group("low", Group("low", 0), "Running").Pods("low", 3, "cpu: 1", "n1").Pods("low", 3, "cpu: 1", "n2", 3);
    s.Group("j", Group("high", 3), "Inqueue").Pods("j", 3, "cpu: 2").Run(Config());  // 6 cpus in all, but only one pod a node
    EXPECT_TRUE(s.Evicted().empty());
    EXPECT_TRUE(s.Pipelined().empty());
  }
}

TEST(GangPreempt, OnlyLowerPriorityOfTheSameQueueAndNoneThatIsMarked) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi").Queue("other", "weight: 1");
    s.Group("equal", Group("high", 0), "Running").Pods("equal", 1, "cpu: 1", "n1");
    s.Group("alien", Group("low", 0, "other"), "Running").Pods("alien", 1, "cpu: 1", "n1");
    s.Group("marked", Group("low", 0), "Running", "volcano.sh/preemptable: 'false'").Pods("marked", 1, "cpu: 1", "n1");
    s.Group("pod", Group("low", 0), "Running").Pods("pod", 1, "cpu: 1", "n1", 0, "volcano.sh/preemptable: 'false'");
    s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 1").Run(Config());
    EXPECT_TRUE(s.Evicted().empty());
  }
}

TEST(GangPreempt, MinimumsOfRolesHoldWhatAJobCanSpare) {
  Scenario s(Evictions::kCompat);
  Classes(&s);
  s.Node("n1", "cpu: 4, memory: 8Gi");
  s.Group("b", Group("low", 2) + ", minTaskMember: {ps: 1, worker: 1}", "Running");
  s.Pods("b", 1, "cpu: 1", "n1", 0, "volcano.sh/task-spec: ps").Pods("b", 3, "cpu: 1", "n1", 1, "volcano.sh/task-spec: worker");
  s.Group("j", Group("high", 2), "Inqueue").Pods("j", 2, "cpu: 1").Run(Config());
  EXPECT_EQ(s.Evicted(), (Names{"b-1", "b-2"}));  // by UID b-0 would be first, but the job needs its ps
}

TEST(GangPreempt, MinimalLeavesOutWhatIsOfNoUse) {
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    Classes(&s);
    s.Node("small", "cpu: 1, memory: 8Gi").Node("big", "cpu: 4, memory: 8Gi");
    s.Group("a", Group("low", 0), "Running").Pods("a", 1, "cpu: 1", "small");
    s.Group("b", Group("mid", 0), "Running").Pods("b", 4, "cpu: 1", "big");
    s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 2").Run(Config());
    return s.Evicted();
  };
  EXPECT_EQ(run(Evictions::kCompat), (Names{"a-0", "b-0", "b-1", "b-2", "b-3"}));
  EXPECT_EQ(run(Evictions::kMinimal).size(), 2u);
}

TEST(GangPreempt, RoomThatIsBeingReleasedDoes) {
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 2, memory: 8Gi");
    s.Add("{apiVersion: v1, kind: Pod, metadata: {name: leaving, namespace: ns, deletionTimestamp: '2026-01-01T12:00:00Z', annotations: {scheduling.k8s.io/group-name: b}}, "
          "spec: {schedulerName: volcano, nodeName: n1, containers: [{name: c, resources: {requests: {cpu: 1}}}]}, status: {phase: Running}}");
    s.Group("b", Group("low", 0), "Running").Pods("b", 1, "cpu: 1", "n1");
    s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 1").Run(Config("gangpreempt"));
    return s.Evicted();
  };
  EXPECT_EQ(run(Evictions::kCompat), Names{"b-0"});  // as Volcano: a bundle is taken in any case
  EXPECT_TRUE(run(Evictions::kMinimal).empty());
}

TEST(GangPreempt, APodThatNeverPreemptsDoesNot) {
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 1, memory: 8Gi").Group("b", Group("low", 0), "Running").Pods("b", 1, "cpu: 1", "n1");
    s.Group("j", Group("high", 1), "Inqueue").Pods("j", 1, "cpu: 1", "", 0, "", "preemptionPolicy: Never").Run(Config());
    return s.Evicted().size();
  };
  EXPECT_EQ(run(Evictions::kCompat), 1u);
  EXPECT_EQ(run(Evictions::kMinimal), 0u);
}

TEST(GangReclaim, FromQueuesAboveWhatTheyDeserveOnly) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi");
    s.Queue("over", "deserved: {cpu: 1}, reclaimable: true").Queue("within", "deserved: {cpu: 1}, reclaimable: true").Queue("q", "deserved: {cpu: 2}");
    s.Group("o", Group("high", 0, "over"), "Running").Pods("o", 3, "cpu: 1", "n1");  // whatever its priority
    s.Group("w", Group("low", 0, "within"), "Running").Pods("w", 1, "cpu: 1", "n1");
    s.Group("j", Group("low", 2, "q"), "Inqueue").Pods("j", 2, "cpu: 1").Run(Config("allocate, gangreclaim"));
    EXPECT_EQ(s.Evicted().size(), mode == Evictions::kMinimal ? 2u : 3u);  // Volcano takes the whole bundle, down to below what the queue deserves
    for (const std::string& name : s.Evicted()) EXPECT_EQ(name[0], 'o');
    EXPECT_EQ(s.Pipelined().size(), 2u);
  }
}

TEST(GangReclaim, TheWholeGangHasToBeWithinWhatTheQueueDeserves) {
  for (const Evictions mode : kBoth) {
    Scenario s(mode);
    Classes(&s);
    s.Node("n1", "cpu: 4, memory: 8Gi").Queue("over", "deserved: {cpu: 1}, reclaimable: true").Queue("q", "deserved: {cpu: 2}");
    s.Group("o", Group("low", 0, "over"), "Running").Pods("o", 4, "cpu: 1", "n1");
    s.Group("j", Group("low", 3, "q"), "Inqueue").Pods("j", 3, "cpu: 1").Run(Config("allocate, gangreclaim"));
    EXPECT_TRUE(s.Evicted().empty());
  }
}

TEST(GangReclaim, AQueueThatIsNotReclaimableKeepsItsPods) {
  Scenario s;
  Classes(&s);
  s.Node("n1", "cpu: 2, memory: 8Gi").Queue("over", "deserved: {cpu: 1}, reclaimable: false").Queue("q", "deserved: {cpu: 2}");
  s.Group("o", Group("low", 0, "over"), "Running").Pods("o", 2, "cpu: 1", "n1");
  s.Group("j", Group("low", 1, "q"), "Inqueue").Pods("j", 1, "cpu: 1").Run(Config("allocate, gangreclaim"));
  EXPECT_TRUE(s.Evicted().empty());
}

TEST(GangEvict, ArgumentsOfAWrongTypeAreNamed) {
  Scenario s;
  s.Node("n1", "cpu: 2").Run(Config("allocate, gangpreempt", "configurations: [{name: gangpreempt, arguments: {allowWholeBundle: 7, maxDomains: x, other: 1}}]"));
  EXPECT_TRUE(s.Told("scheduler configuration", "expected true or false"));
  EXPECT_TRUE(s.Told("scheduler configuration", "expected a whole number"));
  EXPECT_TRUE(s.Told("scheduler configuration", "unknown argument"));
}

}  // namespace
}  // namespace basalt

// Worked examples of the policies that every configuration has: what they say of two jobs, and what that makes of a cluster.
#include "kernel/session.h"
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

std::string Config(const std::string& plugins, const std::string& actions = "enqueue, allocate, backfill") {
  return "actions: \"" + actions + "\"\ntiers:\n- plugins: [" + plugins + "]\n";
}

// ---- drf ----

// The classic example: 18 CPU and 72 GB; one job holds 6 CPU and 24 GB (1/3 of each), the other 12 CPU and 24 GB (2/3 of the CPUs).
class DrfExample : public ::testing::Test {
 protected:
  DrfExample() {
    s_.Node("n1", "cpu: 18, memory: 72G");
    s_.Group("light", "minMember: 1", "Running").Pods("light", 6, "cpu: 1, memory: 4G", "n1");
    s_.Group("heavy", "minMember: 1", "Running").Pods("heavy", 4, "cpu: 3, memory: 6G", "n1");
  }
  bool Less(const std::string& a, const std::string& b) {
    s_.Run(Config("{name: drf}"));
    Store& store = s_.engine().store;
    Plan plan;
    std::vector<scoring::ArgumentProblem> problems;
    PolicyTiers tiers = BuildPolicies(s_.engine().kernel.config(), &problems);
    StageTimes times{};
    Session session(&store, &s_.engine().kernel.config(), &tiers, &s_.engine().kernel.index(), 0, &plan, &times);
    for (auto& tier : tiers)
      for (auto& active : tier) active.policy->Open(session);
    return session.JobLess(store.FindJob("ns/" + a), store.FindJob("ns/" + b));
  }
  Scenario s_;
};

TEST_F(DrfExample, TheSmallerDominantShareGoesFirst) {
  s_.Run(Config("{name: drf}"));
  const Store& store = s_.engine().store;
  const auto share = [&](const char* group, ResourceId r) {
    return static_cast<double>(store.jobs[store.FindJob(std::string("ns/") + group).value].allocated[r]) / static_cast<double>(store.total_allocatable[r]);
  };
  EXPECT_DOUBLE_EQ(6.0 / 18, share("light", kCpu));
  EXPECT_DOUBLE_EQ(24.0 / 72, share("light", kMemory));
  EXPECT_DOUBLE_EQ(12.0 / 18, share("heavy", kCpu));
  EXPECT_DOUBLE_EQ(24.0 / 72, share("heavy", kMemory));
  EXPECT_TRUE(Less("light", "heavy"));
  EXPECT_FALSE(Less("heavy", "light"));
}

TEST_F(DrfExample, ItIsTheLargestShareThatCounts) {  // 5 CPU (0.28) and 40 GB (0.56) lie between 0.33 and 0.67, though its CPU share is the smallest
  s_.Group("wide", "minMember: 1", "Running").Pods("wide", 5, "cpu: 1, memory: 8G", "n1");
  EXPECT_TRUE(Less("light", "wide"));
  EXPECT_TRUE(Less("wide", "heavy"));
}

TEST(Drf, SharesFollowEveryPlacement) {
  Scenario s;  // two jobs that hold nothing: they take turns, pod by pod, until the room for five is gone
  s.Node("n1", "cpu: 5, memory: 64Gi");
  s.Group("a", "minMember: 1", "Inqueue").Pods("a", 4, "cpu: 1").Group("b", "minMember: 1", "Inqueue").Pods("b", 4, "cpu: 1");
  s.Run(Config("{name: gang}, {name: drf}, {name: predicates}"));
  EXPECT_EQ(s.Bound("a"), 3);
  EXPECT_EQ(s.Bound("b"), 2);
}

TEST(Drf, HierarchyDividesAmongBranchesFirst) {  // two queues of one branch get together what the other branch gets alone
  Scenario s;
  s.Node("n1", "cpu: 4, memory: 64Gi");
  s.Queue("a1", "weight: 1", "volcano.sh/hierarchy: root/a/a1, volcano.sh/hierarchy-weights: 1/1/1");
  s.Queue("a2", "weight: 1", "volcano.sh/hierarchy: root/a/a2, volcano.sh/hierarchy-weights: 1/1/1");
  s.Queue("b1", "weight: 1", "volcano.sh/hierarchy: root/b/b1, volcano.sh/hierarchy-weights: 1/1/1");
  for (const std::string q : {"a1", "a2", "b1"}) s.Group("j" + q, "minMember: 1, queue: " + q, "Inqueue").Pods("j" + q, 4, "cpu: 1");
  s.Run(Config("{name: gang}, {name: drf, enableHierarchy: true}, {name: predicates}"));
  EXPECT_EQ(s.Bound("ja1") + s.Bound("ja2"), 2);
  EXPECT_EQ(s.Bound("jb1"), 2);
}

// ---- priority ----

TEST(Priority, HigherJobsAndHigherTasksGoFirst) {
  Scenario s;
  s.Add("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 100}").Node("n1", "cpu: 2, memory: 64Gi");
  s.Group("first", "minMember: 1", "Inqueue").Pods("first", 2, "cpu: 1");
  s.Group("high", "minMember: 1, priorityClassName: high", "Inqueue");
  s.Pods("high", 1, "cpu: 2", "", 0).Pods("high", 1, "cpu: 2", "", 1, "volcano.sh/task-priority: \"5\"");
  s.Run(Config("{name: priority}, {name: gang}, {name: predicates}"));
  EXPECT_EQ(s.Binds(), (std::map<std::string, std::string>{{"high-1", "n1"}}));
}

// ---- gang ----

TEST(Gang, AllOrNothing) {
  Scenario s;
  s.Node("n1", "cpu: 3, memory: 64Gi").Group("four", "minMember: 4", "Inqueue").Pods("four", 4, "cpu: 1").Group("two", "minMember: 2", "Inqueue").Pods("two", 2, "cpu: 1");
  s.Run(Config("{name: gang}, {name: predicates}"));
  EXPECT_EQ(s.Bound("four"), 0);
  EXPECT_EQ(s.Bound("two"), 2);
}

TEST(Gang, EveryRoleHasItsMinimum) {
  for (const int workers : {1, 2}) {
    Scenario s;
    s.Node("n1", "cpu: 8, memory: 64Gi").Group("g", "minMember: 3, minTaskMember: {ps: 1, worker: 2}", "Inqueue");
    s.Pods("g", 2, "cpu: 1", "", 0, "volcano.sh/task-spec: ps").Pods("g", workers, "cpu: 1", "", 2, "volcano.sh/task-spec: worker");
    s.Run(Config("{name: gang}, {name: predicates}"));
    EXPECT_EQ(s.Bound("g"), workers == 1 ? 0 : 4) << "3 pods are enough by number, not by role";
  }
}

TEST(Gang, WhatRunsCounts) {
  Scenario s;
  s.Node("n1", "cpu: 3, memory: 64Gi").Group("g", "minMember: 3", "Running").Pods("g", 2, "cpu: 1", "n1").Pods("g", 2, "cpu: 1", "", 2);
  s.Run(Config("{name: gang}, {name: predicates}"));
  EXPECT_EQ(s.Bound("g"), 1);
}

// ---- overcommit ----

TEST(Overcommit, AdmitsAFifthMoreThanThereIs) {  // 10 CPU * 1.2 = 12
  Scenario s;
  s.Node("n1", "cpu: 10, memory: 64Gi");
  for (const std::string name : {"a", "b", "c"}) s.Group(name, "minMember: 1, minResources: {cpu: 6}");
  s.Run(Config("{name: gang}, {name: overcommit}"));
  EXPECT_EQ(s.Phase("a"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("b"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("c"), GroupPhase::kPending);
}

TEST(Overcommit, TheFactorIsAnArgument) {
  Scenario s;
  s.Node("n1", "cpu: 10, memory: 64Gi");
  for (const std::string name : {"a", "b", "c"}) s.Group(name, "minMember: 1, minResources: {cpu: 6}");
  s.Run(Config("{name: gang}, {name: overcommit, arguments: {overcommit-factor: 1.8}}"));
  EXPECT_EQ(s.Phase("c"), GroupPhase::kInqueue);
}

// ---- proportion ----

double Deserved(Scenario* s, const std::string& queue, ResourceId r) {
  QueueView view;
  uint16_t policy = 0;
  EXPECT_TRUE(s->engine().kernel.View(s->engine().store.FindQueue(queue), &view, &policy)) << queue;
  return view.deserved[r];
}

TEST(Proportion, FillsByWeightAndHandsOnWhatIsNotAskedFor) {  // 12 CPU by 1:2:3 is 2, 4, 6; b asks for 1 only, its 3 go to a and c by 1:3
  Scenario s;
  s.Node("n1", "cpu: 12, memory: 64Gi").Queue("a", "weight: 1").Queue("b", "weight: 2").Queue("c", "weight: 3");
  s.Group("ja", "queue: a, minMember: 1", "Inqueue").Pods("ja", 12, "cpu: 1").Group("jb", "queue: b, minMember: 1", "Inqueue").Pods("jb", 1, "cpu: 1");
  s.Group("jc", "queue: c, minMember: 1", "Inqueue").Pods("jc", 12, "cpu: 1").Run(Config("{name: gang}, {name: proportion}, {name: predicates}"));
  EXPECT_DOUBLE_EQ(Deserved(&s, "a", kCpu), 2750);
  EXPECT_DOUBLE_EQ(Deserved(&s, "b", kCpu), 1000);
  EXPECT_DOUBLE_EQ(Deserved(&s, "c", kCpu), 8250);
  EXPECT_EQ(s.Bound("ja"), 2);
  EXPECT_EQ(s.Bound("jb"), 1);
  EXPECT_EQ(s.Bound("jc"), 8);
}

TEST(Proportion, CapabilityAndGuaranteeBound) {
  Scenario s;
  s.Node("n1", "cpu: 12, memory: 64Gi").Queue("capped", "weight: 5, capability: {cpu: 2}").Queue("kept", "weight: 1, guarantee: {resource: {cpu: 4}}");
  s.Group("jc", "queue: capped, minMember: 1", "Inqueue").Pods("jc", 12, "cpu: 1").Group("jk", "queue: kept, minMember: 1", "Inqueue").Pods("jk", 1, "cpu: 1");
  s.Run(Config("{name: gang}, {name: proportion}, {name: predicates}"));
  EXPECT_DOUBLE_EQ(Deserved(&s, "capped", kCpu), 2000);
  EXPECT_GE(Deserved(&s, "kept", kCpu), 4000);
  EXPECT_EQ(s.Bound("jc"), 2);
}

// ---- conformance has nothing to say before somebody evicts ----

TEST(Conformance, ChangesNoPlacement) {
  for (const std::string more : {"", ", {name: conformance}"}) {
    Scenario s;
    s.Node("n1", "cpu: 2, memory: 64Gi").Group("g", "minMember: 1", "Inqueue").Pods("g", 3, "cpu: 1").Run(Config("{name: gang}" + more + ", {name: predicates}"));
    EXPECT_EQ(s.Bound("g"), 2);
  }
}

// ---- backfill ----

TEST(Backfill, BestEffortPodsNeedNoRoom) {
  Scenario s;
  s.Node("n1", "cpu: 1, memory: 1Gi").Group("full", "minMember: 1", "Running").Pods("full", 1, "cpu: 1, memory: 1Gi", "n1");
  s.Group("free", "minMember: 1", "Inqueue").Pods("free", 2, "").Run(Config("{name: gang}, {name: predicates}"));
  EXPECT_EQ(s.Bound("free"), 2);
}

}  // namespace
}  // namespace basalt

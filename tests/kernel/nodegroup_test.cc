// nodegroup: required, preferred and refused groups of nodes by queue, limits in a group, inheritance.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

std::string Config(const std::string& nodegroup) {
  return "actions: \"allocate\"\ntiers:\n- plugins: [{name: gang}, {name: predicates}, {name: nodeorder}, " + nodegroup + "]\n";
}
constexpr char kDefault[] = "{name: nodegroup}";

// na and nb have a group each, nc has none.
void Nodes(Scenario* s) {
  s->Node("na", "cpu: 8, memory: 8Gi", "volcano.sh/nodegroup-name: a").Node("nb", "cpu: 8, memory: 8Gi", "volcano.sh/nodegroup-name: b").Node("nc", "cpu: 8, memory: 8Gi");
}
std::string Affinity(const std::string& required, const std::string& preferred, const std::string& anti_required = "", const std::string& anti_preferred = "") {
  const auto part = [](const std::string& r, const std::string& p) {
    return "{requiredDuringSchedulingIgnoredDuringExecution: [" + r + "], preferredDuringSchedulingIgnoredDuringExecution: [" + p + "]}";
  };
  return "affinity: {nodeGroupAffinity: " + part(required, preferred) + ", nodeGroupAntiAffinity: " + part(anti_required, anti_preferred) + "}";
}
std::string NodeOf(Scenario* s) {
  const auto binds = s->Binds();
  return binds.count("j-0") ? binds.at("j-0") : "";
}

TEST(NodeGroup, RequiredGroupsAreTheOnlyOnes) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("b", "")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "nb");
}

TEST(NodeGroup, AQueueWithoutAffinityGetsNoLabelledNodeAndStrictNoOtherEither) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", "weight: 1").Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "");
  s.Run(Config("{name: nodegroup, arguments: {strict: false}}"));
  EXPECT_EQ(NodeOf(&s), "nc");
}

TEST(NodeGroup, PreferredAntiAffinityHasTheLastWord) {  // G60: it admits, with a score of -1
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("", "", "a", "a")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "na");
}

TEST(NodeGroup, AntiAffinityAloneMatchesNothing) {  // G60
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("", "", "a", "")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "");
}

TEST(NodeGroup, RequiredWeighsMoreThanPreferred) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("b", "a")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "nb");
}

TEST(NodeGroup, ThePlaceInTheListCountsWhenAskedFor) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("", "b, a")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(NodeOf(&s), "na");  // 50 each: the name decides
  Scenario t;
  Nodes(&t);
  t.Queue("q", Affinity("", "b, a")).Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1").Run(Config("{name: nodegroup, arguments: {enablePreferredOrder: true}}"));
  EXPECT_EQ(NodeOf(&t), "nb");
}

TEST(NodeGroup, ALimitHoldsInItsGroupOnly) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("a, b", ""), "volcano.sh/nodegroup-resource-limits: '{\"a\": {\"cpu\": \"3\"}}'");
  s.Group("old", "queue: q, minMember: 1", "Running").Pods("old", 1, "cpu: 1", "na");
  s.Group("j", "queue: q, minMember: 1").Pods("j", 12, "cpu: 1").Run(Config(kDefault));
  std::map<std::string, int> on;
  for (const auto& [pod, node] : s.Binds()) on[node]++;
  EXPECT_EQ(on["na"], 2);
  EXPECT_EQ(on["nb"], 8);
}

TEST(NodeGroup, AFailedGangGivesItsPartOfALimitBack) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("a", ""), "volcano.sh/nodegroup-resource-limits: '{\"a\": {\"cpu\": \"3\"}}'");
  s.Group("big", "queue: q, minMember: 4").Pods("big", 4, "cpu: 1");
  s.Group("j", "queue: q, minMember: 3").Pods("j", 3, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(s.Bound("big"), 0);
  EXPECT_EQ(s.Bound("j"), 3);
}

TEST(NodeGroup, LimitsThatCannotBeReadShutTheQueueOut) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("a", ""), "volcano.sh/nodegroup-resource-limits: '{\"a\": 7}'");
  s.Group("j", "queue: q, minMember: 1").Pods("j", 1, "cpu: 1");
  s.Queue("r", Affinity("a", "")).Group("k", "queue: r, minMember: 1").Pods("k", 1, "cpu: 1").Run(Config(kDefault));
  EXPECT_EQ(s.Bound("j"), 0);
  EXPECT_EQ(s.Bound("k"), 1);
  EXPECT_TRUE(s.Told("Queue q", "expected a resource list for node group a"));
}

TEST(NodeGroup, AChildInheritsTheNearestAffinityAndAnEmptyOneStopsThat) {
  Scenario s;
  Nodes(&s);
  s.Queue("top", Affinity("a", "")).Queue("mid", "parent: top").Queue("leaf", "parent: mid").Queue("shut", "parent: mid, affinity: {}");
  s.Group("j", "queue: leaf, minMember: 1").Pods("j", 1, "cpu: 1").Group("k", "queue: shut, minMember: 1").Pods("k", 1, "cpu: 1");
  s.Run(Config("{name: nodegroup, enableHierarchy: true}"));
  EXPECT_EQ(NodeOf(&s), "na");
  EXPECT_EQ(s.Bound("k"), 0);
}

TEST(NodeGroup, ALoopOfParentsEndsTheInheritance) {
  Scenario s;
  Nodes(&s);
  s.Queue("l1", "parent: l2").Queue("l2", "parent: l1").Group("j", "queue: l1, minMember: 1").Pods("j", 1, "cpu: 1");
  s.Run(Config("{name: nodegroup, enableHierarchy: true}"));
  EXPECT_EQ(NodeOf(&s), "");
}

TEST(NodeGroup, WithoutItsPredicateItOnlyScores) {
  Scenario s;
  Nodes(&s);
  s.Queue("q", Affinity("b", "")).Group("j", "queue: q, minMember: 1").Pods("j", 9, "cpu: 1").Run(Config("{name: nodegroup, enablePredicate: false}"));
  EXPECT_EQ(s.Bound("j"), 9);
  EXPECT_EQ(NodeOf(&s), "nb");
}

}  // namespace
}  // namespace basalt

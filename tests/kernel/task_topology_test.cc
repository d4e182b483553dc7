// task-topology: roles that belong together share nodes, roles that shun each other do not.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

std::string Config(const std::string& actions = "allocate") {
  return "actions: \"" + actions + "\"\ntiers:\n- plugins: [{name: priority}, {name: gang}, {name: task-topology}, {name: predicates}]\n";
}
void Nodes(Scenario* s, int nodes, const std::string& room) {
  for (int i = 0; i < nodes; i++) s->Node("n" + std::to_string(i), room);
}
// COUNT pods of one role, behind those that the group has already.
void Role(Scenario* s, const std::string& group, const std::string& role, int count, int first, const std::string& requests) {
  s->Pods(group, count, requests, "", first, "volcano.sh/task-spec: " + role);
}
std::string Of(Scenario* s, const std::string& pod) {
  const auto binds = s->Binds();
  return binds.count(pod) ? binds.at(pod) : "";
}

TEST(TaskTopology, RolesOfAnAffinityGroupShareANode) {
  Scenario s;
  Nodes(&s, 2, "cpu: 4, memory: 16Gi");
  s.Group("j", "queue: default, minMember: 4", "", "volcano.sh/task-topology-affinity: 'ps,worker', volcano.sh/task-topology-anti-affinity: ps");
  Role(&s, "j", "ps", 2, 0, "cpu: 1"), Role(&s, "j", "worker", 2, 2, "cpu: 1");
  s.Run(Config());
  EXPECT_EQ(s.Binds().size(), 4u);
  EXPECT_NE(Of(&s, "j-0"), Of(&s, "j-1"));  // a bucket each, since ps shuns itself
  std::map<std::string, int> on;
  for (const auto& [pod, node] : s.Binds()) on[node]++;
  EXPECT_EQ(on["n0"], 2);
  EXPECT_EQ(on["n1"], 2);
}

TEST(TaskTopology, TheBucketOfARunningTaskDrawsTheOthers) {
  Scenario s;
  Nodes(&s, 3, "cpu: 8, memory: 16Gi");
  s.Group("j", "queue: default, minMember: 1", "Running", "volcano.sh/task-topology-affinity: 'ps,worker'");
  s.Pods("j", 1, "cpu: 1", "n2", 0, "volcano.sh/task-spec: ps");
  Role(&s, "j", "worker", 1, 1, "cpu: 1");
  s.Run(Config());
  EXPECT_EQ(Of(&s, "j-1"), "n2");
}

TEST(TaskTopology, TheTaskOrderDecidesWithinABucket) {
  Scenario s;
  Nodes(&s, 1, "cpu: 1, memory: 16Gi");
  s.Group("j", "queue: default, minMember: 1", "", "volcano.sh/task-topology-affinity: 'ps,worker', volcano.sh/task-topology-task-order: 'worker,ps'");
  Role(&s, "j", "ps", 1, 0, "cpu: 1"), Role(&s, "j", "worker", 1, 1, "cpu: 1");
  s.Run(Config());
  EXPECT_EQ(Of(&s, "j-1"), "n0");
}

TEST(TaskTopology, ARoleThatNoTaskHasMakesAllOfItVoid) {
  Scenario s;
  Nodes(&s, 2, "cpu: 8, memory: 16Gi");
  s.Group("j", "queue: default, minMember: 1", "", "volcano.sh/task-topology-anti-affinity: 'ps;nobody'");
  Role(&s, "j", "ps", 2, 0, "cpu: 1");
  s.Run(Config());
  EXPECT_EQ(Of(&s, "j-0"), "n0");
  EXPECT_EQ(Of(&s, "j-1"), "n0");
  EXPECT_TRUE(s.Told("PodGroup ns/j", "nobody"));
}

TEST(TaskTopology, ADiscardedTrialGivesTheBucketBack) {  // defect 2: Volcano ends here
  Scenario s;
  Nodes(&s, 2, "cpu: 4, memory: 16Gi");
  s.Group("big", "queue: default, minMember: 9", "", "volcano.sh/task-topology-affinity: ps");
  Role(&s, "big", "ps", 9, 0, "cpu: 1");
  s.Group("j", "queue: default, minMember: 1").Pods("j", 8, "cpu: 1").Run(Config("allocate, allocate"));
  EXPECT_EQ(s.Bound("big"), 0);
  EXPECT_EQ(s.Bound("j"), 8);
}

}  // namespace
}  // namespace basalt

// cdp: pods that have only just got their node. The time is data.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;
using Names = std::vector<std::string>;

constexpr int64_t kNow = Scenario::kNoonSeconds + 3600;
constexpr char kPlugins[] = "{name: priority}, {name: cdp}, {name: predicates}, {name: nodeorder}";
std::string Config(const std::string& actions = "preempt", const std::string& plugins = kPlugins) {
  return "actions: \"" + actions + "\"\ntiers:\n- plugins: [" + plugins + "]\n";
}

// A pod that got its node so many seconds ago, and a job that wants its room.
struct Case {
  std::string labels = "", annotations = "", phase = "Running", conditions = "";
  int64_t ago = 600;
  Evictions mode = Evictions::kMinimal;
};
void Fill(Scenario* s, const Case& c) {
  for (const auto& [name, value] : {std::pair("high", 1000), std::pair("low", 10)})
    s->Add(std::string("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ") + name + "}, value: " + std::to_string(value) + "}");
  s->Node("n1", "cpu: 1, memory: 8Gi").Queue("other", "weight: 1");
  s->Group("low", "queue: default, priorityClassName: low, minMember: 0", "Running");
  const std::string since = "{type: PodScheduled, status: 'True', lastTransitionTime: '" + FormatRfc3339(kNow - c.ago) + "'}";
  s->Add("{apiVersion: v1, kind: Pod, metadata: {name: low-0, namespace: ns, uid: u, labels: {" + c.labels + "}, annotations: {scheduling.k8s.io/group-name: low" +
         (c.annotations.empty() ? "" : ", " + c.annotations) + "}}, spec: {schedulerName: volcano, nodeName: n1, containers: [{name: c, resources: {requests: {cpu: 1}}}]}, status: {phase: " +
         c.phase + ", conditions: [" + c.conditions + since + "]}}");
}
bool Preempted(const Case& c) {
  Scenario s(c.mode);
  Fill(&s, c);
  s.Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1");
  return s.Run(Config()).Evicted().size() == 1;
}

TEST(Cdp, AVictimHasToBeOutOfItsCoolDown) {
  for (const Evictions mode : {Evictions::kMinimal, Evictions::kCompat}) {
    EXPECT_FALSE(Preempted({.labels = "volcano.sh/cooldown-time: 600001ms", .mode = mode}));
    EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: 10m", .mode = mode}));  // the very end is over
    EXPECT_FALSE(Preempted({.annotations = "volcano.sh/cooldown-time: 11m", .mode = mode}));
    EXPECT_TRUE(Preempted({.mode = mode}));
  }
}

TEST(Cdp, TheLabelGoesBeforeTheAnnotation) {
  EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: 1m", .annotations = "volcano.sh/cooldown-time: 1h"}));
  EXPECT_FALSE(Preempted({.labels = "volcano.sh/cooldown-time: 1h", .annotations = "volcano.sh/cooldown-time: 1m"}));
}

TEST(Cdp, APodThatIsOnlyBoundIsNotProtected) {  // G63
  EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: 1h", .phase = "Pending"}));
}

TEST(Cdp, TheFirstConditionThatIsTrueCounts) {
  const std::string old = "'" + FormatRfc3339(kNow - 7200) + "'";
  EXPECT_FALSE(Preempted({.labels = "volcano.sh/cooldown-time: 1h", .conditions = "{type: PodScheduled, status: 'False', lastTransitionTime: " + old + "}, "}));
  EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: 1h", .conditions = "{type: PodScheduled, status: 'True', lastTransitionTime: " + old + "}, "}));
  EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: 1h", .conditions = "{type: PodScheduled, status: 'True'}, "}));  // a time before all others
}

TEST(Cdp, WhatIsNoDurationProtectsNobodyAndIsTold) {
  for (const char* bad : {"soon", "10", "99999999999h", "''"}) {
    Scenario s;
    Fill(&s, {.labels = std::string("volcano.sh/cooldown-time: ") + (*bad == '\'' || *bad == 's' ? bad : "'" + std::string(bad) + "'")});
    s.Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1").Run(Config());
    EXPECT_EQ(s.Evicted().size(), 1u) << bad;
    EXPECT_TRUE(s.Told("Pod ns/low-0", "is no duration")) << bad;
  }
  EXPECT_TRUE(Preempted({.labels = "volcano.sh/cooldown-time: '-1h'"}));
  EXPECT_FALSE(Preempted({.labels = "volcano.sh/cooldown-time: 2562047h"}));  // 292 years: the sum does not overflow
}

TEST(Cdp, ReclaimHeedsItToo) {
  for (const bool cooling : {true, false}) {
    Scenario s;
    Fill(&s, {.labels = cooling ? "volcano.sh/cooldown-time: 1h" : ""});
    s.Group("r", "queue: other, minMember: 1", "Inqueue").Pods("r", 1, "cpu: 1").Run(Config("reclaim"));
    EXPECT_EQ(s.Evicted().size(), cooling ? 0u : 1u);
  }
}

TEST(Cdp, GangsAndShuffleHeedItUnlessAsVolcano) {  // G5
  const auto gang = [](Evictions mode) {
    Scenario s(mode);
    Fill(&s, {.labels = "volcano.sh/cooldown-time: 1h"});
    s.Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1");
    return s.Run(Config("gangpreempt", "{name: gang}, {name: priority}, {name: cdp}, {name: predicates}")).Evicted().size();
  };
  EXPECT_EQ(gang(Evictions::kMinimal), 0u);
  EXPECT_EQ(gang(Evictions::kCompat), 1u);
  const auto shuffle = [](Evictions mode) {
    Scenario s(mode);
    s.Node("n1", "cpu: 1, memory: 8Gi", "volcano.sh/revocable-zone: z");
    Fill(&s, {.labels = "volcano.sh/cooldown-time: 1h", .annotations = "volcano.sh/preemptable: 'true'"});
    s.Add("{apiVersion: v1, kind: Node, metadata: {name: n1, resourceVersion: '2', labels: {volcano.sh/revocable-zone: z}}, status: {allocatable: {pods: 110, cpu: 1, memory: 8Gi}}}");
    return s.Run(Config("shuffle", "{name: tdm, arguments: {tdm.revocable-zone.z: 01:00-02:00}}, {name: cdp}")).Evicted().size();
  };
  EXPECT_EQ(shuffle(Evictions::kMinimal), 0u);
  EXPECT_EQ(shuffle(Evictions::kCompat), 1u);
}

TEST(Cdp, TheKernelWakesAtTheEnd) {
  Scenario s;
  Fill(&s, {.labels = "volcano.sh/cooldown-time: 15m"});
  s.Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1");
  EXPECT_TRUE(s.Run(Config()).Evicted().empty());
  EXPECT_EQ(s.engine().kernel.plan().next_wakeup_ns, (kNow + 300) * 1'000'000'000);
  s.engine().Cycle((kNow + 300) * 1'000'000'000, false);
  EXPECT_EQ(s.Evicted(), Names{"low-0"});
}

TEST(Cdp, APodThatACycleBoundCoolsDownInTheNext) {
  Scenario s;
  s.Add("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}").Node("n1", "cpu: 1, memory: 8Gi");
  s.Group("a", "queue: default, minMember: 0", "Inqueue").Pods("a", 1, "cpu: 1", "", 0, "volcano.sh/cooldown-time: 1h");
  s.Run(Config("allocate, preempt"));
  EXPECT_EQ(s.Bound("a"), 1);
  s.Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", 1, "cpu: 1");
  EXPECT_TRUE(s.Run(Config("allocate, preempt")).Evicted().empty());
}

TEST(Cdp, TakesNoArguments) {
  Scenario s;
  Fill(&s, {});
  s.Run(Config("allocate", "{name: cdp, arguments: {x: 1}}"));
  EXPECT_TRUE(s.Told("plugin cdp", "unknown argument"));
}

}  // namespace
}  // namespace basalt

// resourcequota: admission against every quota of the namespace.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

constexpr char kConfig[] = R"(actions: "enqueue, allocate"
tiers:
- plugins: [{name: gang}, {name: resourcequota}, {name: predicates}]
)";

void Quota(Scenario* s, const std::string& name, const std::string& hard, const std::string& used, const std::string& space = "ns") {
  s->Add("{apiVersion: v1, kind: ResourceQuota, metadata: {name: " + name + ", namespace: " + space + "}, status: {hard: {" + hard + "}, used: {" + used + "}}}");
}

TEST(ResourceQuota, EveryQuotaOfTheNamespaceHasToFit) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "cpu: 10", "cpu: 1"), Quota(&s, "b", "requests.cpu: 4", "requests.cpu: 1500m"), Quota(&s, "c", "cpu: 1", "cpu: 1", "elsewhere");
  s.Group("fits", "queue: default, minMember: 1, minResources: {cpu: 9, requests.cpu: 2500m}");
  s.Group("over", "queue: default, minMember: 1, minResources: {requests.cpu: 2501m}").Run(kConfig);
  EXPECT_EQ(s.Phase("fits"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("over"), GroupPhase::kPending);
}

TEST(ResourceQuota, WhatWasAdmittedInTheSessionCounts) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "cpu: 4, count/pods: 3", "");
  s.Group("first", "queue: default, minMember: 1, minResources: {cpu: 2, count/pods: 2}");
  s.Group("second", "queue: default, minMember: 1, minResources: {cpu: 1, count/pods: 2}");
  s.Group("third", "queue: default, minMember: 1, minResources: {cpu: 2, count/pods: 1}").Run(kConfig);
  EXPECT_EQ(s.Phase("first"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("second"), GroupPhase::kPending);
  EXPECT_EQ(s.Phase("third"), GroupPhase::kInqueue);
}

TEST(ResourceQuota, NamesThatAreNotLimitedDoNotCount) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "requests.cpu: 1", "requests.cpu: 1");
  s.Group("plain", "queue: default, minMember: 1, minResources: {cpu: 8}").Run(kConfig);  // cpu is another name than requests.cpu
  EXPECT_EQ(s.Phase("plain"), GroupPhase::kInqueue);
}

TEST(ResourceQuota, WithoutAMinimumNobodyIsAsked) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "cpu: 1, pods: 0", "cpu: 5");
  s.Group("none", "queue: default, minMember: 1").Pods("none", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("none"), 1);
}

TEST(ResourceQuota, TheNextCycleCountsWhatWasBound) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "cpu: 4", "");
  s.Group("first", "queue: default, minMember: 1, minResources: {cpu: 1}").Pods("first", 3, "cpu: 1");
  s.Run(kConfig, 1);
  s.Group("second", "queue: default, minMember: 1, minResources: {cpu: 2}").Run(kConfig, 1);
  EXPECT_EQ(s.Phase("second"), GroupPhase::kPending);
}

TEST(ResourceQuota, PodsWithoutAPodGroupCountUnderBothNames) {
  Scenario s;
  s.Node("n1", "cpu: 64, memory: 64Gi");
  Quota(&s, "a", "requests.cpu: 1", "");
  s.Add("{apiVersion: v1, kind: Pod, metadata: {name: lone, namespace: ns, uid: u}, spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 2}}}]}}");
  s.Run(kConfig);
  EXPECT_TRUE(s.Binds().empty());
  ASSERT_EQ(s.engine().kernel.plan().refusals.size(), 1u);
  EXPECT_EQ(s.engine().store.names.Text(s.engine().kernel.plan().refusals[0].quota_exceeded.at(0)), "requests.cpu");
}

}  // namespace
}  // namespace basalt

// capacity without hierarchy: borrowing up to the capability, and the traps of flat mode.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

constexpr char kConfig[] = R"(actions: "enqueue, allocate"
tiers:
- plugins: [{name: gang}, {name: conformance}, {name: capacity}, {name: predicates}]
)";

void TwoQueues(Scenario* s) {
  s->Node("n1", "cpu: 8, memory: 16Gi").Queue("a", "deserved: {cpu: 4, memory: 8Gi}").Queue("b", "deserved: {cpu: 4, memory: 8Gi}");
}

TEST(Capacity, AQueueBorrowsWhatIsIdle) {  // worked example 7.2, step 1
  Scenario s;
  TwoQueues(&s);
  s.Group("j", "queue: a, minMember: 1").Pods("j", 8, "cpu: 1, memory: 2Gi").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 8);
}

TEST(Capacity, AdmissionCountsWhatIsElastic) {  // worked example 7.2, step 2: min 2 + allocated 8 - elastic 7, of 8
  Scenario s;
  TwoQueues(&s);
  s.Group("j", "queue: a, minMember: 1, minResources: {cpu: 1}", "Running").Pods("j", 8, "cpu: 1, memory: 2Gi", "n1");
  s.Group("k", "queue: a, minMember: 1, minResources: {cpu: 7}").Group("l", "queue: a, minMember: 1, minResources: {cpu: 1}").Run(kConfig);
  EXPECT_EQ(s.Phase("k"), GroupPhase::kInqueue);  // 7 + 8 - 7 = 8
  EXPECT_EQ(s.Phase("l"), GroupPhase::kPending);  // 1 + 8 + 7 - 7 = 9
}

TEST(Capacity, AGuaranteeIsOutOfOthersReach) {
  Scenario s;
  TwoQueues(&s);
  s.Queue("kept", "guarantee: {resource: {cpu: 3}}");
  s.Group("j", "queue: a, minMember: 1").Pods("j", 8, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 5);
}

TEST(Capacity, AnAbsentResourceIsALimitOfNone) {  // G16: without GPU nodes a GPU job is refused at enqueue
  Scenario s;
  TwoQueues(&s);
  s.Group("j", "queue: a, minMember: 1, minResources: {cpu: 1, nvidia.com/gpu: 1}").Run(kConfig);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kPending);
}

TEST(Capacity, AGroupWithoutMinimumEntersAClosedQueueAndWaitsThere) {  // G37
  Scenario s;
  TwoQueues(&s);
  s.Queue("shut", "weight: 1", "", "Closed");
  s.Group("j", "queue: shut, minMember: 1").Pods("j", 1, "cpu: 1");
  s.Group("k", "queue: shut, minMember: 1, minResources: {cpu: 1}").Pods("k", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("k"), GroupPhase::kPending);
  EXPECT_TRUE(s.Binds().empty());
}

}  // namespace
}  // namespace basalt

// capacity with enableHierarchy: the worked example 7.4 of the reference, its traps, and wrong hierarchies.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

constexpr char kConfig[] = R"(actions: "enqueue, allocate"
tiers:
- plugins: [{name: gang}, {name: capacity, enableHierarchy: true}, {name: predicates}]
)";

void SixteenCpus(Scenario* s) { s->Node("n1", "cpu: 16, memory: 64Gi"); }

void WorkedExample(Scenario* s) {
  SixteenCpus(s);
  s->Queue("da", "deserved: {cpu: 8}, capability: {cpu: 12}, guarantee: {resource: {cpu: 2}}").Queue("db", "deserved: {cpu: 8}");
  s->Queue("a1", "parent: da, deserved: {cpu: 4}").Queue("a2", "parent: da, deserved: {cpu: 4}, guarantee: {resource: {cpu: 2}}");
  s->Queue("b1", "parent: db, deserved: {cpu: 8}");
}

TEST(CapacityTree, LeafMayHoldWhatSiblingsGuaranteeLeaves) {  // worked example 7.4
  Scenario s;
  WorkedExample(&s);
  s.Group("j", "queue: a1, minMember: 1").Pods("j", 12, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 10);
}

TEST(CapacityTree, SiblingFillsItsParentsCapability) {  // worked example 7.4: a2 asks 2 when a1 holds 10: leaf 2 of 12, da 12 of 12
  Scenario s;
  WorkedExample(&s);
  s.Group("j", "queue: a1, minMember: 1").Pods("j", 10, "cpu: 1", "n1");
  s.Group("k", "queue: a2, minMember: 1").Pods("k", 3, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("k"), 2);
}

TEST(CapacityTree, LeavesAreOrderedByTheSiblingsAboveThem) {  // worked example 7.4, order: da against db, not a1 against b1
  Scenario s;
  WorkedExample(&s);
  // a2 holds 7 of deserved 4, so da is at 7/8; b1 holds 4 of 8. One cpu of 16 is left beside 4 that another scheduler's pod holds.
  s.Group("held", "queue: a2, minMember: 1", "Running").Pods("held", 7, "cpu: 1", "n1");
  s.Group("heldb", "queue: b1, minMember: 1", "Running").Pods("heldb", 4, "cpu: 1", "n1");
  s.Group("other", "queue: default, minMember: 1", "Running").Pods("other", 1, "cpu: 4", "n1");
  s.Group("a", "queue: a1, minMember: 1").Pods("a", 1, "cpu: 1");  // a1's own share is 0
  s.Group("b", "queue: b1, minMember: 1").Pods("b", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("a"), 0);
  EXPECT_EQ(s.Bound("b"), 1);
}

TEST(CapacityTree, AncestorSharesStandFrozenWithinACycle) {  // G8
  Scenario s;
  SixteenCpus(&s);
  s.Queue("da", "deserved: {cpu: 8}").Queue("db", "deserved: {cpu: 8}").Queue("a1", "parent: da, deserved: {cpu: 8}").Queue("b1", "parent: db, deserved: {cpu: 8}");
  s.Group("held", "queue: b1, minMember: 1", "Running").Pods("held", 1, "cpu: 1", "n1");
  // da stays at share 0 and db at 1/8 for the whole cycle, so a1 takes everything that is free.
  s.Group("a", "queue: a1, minMember: 1").Pods("a", 15, "cpu: 1");
  s.Group("b", "queue: b1, minMember: 1").Pods("b", 15, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("a"), 15);
  EXPECT_EQ(s.Bound("b"), 0);
}

TEST(CapacityTree, PriorityGoesBeforeShare) {
  Scenario s;
  SixteenCpus(&s);
  s.Queue("a", "deserved: {cpu: 8}, priority: 5").Queue("b", "deserved: {cpu: 8}");
  s.Group("held", "queue: a, minMember: 1", "Running").Pods("held", 12, "cpu: 1", "n1");
  s.Group("ja", "queue: a, minMember: 1").Pods("ja", 4, "cpu: 1");
  s.Group("jb", "queue: b, minMember: 1").Pods("jb", 4, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("ja"), 4);
}

TEST(CapacityTree, AdmissionIsAskedUpToTheRoot) {  // what siblings were admitted for counts in their parent
  Scenario s;
  SixteenCpus(&s);
  s.Queue("d", "capability: {cpu: 4}").Queue("d1", "parent: d").Queue("d2", "parent: d");
  s.Group("j1", "queue: d1, minMember: 3, minResources: {cpu: 3}").Group("j2", "queue: d2, minMember: 2, minResources: {cpu: 2}").Run(kConfig);
  EXPECT_EQ(s.Phase("j1"), GroupPhase::kInqueue);
  EXPECT_EQ(s.Phase("j2"), GroupPhase::kPending);
}

TEST(CapacityTree, TopLevelQueuesAreNotLimitedByTheCluster) {  // G27
  Scenario s;
  SixteenCpus(&s);
  s.Queue("a", "deserved: {cpu: 8}").Group("j", "queue: a, minMember: 40, minResources: {cpu: 40}").Run(kConfig);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kInqueue);
}

TEST(CapacityTree, RootWithOnlyCpuLeavesNoMemory) {  // G28
  Scenario s;
  SixteenCpus(&s);
  s.Queue("root", "capability: {cpu: 8}").Queue("a", "deserved: {cpu: 8}");
  s.Group("j", "queue: a, minMember: 1").Pods("j", 1, "cpu: 1, memory: 1Gi");
  s.Group("k", "queue: a, minMember: 1").Pods("k", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 0);
  EXPECT_EQ(s.Bound("k"), 1);
}

TEST(CapacityTree, ChildInheritsTheCapabilityItLeavesOut) {  // G29
  Scenario s;
  SixteenCpus(&s);
  s.Queue("d", "capability: {cpu: 12, memory: 4Gi}").Queue("d1", "parent: d, capability: {cpu: 2}");
  s.Group("j", "queue: d1, minMember: 1").Pods("j", 8, "cpu: 100m, memory: 1Gi").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 4);
}

TEST(CapacityTree, ClosedParentDoesNotStopOpenChildren) {  // G34
  Scenario s;
  SixteenCpus(&s);
  s.Queue("d", "deserved: {cpu: 8}", "", "Closed").Queue("d1", "parent: d").Queue("d2", "parent: d", "", "Closed");
  s.Group("j", "queue: d1, minMember: 1").Pods("j", 1, "cpu: 1");
  s.Group("k", "queue: d2, minMember: 1").Pods("k", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("j"), 1);
  EXPECT_EQ(s.Bound("k"), 0);
}

TEST(CapacityTree, QueueWithoutDeservedGoesAfterThoseBelowTheirs) {  // G30: its share is 1 always
  Scenario s;
  SixteenCpus(&s);
  s.Queue("none", "weight: 1").Queue("some", "deserved: {cpu: 8}");
  s.Group("j", "queue: none, minMember: 1").Pods("j", 16, "cpu: 1");
  s.Group("k", "queue: some, minMember: 1").Pods("k", 16, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("k"), 9);  // eight up to share 1, the ninth since on equal shares the queue that deserves something goes first
  EXPECT_EQ(s.Bound("j"), 7);  // then 1 is less than 9/8
}

// ---- wrong hierarchies concern the queues that they name ----

TEST(CapacityTree, LoopIsSetAside) {
  Scenario s;
  SixteenCpus(&s);
  s.Queue("a", "parent: b").Queue("b", "parent: a").Queue("below", "parent: a").Queue("self", "parent: self").Queue("good", "deserved: {cpu: 4}");
  for (const char* q : {"a", "below", "self", "good"})
    s.Group(std::string("in-") + q, std::string("minMember: 1, minResources: {cpu: 1}, queue: ") + q).Pods(std::string("in-") + q, 1, "cpu: 1");
  s.Run(kConfig);
  EXPECT_EQ(s.Binds().size(), 1u);
  EXPECT_EQ(s.Bound("in-good"), 1);
  for (const char* q : {"a", "below", "self"}) EXPECT_EQ(s.Phase(std::string("in-") + q), GroupPhase::kPending);
  EXPECT_TRUE(s.Told("Queue a", "loop"));
  EXPECT_TRUE(s.Told("Queue b", "loop"));
  EXPECT_TRUE(s.Told("Queue self", "loop"));
  EXPECT_TRUE(s.Told("Queue below", "set aside"));
}

TEST(CapacityTree, MissingParentIsSetAside) {
  Scenario s;
  SixteenCpus(&s);
  s.Queue("a", "parent: gone").Queue("a1", "parent: a").Queue("good", "deserved: {cpu: 4}");
  for (const char* q : {"a1", "good"}) s.Group(std::string("in-") + q, std::string("minMember: 1, queue: ") + q).Pods(std::string("in-") + q, 1, "cpu: 1");
  s.Run(kConfig);
  EXPECT_EQ(s.Binds().size(), 1u);
  EXPECT_EQ(s.Bound("in-good"), 1);
  EXPECT_TRUE(s.Told("Queue a", "parent queue not found: gone"));
  EXPECT_TRUE(s.Told("Queue a1", "set aside"));
}

TEST(CapacityTree, JobInInnerQueueWaitsAloneAndWhatRunsThereCounts) {
  Scenario s;
  SixteenCpus(&s);
  s.Queue("d", "capability: {cpu: 4}").Queue("d1", "parent: d");
  s.Group("old", "queue: d, minMember: 1", "Running").Pods("old", 3, "cpu: 1", "n1");
  s.Group("inner", "queue: d, minMember: 1").Pods("inner", 1, "cpu: 1");
  s.Group("leaf", "queue: d1, minMember: 1").Pods("leaf", 2, "cpu: 1");
  s.Group("else", "queue: default, minMember: 1").Pods("else", 1, "cpu: 1").Run(kConfig);
  EXPECT_EQ(s.Bound("inner"), 0);
  EXPECT_EQ(s.Bound("leaf"), 1);
  EXPECT_EQ(s.Bound("else"), 1);
  EXPECT_TRUE(s.Told("PodGroup ns/inner", "has child queues"));
}

}  // namespace
}  // namespace basalt

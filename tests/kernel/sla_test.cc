// sla: who has waited its time passes, but only past rejects of later tiers.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

std::string Config(const std::string& first_tier, const std::string& second_tier) {
  return "actions: \"enqueue, allocate\"\ntiers:\n- plugins: [" + first_tier + "]\n- plugins: [" + second_tier + "]\n";
}

constexpr char kSla[] = "{name: sla}", kAnHour[] = "volcano.sh/sla-waiting-time: 1h";
constexpr int64_t kNow = Scenario::kNoonSeconds + 3600 + 60;  // an hour and some seconds after the groups were made

void Fill(Scenario* s, const std::string& annotations) {
  s->Node("n1", "cpu: 4, memory: 8Gi").Group("j", "queue: default, minMember: 6, minResources: {cpu: 6}", "Pending", annotations).Pods("j", 6, "cpu: 1");
}

TEST(Sla, AnEarlierTierLetsAJobInThatOvercommitRejects) {
  Scenario s;
  Fill(&s, kAnHour);
  s.Run(Config(kSla, "{name: gang}, {name: overcommit}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kInqueue);
}

TEST(Sla, InTheSameTierARejectWins) {
  Scenario s;
  Fill(&s, kAnHour);
  s.Run(Config("{name: sla}, {name: overcommit}", "{name: gang}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kPending);
}

TEST(Sla, BeforeItsTimeItAbstains) {
  Scenario s;
  Fill(&s, "volcano.sh/sla-waiting-time: 2h");
  s.Run(Config(kSla, "{name: gang}, {name: overcommit}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kPending);
  EXPECT_EQ(s.engine().kernel.plan().next_wakeup_ns, (Scenario::kNoonSeconds + 7200) * 1'000'000'000);  // a live scheduler looks again then
}

TEST(Sla, AnIdleKernelDecidesAnewWhenTheTimeIsOver) {
  Scenario s;
  Fill(&s, "volcano.sh/sla-waiting-time: 2h");
  const std::string config = Config(kSla, "{name: gang}, {name: overcommit}, {name: predicates}");
  s.Run(config, 3, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kPending);
  s.engine().Cycle((Scenario::kNoonSeconds + 7201) * 1'000'000'000, false);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kInqueue);
}

TEST(Sla, APartialGangKeepsItsRoomAsPipelined) {  // JobPipelined is permitted before gang is asked
  Scenario s;
  Fill(&s, kAnHour);
  s.Group("k", "queue: default, minMember: 1").Pods("k", 1, "cpu: 1");
  s.Run(Config(kSla, "{name: gang}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Bound("k"), 0);  // four of j hold the node until the session ends
}

TEST(Sla, TheEarliestDeadlineGoesFirst) {
  Scenario s;
  s.Node("n1", "cpu: 1, memory: 8Gi");
  s.Group("none", "queue: default, minMember: 1").Pods("none", 1, "cpu: 1");
  s.Group("late", "queue: default, minMember: 1", "", "volcano.sh/sla-waiting-time: 9h").Pods("late", 1, "cpu: 1");
  s.Group("soon", "queue: default, minMember: 1", "", "sla-waiting-time: 5h").Pods("soon", 1, "cpu: 1");
  s.Run(Config(kSla, "{name: gang}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Bound("soon"), 1);
}

TEST(Sla, TheArgumentCountsForJobsThatSayNothing) {
  Scenario s;
  Fill(&s, "volcano.sh/sla-waiting-time: soon");
  s.Run(Config("{name: sla, arguments: {sla-waiting-time: 1h}}", "{name: gang}, {name: overcommit}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kInqueue);
  EXPECT_TRUE(s.Told("PodGroup ns/j", "is no duration above 0"));
}

TEST(Sla, AnArgumentThatIsNoDurationIsTold) {
  Scenario s;
  Fill(&s, "");
  s.Run(Config("{name: sla, arguments: {sla-waiting-time: 1 hour}}", "{name: gang}, {name: overcommit}, {name: predicates}"), 1, kNow);
  EXPECT_EQ(s.Phase("j"), GroupPhase::kPending);
  EXPECT_TRUE(s.Told("plugin sla", "is no duration above 0"));
}

}  // namespace
}  // namespace basalt

// tdm: who may use revocable nodes, and when. The time is data.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;

constexpr char kZones[] = "tdm.revocable-zone.day: 08:00-18:00, tdm.revocable-zone.night: 22:00-06:00";
std::string Config(const std::string& arguments) {
  return "actions: \"allocate\"\ntiers:\n- plugins: [{name: gang}, {name: predicates}, {name: nodeorder}, {name: tdm, arguments: {" + arguments + "}}]\n";
}
constexpr int64_t kMidnight = Scenario::kNoonSeconds - 12 * 3600;

// Where a revocable and a plain pod go at an hour of the day.
std::map<std::string, std::string> At(double hour, const std::string& arguments = kZones) {
  Scenario s;
  s.Node("anight", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: night").Node("aday", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: day");
  s.Node("other", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: other").Node("plain", "cpu: 1, memory: 8Gi");
  s.Group("r", "queue: default, minMember: 1").Pods("r", 1, "cpu: 1", "", 0, "volcano.sh/preemptable: 'true'");
  s.Group("p", "queue: default, minMember: 1").Pods("p", 2, "cpu: 1");
  return s.Run(Config(arguments), 1, kMidnight + static_cast<int64_t>(hour * 3600)).Binds();
}

TEST(Tdm, RevocablePodsGoToAnActiveZoneAndOthersNeverDo) {
  const auto binds = At(12);
  EXPECT_EQ(binds.at("r-0"), "aday");  // 100 points
  EXPECT_EQ(binds.at("p-0"), "plain");
  EXPECT_EQ(binds.count("p-1"), 0u);   // the other node of the zone is not for it
}

TEST(Tdm, TheHoursIncludeTheirEndToTheSecond) {
  EXPECT_EQ(At(8).at("r-0"), "aday");
  EXPECT_EQ(At(18).at("r-0"), "aday");
  EXPECT_EQ(At(18 + 1.0 / 3600).at("r-0"), "plain");
}

TEST(Tdm, NightEndsAtMidnight) {  // G57: the start is always today's
  EXPECT_EQ(At(23).at("r-0"), "anight");
  EXPECT_EQ(At(2).at("r-0"), "plain");
}

TEST(Tdm, EqualEndsAreTheWholeDay) { EXPECT_EQ(At(3, "tdm.revocable-zone.other: 00:00-00:00").at("r-0"), "other"); }

TEST(Tdm, ARevocableZoneHasToBeAnyZone) {  // the annotation goes before the one that allows preemption
  Scenario s;
  s.Node("n1", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: day");
  s.Group("named", "queue: default, minMember: 1").Pods("named", 1, "cpu: 1", "", 0, "volcano.sh/preemptable: 'true', volcano.sh/revocable-zone: day");
  s.Group("any", "queue: default, minMember: 1").Pods("any", 1, "cpu: 1", "", 0, "volcano.sh/revocable-zone: '*'");
  s.Run(Config(kZones), 1, kMidnight + 12 * 3600);
  EXPECT_EQ(s.Bound("named"), 0);
  EXPECT_EQ(s.Bound("any"), 1);
}

TEST(Tdm, AWrongArgumentLeavesItsZoneOut) {
  Scenario s;
  s.Node("n1", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: day");
  s.Group("r", "queue: default, minMember: 1").Pods("r", 1, "cpu: 1", "", 0, "volcano.sh/preemptable: 'true'");
  s.Run(Config("tdm.revocable-zone.day: 8 to 18, tdm.revocable-zone.x: 25:00-26:00, tdm.evict.period: 60"));
  EXPECT_TRUE(s.Binds().empty());
  for (const char* part : {"\"8 to 18\" where HH:MM-HH:MM", "\"25:00-26:00\" where HH:MM-HH:MM", "60 where a text is expected"}) EXPECT_TRUE(s.Told("plugin tdm", part)) << part;
}

TEST(Tdm, TheKernelWakesWhereHoursBeginOrEnd) {
  Scenario s;
  s.Node("n1", "cpu: 2, memory: 8Gi", "volcano.sh/revocable-zone: day");
  s.Group("r", "queue: default, minMember: 1").Pods("r", 1, "cpu: 1", "", 0, "volcano.sh/preemptable: 'true'");
  s.Run(Config(kZones), 2, kMidnight + 7 * 3600);
  EXPECT_TRUE(s.Binds().empty());
  EXPECT_EQ(s.engine().kernel.plan().next_wakeup_ns, (kMidnight + 8 * 3600) * 1'000'000'000);
  s.engine().Cycle((kMidnight + 8 * 3600) * 1'000'000'000, false);
  EXPECT_EQ(s.Bound("r"), 1);
}

TEST(Tdm, JobsThatMayNotBePreemptedGoFirst) {
  Scenario s;
  s.Node("n1", "cpu: 1, memory: 8Gi");
  s.Group("a", "queue: default, minMember: 1", "", "volcano.sh/preemptable: 'true'").Pods("a", 1, "cpu: 1");
  s.Group("b", "queue: default, minMember: 1").Pods("b", 1, "cpu: 1");
  s.Run(Config(kZones));
  EXPECT_EQ(s.Bound("b"), 1);
}

}  // namespace
}  // namespace basalt

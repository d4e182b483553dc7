// The live side of the door: records in, writes out, results back.
#include "tests/support/door.h"

namespace basalt {
namespace {

const std::string kNodeA = test::NodeJson("a", "4"), kQueue = test::QueueJson("default");
std::string Group(const std::string& name, int min, const std::string& phase = "Inqueue") { return test::GroupJson(name, min, phase); }
template <class... Args>
std::string Pod(const Args&... args) {
  return test::PodJson(args...);
}

class Live : public ::testing::Test, public test::Door {
 protected:
  Live() : Door(true) {}
  void Have(const std::string& object) { Upsert(object); }
  static std::vector<Write> Of(const std::vector<Write>& all, uint32_t kind) {
    std::vector<Write> out;
    for (const Write& w : all)
      if (w.kind == kind) out.push_back(w);
    return out;
  }
  basalt_status BindResult(const std::string& pod, const std::string& outcome) {
    return Send(BASALT_RECORD_RESULT, R"({"write":"bind","namespace":"n","name":")" + pod + R"(","uid":"u-)" + pod + R"(","outcome":")" + outcome +
                                          R"(","message":"etcd is full"})");
  }
};

TEST_F(Live, BindsOnceAndWaitsForTheWatch) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 2)), Have(Pod("g", "g-0", "1")), Have(Pod("g", "g-1", "1"));
  const auto binds = Of(Cycle(), BASALT_WRITE_BIND);
  ASSERT_EQ(2u, binds.size());
  EXPECT_EQ("n/g", binds[0].group);
  EXPECT_EQ(R"({"apiVersion":"v1","kind":"Binding","metadata":{"namespace":"n","name":"g-0","uid":"u-g-0"},"target":{"kind":"Node","name":"a"}})", binds[0].body);
  // An update that has no node yet (a label, say) says nothing about the bind in flight.
  Have(Pod("g", "g-0", "1", "", 4));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_BIND).empty());
  ASSERT_EQ(BASALT_OK, BindResult("g-0", "done"));
  ASSERT_EQ(BASALT_OK, BindResult("g-1", "unknown"));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_BIND).empty());
  Have(Pod("g", "g-0", "1", "a", 5)), Have(Pod("g", "g-1", "1", "a", 5));
  const auto after = Cycle();
  EXPECT_TRUE(Of(after, BASALT_WRITE_BIND).empty());
  const auto groups = Of(after, BASALT_WRITE_PODGROUP_STATUS);
  ASSERT_EQ(1u, groups.size());
  EXPECT_NE(std::string::npos, groups[0].body.find(R"("phase":"Running")")) << groups[0].body;
  EXPECT_TRUE(Cycle().empty()) << "nothing is written twice";
}

TEST_F(Live, ARefusedBindIsForgottenToldAndTriedAgain) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1)), Have(Pod("g", "g-0", "1"));
  ASSERT_EQ(1u, Of(Cycle(), BASALT_WRITE_BIND).size());
  ASSERT_EQ(BASALT_OK, BindResult("g-0", "refused"));
  const auto told = Take();
  ASSERT_EQ(1u, told.size());
  EXPECT_EQ(static_cast<uint32_t>(BASALT_WRITE_POD_CONDITION), told[0].kind);
  EXPECT_NE(std::string::npos, told[0].body.find(R"("reason":"SchedulerError","message":"failed to bind to node a: etcd is full")")) << told[0].body;
  EXPECT_EQ(1u, Of(Cycle(), BASALT_WRITE_BIND).size());
}

TEST_F(Live, AResultForAnEarlierPodOfTheNameCountsForNothing) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1)), Have(Pod("g", "g-0", "1"));
  ASSERT_EQ(1u, Of(Cycle(), BASALT_WRITE_BIND).size());
  Have(Pod("g", "g-0", "1", "", 9, "another"));
  const auto again = Of(Cycle(), BASALT_WRITE_BIND);
  ASSERT_EQ(1u, again.size());
  EXPECT_EQ("another", again[0].uid);
  ASSERT_EQ(BASALT_OK, BindResult("g-0", "refused"));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_BIND).empty());
}

TEST_F(Live, TheRestOfAPartialGangGoesFirst) {
  // The room of one pod is left; "a-first" would take it by name, but the gang has one member bound already.
  Have(kNodeA), Have(kQueue), Have(Group("a-first", 1)), Have(Group("gang", 2));
  Have(Pod("a-first", "a-first-0", "2")), Have(Pod("gang", "gang-0", "2", "a")), Have(Pod("gang", "gang-1", "2"));
  const auto binds = Of(Cycle(), BASALT_WRITE_BIND);
  ASSERT_EQ(1u, binds.size());
  EXPECT_EQ("gang-1", binds[0].name);
}

TEST_F(Live, ARelistSweepsWhatIsGone) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1)), Have(Pod("g", "g-0", "3", "a")), Have(Pod("g", "g-1", "3"));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_BIND).empty());
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_LIST_BEGIN, "Pod"));
  Have(R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"20"},"items":[)" + Pod("g", "g-1", "3") + "]}");
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_LIST_END, "Pod"));
  const auto binds = Of(Cycle(), BASALT_WRITE_BIND);
  ASSERT_EQ(1u, binds.size());
  EXPECT_EQ("g-1", binds[0].name);
  EXPECT_EQ(BASALT_BAD_INPUT, Send(BASALT_RECORD_LIST_END, "Pod")) << "no list is open";
  EXPECT_EQ(BASALT_BAD_INPUT, Send(BASALT_RECORD_LIST_BEGIN, "Potato"));
}

TEST_F(Live, WatchFrames) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1));
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_WATCH, R"({"type":"ADDED","object":)" + Pod("g", "g-0", "1") + "}\n"));
  EXPECT_EQ(1u, Of(Cycle(), BASALT_WRITE_BIND).size());
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_WATCH, R"({"type":"DELETED","object":)" + Pod("g", "g-0", "1", "", 8) + "}\n"));
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_WATCH, R"({"type":"ADDED","object":)" + Pod("g", "g-0", "1", "", 9, "again") + "}\n"));
  EXPECT_EQ(1u, Of(Cycle(), BASALT_WRITE_BIND).size());
  EXPECT_EQ(BASALT_OK, Send(BASALT_RECORD_WATCH, R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"77"}}})"));
  EXPECT_EQ(BASALT_BAD_INPUT, Send(BASALT_RECORD_WATCH, R"({"type":"ERROR","object":{"kind":"Status","code":410}})"));
  EXPECT_EQ(BASALT_BAD_INPUT, Send(BASALT_RECORD_WATCH, "{"));
}

TEST_F(Live, AdmissionOfAGroupWithoutPodsIsUrgent) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1, "Pending"));
  const auto groups = Of(Cycle(), BASALT_WRITE_PODGROUP_STATUS);
  ASSERT_EQ(1u, groups.size());
  EXPECT_EQ(1u, groups[0].urgent);
  EXPECT_NE(std::string::npos, groups[0].body.find(R"("metadata":{"uid":"u-g","resourceVersion":"2"},"status":{"phase":"Inqueue")")) << groups[0].body;
  EXPECT_TRUE(Cycle().empty());
  // A write that failed comes again.
  ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_RESULT, R"({"write":"podgroup","namespace":"n","name":"g","uid":"u-g","outcome":"refused","message":"conflict"})"));
  EXPECT_EQ(1u, Of(Cycle(), BASALT_WRITE_PODGROUP_STATUS).size());
}

TEST_F(Live, QueueStatusIsTheSumAndOnlyWhatDiffers) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1)), Have(Pod("g", "g-0", "1500m", "a"));
  const auto queues = Of(Cycle(), BASALT_WRITE_QUEUE_STATUS);
  ASSERT_EQ(1u, queues.size());
  EXPECT_EQ("default", queues[0].name);
  EXPECT_NE(std::string::npos, queues[0].body.find(R"("allocated":{"cpu":"1500m","pods":"1")")) << queues[0].body;
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_QUEUE_STATUS).empty());
}

TEST_F(Live, ConditionsAreWrittenWhenTheirTextChanges) {
  Have(kNodeA), Have(kQueue), Have(Group("g", 1));
  std::string picky = Pod("g", "g-0", "1");
  picky.replace(picky.find(R"("schedulerName")"), 0, R"("nodeSelector":{"disk":"ssd"},)");
  Have(picky);
  const auto first = Of(Cycle(), BASALT_WRITE_POD_CONDITION);
  ASSERT_EQ(1u, first.size());
  EXPECT_NE(std::string::npos, first[0].body.find("0/1 nodes are unavailable: 1 node(s) didn't match Pod's node affinity/selector.")) << first[0].body;
  EXPECT_EQ("Warning FailedScheduling 0/1 nodes are unavailable: 1 node(s) didn't match Pod's node affinity/selector.", first[0].event);
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_POD_CONDITION).empty());
}

// One victim on the full node a, and a more important pod that wants its place.
class LiveEvictions : public Live {
 protected:
  LiveEvictions() {
    std::string conf = "actions: \"allocate, preempt\"\ntiers:\n- plugins: [{name: priority}, {name: gang}, {name: conformance}, {name: predicates}, {name: nodeorder}]\n";
    const size_t size = conf.size();
    conf.resize(size + BASALT_PADDING_BYTES);
    EXPECT_EQ(BASALT_OK, basalt_configure(engine(), {conf.data(), size}, "test"));
    Have(R"({"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"high"},"value":1000})");
    Have(kNodeA), Have(kQueue), Have(Group("low", 0)), Have(Pod("low", "low-0", "4", "a"));
    std::string high = Group("high", 1);
    high.replace(high.find(R"("minMember")"), 0, R"("priorityClassName":"high",)");
    Have(high), Have(Pod("high", "high-0", "4"));
  }
  basalt_status EvictResult(const std::string& outcome, const std::string& uid = "u-low-0") {
    return Send(BASALT_RECORD_RESULT, R"({"write":"evict","namespace":"n","name":"low-0","uid":")" + uid + R"(","outcome":")" + outcome + R"(","message":"no"})");
  }
};

TEST_F(LiveEvictions, TheVictimGetsItsConditionsAndWhoWaitsItsNode) {
  const auto writes = Cycle();
  const auto evictions = Of(writes, BASALT_WRITE_EVICT), events = Of(writes, BASALT_WRITE_EVENT), conditions = Of(writes, BASALT_WRITE_POD_CONDITION);
  ASSERT_EQ(1u, evictions.size());
  EXPECT_EQ("u-low-0", evictions[0].uid);
  EXPECT_EQ("a", evictions[0].node);
  EXPECT_NE(std::string::npos, evictions[0].body.find(R"("type":"Ready","status":"False","reason":"Evict","message":"Pod is evicted, because of preempt")")) << evictions[0].body;
  EXPECT_NE(std::string::npos, evictions[0].body.find(R"("type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","message":"volcano: preempting)"));
  EXPECT_EQ("Warning Evict Pod is evicted, because of preempt", evictions[0].event);
  ASSERT_EQ(1u, events.size());
  EXPECT_EQ("Normal Evict preempt", events[0].event);
  ASSERT_EQ(1u, conditions.size());
  EXPECT_NE(std::string::npos, conditions[0].body.find(R"("nominatedNodeName":"a")")) << conditions[0].body;
}

TEST_F(LiveEvictions, NobodyIsEvictedTwiceWhileTheVictimLeaves) {
  ASSERT_EQ(1u, Of(Cycle(), BASALT_WRITE_EVICT).size());
  Have(Pod("low", "low-0", "4", "a", 5));  // an update in between, which says nothing of the eviction
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_EVICT).empty());
  ASSERT_EQ(BASALT_OK, EvictResult("done"));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_EVICT).empty());
  std::string leaving = Pod("low", "low-0", "4", "a", 6);
  leaving.replace(leaving.find(R"("uid")"), 0, R"("deletionTimestamp":"2026-01-01T00:00:00Z",)");
  Have(leaving);
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_EVICT).empty());
  Remove(leaving);
  const auto binds = Of(Cycle(), BASALT_WRITE_BIND);
  ASSERT_EQ(1u, binds.size());
  EXPECT_EQ("high-0", binds[0].name);
}

TEST_F(LiveEvictions, ARefusedEvictionIsForgotten) {
  ASSERT_EQ(1u, Of(Cycle(), BASALT_WRITE_EVICT).size());
  ASSERT_EQ(BASALT_OK, EvictResult("refused", "another"));
  EXPECT_TRUE(Of(Cycle(), BASALT_WRITE_EVICT).empty()) << "of an earlier pod of the name";
  ASSERT_EQ(BASALT_OK, EvictResult("refused"));
  EXPECT_EQ(1u, Of(Cycle(), BASALT_WRITE_EVICT).size());
}

TEST_F(LiveEvictions, APodThatIsMadeAnewIsNotLeaving) {
  ASSERT_EQ(1u, Of(Cycle(), BASALT_WRITE_EVICT).size());
  Have(Pod("low", "low-0", "4", "a", 9, "another"));
  const auto again = Of(Cycle(), BASALT_WRITE_EVICT);
  ASSERT_EQ(1u, again.size());
  EXPECT_EQ("another", again[0].uid);
}

}  // namespace
}  // namespace basalt

// Recordings: repeated hash for hash; whatever is damaged in one is told, and nothing worse happens.
#include <cinttypes>
#include <cstdio>
#include <random>

#include "tests/support/door.h"

namespace basalt {
namespace {

/// A live engine whose stream is written down as the bridge does it.
class Taped : public test::Door {
 public:
  Taped() : Door(true) { Line(R"({"recording":1,"schedulerNames":["volcano"],"defaultQueue":"default","lenient":false})"), Line(R"({"config":""})"); }
  void Put(const std::string& object) { Upsert(object), Line("{\"put\":" + object + "}"); }
  void Result(const std::string& json) {
    ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_RESULT, json));
    Line("{\"result\":" + json + "}");
  }
  void Run() {
    now_ns += 1'000'000'000;
    ASSERT_EQ(BASALT_OK, basalt_cycle(engine(), now_ns, 0, nullptr));
    uint64_t hash = 0;
    ASSERT_EQ(BASALT_OK, basalt_cycle_hash(engine(), &hash));
    char line[96];
    std::snprintf(line, sizeof line, R"({"cycle":%)" PRId64 R"(,"hash":"%016)" PRIx64 R"("})", now_ns, hash);
    Line(line);
    Take();
  }
  void Line(const std::string& line) { text += line + "\n"; }
  /// What a second file begins with.
  std::string Assumed() {
    basalt_buffer out{};
    EXPECT_EQ(BASALT_OK, basalt_assumed_json(engine(), &out));
    std::string json(out.data, out.size);
    basalt_buffer_free(&out);
    return json;
  }

  std::string text;
  int64_t now_ns = 1'700'000'000'000'000'000;
};

struct Outcome {
  basalt_status status;
  basalt_replay_result result;
  std::string why;
};
Outcome Replay(std::string text) {
  const size_t size = text.size();
  text.resize(size + BASALT_PADDING_BYTES);
  basalt_options options{};
  options.size = sizeof options;
  options.threads = 1;
  Outcome o{};
  o.result.size = sizeof o.result;
  basalt_buffer why{};
  o.status = basalt_replay(&options, {text.data(), size}, &o.result, &why);
  if (why.data) o.why.assign(why.data, why.size);
  basalt_buffer_free(&why);
  return o;
}

void Play(Taped* t) {
  t->Put(test::NodeJson("a", "4")), t->Put(test::NodeJson("b", "2")), t->Put(test::QueueJson("default"));
  t->Put(test::GroupJson("g", 2)), t->Put(test::PodJson("g", "g-0", "1")), t->Put(test::PodJson("g", "g-1", "1"));
  t->Put(test::GroupJson("big", 2)), t->Put(test::PodJson("big", "big-0", "4")), t->Put(test::PodJson("big", "big-1", "4"));
  t->Run();
  t->Result(R"({"write":"bind","namespace":"n","name":"g-0","uid":"u-g-0","outcome":"refused","message":"no"})");
  t->Run();
}

TEST(Replay, RepeatsEveryCycle) {
  Taped t;
  Play(&t);
  const Outcome o = Replay(t.text);
  EXPECT_EQ(BASALT_OK, o.status) << o.why;
  EXPECT_EQ(2u, o.result.cycles);
  EXPECT_EQ(14u, o.result.lines);
}

TEST(Replay, ASecondFileBeginsWithWhatIsAssumed) {
  Taped t;
  t.Put(test::NodeJson("a", "2")), t.Put(test::QueueJson("default"));
  const std::string objects = test::GroupJson("g", 1, "Pending");
  t.Put(objects), t.Put(test::PodJson("g", "g-0", "2"));
  t.Run();  // g-0 has the whole node, g is admitted; the API server has not said so yet
  t.text.clear();
  t.Line(R"({"recording":1,"schedulerNames":["volcano"],"defaultQueue":"default","lenient":false})"), t.Line(R"({"config":""})");
  for (const std::string& o : {test::NodeJson("a", "2"), test::QueueJson("default"), objects, test::PodJson("g", "g-0", "2")}) t.Line("{\"put\":" + o + "}");
  const std::string without = t.text;
  t.Line("{\"assumed\":" + t.Assumed() + "}");
  const size_t begin = t.text.size();
  t.Put(test::GroupJson("late", 1)), t.Put(test::PodJson("late", "late-0", "1"));
  t.Run();
  const Outcome with = Replay(t.text);
  EXPECT_EQ(BASALT_OK, with.status) << with.why;
  EXPECT_EQ(BASALT_REFUSED, Replay(without + t.text.substr(begin)).status) << "without it another thing is decided";
}

TEST(Replay, NamesTheFirstCycleThatDiffers) {
  Taped t;
  Play(&t);
  std::string forged = t.text;
  forged.replace(forged.find("\"hash\":\"") + 8, 16, "0123456789abcdef");
  const Outcome o = Replay(forged);
  EXPECT_EQ(BASALT_REFUSED, o.status);
  EXPECT_EQ(12u, o.result.differs_line) << o.why;
  EXPECT_EQ(0u, o.result.cycles);
  EXPECT_EQ(1'700'000'001'000'000'000, o.result.differs_now_ns);
}

TEST(Replay, SaysWhatIsWrongWithARecording) {
  Taped t;
  Play(&t);
  const auto why = [](const std::string& text) {
    const Outcome o = Replay(text);
    EXPECT_EQ(BASALT_BAD_INPUT, o.status) << text;
    return o.why;
  };
  const std::string head = t.text.substr(0, t.text.find('\n') + 1);
  EXPECT_EQ("the recording is empty", why(""));
  EXPECT_EQ("line 1: is not the head of a recording", why("{}\n"));
  EXPECT_EQ("line 1: recording of version 2; this basalt reads version 1", why("{\"recording\":2}\n"));
  EXPECT_EQ("line 2: is none of put, del, begin, end, result, shard, assumed, config, cycle", why(head + "{\"dance\":1}\n"));
  EXPECT_EQ("line 2: a cycle before any configuration", why(head + "{\"cycle\":1,\"hash\":\"0123456789abcdef\"}\n"));
  EXPECT_EQ("line 14: the recording is cut off here", why(t.text.substr(0, t.text.size() - 1)));
}

TEST(Replay, CutAnywhereItIsTold) {
  Taped t;
  Play(&t);
  for (size_t n = 0; n < t.text.size(); n++) {
    if (n && t.text[n - 1] == '\n') continue;  // between two lines: a shorter recording
    EXPECT_EQ(BASALT_BAD_INPUT, Replay(t.text.substr(0, n)).status) << n;
  }
}

TEST(Replay, DamagedAnywhereItDoesNoHarm) {
  Taped t;
  Play(&t);
  t.Line("{\"assumed\":" + t.Assumed() + "}");
  std::mt19937 random(7);
  for (int i = 0; i < 3000; i++) {
    std::string damaged = t.text;
    for (uint32_t k = 0, n = 1 + random() % 4; k < n; k++) {
      const size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0: damaged[at] = static_cast<char>(random()); break;
        case 1: damaged.erase(at, random() % 40); break;
        case 2: damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 60)); break;
        case 3: damaged[at] = "{}[]\":,\n0"[random() % 9]; break;
      }
      if (damaged.empty()) damaged = "\n";
    }
    const Outcome o = Replay(damaged);
    EXPECT_TRUE(o.status == BASALT_OK || o.status == BASALT_REFUSED || o.status == BASALT_BAD_INPUT) << o.status << "\n" << damaged;
    EXPECT_EQ(o.status == BASALT_OK, o.why.empty());
  }
}

}  // namespace
}  // namespace basalt

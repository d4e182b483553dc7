// basalt_score: what the C door promises beyond the texts that the command line tests read.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernel/include/basalt.h"

namespace {

constexpr char kCluster[] =
    R"({"kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}},
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n2"}, "status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": "10"}}},
  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default", "uid": "1"}, "spec": {"schedulerName": "volcano",
   "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}, "status": {"phase": "Pending"}}]})";

basalt_text TextOf(const std::string& s) { return {s.data(), s.size()}; }
std::string Padded(std::string s) {
  s.reserve(s.size() + BASALT_PADDING_BYTES);
  return s;
}

class ScoreDoor : public testing::Test {
 protected:
  void SetUp() override {
    basalt_options options{};
    options.size = sizeof options, options.threads = 1, options.offline = 1;
    basalt_engine* opened = nullptr;
    ASSERT_EQ(BASALT_OK, basalt_open(&options, &opened, nullptr));
    engine_.reset(opened);
    const std::string text = Padded(kCluster);
    ASSERT_EQ(BASALT_OK, basalt_read_text(opened, TextOf(text), "cluster", BASALT_FORMAT_JSON));
    ASSERT_EQ(BASALT_OK, basalt_configure(opened, {nullptr, 0}, nullptr));
    score_.size = sizeof score_, score_.format = "json";
  }
  basalt_status Score(const std::string& text = "") {
    const std::string variants = Padded(text);
    out_.clear();
    basalt_buffer why{nullptr, 0};
    score_.variants = variants.empty() ? basalt_text{nullptr, 0} : TextOf(variants);
    const auto append = [](void* user, basalt_text piece) { return static_cast<std::string*>(user)->append(piece.data, piece.size), 0; };
    const basalt_status status = basalt_score(engine_.get(), &score_, append, &out_, &why);
    why_ = why.data ? why.data : "";
    basalt_buffer_free(&why);
    return status;
  }

  struct Closer {
    void operator()(basalt_engine* e) const { basalt_close(e); }
  };
  std::unique_ptr<basalt_engine, Closer> engine_;
  basalt_score_options score_{};
  std::string out_, why_;
};

TEST_F(ScoreDoor, VariantsLeaveTheConfigurationInForce) {
  ASSERT_EQ(BASALT_OK, Score());
  const std::string before = out_;
  ASSERT_EQ(BASALT_OK, Score("x: {arguments: {nodeorder: {leastrequested.weight: 9}}}"));
  EXPECT_NE(std::string::npos, out_.find(R"({"variants":{"x":)"));
  ASSERT_EQ(BASALT_OK, Score());
  EXPECT_EQ(before, out_);
  ASSERT_EQ(BASALT_BAD_INPUT, Score("first: {actions: allocate}\nsecond: {actions: dance}"));
  EXPECT_EQ("", out_);
  EXPECT_EQ("variant second is refused", why_);
  ASSERT_EQ(BASALT_OK, Score());
  EXPECT_EQ(before, out_) << "a refused variant does not stay either";
}

TEST_F(ScoreDoor, TellsMistakesOfTheCaller) {
  score_.format = "poem";
  EXPECT_EQ(BASALT_INVALID_ARGUMENT, Score());
  score_.format = "json", score_.by = 7;
  EXPECT_EQ(BASALT_INVALID_ARGUMENT, Score());
  score_.by = BASALT_SCORE_SUM, score_.size--;
  EXPECT_EQ(BASALT_INVALID_ARGUMENT, Score());
}

TEST_F(ScoreDoor, StopsWhereTheCallbackHasEnough) {
  int calls = 0;
  const auto once = [](void* user, basalt_text) { return ++*static_cast<int*>(user); };
  EXPECT_EQ(BASALT_REFUSED, basalt_score(engine_.get(), &score_, once, &calls, nullptr));
  EXPECT_EQ(1, calls);
}

TEST_F(ScoreDoor, NamesAPodThatIsNotThere) {
  score_.pod = "other/a";
  EXPECT_EQ(BASALT_NOT_FOUND, Score());
  EXPECT_EQ("pod other/a is not in the input; did you mean default/a?", why_);
  EXPECT_EQ("", out_);
}

TEST(TimeDoor, ReadsTimes) {
  int64_t ns = 0;
  EXPECT_EQ(BASALT_OK, basalt_parse_time({"2025-11-30T11:53:20.5+01:00", 27}, &ns));
  EXPECT_EQ(1'764'500'000'500'000'000, ns);
  EXPECT_EQ(BASALT_BAD_INPUT, basalt_parse_time({"yesterday", 9}, &ns));
  EXPECT_EQ(BASALT_BAD_INPUT, basalt_parse_time({nullptr, 0}, &ns));
  EXPECT_EQ(BASALT_INVALID_ARGUMENT, basalt_parse_time({"2025-11-30T11:53:20Z", 20}, nullptr));
}

}  // namespace

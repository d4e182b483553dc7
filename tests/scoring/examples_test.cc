// The worked examples that stand with each rule, on every backend and for single rows; and the worked values of filters and normalisation.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/scoring/agree.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/catalogue.h"

namespace basalt::scoring {
namespace {

using test::AllBackends;

/// A table of equal rows (more than a vector and a remainder), so that an example runs in every lane.
NodeTable TableOf(size_t rows) {
  NodeTable t;
  test::Stream none(nullptr, 0);
  test::AddRows(&none, rows, test::Amounts::kOrdinary, &t);
  for (size_t i = 0; i < rows; i++) t.present[i] = 1, t.unschedulable[i] = 0, t.taint_set[i] = 0, t.max_pods[i] = 110, t.pod_count[i] = 0, t.images[i].clear(), t.ports[i].clear();
  t.present_count = rows;
  return t;
}

/// The example's amounts in both views of a node: Kubernetes' and Volcano's.
void Apply(const ScoreExample& e, NodeTable* t, PodClass* cls) {
  const ResourceId ids[] = {kCpu, kMemory, ResourceId{3}};
  for (size_t i = 0; i < t->rows; i++)
    for (int d = 0; d < 3; d++) {
      t->SetKubeAllocatable(d, i, e.allocatable[d]), t->kube_requested[d][i] = e.used[d];
      if (d < 2) t->kube_nonzero[d][i] = e.used[d];
      t->allocatable[ids[d].value][i] = e.allocatable[d];
      t->idle[ids[d].value][i] = t->future[ids[d].value][i] = e.allocatable[d] - e.used[d];
    }
  cls->request.clear();
  for (int d = 0; d < 3; d++) {
    cls->kube_request[d] = e.request[d];
    if (d < 2) cls->kube_nonzero[d] = e.request[d];
    if (d < 2 || e.request[d] > 0) cls->request.push_back({ids[d], e.request[d]});
  }
}

void ExpectEverywhere(const NodeTable& t, const PodClass& cls, const Profile& profile, double expect, std::string_view why) {
  for (const Backend* b : AllBackends()) {
    StaticColumns fixed;
    b->Static(t, cls, profile, 0, t.rows, &fixed);
    std::vector<uint8_t> mask(t.rows, 1);
    std::vector<double> key(PaddedRows(t.rows));
    const Norm norm = b->Extremes(fixed, mask.data(), 0, t.rows);
    b->Totals(t, cls, profile, fixed, norm, mask.data(), 0, t.rows, key.data());
    for (size_t i = 0; i < t.rows; i++) EXPECT_EQ(expect, key[i]) << b->Name() << ", row " << i << ": " << why;
    std::vector<double> parts(ScoreParts(profile).size());
    RowParts(t, cls, profile, fixed, norm, 0, parts.data());
    EXPECT_EQ(expect, std::accumulate(parts.begin(), parts.end(), 0.0)) << why;
  }
}

template <class Rule>
void RunBatchExamples() {
  if constexpr (requires { Rule::kExamples; }) {
    for (const ScoreExample& e : Rule::kExamples) {
      NodeTable t = TableOf(19);
      PodClass cls;
      Apply(e, &t, &cls);
      Profile profile;
      profile.*Rule::kWeight.member = 7;  // a weight that does not hide behind 1
      ExpectEverywhere(t, cls, profile, e.expect * 7, e.why);
    }
  }
}

template <class Rule>
void RunOrderExamples(const OrderRule& rule) {
  if constexpr (requires { Rule::kExamples; }) {
    for (const ScoreExample& e : Rule::kExamples) {
      NodeTable t = TableOf(19);
      PodClass cls;
      Apply(e, &t, &cls);
      Profile profile;
      profile.order.push_back(rule);
      ExpectEverywhere(t, cls, profile, e.expect, e.why);
    }
  }
}

TEST(Examples, EveryRuleOfTheCatalogue) {
#define BASALT_RUN(Rule) RunBatchExamples<Rule>();
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  OrderRule rule{};
  rule.weight = rule.binpack.weight = rule.strategy.weight = 1;
  rule.binpack.resources = {{kCpu, 1}, {kMemory, 1}};
  rule.strategy.resolved = {{true, true, 2}, {true, false, 1}};
#define BASALT_RUN(Rule) rule.kind = Rule::kKind, RunOrderExamples<Rule>(rule);
  BASALT_PLUGIN_SCORES(BASALT_RUN)
#undef BASALT_RUN
}

TEST(Examples, BinpackWithADevice) {
  NodeTable t = TableOf(19);
  PodClass cls;
  Apply({{8000, 32ll << 30, 8000}, {3000, 3ll << 30, 2000}, {1000, 1ll << 30, 1000}, 0, ""}, &t, &cls);
  Profile profile;
  OrderRule rule{};
  rule.kind = OrderRule::kBinpack;
  rule.binpack = {10, {{kCpu, 5}, {kMemory, 1}, {ResourceId{3}, 2}}};
  profile.order.push_back(rule);
  ExpectEverywhere(t, cls, profile, 421.875, "weight 10; cpu 5, memory 1, device 2");
}

TEST(Examples, ScarceResourcesAreAvoided) {
  NodeTable t = TableOf(16);
  PodClass cls;
  Apply({{8000, 32ll << 30, 0}, {0, 0, 0}, {1000, 1ll << 30, 0}, 0, ""}, &t, &cls);
  for (size_t i = 0; i < 16; i++) t.allocatable[3][i] = i % 2 ? 8000 : 0, t.allocatable[4][i] = 0;
  Profile profile;
  OrderRule rule{};
  rule.kind = OrderRule::kStrategyFit;
  rule.strategy.weight = 0, rule.strategy.sra_weight = 5, rule.strategy.sra_weight_sum = 3;
  rule.strategy.sra_resources = {{ResourceId{3}, 2}, {ResourceId{4}, 1}};
  profile.order.push_back(rule);
  for (const Backend* b : AllBackends()) {
    StaticColumns fixed;
    b->Static(t, cls, profile, 0, 16, &fixed);
    const std::vector<uint8_t> mask(16, 1);
    std::vector<double> key(16);
    b->Totals(t, cls, profile, fixed, {}, mask.data(), 0, 16, key.data());
    for (size_t i = 0; i < 16; i++) EXPECT_EQ(i % 2 ? (1.0 - 2.0 / 3.0) * 500.0 : 500.0, key[i]) << b->Name();
    // A class that asks for a device that the node lacks gets nothing for it.
    PodClass asks = cls;
    asks.request.push_back({ResourceId{4}, 1000});
    b->Totals(t, asks, profile, fixed, {}, mask.data(), 0, 16, key.data());
    for (size_t i = 0; i < 16; i++) EXPECT_EQ(0.0, key[i]) << b->Name();
  }
}

TEST(Examples, ImageLocality) {
  NodeTable t = TableOf(10);
  t.images[4] = {{StringId{7}, 800ll << 20, 3}, {StringId{8}, 120ll << 20, 10}};
  PodClass cls;
  cls.images = {StringId{7}, StringId{8}};
  cls.image_containers = 2;
  Profile profile;
  OrderRule rule{};
  rule.kind = OrderRule::kImageLocality;
  rule.weight = 3;
  profile.order.push_back(rule);
  for (const Backend* b : AllBackends()) {
    StaticColumns fixed;
    b->Static(t, cls, profile, 0, 10, &fixed);
    const std::vector<uint8_t> mask(10, 1);
    std::vector<double> key(PaddedRows(10));
    b->Totals(t, cls, profile, fixed, {}, mask.data(), 0, 10, key.data());
    for (size_t i = 0; i < 10; i++) EXPECT_EQ(i == 4 ? 51.0 : 0.0, key[i]) << b->Name();
  }
}

// Normalised rules: raw values over the candidates only.
TEST(Examples, Normalisation) {
  NodeTable t = TableOf(4);
  t.taint_sets.assign(4, {});
  const TaintRow soft{StringId{9}, StringId{0}, objects::TaintEffect::kPreferNoSchedule};
  t.taint_sets[1] = {soft}, t.taint_sets[2] = {soft, soft, soft}, t.taint_sets[3] = {soft, soft, soft, soft, soft, soft};
  for (uint32_t i = 0; i < 4; i++) t.taint_set[i] = i;
  PodClass cls;
  Profile profile;
  profile.taint_weight = 1;
  t.labels.resize(1);
  t.labels[0].value.Resize(4), t.labels[0].number.Resize(4), t.labels[0].has_number.Resize(4);
  for (uint32_t i = 0; i < 4; i++) t.labels[0].value[i] = 50 + i;
  for (uint32_t i = 0; i < 4; i++) {
    SelectorTerm term;
    term.tests.push_back({0, objects::Operator::kIn, {StringId{50 + i}}, 0});
    cls.preferred_terms.push_back({static_cast<int32_t>(std::array{0, 10, 37, 100}[i]), term});
  }
  for (const Backend* b : AllBackends()) {
    StaticColumns fixed;
    b->Static(t, cls, profile, 0, 4, &fixed);
    EXPECT_EQ(0u, fixed.affinity_raw.size()) << "the rule is off";
    const uint8_t mask[] = {1, 1, 1, 0};
    double key[kRowPad];
    Norm norm = b->Extremes(fixed, mask, 0, 4);
    EXPECT_EQ(3, norm.taint_max) << "row 3 is no candidate";
    b->Totals(t, cls, profile, fixed, norm, mask, 0, 4, key);
    EXPECT_EQ((std::vector<double>{100, 67, 0, kInfeasible}), std::vector<double>(key, key + 4)) << b->Name();
    const uint8_t first[] = {1, 0, 0, 0};
    norm = b->Extremes(fixed, first, 0, 4);
    b->Totals(t, cls, profile, fixed, norm, first, 0, 4, key);
    EXPECT_EQ(100, key[0]) << "100 where no candidate has any";

    Profile preferred;
    preferred.node_affinity_weight = 1;
    b->Static(t, cls, preferred, 0, 4, &fixed);
    norm = b->Extremes(fixed, mask, 0, 4);
    b->Totals(t, cls, preferred, fixed, norm, mask, 0, 4, key);
    EXPECT_EQ((std::vector<double>{0, 27, 100, kInfeasible}), std::vector<double>(key, key + 4)) << b->Name();
  }
}

// ---- filters ----

class Filters : public ::testing::Test {
 protected:
  Filters() : t(TableOf(9)) {
    profile.predicates = true;
    cls.request = {{kCpu, 1000}, {kMemory, 1}, {kPods, 1}};
    for (size_t i = 0; i < 9; i++) t.idle[0][i] = t.future[0][i] = 1000, t.idle[1][i] = t.future[1][i] = 1, t.idle[2][i] = t.future[2][i] = 1;
  }
  /// The reason bits of row 4 and its resource, after every backend agreed on whether it passes.
  RowReason Row4(Room room = Room::kIdle) {
    StaticColumns fixed;
    ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
    const RowReason reason = ReasonOfRow(t, cls, profile, fixed, room, 4);
    for (const Backend* b : AllBackends()) {
      std::vector<uint8_t> mask(9);
      b->Feasible(t, cls, profile, fixed, room, 0, 9, mask.data());
      EXPECT_EQ(reason.bits == 0, mask[4] == 1) << b->Name();
      for (size_t i = 0; i < 9; i++)
        EXPECT_TRUE(i == 4 || mask[i] == 1) << "only row 4 is special, " << b->Name() << " row " << i;
    }
    return reason;
  }
  NodeTable t;
  PodClass cls;
  Profile profile;
};

TEST_F(Filters, FitNamesTheFirstShortDimension) {
  EXPECT_EQ(0, Row4().bits) << "exactly enough fits";
  t.idle[1][4] = 0, t.idle[2][4] = 0;
  EXPECT_EQ(kReasonResource, Row4().bits);
  EXPECT_EQ(kMemory, Row4().resource);
  EXPECT_EQ(0, Row4(Room::kFuture).bits) << "the future has room";
  EXPECT_EQ(0, Row4(Room::kNone).bits);
  t.future[0][4] = 999;
  EXPECT_EQ(kCpu, Row4(Room::kFuture).resource);
}

TEST_F(Filters, FitLooksAtZeroRequests) {
  cls.request = {{kCpu, 0}, {kMemory, 0}, {ResourceId{3}, 0}};
  for (size_t i = 0; i < 9; i++) t.idle[3][i] = t.future[3][i] = 0;
  EXPECT_EQ(0, Row4().bits);
  t.idle[3][4] = -1;
  EXPECT_EQ(ResourceId{3}, Row4().resource) << "a negative idle amount refuses a request of 0";
}

TEST_F(Filters, FitOfAResourceThatNobodyHas) {
  StaticColumns fixed;
  cls.request.push_back({ResourceId{99}, 0});
  EXPECT_EQ(0, Row4().bits);
  cls.request.back().amount = 1;
  ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
  for (const Backend* b : AllBackends()) {
    std::vector<uint8_t> mask(9);
    b->Feasible(t, cls, profile, fixed, Room::kIdle, 0, 9, mask.data());
    EXPECT_EQ(std::vector<uint8_t>(9, 0), mask);
  }
  EXPECT_EQ(ResourceId{99}, ReasonOfRow(t, cls, profile, fixed, Room::kIdle, 4).resource);
}

TEST_F(Filters, ReasonsInVolcanosOrder) {
  cls.ports = {{StringId{}, 80, objects::Protocol::kTcp}};
  t.ports[4] = {{StringId{5}, 80, objects::Protocol::kTcp, 1}};
  EXPECT_EQ(kReasonPorts, Row4().bits);
  t.pod_count[4] = 110;
  EXPECT_EQ(kReasonPodNumber | kReasonPorts, Row4().bits) << "plain refusals are collected";
  t.taint_sets.resize(2);
  t.taint_sets[1] = {{StringId{9}, StringId{0}, objects::TaintEffect::kNoExecute}};
  t.taint_set[4] = 1;
  EXPECT_EQ(kReasonPodNumber | kReasonTaint, Row4().bits) << "an untolerated taint ends the node before ports";
  t.unschedulable[4] = 1;
  EXPECT_EQ(kReasonPodNumber | kReasonUnschedulable, Row4().bits) << "and unschedulable comes before taints";
  t.idle[0][4] = 0;
  EXPECT_EQ(kReasonResource, Row4().bits) << "the fit test comes before all";
  t.idle[0][4] = 1000;
  profile.predicates = false;
  EXPECT_EQ(0, Row4().bits) << "without the plugin only the fit test is left";
  t.present[4] = 0;
  EXPECT_EQ(kReasonAbsent, Row4().bits);
}

TEST_F(Filters, Switches) {
  t.taint_sets.resize(2);
  t.taint_sets[1] = {{StringId{9}, StringId{0}, objects::TaintEffect::kNoSchedule}};
  t.taint_set[4] = 1;
  cls.ports = {{StringId{}, 80, objects::Protocol::kTcp}};
  t.ports[4] = {{StringId{5}, 80, objects::Protocol::kTcp, 1}};
  profile.taint_toleration = false;
  EXPECT_EQ(kReasonPorts, Row4().bits);
  profile.node_ports = false;
  EXPECT_EQ(0, Row4().bits);
  t.unschedulable[4] = 1;
  EXPECT_EQ(kReasonUnschedulable, Row4().bits) << "has no switch";
}

TEST_F(Filters, Tolerations) {
  using objects::TaintEffect;
  using objects::TolerationOperator;
  const StringId key{9}, value{10}, other{11}, empty = t.well_known.empty;
  t.taint_sets.resize(2);
  t.taint_sets[1] = {{key, value, TaintEffect::kNoSchedule}};
  t.taint_set[4] = 1;
  const auto passes = [&](TolerationRow row) {
    cls.tolerations = {row};
    return Row4().bits == 0;
  };
  EXPECT_TRUE(passes({key, value, TolerationOperator::kEqual, TaintEffect::kNoSchedule}));
  EXPECT_TRUE(passes({key, value, TolerationOperator::kEqual, TaintEffect::kNone}));
  EXPECT_TRUE(passes({key, empty, TolerationOperator::kExists, TaintEffect::kNone}));
  EXPECT_TRUE(passes({StringId{}, empty, TolerationOperator::kExists, TaintEffect::kNone}));
  EXPECT_TRUE(passes({StringId{}, value, TolerationOperator::kEqual, TaintEffect::kNone})) << "an empty key with Equal matches any key of that value";
  EXPECT_FALSE(passes({StringId{}, other, TolerationOperator::kEqual, TaintEffect::kNone}));
  EXPECT_FALSE(passes({key, other, TolerationOperator::kEqual, TaintEffect::kNone}));
  EXPECT_FALSE(passes({other, value, TolerationOperator::kEqual, TaintEffect::kNone}));
  EXPECT_FALSE(passes({key, value, TolerationOperator::kEqual, TaintEffect::kNoExecute}));
  EXPECT_FALSE(passes({key, value, TolerationOperator::kOther, TaintEffect::kNone}));
  t.taint_set[4] = 0, t.unschedulable[4] = 1;
  EXPECT_TRUE(passes({t.well_known.unschedulable_taint_key, empty, TolerationOperator::kExists, TaintEffect::kNoSchedule}));
  EXPECT_FALSE(passes({t.well_known.unschedulable_taint_key, empty, TolerationOperator::kExists, TaintEffect::kNoExecute}));
}

TEST_F(Filters, SelectorOperators) {
  using objects::Operator;
  t.labels.clear();
  t.labels.resize(1);
  LabelColumn& label = t.labels[0];
  label.value.Resize(9), label.number.Resize(9), label.has_number.Resize(9);
  for (size_t i = 0; i < 9; i++) label.value[i] = 60, label.number[i] = 7, label.has_number[i] = 1;
  const auto matches = [&](size_t row, Operator op, std::vector<StringId> values, int64_t bound = 0) {
    cls.has_required = true;
    cls.required_terms.assign(1, {});
    cls.required_terms[0].tests.push_back({0, op, std::move(values), bound});
    StaticColumns fixed;
    ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
    return fixed.fail[row] == 0;
  };
  label.value[4] = StringId::kNoneValue, label.has_number[4] = 0;
  std::vector<StringId> long_list;
  for (uint32_t v = 52; v < 72; v++) long_list.push_back(StringId{v});
  EXPECT_TRUE(matches(0, Operator::kIn, {StringId{59}, StringId{60}}));
  EXPECT_FALSE(matches(0, Operator::kIn, {StringId{59}}));
  EXPECT_FALSE(matches(4, Operator::kIn, {StringId{59}}));
  EXPECT_TRUE(matches(0, Operator::kIn, long_list));
  EXPECT_FALSE(matches(4, Operator::kIn, long_list));
  EXPECT_FALSE(matches(0, Operator::kNotIn, long_list));
  EXPECT_TRUE(matches(0, Operator::kNotIn, {StringId{59}}));
  EXPECT_TRUE(matches(4, Operator::kNotIn, {StringId{59}})) << "an absent key is in no set";
  EXPECT_TRUE(matches(0, Operator::kExists, {}));
  EXPECT_FALSE(matches(4, Operator::kExists, {}));
  EXPECT_TRUE(matches(4, Operator::kDoesNotExist, {}));
  EXPECT_TRUE(matches(0, Operator::kGt, {}, 6));
  EXPECT_FALSE(matches(0, Operator::kGt, {}, 7));
  EXPECT_TRUE(matches(0, Operator::kLt, {}, 8));
  EXPECT_FALSE(matches(4, Operator::kLt, {}, 8)) << "no number, no match";
  cls.required_terms.assign(1, {});
  cls.required_terms[0].never = true;
  EXPECT_EQ(StaticColumns().fail.size(), 0u);
  StaticColumns fixed;
  ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
  EXPECT_EQ(kReasonNodeAffinity, fixed.fail[0]) << "an empty term matches nothing";
  cls.required_terms.clear();
  ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
  EXPECT_EQ(kReasonNodeAffinity, fixed.fail[0]) << "a required part without terms matches no node";
  profile.node_affinity = false;
  ScalarBackend().Static(t, cls, profile, 0, 9, &fixed);
  EXPECT_EQ(0, fixed.fail[0]);
}

TEST_F(Filters, Ports) {
  using objects::Protocol;
  t.ports[4] = {{StringId{5}, 80, Protocol::kTcp, 1}};
  const auto passes = [&](WantedPort wanted) {
    cls.ports = {wanted};
    return Row4().bits == 0;
  };
  EXPECT_FALSE(passes({StringId{}, 80, Protocol::kTcp})) << "the wildcard meets every address";
  EXPECT_FALSE(passes({StringId{5}, 80, Protocol::kTcp}));
  EXPECT_TRUE(passes({StringId{6}, 80, Protocol::kTcp}));
  EXPECT_TRUE(passes({StringId{5}, 80, Protocol::kUdp}));
  EXPECT_TRUE(passes({StringId{5}, 81, Protocol::kTcp}));
  t.ports[4][0].ip = StringId{};
  EXPECT_FALSE(passes({StringId{6}, 80, Protocol::kTcp}));
}

TEST_F(Filters, Proportional) {
  StrategyFitArgs args;
  args.proportional = {{ResourceId{3}, 4, 8}};
  profile.proportional.push_back(args);
  for (size_t i = 0; i < 9; i++) t.allocatable[3][i] = t.idle[3][i] = 0;
  t.allocatable[3][4] = 4000, t.idle[3][4] = 2000;  // two devices free: keep 8 CPU and 16 * 10^9 bytes
  cls.request[1].amount = 0;
  t.idle[0][4] = t.future[0][4] = 9000, t.idle[1][4] = t.future[1][4] = 16'000'000'000;
  EXPECT_EQ(0, Row4().bits);
  t.idle[0][4] = 8999;
  EXPECT_EQ(kReasonProportional, Row4().bits);
  EXPECT_EQ(ResourceId{3}, Row4().resource);
  t.idle[0][4] = 9000, t.idle[1][4] = 15'999'999'999;
  EXPECT_EQ(kReasonProportional, Row4().bits);
  t.pod_count[4] = 110;
  EXPECT_EQ(kReasonPodNumber, Row4().bits) << "predicates stand first and end the node";
  profile.proportional[0].before_predicates = true;
  EXPECT_EQ(kReasonProportional, Row4().bits);
  t.pod_count[4] = 0;
  for (size_t i = 0; i < 9; i++) t.idle[3][i] = t.future[3][i] = 2000;
  cls.request.push_back({ResourceId{3}, 1000});
  EXPECT_EQ(0, Row4().bits) << "who asks for the device passes";
}

}  // namespace
}  // namespace basalt::scoring

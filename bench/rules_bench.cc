// Every scoring rule by itself and the default profile as a whole, by backend and number of nodes. items_per_second is nodes per second.
// The answers of a backend are compared with the scalar one before it is timed; tables are built outside the timed region.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/scoring/agree.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/catalogue.h"

namespace basalt::scoring {
namespace {

const NodeTable& TableOf(size_t rows) {
  static std::map<size_t, NodeTable> tables;
  auto [it, fresh] = tables.try_emplace(rows);
  if (fresh) {
    test::Stream s(rows);
    test::AddRows(&s, rows, test::Amounts::kOrdinary, &it->second);
    // A cluster in use, not a random one: most nodes take the class.
    for (size_t i = 0; i < rows; i++)
      for (uint32_t r = 0; r < 3; r++) {
        NodeTable& t = it->second;
        t.allocatable[r][i] = r == 2 ? 110 : test::OrdinaryMax(r) / (1 + static_cast<int64_t>(s.Below(3)));
        t.idle[r][i] = t.future[r][i] = t.allocatable[r][i] - static_cast<int64_t>(s.Below(static_cast<uint64_t>(t.allocatable[r][i])));
        t.max_pods[i] = 110, t.pod_count[i] = static_cast<int64_t>(s.Below(80));
        if (r < 2) t.SetKubeAllocatable(r, i, t.allocatable[r][i]), t.kube_requested[r][i] = t.kube_nonzero[r][i] = t.allocatable[r][i] - t.idle[r][i];
      }
  }
  return it->second;
}

PodClass ClassOf() {
  PodClass cls;
  cls.request = {{kCpu, 1000}, {kMemory, 2ll << 30}, {kPods, 1}};
  cls.kube_request = {1000, 2ll << 30, 0}, cls.kube_nonzero = {1000, 2ll << 30};
  SelectorTerm term;
  term.tests.push_back({0, objects::Operator::kIn, {StringId{203}, StringId{204}}, 0});
  cls.preferred_terms = {{10, term}};
  cls.images = {StringId{300}};
  cls.image_containers = 1;
  return cls;
}

Profile DefaultProfile() {
  Profile p;
  p.predicates = true;
  p.least_requested = 1, p.balanced_resource = 1, p.node_affinity_weight = 2, p.taint_weight = 3;
  return p;
}

/// One pass as the kernel makes it: mask, extremes, totals.
void Pass(benchmark::State& state, const Backend* backend, const Profile& profile, const PodClass& cls, bool filters, bool scores) {
  const NodeTable& nodes = TableOf(static_cast<size_t>(state.range(0)));
  const size_t rows = nodes.rows;
  StaticColumns fixed;
  backend->Static(nodes, cls, profile, 0, rows, &fixed);
  std::vector<uint8_t> mask(rows), mask2(rows);
  std::vector<double> key(rows), key2(rows);
  const auto run = [&](const Backend& b, uint8_t* m, double* k) {
    if (filters) b.Feasible(nodes, cls, profile, fixed, Room::kIdle, 0, rows, m);
    if (scores) b.Totals(nodes, cls, profile, fixed, b.Extremes(fixed, m, 0, rows), m, 0, rows, k);
  };
  if (!filters) mask.assign(rows, 1), mask2 = mask;
  run(*backend, mask.data(), key.data());
  run(ScalarBackend(), mask2.data(), key2.data());
  if (mask != mask2 || std::memcmp(key.data(), key2.data(), rows * sizeof(double)) != 0) return state.SkipWithError("the answer differs from the scalar backend's");
  for (auto _ : state) {
    run(*backend, mask.data(), key.data());
    benchmark::DoNotOptimize(key.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(rows));
}

void StaticPass(benchmark::State& state, const Backend* backend) {
  const NodeTable& nodes = TableOf(static_cast<size_t>(state.range(0)));
  const PodClass cls = ClassOf();
  const Profile profile = DefaultProfile();
  for (auto _ : state) {
    StaticColumns fixed;
    backend->Static(nodes, cls, profile, 0, nodes.rows, &fixed);
    benchmark::DoNotOptimize(fixed.fail.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(nodes.rows));
}

/// What a placement costs: one row again.
void RowPass(benchmark::State& state) {
  const NodeTable& nodes = TableOf(static_cast<size_t>(state.range(0)));
  const PodClass cls = ClassOf();
  const Profile profile = DefaultProfile();
  StaticColumns fixed;
  ScalarBackend().Static(nodes, cls, profile, 0, nodes.rows, &fixed);
  size_t row = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(RowTotal(nodes, cls, profile, fixed, {10, 2}, Room::kIdle, row));
    row = (row + 7919) % nodes.rows;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

void Register(const std::string& name, const Profile& profile, bool filters, bool scores) {
  for (const Backend* b : test::AllBackends())
    benchmark::RegisterBenchmark((name + "/" + std::string(b->Name())).c_str(), [=](benchmark::State& s) { Pass(s, b, profile, ClassOf(), filters, scores); })
        ->Arg(1'000)
        ->Arg(10'000)
        ->Arg(100'000);
}

const bool kRegistered = [] {
  Register("default", DefaultProfile(), true, true);
  Register("filters", DefaultProfile(), true, false);
#define BASALT_RUN(Rule)                     \
  {                                          \
    Profile p;                               \
    p.*Rule::kWeight.member = 1;             \
    Register(std::string(Rule::kName), p, false, true); \
  }
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  OrderRule rule{};
  rule.binpack.resources = {{kCpu, 1}, {kMemory, 1}};
  rule.strategy.sra_weight = 1, rule.strategy.sra_weight_sum = 1, rule.strategy.sra_resources = {{ResourceId{3}, 1}};
  rule.strategy.resolved = {{true, true, 1}, {true, false, 1}};
#define BASALT_RUN(Rule)                     \
  {                                          \
    Profile p;                               \
    rule.kind = Rule::kKind;                 \
    p.order.push_back(rule);                 \
    Register(std::string(Rule::kName), p, false, true); \
  }
  BASALT_PLUGIN_SCORES(BASALT_RUN)
#undef BASALT_RUN
  benchmark::RegisterBenchmark("static/any", [](benchmark::State& s) { StaticPass(s, &ScalarBackend()); })->Arg(10'000)->Arg(100'000);
  benchmark::RegisterBenchmark("row_total/scalar", RowPass)->Arg(10'000)->Arg(100'000);
  return true;
}();

}  // namespace
}  // namespace basalt::scoring

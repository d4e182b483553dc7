// The vocabulary itself: division at the edge of the domain, saturation, and the proof that a forced target is the one that runs.
#include "scoring/lanes.h"

#include <gtest/gtest.h>

#include <map>

#include "scoring/simd/table.h"
#include "tests/scoring/agree.h"

namespace basalt::scoring {
namespace {

TEST(ScalarLanes, PercentIsExactForEveryInt64) {
  const ScalarLanes l{0};
  test::Stream s(1);
  for (int n = 0; n < 200'000; n++) {
    const int64_t whole = static_cast<int64_t>(s.Next() >> (1 + s.Below(62)));
    const int64_t part = static_cast<int64_t>(s.Next() >> (1 + s.Below(62))) * (s.OneIn(8) ? -1 : 1);
    const __int128 held = part < 0 ? 0 : part > whole ? whole : part;
    ASSERT_EQ(whole == 0 ? 0 : static_cast<int64_t>(held * 100 / whole), l.Percent(part, whole)) << part << " of " << whole;
  }
  EXPECT_EQ(0, l.Percent(INT64_MIN, INT64_MAX));
  EXPECT_EQ(100, l.Percent(INT64_MAX, INT64_MAX));
  EXPECT_EQ(99, l.Percent(INT64_MAX - 1, INT64_MAX));
  EXPECT_EQ(0, l.Percent(5, 0));
  EXPECT_EQ(0, l.Percent(5, -3));
}

TEST(ScalarLanes, Saturates) {
  const ScalarLanes l{0};
  EXPECT_EQ(INT64_MAX, l.Add(INT64_MAX, int64_t{1}));
  EXPECT_EQ(INT64_MIN, l.Add(INT64_MIN, int64_t{-1}));
  EXPECT_EQ(INT64_MIN, l.Sub(INT64_MIN, int64_t{1}));
  EXPECT_EQ(INT64_MAX, l.Sub(int64_t{0}, INT64_MIN));
  EXPECT_EQ(-2, l.Half(int64_t{-5})) << "toward zero";
  EXPECT_EQ(INT64_MAX, l.Truncate(1e300));
  EXPECT_EQ(INT64_MIN, l.Truncate(-1e300));
  EXPECT_EQ(0, l.Truncate(std::nan("")));
  EXPECT_EQ(-1, l.Truncate(-1.75));
}

// Free shares one below, at and above a whole percent, for capacities up to the domain's bound: where a rounded quotient would be one too many.
TEST(Lanes, TruncatedDivisionAtItsEdges) {
  constexpr size_t kRows = 1024;
  NodeTable t;
  test::Stream none(nullptr, 0);
  test::AddRows(&none, kRows, test::Amounts::kOrdinary, &t);
  test::Stream s(2);
  PodClass cls;
  Profile profile;
  profile.least_requested = 1;
  for (int round = 0; round < 60; round++) {
    for (size_t i = 0; i < kRows; i++) {
      t.present[i] = 1;
      const int64_t capacity = (i % 3 ? kWholeLimit - 1 - static_cast<int64_t>(s.Below(1000)) : static_cast<int64_t>(1 + s.Below(kWholeLimit - 1)));
      const int64_t percent = static_cast<int64_t>(s.Below(101));
      // The smallest free amount that makes `percent`, and its neighbours.
      const int64_t free = static_cast<int64_t>((static_cast<__int128>(capacity) * percent + 99) / 100) + static_cast<int64_t>(s.Below(3)) - 1;
      t.SetKubeAllocatable(0, i, 0), t.kube_nonzero[0][i] = 0;
      t.SetKubeAllocatable(1, i, capacity), t.kube_nonzero[1][i] = std::clamp<int64_t>(capacity - free, 0, capacity);
    }
    for (const Backend* b : test::AllBackends()) {
      StaticColumns fixed;
      b->Static(t, cls, profile, 0, kRows, &fixed);
      const std::vector<uint8_t> mask(kRows, 1);
      std::vector<double> key(PaddedRows(kRows));
      const uint64_t before = b == &ScalarBackend() ? 0 : SimdRuns(b->Name().substr(5));
      b->Totals(t, cls, profile, fixed, {}, mask.data(), 0, kRows, key.data());
      if (b != &ScalarBackend()) {
        EXPECT_EQ(kRows / kBlockRows, SimdRuns(b->Name().substr(5)) - before);
      }
      for (size_t i = 0; i < kRows; i++) {
        const int64_t capacity = t.kube_allocatable[1][i], free = capacity - t.kube_nonzero[1][i];
        ASSERT_EQ(static_cast<double>(static_cast<int64_t>(static_cast<__int128>(free) * 100 / capacity)), key[i]) << b->Name() << ": " << free << " of " << capacity;
      }
    }
  }
}

TEST(Backends, TheForcedTargetRuns) {
  const std::vector<std::string> targets = SimdTargets();
  ASSERT_FALSE(targets.empty());
  test::Stream s(3);
  const test::World w = test::MakeWorld(&s, 300, test::Amounts::kOrdinary);
  for (const std::string& forced : targets) {
    std::string error;
    const Backend* b = ChooseBackend("simd:" + forced, &error);
    ASSERT_NE(nullptr, b) << error;
    EXPECT_EQ("simd:" + forced, b->Name());
    std::vector<uint64_t> before;
    for (const std::string& target : targets) before.push_back(SimdRuns(target));
    StaticColumns fixed;
    b->Static(w.nodes, w.cls, w.profile, 0, 300, &fixed);
    std::vector<uint8_t> mask(300);
    b->Feasible(w.nodes, w.cls, w.profile, fixed, Room::kIdle, 0, 300, mask.data());
    for (size_t k = 0; k < targets.size(); k++) EXPECT_EQ(targets[k] == forced, SimdRuns(targets[k]) > before[k]) << "forced " << forced << ", looked at " << targets[k];
  }
  // Wider targets step over more rows: their code is not the baseline's under another name.
  for (const TargetTable& table : TargetTables()) {
    const std::map<std::string_view, size_t> lanes = {{"AVX3", 8}, {"AVX3_DL", 8}, {"AVX2", 4}, {"SSE4", 2}, {"SSSE3", 2}, {"NEON", 2}, {"SCALAR", 1}};
    if (const auto known = lanes.find(table.name); known != lanes.end()) {
      EXPECT_EQ(known->second, table.lanes) << table.name;
    }
  }
}

TEST(Backends, Names) {
  std::string error;
  EXPECT_EQ(&ScalarBackend(), ChooseBackend("scalar", &error));
  EXPECT_EQ(SimdBackend(), ChooseBackend("auto", &error));
  EXPECT_EQ(SimdBackend(), ChooseBackend("simd", &error));
  EXPECT_EQ("", error);
  for (const char* bad : {"simd:AVX1", "simd:", "cuda", "gpu", "SIMD"}) {
    error.clear();
    EXPECT_EQ(nullptr, ChooseBackend(bad, &error)) << bad;
    EXPECT_NE("", error);
  }
}

}  // namespace
}  // namespace basalt::scoring

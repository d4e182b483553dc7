// All sizes around the vector and block widths, random and adversarial rows, every target against the scalar backend.
#include "tests/scoring/agree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace basalt::test {
namespace {

TEST(Agree, EverySizeAndEveryTarget) {
  const auto backends = AllBackends();
  ASSERT_GE(backends.size(), 2u) << "no Highway target";
  for (const auto* b : backends) std::printf("[ targets  ] %s\n", std::string(b->Name()).c_str());
  for (const size_t rows : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 63, 64, 65, 127, 511, 512, 513, 520, 1023, 1025, 1300}) {
    const int worlds = rows < 100 ? 60 : 8;
    for (int seed = 0; seed < worlds; seed++) {
      for (const Amounts kind : {Amounts::kOrdinary, Amounts::kEdges, Amounts::kHostile}) {
        Stream stream(rows * 1000 + static_cast<size_t>(seed) * 10 + static_cast<size_t>(kind));
        const World w = MakeWorld(&stream, rows, kind);
        for (const auto* b : backends) ASSERT_EQ("", Disagreement(w, *b)) << b->Name() << ", rows " << rows << ", seed " << seed << ", amounts " << static_cast<int>(kind);
      }
    }
  }
}

// The generator has to reach every outcome, else the agreement says little.
TEST(Agree, WorldsReachEveryOutcome) {
  uint8_t reasons = 0;
  size_t feasible = 0, whole = 0, fraction = 0, norms = 0;
  for (int seed = 0; seed < 1000; seed++) {
    Stream stream(static_cast<uint64_t>(seed));
    const World w = MakeWorld(&stream, 40, Amounts::kOrdinary);
    const auto& b = scoring::ScalarBackend();
    scoring::StaticColumns fixed;
    b.Static(w.nodes, w.cls, w.profile, 0, 40, &fixed);
    uint8_t mask[40];
    double key[40];
    b.Feasible(w.nodes, w.cls, w.profile, fixed, scoring::Room::kIdle, 0, 40, mask);
    const scoring::Norm norm = b.Extremes(fixed, mask, 0, 40);
    norms += norm.affinity_max > 0 && norm.taint_max > 0;
    b.Totals(w.nodes, w.cls, w.profile, fixed, norm, mask, 0, 40, key);
    for (size_t i = 0; i < 40; i++) {
      reasons |= scoring::ReasonOfRow(w.nodes, w.cls, w.profile, fixed, scoring::Room::kIdle, i).bits;
      if (!mask[i]) continue;
      feasible++;
      (key[i] == std::trunc(key[i]) ? whole : fraction)++;
    }
  }
  EXPECT_EQ(0xFF, reasons);
  EXPECT_GT(feasible, 1000u);
  EXPECT_GT(whole, 100u);
  EXPECT_GT(fraction, 100u);
  EXPECT_GT(norms, 5u);
}

// Static columns of a range are those of the whole table.
TEST(Agree, StaticRangesRenewRows) {
  for (int seed = 0; seed < 100; seed++) {
    Stream stream(static_cast<uint64_t>(seed) + 7000);
    World w = MakeWorld(&stream, 100, Amounts::kOrdinary);
    for (const auto* b : AllBackends()) {
      scoring::StaticColumns fixed, whole;
      b->Static(w.nodes, w.cls, w.profile, 0, 100, &fixed);
      for (size_t i = 16; i < 30; i++) w.nodes.taint_set[i] = 0, w.nodes.unschedulable[i] ^= 1, w.nodes.present[i] = 1;
      b->Static(w.nodes, w.cls, w.profile, 16, 30, &fixed);
      b->Static(w.nodes, w.cls, w.profile, 0, 100, &whole);
      for (size_t i = 0; i < 100; i++) {
        ASSERT_EQ(whole.fail[i], fixed.fail[i]) << i;
        ASSERT_EQ(whole.affinity_raw.size() ? whole.affinity_raw[i] : 0, fixed.affinity_raw.size() ? fixed.affinity_raw[i] : 0) << i;
        ASSERT_EQ(whole.taint_raw.size() ? whole.taint_raw[i] : 0, fixed.taint_raw.size() ? fixed.taint_raw[i] : 0) << i;
        ASSERT_EQ(whole.image.size() ? whole.image[i] : 0, fixed.image.size() ? fixed.image[i] : 0) << i;
      }
    }
  }
}

// Rows behind the end can take nothing.
TEST(Agree, PaddingIsAbsent) {
  Stream stream(5);
  const World w = MakeWorld(&stream, 13, Amounts::kOrdinary);
  for (const auto* b : AllBackends()) {
    scoring::StaticColumns fixed;
    b->Static(w.nodes, w.cls, w.profile, 0, 13, &fixed);
    for (size_t i = 13; i < PaddedRows(13); i++) EXPECT_EQ(scoring::kReasonAbsent, fixed.fail[i]);
  }
}

// The parts of a row, each group added in its order, are its total to the bit.
TEST(Agree, PartsAddUp) {
  for (int seed = 0; seed < 200; seed++) {
    Stream stream(static_cast<uint64_t>(seed) + 9000);
    const World w = MakeWorld(&stream, 20, Amounts::kOrdinary);
    const auto& b = scoring::ScalarBackend();
    scoring::StaticColumns fixed;
    b.Static(w.nodes, w.cls, w.profile, 0, 20, &fixed);
    uint8_t mask[20];
    double key[24];
    b.Feasible(w.nodes, w.cls, w.profile, fixed, scoring::Room::kNone, 0, 20, mask);
    const scoring::Norm norm = b.Extremes(fixed, mask, 0, 20);
    b.Totals(w.nodes, w.cls, w.profile, fixed, norm, mask, 0, 20, key);
    const std::vector<scoring::ScorePart> parts = scoring::ScoreParts(w.profile);
    std::vector<double> values(parts.size());
    for (size_t i = 0; i < 20; i++) {
      if (!mask[i]) continue;
      scoring::RowParts(w.nodes, w.cls, w.profile, fixed, norm, i, values.data());
      double order = 0, batch = 0;
      for (size_t p = 0; p < parts.size(); p++) (parts[p].batch ? batch : order) += values[p];
      ASSERT_EQ(key[i], order + batch);
    }
  }
}

}  // namespace
}  // namespace basalt::test

// Every backend against the scalar one, bit for bit, doubles unrounded.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "scoring/batch.h"
#include "tests/support/node_tables.h"

namespace basalt::test {

/// Empty where `backend` gives what the scalar backend gives on a world, else what differs.
inline std::string Disagreement(const World& w, const scoring::Backend& backend) {
  using namespace scoring;
  const size_t rows = w.nodes.rows;
  constexpr uint8_t kRedByte = 0xA5;
  constexpr double kRedKey = -12345.5;
  constexpr size_t kRed = 16;  // entries behind the end that nobody may touch
  const Backend& oracle = ScalarBackend();
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0);
  };
  StaticColumns fixed, other;
  oracle.Static(w.nodes, w.cls, w.profile, 0, rows, &fixed);
  backend.Static(w.nodes, w.cls, w.profile, 0, rows, &other);
  if (!same(fixed.fail, other.fail) || !same(fixed.affinity_raw, other.affinity_raw) || !same(fixed.taint_raw, other.taint_raw) || !same(fixed.image, other.image))
    return "static columns differ";

  for (const Room room : {Room::kIdle, Room::kFuture, Room::kNone}) {
    const std::string where = "room " + std::to_string(static_cast<int>(room)) + ", row ";
    std::vector<uint8_t> mask(rows + kRed, kRedByte), mask2(rows + kRed, kRedByte);
    oracle.Feasible(w.nodes, w.cls, w.profile, fixed, room, 0, rows, mask.data());
    // The other backend in two ranges where there is room for two: a split must not show.
    const size_t middle = rows / 2 / kRowPad * kRowPad;
    backend.Feasible(w.nodes, w.cls, w.profile, fixed, room, middle, rows, mask2.data());
    if (middle > 0) backend.Feasible(w.nodes, w.cls, w.profile, fixed, room, 0, middle, mask2.data());
    for (size_t i = 0; i < mask.size(); i++)
      if (mask[i] != mask2[i]) return where + std::to_string(i) + ": masks differ";
    for (size_t i = 0; i < rows; i++)
      if (mask[i] != (RowFeasible(w.nodes, w.cls, w.profile, fixed, room, i) ? 1 : 0)) return where + std::to_string(i) + ": RowFeasible differs from the mask";
    for (size_t i = 0; i < rows; i++)
      if ((mask[i] == 1) != (ReasonOfRow(w.nodes, w.cls, w.profile, fixed, room, i).bits == 0)) return where + std::to_string(i) + ": ReasonOfRow and the mask disagree";

    const Norm norm = oracle.Extremes(fixed, mask.data(), 0, rows);
    if (!(norm == backend.Extremes(fixed, mask.data(), 0, rows))) return "extremes differ";

    std::vector<double> key(rows + kRed, kRedKey), key2(rows + kRed, kRedKey);
    oracle.Totals(w.nodes, w.cls, w.profile, fixed, norm, mask.data(), 0, rows, key.data());
    backend.Totals(w.nodes, w.cls, w.profile, fixed, norm, mask.data(), middle, rows, key2.data());
    if (middle > 0) backend.Totals(w.nodes, w.cls, w.profile, fixed, norm, mask.data(), 0, middle, key2.data());
    if (!same(key, key2))
      for (size_t i = 0; i < key.size(); i++)
        if (std::memcmp(&key[i], &key2[i], sizeof(double)) != 0) return where + std::to_string(i) + ": " + std::to_string(key[i]) + " and " + std::to_string(key2[i]);
    // Groups of rows in a list with gaps: the listed ones are as in one range, the others are not touched.
    std::vector<uint32_t> groups;
    for (uint32_t g = 0; g < PaddedRows(rows) / kRowPad; g++)
      if (g % 3 != 1) groups.push_back(g);
    std::vector<uint8_t> bits(groups.size() + 1, kRedByte);
    std::vector<double> key3(rows + kRed, kRedKey);
    backend.FeasibleGroups(w.nodes, w.cls, w.profile, fixed, room, groups.data(), groups.size(), bits.data());
    backend.TotalsOfGroups(w.nodes, w.cls, w.profile, fixed, norm, groups.data(), groups.size(), bits.data(), key3.data());
    if (bits.back() != kRedByte) return where + "bits behind the end were written";
    for (size_t i = 0; i < key3.size(); i++) {
      const double expect = i < PaddedRows(rows) && i / kRowPad % 3 != 1 ? key[i] : kRedKey;
      if (std::memcmp(&key3[i], &expect, sizeof(double)) != 0) return where + std::to_string(i) + ": differs in a list of groups";
    }

    if (rows > 0) {
      const size_t blocks = (rows + kBestFan - 1) / kBestFan;
      Column<double> padded(kInfeasible);
      padded.Resize(rows);
      std::copy_n(key.data(), rows, padded.data());
      std::vector<double> best_key(blocks), best_key2(blocks);
      std::vector<uint64_t> best_rank(blocks), best_rank2(blocks);
      std::vector<uint32_t> at(blocks), at2(blocks);
      oracle.BestOfBlocks(padded.data(), w.nodes.rank.data(), 0, blocks, {best_key.data(), best_rank.data(), at.data()});
      backend.BestOfBlocks(padded.data(), w.nodes.rank.data(), 0, blocks, {best_key2.data(), best_rank2.data(), at2.data()});
      if (best_key != best_key2 || best_rank != best_rank2 || at != at2) return where + "best nodes differ";
      oracle.BestOfBlocks(padded.data(), nullptr, 0, blocks, {best_key.data(), nullptr, at.data()});
      backend.BestOfBlocks(padded.data(), nullptr, 0, blocks, {best_key2.data(), nullptr, at2.data()});
      if (best_key != best_key2 || at != at2) return where + "first best nodes differ";
    }
    for (size_t i = 0; i < rows; i++) {
      const double total = RowTotal(w.nodes, w.cls, w.profile, fixed, norm, room, i);
      if (std::memcmp(&key[i], &total, sizeof(double)) != 0) return where + std::to_string(i) + ": RowTotal differs from the key";
    }
  }
  return "";
}

inline std::vector<const scoring::Backend*> AllBackends() {
  std::vector<const scoring::Backend*> all = {&scoring::ScalarBackend()};
  for (const std::string& target : scoring::SimdTargets()) all.push_back(scoring::SimdBackend(target));
  return all;
}

}  // namespace basalt::test

// The best row of a column of keys: a tree of fan-out kBestFan whose blocks are compared by one vector pass each, so that it is built at the speed of
// a scan and brought up to date in a few passes over kBestFan entries a level.
#pragma once
#include <cstdint>
#include <vector>

#include "scoring/batch.h"
#include "snapshot/column.h"

namespace basalt {

/// Built over key[0..rows) and the rank column of the nodes, both readable up to a multiple of kReadPad; keys behind `rows` are kInfeasible. rank null: ranks
/// rise with the rows that can win, so the first of equal keys wins and no rank is read; updates then get null, too.
class BestTree {
 public:
  /// O(rows).
  void Build(const scoring::Backend& backend, const double* key, const uint64_t* rank, size_t rows);
  /// After key[row] changed: O(kBestFan log rows).
  void Update(const scoring::Backend& backend, const double* key, const uint64_t* rank, size_t row);
  /// After the keys of these groups of kRowPad rows changed: every block once.
  void Update(const scoring::Backend& backend, const double* key, const uint64_t* rank, const std::vector<uint32_t>& groups);

  /// The row with the highest key, the lowest rank among equals; only meaningful where its key is not kInfeasible. Precondition: rows > 0.
  uint32_t Best() const {
    uint32_t at = 0;
    for (size_t l = levels_; l-- > 0;) at = level_[l].at[at];
    return at;
  }

 private:
  static constexpr size_t kMaxLevels = 7;  ///< 32^7 > 2^32
  struct Level {
    size_t blocks = 0;
    Column<double> key{scoring::kInfeasible};
    Column<uint64_t> rank{UINT64_MAX};
    Column<uint32_t> at;
    scoring::BestColumns columns() { return {key.data(), rank.data(), at.data()}; }
  };
  Level level_[kMaxLevels];  ///< level_[0] has one entry per block of rows, each next one entry per block of the one before; the last has one entry
  size_t levels_ = 0;
  std::vector<uint64_t> dirty_;
};

}  // namespace basalt

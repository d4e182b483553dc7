#include "kernel/best_tree.h"

namespace basalt {

using scoring::Backend;
using scoring::kBestFan;
static_assert(kReadPad % kBestFan == 0 && kBestFan % kRowPad == 0);

void BestTree::Build(const Backend& backend, const double* key, const uint64_t* rank, size_t rows) {
  levels_ = 0;
  do {
    Level& level = level_[levels_++];
    const size_t blocks = (rows + kBestFan - 1) / kBestFan;
    if (blocks < level.blocks)  // what lies behind the end must read as nothing
      level.key = Column<double>(scoring::kInfeasible), level.rank = Column<uint64_t>(UINT64_MAX);
    level.blocks = blocks;
    level.key.Resize(blocks), level.rank.Resize(blocks), level.at.Resize(blocks);
    backend.BestOfBlocks(key, rank, 0, blocks, level.columns());
    key = level.key.data(), rank = rank ? level.rank.data() : nullptr, rows = blocks;
  } while (rows > 1);
}

void BestTree::Update(const Backend& backend, const double* key, const uint64_t* rank, size_t row) {
  for (size_t l = 0; l < levels_; l++) {
    row /= kBestFan;
    backend.BestOfBlocks(key, rank, row, row + 1, level_[l].columns());
    key = level_[l].key.data(), rank = rank ? level_[l].rank.data() : nullptr;
  }
}

void BestTree::Update(const Backend& backend, const double* key, const uint64_t* rank, const std::vector<uint32_t>& groups) {
  dirty_.assign((level_[0].blocks + 63) / 64, 0);
  for (const uint32_t g : groups) {
    const size_t block = g * kRowPad / kBestFan;
    dirty_[block / 64] |= uint64_t{1} << block % 64;
  }
  for (size_t w = 0; w < dirty_.size(); w++)
    for (uint64_t word = dirty_[w]; word; word &= word - 1) {
      const size_t block = w * 64 + static_cast<size_t>(__builtin_ctzll(word));
      backend.BestOfBlocks(key, rank, block, block + 1, level_[0].columns());
    }
  for (size_t l = 1; l < levels_; l++) backend.BestOfBlocks(level_[l - 1].key.data(), rank ? level_[l - 1].rank.data() : nullptr, 0, level_[l].blocks, level_[l].columns());
}

}  // namespace basalt

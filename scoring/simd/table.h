// The block functions of one Highway target, and the list of all that were compiled in.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "scoring/block_backend.h"

namespace basalt::scoring {

struct TargetTable {
  int64_t target;    ///< Highway's bit; lower is better
  const char* name;  ///< as Highway names it, "AVX2"
  size_t lanes;      ///< rows per step
  BlockKernels kernels;
  const uint64_t* runs;  ///< blocks that this target's code has filtered or scored so far
};

/// Every target that was compiled in, best first, whether this machine has it or not.
const std::vector<TargetTable>& TargetTables();
/// Blocks that the code of a target has filtered or scored so far: proof of which one ran. 0 for unknown names.
uint64_t SimdRuns(std::string_view target);

}  // namespace basalt::scoring

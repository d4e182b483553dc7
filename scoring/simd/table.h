// The functions of one Highway target, and the list of all that were compiled in.
#pragma once
#include <cstdint>
#include <vector>

#include "scoring/batch.h"

namespace basalt::scoring {

struct TargetTable {
  int64_t target;    ///< Highway's bit; lower is better
  const char* name;  ///< as Highway names it, "AVX2"
  void (*fixed)(const NodeTable&, const PodClass&, const Profile&, size_t, size_t, StaticColumns*);
  void (*feasible)(const NodeTable&, const PodClass&, const Profile&, const StaticColumns&, Room, size_t, size_t, uint8_t*);
  Norm (*extremes)(const StaticColumns&, const uint8_t*, size_t, size_t);
  void (*totals)(const NodeTable&, const PodClass&, const Profile&, const StaticColumns&, Norm, const uint8_t*, size_t, size_t, double*);
};
std::vector<TargetTable>& TargetTables();
bool RegisterTarget(const TargetTable& table);
bool SimdIsLinked();

}  // namespace basalt::scoring

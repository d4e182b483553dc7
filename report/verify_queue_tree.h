// Where queues stand in the tree that their parents make: the verifier's own reading of it.
#pragma once
#include <cstdint>
#include <vector>

#include "report/verify_cluster.h"

namespace basalt::verify {

struct QueuePlaces {
  /// Found from the root downwards, level by level: what is not reached (loops, missing parents, all below them) has no place.
  explicit QueuePlaces(const std::vector<Queue>& queues);

  std::vector<int> above;  ///< by queue: its parent; kNone for the root and for queues without a place
  std::vector<int> order;  ///< queues that have a place, parents before children
  std::vector<uint8_t> placed, inner;
  /// Only a leaf of the tree takes jobs.
  bool Works(int queue) const { return placed[static_cast<size_t>(queue)] && !inner[static_cast<size_t>(queue)]; }
  bool IsBelow(int queue, int other) const;  ///< or the same
};

}  // namespace basalt::verify

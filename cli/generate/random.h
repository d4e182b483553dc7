// Random numbers that are the same everywhere: the standard's distributions are not.
#pragma once
#include <cstdint>

namespace basalt::cli {

/// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// 0 .. n-1; the bias of n / 2^64 does not matter here.
  uint64_t Below(uint64_t n) { return static_cast<uint64_t>(static_cast<unsigned __int128>(Next()) * n >> 64); }
  bool Percent(uint64_t percent) { return Below(100) < percent; }

 private:
  uint64_t state_;
};

}  // namespace basalt::cli

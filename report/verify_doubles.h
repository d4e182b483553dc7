// Resource vectors in doubles, for what the reference divides and weighs (volcano-core, section 2.2): the verifier's own.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "report/verify_cluster.h"

namespace basalt::verify {

/// Differences below it count as none, in the unit of each dimension.
inline constexpr double kEpsilon = 0.1;

/// By dimension. cpu and memory always have a value; another resource may be absent.
class Doubles {
 public:
  explicit Doubles(int dims) : value_(static_cast<size_t>(std::max(dims, 3))), has_(value_.size()) { has_[kCpu] = has_[kMemory] = 1; }
  Doubles(int dims, const Amounts& list) : Doubles(dims) {
    for (const Amount& a : list) Set(a.dim, static_cast<double>(a.value));
  }
  int Size() const { return static_cast<int>(value_.size()); }
  bool Has(int d) const { return has_[static_cast<size_t>(d)]; }
  double operator[](int d) const { return value_[static_cast<size_t>(d)]; }
  void Set(int d, double v) { value_[static_cast<size_t>(d)] = v, has_[static_cast<size_t>(d)] = 1; }
  void Add(const Doubles& o, double factor = 1) {
    for (int d = 0; d < Size(); d++)
      if (o.Has(d)) Set(d, (*this)[d] + o[d] * factor);
  }
  void Add(const Amounts& list) {
    for (const Amount& a : list) Set(a.dim, (*this)[a.dim] + static_cast<double>(a.value));
  }
  /// Down to o; what o does not name is kept (infinite) or becomes 0.
  void Lower(const Doubles& o, bool absent_is_infinite) {
    for (int d = 0; d < Size(); d++) {
      if (!Has(d)) continue;
      if (o.Has(d)) Set(d, std::min((*this)[d], o[d]));
      else if (!absent_is_infinite) Set(d, 0);
    }
  }
  void Raise(const Doubles& o) {
    for (int d = 0; d < Size(); d++)
      if (o.Has(d)) Set(d, Has(d) ? std::max((*this)[d], o[d]) : o[d]);
  }
  /// What exceeds o; resources that do not exceed it vanish.
  Doubles Excess(const Doubles& o) const {
    Doubles out(Size());
    for (int d = 0; d < Size(); d++)
      if (Has(d) && (*this)[d] > o[d]) out.Set(d, (*this)[d] - o[d]);
    return out;
  }
  bool WithinAll(const Doubles& o) const {
    for (int d = 0; d < Size(); d++)
      if (Has(d) && !((*this)[d] < o[d] || std::abs((*this)[d] - o[d]) < kEpsilon)) return false;
    return true;
  }
  bool Empty() const {
    for (int d = 0; d < Size(); d++)
      if (d != kPods && (*this)[d] >= kEpsilon) return false;
    return true;
  }
  bool operator==(const Doubles&) const = default;

 private:
  std::vector<double> value_;
  std::vector<uint8_t> has_;
};

}  // namespace basalt::verify

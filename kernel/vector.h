// Volcano's resource vector in doubles, for what it divides and weighs: deserved amounts and shares. Amounts that stay whole use Amounts.
// Operations as in the reference (volcano-core, section 2.2; volcano-queues, section 0.1); cpu and memory always have a value, a scalar may be absent.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "snapshot/store.h"

namespace basalt {

class Vector {
 public:
  static constexpr double kEpsilon = 0.1;  ///< in the unit of each dimension

  Vector() { Grow(kMemory.value + 1), has_[0] = has_[1] = 1; }
  /// Of whole amounts over `count` dimensions; zero scalars count as present.
  explicit Vector(const Amounts& a) : Vector() {
    for (uint32_t i = 0; i < a.size(); i++) Set(ResourceId{i}, static_cast<double>(a[ResourceId{i}]));
  }
  explicit Vector(const std::vector<ResourceAmount>& list) : Vector() {
    for (const auto& r : list) Set(r.id, static_cast<double>(r.amount));
  }

  size_t size() const { return v_.size(); }
  bool Has(ResourceId id) const { return id.value < has_.size() && has_[id.value]; }
  double operator[](ResourceId id) const { return Has(id) ? v_[id.value] : 0; }
  void Set(ResourceId id, double value) { Grow(id.value + 1), v_[id.value] = value, has_[id.value] = 1; }
  void Erase(ResourceId id) {
    if (id.value > kMemory.value && id.value < has_.size()) has_[id.value] = 0, v_[id.value] = 0;
  }
  template <class F>
  void ForEach(const F& f) const {  ///< f(id, value) for every present dimension, cpu and memory first
    for (uint32_t i = 0; i < v_.size(); i++)
      if (has_[i]) f(ResourceId{i}, v_[i]);
  }

  /// this += f * o, scalars united.
  void Add(const Vector& o, double f = 1) {
    o.ForEach([&](ResourceId id, double x) { Set(id, (*this)[id] + x * f); });
  }
  void Subtract(const Vector& o) {
    o.ForEach([&](ResourceId id, double x) { Set(id, (*this)[id] - x); });
  }
  /// Component maximum over the union of scalars.
  void Max(const Vector& o) {
    o.ForEach([&](ResourceId id, double x) { Set(id, Has(id) ? std::max((*this)[id], x) : x); });
  }
  /// Lowers every component to o's; scalars that o lacks: kept (infinity) or set to 0.
  void MinDimension(const Vector& o, bool absent_is_infinite) {
    ForEach([&](ResourceId id, double x) {
      if (id.value > kMemory.value && !o.Has(id)) {
        if (!absent_is_infinite) v_[id.value] = 0;
      } else {
        v_[id.value] = std::min(x, o[id]);
      }
    });
  }
  /// Positive part of this - o; scalars that are not strictly larger disappear.
  Vector ExceededPart(const Vector& o) const {
    Vector out;
    ForEach([&](ResourceId id, double x) {
      const double over = x - o[id];
      if (over > 0) out.Set(id, over);
    });
    return out;
  }
  /// No component but pods reaches epsilon.
  bool IsEmpty() const {
    bool empty = true;
    ForEach([&](ResourceId id, double x) { empty = empty && (id == kPods || x < kEpsilon); });
    return empty;
  }
  /// Every dimension of this is at most o's, within epsilon; scalars that o lacks are 0.
  bool LessEqual(const Vector& o) const {
    bool ok = true;
    ForEach([&](ResourceId id, double x) { ok = ok && (x < o[id] || std::abs(x - o[id]) < kEpsilon); });
    return ok;
  }
  friend bool operator==(const Vector& a, const Vector& b) {
    const size_t n = std::max(a.v_.size(), b.v_.size());
    for (uint32_t i = 0; i < n; i++)
      if (a.Has(ResourceId{i}) != b.Has(ResourceId{i}) || a[ResourceId{i}] != b[ResourceId{i}]) return false;
    return true;
  }

 private:
  void Grow(size_t n) {
    if (n > v_.size()) v_.resize(n, 0), has_.resize(n, 0);
  }
  std::vector<double> v_;
  std::vector<uint8_t> has_;
};

/// l / r; 0 / 0 is 0, anything else over 0 is 1.
inline double Share(double l, double r) { return r == 0 ? (l == 0 ? 0 : 1) : l / r; }

/// x <= limit strictly, without epsilon, on the dimensions that `request` asks for (amount > 0; pods ignored). Names those that fail.
template <class X, class Limit>
bool FitsRequested(const X& x, const Limit& limit, const std::vector<ResourceAmount>& request, std::vector<ResourceId>* exceeded = nullptr) {
  bool ok = true;
  for (const ResourceAmount& r : request) {
    if (r.amount <= 0 || r.id == kPods || !(x(r.id) > limit(r.id))) continue;
    ok = false;
    if (!exceeded) return false;
    exceeded->push_back(r.id);
  }
  return ok;
}

}  // namespace basalt

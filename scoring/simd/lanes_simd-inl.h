// The lane vocabulary in Highway: as many rows at a time as the target's vector holds doubles (at most kRowPad). Whole numbers are held in doubles.
#if defined(BASALT_SCORING_SIMD_LANES_SIMD_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#undef BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#else
#define BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#endif

#include <hwy/highway.h>

#include "scoring/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace basalt::scoring::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct SimdLanes {
  using D = hn::CappedTag<double, kRowPad>;
  using DI = hn::RebindToSigned<D>;
  using F = hn::Vec<D>;
  using N = hn::Vec<D>;
  using M = hn::Mask<D>;
  static constexpr bool kBoundedWhole = true;
  static constexpr size_t kLanes = hn::MaxLanes(D());  ///< the most; scalable targets may have fewer
  static HWY_INLINE size_t Step() { return hn::Lanes(D()); }

  using Seen = hn::Vec<DI>;
  static HWY_INLINE Seen NothingSeen() { return hn::Zero(DI()); }
  static HWY_INLINE bool InDomain(Seen seen) { return hn::AllTrue(DI(), hn::Eq(hn::ShiftRight<kWholeBits>(seen), hn::Zero(DI()))); }

  size_t row;
  Seen* seen = nullptr;

  // ---- columns ----
  // Within the domain a whole number is the mantissa of 2^52 plus it.
  HWY_INLINE N Whole(const int64_t* column) const {
    const DI di;
    const auto value = hn::LoadU(di, column + row);
    *seen = hn::Or(*seen, value);
    return hn::Sub(hn::BitCast(D(), hn::Or(value, hn::Set(di, int64_t{0x4330000000000000}))), hn::Set(D(), 0x1p52));
  }
  HWY_INLINE N Small(const int32_t* column) const { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<int32_t, D>(), column + row)); }
  HWY_INLINE N Small(const int8_t* column) const {
    return hn::PromoteTo(D(), hn::PromoteTo(hn::Rebind<int32_t, D>(), hn::LoadU(hn::Rebind<int8_t, D>(), column + row)));
  }
  HWY_INLINE F Double(const int64_t* column) const { return hn::ConvertTo(D(), hn::LoadU(DI(), column + row)); }
  HWY_INLINE M AtLeast(const int64_t* column, int64_t bound) const {
    return hn::Not(hn::RebindMask(D(), hn::Lt(hn::LoadU(DI(), column + row), hn::Set(DI(), bound))));
  }
  HWY_INLINE M Below(const int64_t* a, const int64_t* b) const {
    return hn::RebindMask(D(), hn::Lt(hn::LoadU(DI(), a + row), hn::LoadU(DI(), b + row)));
  }
  HWY_INLINE F LoadF(const double* p) const { return hn::LoadU(D(), p); }
  HWY_INLINE void StoreF(F v, double* p) const { hn::StoreU(v, D(), p); }

  // ---- one bit per row of a group ----
  HWY_INLINE void AndBits(M m, size_t at, uint8_t* bits) const {
    uint8_t mine[8] = {};
    hn::StoreMaskBits(D(), m, mine);
    *bits &= static_cast<uint8_t>(~(((1u << Step()) - 1) << at) | (static_cast<unsigned>(mine[0]) << at));
  }
  HWY_INLINE F Where(uint8_t bits, size_t at, F yes, F no) const {
    const uint8_t mine[8] = {static_cast<uint8_t>(bits >> at)};
    return hn::IfThenElse(hn::LoadMaskBits(D(), mine), yes, no);
  }

  // ---- constants ----
  HWY_INLINE F Float(double v) const { return hn::Set(D(), v); }
  HWY_INLINE N Number(int64_t v) const { return hn::Set(D(), static_cast<double>(v)); }
  HWY_INLINE M True() const { return hn::Eq(hn::Zero(D()), hn::Zero(D())); }
  HWY_INLINE M False() const { return hn::Ne(hn::Zero(D()), hn::Zero(D())); }

  // ---- arithmetic ----
  HWY_INLINE F Add(F a, F b) const { return hn::Add(a, b); }
  HWY_INLINE F Sub(F a, F b) const { return hn::Sub(a, b); }
  HWY_INLINE F Mul(F a, F b) const { return hn::Mul(a, b); }
  HWY_INLINE F Div(F a, F b) const { return hn::Div(a, b); }
  HWY_INLINE F Sqrt(F a) const { return hn::Sqrt(a); }
  HWY_INLINE F AtMost(F a, double bound) const { return hn::Min(a, hn::Set(D(), bound)); }
  HWY_INLINE F Abs(F a) const { return hn::Abs(a); }
  HWY_INLINE N Half(N a) const { return hn::Trunc(hn::Mul(a, hn::Set(D(), 0.5))); }
  HWY_INLINE N Percent(N part, N whole) const {
    const auto zero = hn::Zero(D());
    const auto held = hn::Min(hn::Max(part, zero), whole);  // finite, so the same on every target
    const auto divisor = hn::Max(whole, hn::Set(D(), 1.0));  // 0 / 1 where there is no capacity
    return hn::Trunc(hn::Div(hn::Mul(held, hn::Set(D(), 100.0)), divisor));
  }
  // A division costs as much as all the rest of a rule, so these multiply by the inverse.
  // Percent: with x = held * 100 the true quotient x / whole lies in 0..100. The inverse, the product and the sum are each rounded to 2^-53 of themselves, so
  // the sum misses the quotient plus 2^-44 by less than 101 * 3 * 2^-53 < 2^-44.7: it is above the quotient, hence not below its whole part, and less than
  // 2^-43 above it. A quotient that is not whole is at least 1 / whole > 2^-43 below the next whole number: the whole part of the sum is right.
  HWY_INLINE N Percent(N part, N whole, const double* inverse) const {
    const auto held = hn::Min(hn::Max(part, hn::Zero(D())), whole);
    const auto x = hn::Mul(held, hn::Set(D(), 100.0));
    return hn::Trunc(hn::Add(hn::Mul(x, hn::LoadU(D(), inverse + row)), hn::Set(D(), 0x1p-44)));
  }
  // Share: q = a * inverse is off by d with |d| < 2^-51.9 of a / b. The fused remainder r = a - q * b is exact to 2^-53 of itself, so the sum q + r * inverse
  // misses a / b by less than 2^-103 of it before its one rounding. a / b is no midpoint of two doubles (that needs 54 bits; a < 2^44), and being a
  // quotient of whole numbers it keeps a distance of at least 2^-54 / b > 2^-100 of itself from every midpoint: the sum rounds as a / b does.
  HWY_INLINE F Share(N part, N whole, const double* inverse) const {
#if HWY_NATIVE_FMA
    const auto y = hn::LoadU(D(), inverse + row);
    const auto q = hn::Mul(part, y);
    return hn::MulAdd(hn::NegMulAdd(q, whole, part), y, q);
#else
    (void)inverse;
    return hn::Div(part, whole);
#endif
  }
  HWY_INLINE F ToF(N a) const { return a; }
  HWY_INLINE N Truncate(F a) const { return hn::Trunc(a); }

  // ---- reductions ----
  using DU = hn::RebindToUnsigned<D>;
  using U = hn::Vec<DU>;
  HWY_INLINE F Greater(F a, F b) const { return hn::Max(a, b); }
  HWY_INLINE U Lower(U a, U b) const { return hn::Min(a, b); }
  HWY_INLINE double MaxOf(F a) const { return hn::GetLane(hn::MaxOfLanes(D(), a)); }
  HWY_INLINE uint64_t MinOf(U a) const { return hn::GetLane(hn::MinOfLanes(DU(), a)); }
  HWY_INLINE U RankWhere(const double* key, double value, const uint64_t* rank) const {
    const auto equal = hn::RebindMask(DU(), hn::Eq(hn::LoadU(D(), key + row), hn::Set(D(), value)));
    return hn::IfThenElse(equal, hn::LoadU(DU(), rank + row), hn::Set(DU(), UINT64_MAX));
  }
  HWY_INLINE intptr_t FirstWith(const double* key, double value, const uint64_t* rank, uint64_t low) const {
    const auto equal = hn::Eq(hn::LoadU(D(), key + row), hn::Set(D(), value));
    return hn::FindFirstTrue(D(), hn::And(equal, hn::RebindMask(D(), hn::Eq(hn::LoadU(DU(), rank + row), hn::Set(DU(), low)))));
  }
  template <size_t kCount>
  static HWY_INLINE uint32_t FirstOf(const double* entries, double value) {
    uint32_t equal = 0;
    for (size_t i = 0; i < kCount; i += Step()) {
      uint8_t mine[8] = {};
      hn::StoreMaskBits(D(), hn::Eq(hn::LoadU(D(), entries + i), hn::Set(D(), value)), mine);
      equal |= uint32_t{mine[0]} << i;
    }
    return static_cast<uint32_t>(__builtin_ctz(equal));
  }

  // ---- comparison and choice ----
  HWY_INLINE M Less(F a, F b) const { return hn::Lt(a, b); }
  HWY_INLINE M Equal(F a, F b) const { return hn::Eq(a, b); }
  HWY_INLINE M And(M a, M b) const { return hn::And(a, b); }
  HWY_INLINE M Or(M a, M b) const { return hn::Or(a, b); }
  HWY_INLINE M Not(M a) const { return hn::Not(a); }
  HWY_INLINE F Select(M m, F yes, F no) const { return hn::IfThenElse(m, yes, no); }
};

}  // namespace basalt::scoring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target

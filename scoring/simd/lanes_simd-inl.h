// The lane vocabulary in Highway: as many rows at a time as the target's vector holds 64-bit lanes (at most kRowPad).
#if defined(BASALT_SCORING_SIMD_LANES_SIMD_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#undef BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#else
#define BASALT_SCORING_SIMD_LANES_SIMD_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace basalt::scoring::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct SimdLanes {
  using DI = hn::CappedTag<int64_t, kRowPad>;
  using DF = hn::CappedTag<double, kRowPad>;
  using I = hn::Vec<DI>;
  using F = hn::Vec<DF>;
  using M = hn::Mask<DI>;
  static constexpr size_t kLanes = hn::MaxLanes(DI());

  static HWY_INLINE I Load(const int64_t* p) { return hn::LoadU(DI(), p); }
  static HWY_INLINE F LoadF(const double* p) { return hn::LoadU(DF(), p); }
  // Narrow columns are widened through a small buffer: byte-wise promotions differ between targets, and these loads are few.
  template <class T>
  static HWY_INLINE I Widen(const T* p) {
    HWY_ALIGN int64_t wide[kLanes];
    for (size_t k = 0; k < kLanes; k++) wide[k] = static_cast<int64_t>(p[k]);
    return hn::Load(DI(), wide);
  }
  static HWY_INLINE I LoadInt32(const int32_t* p) { return Widen(p); }
  static HWY_INLINE I LoadInt8(const int8_t* p) { return Widen(p); }
  static HWY_INLINE I LoadId(const uint32_t* p) { return Widen(p); }
  static HWY_INLINE M LoadMask(const uint8_t* p) { return hn::Ne(Widen(p), hn::Zero(DI())); }
  static HWY_INLINE void StoreMask(M m, uint8_t* p) { StoreInt8(hn::IfThenElseZero(m, hn::Set(DI(), 1)), p); }
  static HWY_INLINE void StoreF(F v, double* p) { hn::StoreU(v, DF(), p); }
  static HWY_INLINE void StoreInt8(I v, uint8_t* p) {
    HWY_ALIGN int64_t wide[kLanes];
    hn::Store(v, DI(), wide);
    for (size_t k = 0; k < kLanes; k++) p[k] = static_cast<uint8_t>(wide[k]);
  }
  static HWY_INLINE void StoreInt32(I v, int32_t* p) {
    HWY_ALIGN int64_t wide[kLanes];
    hn::Store(v, DI(), wide);
    for (size_t k = 0; k < kLanes; k++) p[k] = static_cast<int32_t>(wide[k]);
  }
  static HWY_INLINE int64_t MaxOfLanes(I v) {
    HWY_ALIGN int64_t wide[kLanes];
    hn::Store(v, DI(), wide);
    int64_t max = wide[0];
    for (size_t k = 1; k < kLanes; k++) max = wide[k] > max ? wide[k] : max;
    return max;
  }
  static HWY_INLINE I Set(int64_t v) { return hn::Set(DI(), v); }
  static HWY_INLINE F SetF(double v) { return hn::Set(DF(), v); }
  static HWY_INLINE M All(bool v) { return v ? hn::Eq(hn::Zero(DI()), hn::Zero(DI())) : hn::Ne(hn::Zero(DI()), hn::Zero(DI())); }

  static HWY_INLINE I Add(I a, I b) { return hn::Add(a, b); }
  static HWY_INLINE I Sub(I a, I b) { return hn::Sub(a, b); }
  // 100 = 64 + 32 + 4: most targets have no 64-bit multiplication; shifts wrap alike.
  static HWY_INLINE I Mul100(I a) { return hn::Add(hn::Add(hn::ShiftLeft<6>(a), hn::ShiftLeft<5>(a)), hn::ShiftLeft<2>(a)); }

  /// True where every lane lies within +-2^53, where doubles hold whole numbers exactly.
  static HWY_INLINE bool AllExact(I a) {
    const I limit = hn::Set(DI(), int64_t{1} << 53);
    return hn::AllFalse(DI(), hn::Or(hn::Gt(a, limit), hn::Lt(a, hn::Neg(limit))));
  }
  static HWY_INLINE F ToF(I a) {
    if (HWY_LIKELY(AllExact(a))) return hn::ConvertTo(DF(), a);
    HWY_ALIGN int64_t in[kLanes];
    HWY_ALIGN double out[kLanes];
    hn::Store(a, DI(), in);
    for (size_t k = 0; k < kLanes; k++) out[k] = static_cast<double>(in[k]);
    return hn::Load(DF(), out);
  }
  // truncate(a / b) in doubles is the truncated quotient for |a|, |b| <= 2^53: both convert exactly, and the rounded quotient could only reach the next
  // whole number q + 1 if (|b| - r) / |b| were at most half a unit in the last place of q + 1, that is (|b| - r) * (2^53 - 1) <= |a|, which is
  // impossible below. Beyond, lane by lane in integers.
  static HWY_INLINE I Div(I a, I b) {
    const I zero = hn::Zero(DI());
    const M none = hn::Eq(b, zero);
    if (HWY_LIKELY(AllExact(a) && AllExact(b))) {
      const F divisor = hn::ConvertTo(DF(), hn::IfThenElse(none, hn::Set(DI(), 1), b));
      const F quotient = hn::Trunc(hn::Div(hn::ConvertTo(DF(), a), divisor));
      return hn::IfThenElse(none, zero, hn::ConvertTo(DI(), quotient));
    }
    HWY_ALIGN int64_t x[kLanes], y[kLanes];
    hn::Store(a, DI(), x);
    hn::Store(b, DI(), y);
    for (size_t k = 0; k < kLanes; k++) x[k] = ScalarLanes::Div(x[k], y[k]);
    return hn::Load(DI(), x);
  }
  static HWY_INLINE F AddF(F a, F b) { return hn::Add(a, b); }
  static HWY_INLINE F SubF(F a, F b) { return hn::Sub(a, b); }
  static HWY_INLINE F MulF(F a, F b) { return hn::Mul(a, b); }
  static HWY_INLINE F DivF(F a, F b) { return hn::Div(a, b); }
  static HWY_INLINE F SqrtF(F a) { return hn::Sqrt(a); }
  static HWY_INLINE F AbsF(F a) { return hn::Abs(a); }
  static HWY_INLINE F TruncF(F a) { return hn::Trunc(a); }

  static HWY_INLINE M Eq(I a, I b) { return hn::Eq(a, b); }
  static HWY_INLINE M Less(I a, I b) { return hn::Lt(a, b); }
  static HWY_INLINE M LessF(F a, F b) { return hn::RebindMask(DI(), hn::Lt(a, b)); }
  static HWY_INLINE M And(M a, M b) { return hn::And(a, b); }
  static HWY_INLINE M Or(M a, M b) { return hn::Or(a, b); }
  static HWY_INLINE M Not(M a) { return hn::Not(a); }
  static HWY_INLINE I If(M m, I a, I b) { return hn::IfThenElse(m, a, b); }
  static HWY_INLINE F IfF(M m, F a, F b) { return hn::IfThenElse(hn::RebindMask(DF(), m), a, b); }
  static HWY_INLINE I Lookup(const int64_t* table, I index) { return hn::GatherIndex(DI(), table, index); }
};

}  // namespace basalt::scoring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target

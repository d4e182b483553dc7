// The lane vocabulary and its scalar form: one row at a time, the oracle of every other form. Rules are written against this vocabulary only.
//
// Types: F a double, I an int64, M a mask, each for kLanes rows that start at row i of the columns.
// Exactness: every operation gives the same bits in every form, for any input. Division truncates toward zero; int64 multiplication and addition wrap;
// no fused multiply-add (contraction is off in every compiler), no min/max (NaN and signed zero differ between targets).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#ifndef LANE_FN
#define LANE_FN static inline
#endif

namespace basalt::scoring {

struct ScalarLanes {
  using F = double;
  using I = int64_t;
  using M = bool;
  static constexpr size_t kLanes = 1;

  static I Load(const int64_t* p) { return *p; }
  static F LoadF(const double* p) { return *p; }
  static I LoadInt32(const int32_t* p) { return *p; }
  static I LoadInt8(const int8_t* p) { return *p; }
  static I LoadId(const uint32_t* p) { return *p; }
  static M LoadMask(const uint8_t* p) { return *p != 0; }
  static void StoreMask(M m, uint8_t* p) { *p = m; }
  static void StoreF(F v, double* p) { *p = v; }
  static void StoreInt8(I v, uint8_t* p) { *p = static_cast<uint8_t>(v); }    ///< the low byte
  static void StoreInt32(I v, int32_t* p) { *p = static_cast<int32_t>(v); }  ///< the low four bytes
  static int64_t MaxOfLanes(I v) { return v; }
  static I Set(int64_t v) { return v; }
  static F SetF(double v) { return v; }
  static M All(bool v) { return v; }

  static I Add(I a, I b) { return static_cast<I>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
  static I Sub(I a, I b) { return static_cast<I>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }
  /// a * 100, wrapping.
  static I Mul100(I a) { return static_cast<I>(static_cast<uint64_t>(a) * 100); }
  /// a / b truncated; b == 0 gives 0.
  static I Div(I a, I b) { return b == 0 ? 0 : b == -1 ? Sub(0, a) : a / b; }
  static F AddF(F a, F b) { return a + b; }
  static F SubF(F a, F b) { return a - b; }
  static F MulF(F a, F b) { return a * b; }
  static F DivF(F a, F b) { return a / b; }
  static F SqrtF(F a) { return std::sqrt(a); }
  static F AbsF(F a) { return std::fabs(a); }
  static F TruncF(F a) { return std::trunc(a); }
  static F ToF(I a) { return static_cast<double>(a); }

  static M Eq(I a, I b) { return a == b; }
  static M Less(I a, I b) { return a < b; }
  static M LessF(F a, F b) { return a < b; }
  static M And(M a, M b) { return a && b; }
  static M Or(M a, M b) { return a || b; }
  static M Not(M a) { return !a; }
  static I If(M m, I a, I b) { return m ? a : b; }
  static F IfF(M m, F a, F b) { return m ? a : b; }
  /// table[index] per lane; index within the table.
  static I Lookup(const int64_t* table, I index) { return table[index]; }
};

}  // namespace basalt::scoring

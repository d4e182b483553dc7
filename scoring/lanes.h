// The lane vocabulary and its scalar form: one row at a time, the oracle of every other form. Rules are written in this vocabulary only.
//
// A lane object stands for Step() neighbouring rows of the columns, `row` being the first. Types (always `auto` in a rule's text):
//   F  a double;
//   N  a whole number. Scalar: an int64 that saturates. Vectors hold it in a double and are exact inside a domain: every column read with Whole()
//      lies in [0, kWholeLimit) there. Whole() keeps the bits that it saw, the block loop looks at them and hands a block that does not to the scalar form,
//      so a rule gives the same bits everywhere, for any input;
//   M  a mask.
// No fused multiply-add (contraction is off in every compiler), no min/max on F (NaN and signed zero differ between targets), no reduction across
// lanes, no arrays of lane values (scalable targets have none).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#ifndef LANE_FN
#define LANE_FN static inline
#endif

namespace basalt::scoring {

/// Bound of the whole numbers that vectors hold. Times 100 they stay far below 2^53, where doubles are exact; the tighter need is that of a percentage by
/// multiplication (SimdLanes::Percent). In bytes: 8 TiB.
inline constexpr int kWholeBits = 43;
inline constexpr int64_t kWholeLimit = int64_t{1} << kWholeBits;

struct ScalarLanes {
  using F = double;
  using N = int64_t;
  using M = bool;
  static constexpr bool kBoundedWhole = false;  ///< N is exact for every int64
  static constexpr size_t Step() { return 1; }

  struct Seen {};
  static Seen NothingSeen() { return {}; }
  static bool InDomain(Seen) { return true; }

  size_t row;
  Seen* seen = nullptr;  ///< bits of the columns read by Whole(); rules that use it are given one

  // ---- columns at `row` ----
  N Whole(const int64_t* column) const { return column[row]; }                            ///< within the domain
  N Small(const int32_t* column) const { return column[row]; }
  N Small(const int8_t* column) const { return column[row]; }
  F Double(const int64_t* column) const { return static_cast<double>(column[row]); }      ///< any int64, rounded to nearest
  M AtLeast(const int64_t* column, int64_t bound) const { return column[row] >= bound; }  ///< exact for any int64
  M Below(const int64_t* a, const int64_t* b) const { return a[row] < b[row]; }           ///< exact for any int64
  F LoadF(const double* p) const { return *p; }
  void StoreF(F v, double* p) const { *p = v; }

  // ---- one bit per row of a group of kRowPad rows; `at`: the place of `row` in its group ----
  void AndBits(M m, size_t at, uint8_t* bits) const { *bits &= static_cast<uint8_t>(~(1u << at) | (static_cast<unsigned>(m) << at)); }
  F Where(uint8_t bits, size_t at, F yes, F no) const { return bits >> at & 1 ? yes : no; }

  // ---- constants ----
  F Float(double v) const { return v; }
  N Number(int64_t v) const { return v; }  ///< within the domain
  M True() const { return true; }
  M False() const { return false; }

  // ---- arithmetic ----
  F Add(F a, F b) const { return a + b; }
  F Sub(F a, F b) const { return a - b; }
  F Mul(F a, F b) const { return a * b; }
  F Div(F a, F b) const { return a / b; }
  F Sqrt(F a) const { return std::sqrt(a); }
  /// bound where a is above it; a must not be NaN where the result matters.
  F AtMost(F a, double bound) const { return bound < a ? bound : a; }
  F Abs(F a) const { return std::fabs(a); }
  N Add(N a, N b) const {
    N sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
  }
  N Sub(N a, N b) const {
    N difference;
    return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
  }
  /// a / 2, toward zero.
  N Half(N a) const { return a / 2; }
  /// part * 100 / whole, toward zero, with part held within 0..whole: always 0..100; 0 where whole <= 0.
  N Percent(N part, N whole) const {
    if (whole <= 0 || part <= 0) return 0;
    if (part >= whole) return 100;
    if (part <= INT64_MAX / 100) return part * 100 / whole;
    return static_cast<N>(static_cast<unsigned __int128>(part) * 100 / static_cast<uint64_t>(whole));
  }
  /// The same with 1 / whole at hand, rounded to nearest (any finite number where whole <= 0).
  N Percent(N part, N whole, const double*) const { return Percent(part, whole); }
  /// part / whole, rounded to nearest, for 0 <= part and 0 < whole, with 1 / whole at hand. Any number, or none, where whole is 0.
  F Share(N part, N whole, const double*) const { return static_cast<double>(part) / static_cast<double>(whole); }
  F ToF(N a) const { return static_cast<double>(a); }
  /// Toward zero; saturates. NaN gives 0.
  N Truncate(F a) const { return a >= 0x1p63 ? INT64_MAX : a >= -0x1p63 ? static_cast<N>(a) : a < 0 ? INT64_MIN : 0; }

  // ---- reductions: exact and order-free, so lanes may be combined ----
  using U = uint64_t;
  F Greater(F a, F b) const { return a > b ? a : b; }  ///< of numbers that are not NaN
  U Lower(U a, U b) const { return a < b ? a : b; }
  double MaxOf(F a) const { return a; }
  uint64_t MinOf(U a) const { return a; }
  /// rank where the key is `value`, else UINT64_MAX.
  U RankWhere(const double* key, double value, const uint64_t* rank) const { return key[row] == value ? rank[row] : UINT64_MAX; }
  /// The first lane that has this key and rank, -1 where none has.
  intptr_t FirstWith(const double* key, double value, const uint64_t* rank, uint64_t low) const { return key[row] == value && rank[row] == low ? 0 : -1; }

  /// The first of kCount (at most 32, whole steps) entries that is `value`; one of them is.
  template <size_t kCount>
  static uint32_t FirstOf(const double* entries, double value) {
    uint32_t at = 0;
    while (entries[at] != value && at + 1 < kCount) at++;
    return at;
  }

  // ---- comparison and choice ----
  M Less(F a, F b) const { return a < b; }
  M Equal(F a, F b) const { return a == b; }
  M Equal(N a, N b) const { return a == b; }
  M And(M a, M b) const { return a && b; }
  M Or(M a, M b) const { return a || b; }
  M Not(M a) const { return !a; }
  F Select(M m, F yes, F no) const { return m ? yes : no; }
  N Select(M m, N yes, N no) const { return m ? yes : no; }
};

}  // namespace basalt::scoring

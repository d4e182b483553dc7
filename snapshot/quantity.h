// Kubernetes quantities: exact to the nano unit, saturating at the limits of int64.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt {

/// An amount as Kubernetes' resource.Quantity holds it: units + nano * 1e-9, with 0 <= nano < 1e9.
/// Negative amounts have units < 0 and a non-negative nano (-0.5 is units -1, nano 500000000).
/// Arithmetic saturates: nothing wraps, a huge amount stays huge.
struct Quantity {
  int64_t units = 0;
  uint32_t nano = 0;

  /// Parses a quantity to the letter of Kubernetes' grammar
  ///   <sign>? (digits | digits.digits? | .digits) suffix,   suffix: Ki Mi Gi Ti Pi Ei | n u m "" k M G T P E | [eE]<signed digits>
  /// Digits below 1e-9 round up (away from zero), amounts beyond +-(2^63-1) saturate.
  /// Returns nullopt for anything else ("10 Gi", "1.5.2", "10GB", "", "0x10", "1e3m").
  static std::optional<Quantity> Parse(std::string_view text);
  /// Of an integer number of units (a bare JSON integer).
  static constexpr Quantity FromUnits(int64_t units) { return {units, 0}; }

  /// As Quantity.Value(): rounded away from zero (up, where not negative); saturating.
  int64_t Value() const;
  /// As Quantity.MilliValue(): amount * 1000, rounded likewise; saturating.
  int64_t MilliValue() const;
  bool IsNegative() const { return units < 0; }
  bool IsZero() const { return units == 0 && nano == 0; }

  Quantity operator+(Quantity o) const;  ///< saturating
  friend constexpr bool operator==(Quantity, Quantity) = default;
  friend constexpr auto operator<=>(Quantity, Quantity) = default;  ///< by amount
};

/// Saturating int64 arithmetic for integer resources.
int64_t SaturatingAdd(int64_t a, int64_t b);
int64_t SaturatingSub(int64_t a, int64_t b);
int64_t SaturatingMul(int64_t a, int64_t b);

}  // namespace basalt

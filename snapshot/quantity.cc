#include "snapshot/quantity.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace basalt {
namespace {

using Wide = unsigned __int128;
constexpr int64_t kMaxUnits = std::numeric_limits<int64_t>::max();
constexpr int64_t kNano = 1'000'000'000;
constexpr Wide kMaxNano = Wide(kMaxUnits) * kNano;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// What a suffix multiplies by: 10^ten * 2^two.
struct Scale {
  int64_t ten = 0;
  int two = 0;
};

std::optional<Scale> ParseSuffix(std::string_view s) {
  if (s.empty()) return Scale{};
  constexpr std::string_view kLetters = "kMGTPE";  // powers of 1000
  if (s.size() == 1) {
    if (s[0] == 'n') return Scale{-9, 0};
    if (s[0] == 'u') return Scale{-6, 0};
    if (s[0] == 'm') return Scale{-3, 0};
    const size_t power = kLetters.find(s[0]);
    if (power == std::string_view::npos) return std::nullopt;
    return Scale{3 * (int64_t(power) + 1), 0};
  }
  if (s.size() == 2 && s[1] == 'i') {
    const size_t power = std::string_view("KMGTPE").find(s[0]);  // binary kilo is a capital K
    if (power == std::string_view::npos) return std::nullopt;
    return Scale{0, 10 * (int(power) + 1)};
  }
  if (s[0] != 'e' && s[0] != 'E') return std::nullopt;
  s.remove_prefix(1);
  if (s[0] == '+') {
    s.remove_prefix(1);
    if (s.empty() || !IsDigit(s[0])) return std::nullopt;
  }
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), exponent);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  constexpr int64_t kBound = int64_t{1} << 40;  // far beyond any digits a text can hold, so that sums of exponents do not overflow
  return Scale{exponent > kBound ? kBound : exponent < -kBound ? -kBound : exponent, 0};
}

/// value * factor, at most kMaxNano.
Wide Times(Wide value, uint64_t factor) { return value > kMaxNano / factor ? kMaxNano : value * factor; }

/// The digits of a number, its point taken out.
struct Digits {
  std::string_view whole, fraction;
  size_t size() const { return whole.size() + fraction.size(); }
  int operator[](size_t i) const { return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0'; }
};

/// digits * 10^scale.ten * 2^scale.two in nano units, rounded up, at most kMaxNano.
Wide NanoOf(Digits digits, Scale scale) {
  const int64_t shift = scale.ten - int64_t(digits.fraction.size()) + 9;  // nano = digits * 10^shift * 2^two
  const int64_t size = int64_t(digits.size());
  const int64_t below = shift < 0 ? std::min(-shift, size) : 0;  // digits behind the nano unit's point
  const uint64_t power = uint64_t{1} << scale.two;
  Wide nano = 0;
  for (int64_t i = 0; i < size - below; i++) {
    nano = nano * 10 + Wide(digits[i]);
    if (nano > kMaxNano) return kMaxNano;
  }
  for (int64_t i = 0; i < shift && nano != 0 && nano < kMaxNano; i++) nano = Times(nano, 10);
  nano = Times(nano, power);
  // The digits behind the point times 2^two, by hand from the right: what is carried out of them is whole, the rest rounds up.
  Wide carry = 0;
  bool rest = false;
  for (int64_t i = size - 1; i >= size - below; i--) {
    const Wide v = Wide(digits[i]) * power + carry;
    rest |= v % 10 != 0;
    carry = v / 10;
  }
  for (int64_t i = below; shift < 0 && i < -shift && carry != 0; i++) {
    rest |= carry % 10 != 0;
    carry /= 10;
  }
  nano += carry + (rest ? 1 : 0);
  return nano > kMaxNano ? kMaxNano : nano;
}

}  // namespace

std::optional<Quantity> Quantity::Parse(std::string_view text) {
  size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) at = 1;
  const size_t whole = at;
  while (at < text.size() && IsDigit(text[at])) at++;
  Digits digits{text.substr(whole, at - whole), {}};
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = ++at;
    while (at < text.size() && IsDigit(text[at])) at++;
    digits.fraction = text.substr(fraction, at - fraction);
  }
  if (digits.size() == 0) return std::nullopt;
  const std::optional<Scale> scale = ParseSuffix(text.substr(at));
  if (!scale) return std::nullopt;
  const Wide nano = NanoOf(digits, *scale);
  Quantity q{int64_t(nano / kNano), uint32_t(nano % kNano)};
  if (!negative) return q;
  if (q.nano == 0) return Quantity{-q.units, 0};
  return Quantity{-q.units - 1, uint32_t(kNano - q.nano)};
}

// Kubernetes rounds away from zero; with a floor in `units` and a non-negative `nano` that is plain truncation for negative amounts.
int64_t Quantity::Value() const { return units < 0 || nano == 0 ? units : SaturatingAdd(units, 1); }

int64_t Quantity::MilliValue() const {
  const int64_t milli = units < 0 ? nano / 1'000'000 : (int64_t(nano) + 999'999) / 1'000'000;
  return SaturatingAdd(SaturatingMul(units, 1000), milli);
}

Quantity Quantity::operator+(Quantity o) const {
  const uint64_t nanos = uint64_t(nano) + o.nano;
  int64_t sum = 0;
  if (__builtin_add_overflow(units, o.units, &sum)) return {units < 0 ? std::numeric_limits<int64_t>::min() : kMaxUnits, 0};
  if (nanos < uint64_t(kNano)) return {sum, uint32_t(nanos)};
  if (sum == kMaxUnits) return {kMaxUnits, 0};
  return {sum + 1, uint32_t(nanos - kNano)};
}

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_add_overflow(a, b, &r)) return r;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

int64_t SaturatingSub(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_sub_overflow(a, b, &r)) return r;
  return b > 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

int64_t SaturatingMul(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_mul_overflow(a, b, &r)) return r;
  return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace basalt

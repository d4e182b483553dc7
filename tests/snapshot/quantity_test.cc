#include "snapshot/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace basalt {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Quantity Of(std::string_view text) {
  const std::optional<Quantity> q = Quantity::Parse(text);
  EXPECT_TRUE(q.has_value()) << text;
  return q.value_or(Quantity{-77, 7});
}

TEST(QuantityTest, EverySuffix) {
  const struct {
    const char* text;
    int64_t units;
    uint32_t nano;
  } cases[] = {{"1n", 0, 1}, {"1u", 0, 1000}, {"1m", 0, 1'000'000}, {"1", 1, 0}, {"1k", 1000, 0}, {"1M", 1'000'000, 0},
               {"1G", 1'000'000'000, 0}, {"1T", 1'000'000'000'000, 0}, {"1P", 1'000'000'000'000'000, 0}, {"1E", 1'000'000'000'000'000'000, 0},
               {"1Ki", 1 << 10, 0}, {"1Mi", 1 << 20, 0}, {"1Gi", 1 << 30, 0}, {"1Ti", int64_t{1} << 40, 0}, {"1Pi", int64_t{1} << 50, 0},
               {"1Ei", int64_t{1} << 60, 0}, {"1e3", 1000, 0}, {"1E3", 1000, 0}, {"1e+3", 1000, 0}, {"1e-3", 0, 1'000'000}, {"1E-9", 0, 1}};
  for (const auto& c : cases) EXPECT_EQ(Of(c.text), (Quantity{c.units, c.nano})) << c.text;
}

TEST(QuantityTest, FormsOfTheNumber) {
  EXPECT_EQ(Of("+1"), (Quantity{1, 0}));
  EXPECT_EQ(Of("5."), (Quantity{5, 0}));
  EXPECT_EQ(Of(".5"), (Quantity{0, 500'000'000}));
  EXPECT_EQ(Of("007"), (Quantity{7, 0}));
  EXPECT_EQ(Of("1.5Gi"), (Quantity{(int64_t{3} << 30) / 2, 0}));
  EXPECT_EQ(Of("0.1Ki"), (Quantity{102, 400'000'000}));
  EXPECT_EQ(Of("128974848000m"), Of("123Mi"));
  EXPECT_EQ(Of("129e6"), Of("129M"));
  EXPECT_EQ(Of("1.23e8"), (Quantity{123'000'000, 0}));
  EXPECT_EQ(Of("0"), Quantity{});
  EXPECT_EQ(Of("-0"), Quantity{});
  EXPECT_EQ(Of("0e999999999999"), Quantity{});
}

TEST(QuantityTest, RefusesEverythingElse) {
  for (const char* text : {"", "+", "-", ".", "Ki", "10 Gi", " 1", "1 ", "1.5.2", ".07893E985.90504", "10GB", "0x10", "1e3m", "1ki", "1K", "1mi", "1e",
                           "1e+", "1e++1", "1e+-1", "1Eii", "--1", "1,5", "1_000", "1e99999999999999999999", "NaN", "1\n", "1m1"}) {
    EXPECT_FALSE(Quantity::Parse(text).has_value()) << '"' << text << '"';
  }
  EXPECT_FALSE(Quantity::Parse(std::string_view("1\0", 2)).has_value());
}

TEST(QuantityTest, FinerThanNanoRoundsAwayFromZero) {
  EXPECT_EQ(Of("0.0000000001"), (Quantity{0, 1}));
  EXPECT_EQ(Of("1.0000000001"), (Quantity{1, 1}));
  EXPECT_EQ(Of("0.1n"), (Quantity{0, 1}));
  EXPECT_EQ(Of("1e-1000000"), (Quantity{0, 1}));
  EXPECT_EQ(Of("-0.1n"), (Quantity{-1, 999'999'999}));
  EXPECT_EQ(Of("0.00000000010000Ki"), (Quantity{0, 103}));  // 102.4 nano
  EXPECT_EQ(Of("1." + std::string(5000, '0') + "1Ki"), (Quantity{1024, 1}));
  EXPECT_EQ(Of("0." + std::string(30, '9') + "Ki"), (Quantity{1024, 0}));
}

TEST(QuantityTest, Saturates) {
  for (const char* text : {"9223372036854775807", "9223372036854775808", "8Ei", "100E", "1e100", "99999999999999999999999999999999999999999999", "1e99999999"}) {
    EXPECT_EQ(Of(text), (Quantity{kMax, 0})) << text;
  }
  EXPECT_EQ(Of("9223372036854775806.5"), (Quantity{kMax - 1, 500'000'000}));
  EXPECT_EQ(Of("-100E"), (Quantity{-kMax, 0}));
  EXPECT_EQ(Of("100E").MilliValue(), kMax);
  EXPECT_EQ(Of("-100E").MilliValue(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Of("9223372036854775806.5").Value(), kMax);
}

TEST(QuantityTest, ValuesRoundAwayFromZeroAsInKubernetes) {
  EXPECT_EQ(Of("1.1").Value(), 2);
  EXPECT_EQ(Of("1n").Value(), 1);
  EXPECT_EQ(Of("-1.1").Value(), -2);
  EXPECT_EQ(Of("1.0001").MilliValue(), 1001);
  EXPECT_EQ(Of("100m").MilliValue(), 100);
  EXPECT_EQ(Of("-500m").MilliValue(), -500);
  EXPECT_EQ(Of("-0.0005").MilliValue(), -1);
  EXPECT_EQ(Of("2").MilliValue(), 2000);
}

TEST(QuantityTest, OrderAndSum) {
  EXPECT_LT(Of("-1"), Of("-0.5"));
  EXPECT_LT(Of("-0.5"), Of("0"));
  EXPECT_LT(Of("999m"), Of("1"));
  EXPECT_EQ(Of("0.6") + Of("0.6"), Of("1.2"));
  EXPECT_EQ(Of("-0.5") + Of("0.5"), Quantity{});
  EXPECT_EQ((Of("100E") + Of("1")).units, kMax);
  EXPECT_EQ((Of("-100E") + Of("-100E")).units, std::numeric_limits<int64_t>::min());
  EXPECT_TRUE(Of("-1n").IsNegative());
  EXPECT_FALSE(Of("0").IsNegative());
}

TEST(QuantityTest, IntegerArithmeticSaturates) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(SaturatingAdd(kMax, 1), kMax);
  EXPECT_EQ(SaturatingAdd(kMin, -1), kMin);
  EXPECT_EQ(SaturatingSub(kMin, 1), kMin);
  EXPECT_EQ(SaturatingSub(0, kMin), kMax);
  EXPECT_EQ(SaturatingMul(kMax, -2), kMin);
  EXPECT_EQ(SaturatingMul(kMin, -1), kMax);
  EXPECT_EQ(SaturatingMul(3, -4), -12);
}

// Every millionth step of the decimals against plain integer arithmetic.
TEST(QuantityTest, AgreesWithIntegersOnManyDecimals) {
  for (int64_t nano = 0; nano < 3'000'000'000; nano += 1'234'567) {
    char text[64];
    std::snprintf(text, sizeof text, "%lld.%09lld", static_cast<long long>(nano / 1'000'000'000), static_cast<long long>(nano % 1'000'000'000));
    const Quantity q = Of(text);
    EXPECT_EQ(q.units * 1'000'000'000 + q.nano, nano) << text;
    EXPECT_EQ(q.MilliValue(), (nano + 999'999) / 1'000'000) << text;
    EXPECT_EQ(Of(std::to_string(nano) + "n"), q) << text;
  }
}

}  // namespace
}  // namespace basalt

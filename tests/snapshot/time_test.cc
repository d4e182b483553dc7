#include "snapshot/time.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

TEST(TimeTest, ReadsRfc3339) {
  EXPECT_EQ(ParseRfc3339("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseRfc3339("2025-11-30T10:53:20Z"), 1'764'500'000);
  EXPECT_EQ(ParseRfc3339("2025-11-30T11:53:20+01:00"), 1'764'500'000);
  EXPECT_EQ(ParseRfc3339("2025-11-30T05:23:20-05:30"), 1'764'500'000);
  EXPECT_EQ(ParseRfc3339("2025-11-30T10:53:20.999999Z"), 1'764'500'000);
  EXPECT_EQ(ParseRfc3339("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(ParseRfc3339("2024-02-29T00:00:00Z"), 1'709'164'800);
  EXPECT_EQ(ParseRfc3339("0000-01-01T00:00:00Z"), -62'167'219'200);
}

TEST(TimeTest, ReadsNanoseconds) {
  EXPECT_EQ(ParseRfc3339Ns("2025-11-30T10:53:20Z"), 1'764'500'000'000'000'000);
  EXPECT_EQ(ParseRfc3339Ns("2025-11-30T11:53:20.25+01:00"), 1'764'500'000'250'000'000);
  EXPECT_EQ(ParseRfc3339Ns("1969-12-31T23:59:59.9999999999Z"), -1);
  EXPECT_EQ(ParseRfc3339Ns("2262-04-11T23:47:16.854775807Z"), INT64_MAX);
  for (const char* text : {"2262-04-11T23:47:16.854775808Z", "9999-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "2025-11-30T10:53:20", "2025-11-30T10:53:20.Z"})
    EXPECT_FALSE(ParseRfc3339Ns(text).has_value()) << text;
}

TEST(TimeTest, RefusesOtherTimes) {
  for (const char* text : {"", "2025-11-30", "2025-11-30T10:53:20", "2025-11-30 10:53:20Z", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z",
                           "2025-11-30T24:00:00Z", "2025-11-30T10:60:20Z", "2025-11-30T10:53:60Z", "2025-11-30T10:53:20.Z", "2025-11-30T10:53:20+1:00",
                           "2025-11-30T10:53:20+24:00", "2025-11-30T10:53:20ZZ", "2025-11-30T10:53:20+01:000", "+2025-11-30T10:53:20Z", "25-11-30T10:53:20Z"}) {
    EXPECT_FALSE(ParseRfc3339(text).has_value()) << text;
  }
}

TEST(TimeTest, WritesWhatItReads) {
  EXPECT_EQ(FormatRfc3339(1'764'500'000), "2025-11-30T10:53:20Z");
  EXPECT_EQ(FormatRfc3339(-1), "1969-12-31T23:59:59Z");
  for (int64_t t = -62'167'219'200; t < 253'402'300'799; t += 9'876'543'211) EXPECT_EQ(ParseRfc3339(FormatRfc3339(t)), t);
  EXPECT_EQ(FormatRfc3339(INT64_MAX), "9999-12-31T23:59:59Z");
  EXPECT_EQ(FormatRfc3339(INT64_MIN), "0000-01-01T00:00:00Z");
}

TEST(TimeTest, ReadsGoDurations) {
  EXPECT_EQ(ParseGoDuration("0"), 0);
  EXPECT_EQ(ParseGoDuration("1h30m"), 5'400'000'000'000);
  EXPECT_EQ(ParseGoDuration("-1.5s"), -1'500'000'000);
  EXPECT_EQ(ParseGoDuration("+300ms"), 300'000'000);
  EXPECT_EQ(ParseGoDuration("1us1\xC2\xB5s1\xCE\xBCs1ns"), 3001);
  EXPECT_EQ(ParseGoDuration(".5m"), 30'000'000'000);
  EXPECT_EQ(ParseGoDuration("1.m"), 60'000'000'000);
  EXPECT_EQ(ParseGoDuration("0.3333333333333333333h"), 1'199'999'999'999);
  EXPECT_EQ(ParseGoDuration("9223372036854775807ns"), INT64_MAX);
}

TEST(TimeTest, RefusesOtherDurations) {
  for (const char* text : {"", "-", "1", "s", ".s", "1d", "1 s", "1h-1m", "9223372036854775808ns", "2562048h", "1e3s", "00"}) {
    EXPECT_FALSE(ParseGoDuration(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace basalt

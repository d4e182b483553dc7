#include "snapshot/time.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace basalt {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes exactly `count` digits off the front; -1 where they are not there.
int TakeDigits(std::string_view* text, size_t count) {
  if (text->size() < count) return -1;
  int value = 0;
  for (size_t i = 0; i < count; i++) {
    if (!IsDigit((*text)[i])) return -1;
    value = value * 10 + ((*text)[i] - '0');
  }
  text->remove_prefix(count);
  return value;
}

bool Take(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

/// "Z" or "+01:00", the whole text, in seconds east of Greenwich.
std::optional<int> ParseOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const int sign = !text.empty() && text[0] == '-' ? -1 : 1;
  if (!Take(&text, "+-")) return std::nullopt;
  const int hours = TakeDigits(&text, 2);
  if (hours < 0 || hours > 23 || !Take(&text, ":")) return std::nullopt;
  const int minutes = TakeDigits(&text, 2);
  if (minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  return sign * (hours * 3600 + minutes * 60);
}

/// Nanoseconds of a unit's name at the front of the text, which is taken off; 0 where there is none.
int64_t TakeUnit(std::string_view* text) {
  struct Unit {
    std::string_view name;
    int64_t ns;
  };
  // Longer names first; the micro sign comes as U+00B5 and as U+03BC.
  static constexpr Unit kUnits[] = {{"\xC2\xB5s", 1000}, {"\xCE\xBCs", 1000}, {"ns", 1},  {"us", 1000}, {"ms", 1'000'000},
                                    {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000}};
  for (const Unit& unit : kUnits) {
    if (!text->starts_with(unit.name)) continue;
    text->remove_prefix(unit.name.size());
    return unit.ns;
  }
  return 0;
}

/// The text as seconds since 1970 and what is to be added to them. False for anything but RFC 3339.
bool ParseInstant(std::string_view text, int64_t* seconds, int64_t* nanoseconds) {
  const int year = TakeDigits(&text, 4);
  if (year < 0 || !Take(&text, "-")) return false;
  const int month = TakeDigits(&text, 2);
  if (month < 0 || !Take(&text, "-")) return false;
  const int day = TakeDigits(&text, 2);
  if (day < 0 || !Take(&text, "Tt")) return false;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)), std::chrono::day(unsigned(day))};
  if (!date.ok()) return false;
  const int hour = TakeDigits(&text, 2);
  if (hour < 0 || hour > 23 || !Take(&text, ":")) return false;
  const int minute = TakeDigits(&text, 2);
  if (minute < 0 || minute > 59 || !Take(&text, ":")) return false;
  const int second = TakeDigits(&text, 2);
  if (second < 0 || second > 59) return false;
  if (Take(&text, ".")) {
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return false;
    int64_t unit = 100'000'000;
    for (size_t i = 0; i < digits && unit; i++, unit /= 10) *nanoseconds += (text[i] - '0') * unit;
    text.remove_prefix(digits);
  }
  const std::optional<int> offset = ParseOffset(text);
  if (!offset) return false;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  *seconds = days * 86400 + hour * 3600 + minute * 60 + second - *offset;
  return true;
}

}  // namespace

std::optional<int64_t> ParseRfc3339(std::string_view text) {
  int64_t seconds = 0, nanoseconds = 0;
  if (!ParseInstant(text, &seconds, &nanoseconds)) return std::nullopt;
  return seconds;
}

std::optional<int64_t> ParseRfc3339Ns(std::string_view text) {
  int64_t seconds = 0, nanoseconds = 0, total = 0;
  if (!ParseInstant(text, &seconds, &nanoseconds) || __builtin_mul_overflow(seconds, int64_t{1'000'000'000}, &total) || __builtin_add_overflow(total, nanoseconds, &total))
    return std::nullopt;
  return total;
}

std::string FormatRfc3339(int64_t unix_seconds) {
  constexpr int64_t kFirst = -62'167'219'200, kLast = 253'402'300'799;  // 0000-01-01T00:00:00Z, 9999-12-31T23:59:59Z
  const std::chrono::sys_seconds time{std::chrono::seconds(std::clamp(unix_seconds, kFirst, kLast))};
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const int64_t second = (time - day).count();
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                                 int(second / 3600), int(second / 60 % 60), int(second % 60));
  return std::string(text, size_t(size));
}

std::optional<int64_t> ParseGoDuration(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  Take(&text, "+-");
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  constexpr __int128 kMax = std::numeric_limits<int64_t>::max();
  __int128 total = 0;
  while (!text.empty()) {
    __int128 whole = 0, fraction = 0, scale = 1;
    bool any = false;
    for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), any = true) {
      whole = whole * 10 + (text[0] - '0');
      if (whole > kMax) return std::nullopt;
    }
    if (Take(&text, ".")) {
      for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), any = true) {
        if (scale >= 1'000'000'000'000'000) continue;  // finer than a nanosecond of an hour
        fraction = fraction * 10 + (text[0] - '0');
        scale *= 10;
      }
    }
    const int64_t unit = any ? TakeUnit(&text) : 0;
    if (unit == 0) return std::nullopt;
    total += whole * unit + fraction * unit / scale;
    if (total > kMax) return std::nullopt;
  }
  return negative ? -int64_t(total) : int64_t(total);
}

}  // namespace basalt

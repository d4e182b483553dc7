#include "cli/moment.h"

#include <chrono>

namespace basalt::cli {

namespace {

/// Takes `digits` digits off the front; -1 where they are not there.
int Digits(std::string_view* text, int digits) {
  int value = 0;
  for (int i = 0; i < digits; i++) {
    if (text->empty() || text->front() < '0' || text->front() > '9') return -1;
    value = value * 10 + (text->front() - '0');
    text->remove_prefix(1);
  }
  return value;
}

bool Take(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == any_of.npos) return false;
  text->remove_prefix(1);
  return true;
}

}  // namespace

std::optional<int64_t> ParseRfc3339(std::string_view text) {
  using namespace std::chrono;
  const int y = Digits(&text, 4);
  if (y < 1678 || y > 2261 || !Take(&text, "-")) return std::nullopt;
  const int m = Digits(&text, 2);
  if (m < 0 || !Take(&text, "-")) return std::nullopt;
  const int d = Digits(&text, 2);
  const year_month_day date = year(y) / month(m) / day(d);
  if (d < 0 || !date.ok() || !Take(&text, "Tt ")) return std::nullopt;
  const int h = Digits(&text, 2);
  if (h < 0 || h > 23 || !Take(&text, ":")) return std::nullopt;
  const int min = Digits(&text, 2);
  if (min < 0 || min > 59 || !Take(&text, ":")) return std::nullopt;
  const int s = Digits(&text, 2);
  if (s < 0 || s > 60) return std::nullopt;  // 60: a leap second, counted as the next one's start
  int64_t nanos = 0;
  if (Take(&text, ".")) {
    int64_t unit = 100'000'000;
    size_t digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), unit /= 10, digits++) nanos += (text.front() - '0') * unit;
    if (digits == 0) return std::nullopt;
  }
  int offset_minutes = 0;
  if (!Take(&text, "Zz")) {
    const bool west = !text.empty() && text.front() == '-';
    if (!Take(&text, "+-")) return std::nullopt;
    const int oh = Digits(&text, 2);
    if (oh < 0 || oh > 23 || !Take(&text, ":")) return std::nullopt;
    const int om = Digits(&text, 2);
    if (om < 0 || om > 59) return std::nullopt;
    offset_minutes = (oh * 60 + om) * (west ? -1 : 1);
  }
  if (!text.empty()) return std::nullopt;
  const int64_t seconds = int64_t{sys_days(date).time_since_epoch().count()} * 86400 + h * 3600 + min * 60 + s - offset_minutes * 60;
  return seconds * 1'000'000'000 + nanos;
}

}  // namespace basalt::cli

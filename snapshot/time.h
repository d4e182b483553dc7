// Points in time and durations as Kubernetes objects and configurations write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace basalt {

/// RFC 3339 ("2025-11-30T10:53:20Z", "2025-11-30T11:53:20.5+01:00") to seconds since 1970; fractions are cut off (towards the past).
/// nullopt for anything else, impossible dates included.
std::optional<int64_t> ParseRfc3339(std::string_view text);
/// The same to nanoseconds since 1970; what is finer is cut off. nullopt also outside of what 63 bits hold (1677 to 2262).
std::optional<int64_t> ParseRfc3339Ns(std::string_view text);

/// Seconds since 1970 as "2025-11-30T10:53:20Z". Years outside 0 to 9999 are clamped to them.
std::string FormatRfc3339(int64_t unix_seconds);

/// A duration as Go's time.ParseDuration reads it ("1h30m", "-1.5s", "300ms", "0") to nanoseconds.
/// nullopt for anything else and for what does not fit 63 bits.
std::optional<int64_t> ParseGoDuration(std::string_view text);

}  // namespace basalt

// Points in time as people write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt::cli {

/// RFC 3339, such as 2025-11-30T10:53:20Z or 2025-11-30T11:53:20.5+01:00: nanoseconds since 1970. nullopt where the text is not one or lies
/// outside of 1678 to 2261.
std::optional<int64_t> ParseRfc3339(std::string_view text);

}  // namespace basalt::cli

// Finds the end of a JSON value by its quotes and brackets only, 64 bytes at a time.
#pragma once
#include <cstddef>
#include <string_view>

namespace basalt {

/// One past the bracket that closes the object or list beginning at `text[at]` ('{' or '['); npos where the text ends before.
/// Which kind of bracket closes which is left to whoever parses the value. No recursion: depth is a number.
/// kJsonPaddingBytes readable bytes behind the text.
size_t SkipContainer(std::string_view text, size_t at);

/// One past the closing quote of the string beginning at `text[at]`; npos where the text ends before.
size_t SkipString(std::string_view text, size_t at);

}  // namespace basalt

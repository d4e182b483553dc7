// Text of the input as a terminal may show it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace basalt {

struct PrintableText {
  std::string text;
  size_t width = 0;  // columns of a terminal: wide characters count 2, combining ones 0
};

/// Every byte of what is no printable character becomes \\xNN: control characters (also those beyond ASCII), bytes that are no UTF-8, and the marks that turn the
/// direction of writing. Names of the input must not steer the terminal, nor make one name look like another. With `lines` a line feed stays.
PrintableText Printable(std::string_view text, bool lines = false);

}  // namespace basalt

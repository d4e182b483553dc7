// Text in columns, as kubectl prints it: as wide as the widest entry, two blanks between, no blanks at a line's end.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

/// Columns that a text takes on a terminal: characters, not bytes.
size_t DisplayWidth(std::string_view text);
/// Lines of cells; a line may have fewer than others.
std::string Columns(const std::vector<std::vector<std::string>>& lines);

}  // namespace basalt

// Text in columns, as kubectl prints it: as wide as the widest entry, two blanks between, no blanks at a line's end.
#pragma once
#include <string>
#include <vector>

namespace basalt {

/// Lines of cells; a line may have fewer than others. Cells are as wide as a terminal shows them (wide characters count 2, combining ones 0), and what is no
/// printable character becomes \xNN: names of the input must not steer the terminal.
std::string Columns(const std::vector<std::vector<std::string>>& lines);

}  // namespace basalt

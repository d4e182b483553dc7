// Text in columns, as kubectl prints it: as wide as the widest entry, two blanks between, no blanks at a line's end.
#pragma once
#include <string>
#include <vector>

namespace basalt {

/// Lines of cells; a line may have fewer than others. Cells are printable (report/printable.h) and as wide as a terminal shows them.
std::string Columns(const std::vector<std::vector<std::string>>& lines);

}  // namespace basalt

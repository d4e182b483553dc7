#include "report/columns.h"

#include <algorithm>

namespace basalt {

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));  // bytes that begin a character
}

std::string Columns(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> width;
  for (const auto& line : lines) {
    width.resize(std::max(width.size(), line.size()));
    for (size_t c = 0; c + 1 < line.size(); c++) width[c] = std::max(width[c], DisplayWidth(line[c]));
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (size_t c = 0; c < line.size(); c++) {
      text += line[c];
      if (c + 1 < line.size()) text.append(width[c] - DisplayWidth(line[c]) + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace basalt

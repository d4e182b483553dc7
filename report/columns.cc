#include "report/columns.h"

#include <algorithm>

#include "report/printable.h"

namespace basalt {

std::string Columns(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::vector<PrintableText>> cells(lines.size());
  std::vector<size_t> width;
  for (size_t l = 0; l < lines.size(); l++) {
    for (const std::string& text : lines[l]) cells[l].push_back(Printable(text));
    width.resize(std::max(width.size(), cells[l].size()));
    for (size_t c = 0; c + 1 < cells[l].size(); c++) width[c] = std::max(width[c], cells[l][c].width);
  }
  std::string out, text;
  for (const std::vector<PrintableText>& line : cells) {
    text.clear();
    for (size_t c = 0; c < line.size(); c++) {
      text += line[c].text;
      if (c + 1 < line.size()) text.append(width[c] - line[c].width + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace basalt

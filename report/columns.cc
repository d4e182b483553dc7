#include "report/columns.h"

#include <clocale>
#include <cstdio>
#include <cwchar>

#include <algorithm>

namespace basalt {
namespace {

/// While it lives, this thread's character functions know UTF-8, whatever the process has set.
class Utf8Locale {
 public:
  Utf8Locale() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (utf8) before_ = uselocale(utf8);
  }
  ~Utf8Locale() {
    if (before_) uselocale(before_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t before_ = nullptr;
};

struct Cell {
  std::string text;
  size_t width = 0;
};

Cell CellOf(const std::string& text) {
  Cell cell;
  std::mbstate_t state{};
  for (size_t at = 0; at < text.size();) {
    wchar_t c = 0;
    const size_t read = std::mbrtowc(&c, text.data() + at, text.size() - at, &state);
    const bool whole = read != 0 && read <= text.size() - at;
    const int width = whole ? wcwidth(c) : -1;
    const size_t bytes = whole ? read : 1;
    if (width >= 0) {
      cell.text.append(text, at, bytes), cell.width += static_cast<size_t>(width);
    } else {
      state = {};
      for (size_t b = at; b < at + bytes; b++) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(text[b]));
        cell.text += escaped, cell.width += 4;
      }
    }
    at += bytes;
  }
  return cell;
}

}  // namespace

std::string Columns(const std::vector<std::vector<std::string>>& lines) {
  const Utf8Locale utf8;
  std::vector<std::vector<Cell>> cells(lines.size());
  std::vector<size_t> width;
  for (size_t l = 0; l < lines.size(); l++) {
    for (const std::string& text : lines[l]) cells[l].push_back(CellOf(text));
    width.resize(std::max(width.size(), cells[l].size()));
    for (size_t c = 0; c + 1 < cells[l].size(); c++) width[c] = std::max(width[c], cells[l][c].width);
  }
  std::string out, text;
  for (const std::vector<Cell>& line : cells) {
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

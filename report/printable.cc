#include "report/printable.h"

#include <clocale>
#include <cstdio>
#include <cwchar>

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

// Marks that change the direction of the text around them (Unicode Standard Annex 9) and the two separators that some terminals take as line ends: they make a
// line read other than it is.
bool Misleads(wchar_t c) { return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

}  // namespace

PrintableText Printable(std::string_view text, bool lines) {
  const Utf8Locale utf8;
  PrintableText out;
  out.text.reserve(text.size());
  std::mbstate_t state{};
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte >= 0x20 && byte < 0x7F) || (lines && byte == '\n')) {
      out.text += text[at++], out.width++;
      continue;
    }
    wchar_t c = 0;
    const size_t read = std::mbrtowc(&c, text.data() + at, text.size() - at, &state);
    const bool whole = read != 0 && read <= text.size() - at;
    const int width = whole && !Misleads(c) ? wcwidth(c) : -1;
    const size_t bytes = whole ? read : 1;
    if (width >= 0) {
      out.text.append(text, at, bytes), out.width += static_cast<size_t>(width);
    } else {
      state = {};
      for (size_t b = at; b < at + bytes; b++) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(text[b]));
        out.text += escaped, out.width += 4;
      }
    }
    at += bytes;
  }
  return out;
}

}  // namespace basalt

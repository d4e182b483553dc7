#include "report/json_writer.h"

#include <charconv>
#include <cmath>

namespace basalt {

JsonWriter& JsonWriter::Number(double v) {
  if (!std::isfinite(v)) return Null();
  Comma();
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, v);
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  out_ += text;
  if (text.find_first_of(".e") == std::string_view::npos) out_ += ".0";
  return *this;
}

}  // namespace basalt

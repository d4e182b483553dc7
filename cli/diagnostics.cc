#include "cli/diagnostics.h"

#include <string>

#include "cli/log.h"

namespace basalt::cli {

namespace {

// A live dump may have a dangling reference per pod.
constexpr size_t kWarningsShown = 50;

std::string_view View(basalt_text text) { return {text.data ? text.data : "", text.size}; }

std::string Line(const basalt_diagnostic& d) {
  std::string line;
  for (const basalt_text part : {d.source, d.object, d.field})
    if (part.size) line.append(View(part)).append(": ");
  return line.append(View(d.message));
}

Tone ToneOf(basalt_severity severity) {
  if (severity == BASALT_NOTE) return Tone::kNote;
  return severity == BASALT_WARNING ? Tone::kWarning : Tone::kError;
}

}  // namespace

void DiagnosticLog::Print(const basalt_diagnostic& d) {
  bad_objects_ += d.severity == BASALT_BAD_OBJECT;
  if (d.severity == BASALT_WARNING && ++warnings_ > kWarningsShown && Verbosity() == 0) hidden_++;
  else Log(ToneOf(d.severity), Line(d));
}

void DiagnosticLog::Finish(const char* where) {
  if (hidden_) Log(Tone::kWarning, fmt::format("and {} more warnings (-v 1 shows them{})", hidden_, where));
  hidden_ = 0;
}

}  // namespace basalt::cli

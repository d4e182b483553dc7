#include "cli/replay.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "cli/log.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

int Replay(const CommonOptions& common, const InputOptions& inputs) {
  const LibraryOptions library(common, inputs, "");
  Progress progress(common.progress);
  int code = kDone;
  std::string summary;
  const bool good = ForEachInput(inputs, false, &progress, [&](Input& input) {
    progress.Stage("replaying " + input.name);
    basalt_replay_result result{};
    result.size = sizeof result;
    Buffer why;
    const basalt_status status = basalt_replay(&library.options, input.text(), &result, why.out());
    summary += fmt::format("{}: {} cycles are equal{}\n", input.name, result.cycles, status == BASALT_OK ? "" : ", then:");
    if (status == BASALT_OK) return true;
    if (result.differs_line) {
      const std::string text = fmt::format("line {}: cycle {} (time {} ns) decides otherwise than it was recorded", result.differs_line, result.cycles + 1, result.differs_now_ns);
      summary += "  " + text + "\n";
      Error("{}: {}", input.name, text);
      code = kFailed;
      return true;
    }
    summary += fmt::format("  {}\n", why.text());
    const int failure = Failure(status, input.name, why.text());
    if (code == kDone) code = failure;
    return true;
  });
  progress.Stop();
  if (!PrintData(summary)) return kFailed;
  return code != kDone ? code : good ? kDone : kInputInvalid;
}

}  // namespace basalt::cli

// basalt schedule --replay: the cycles of a recording again, compared with what was decided then.
#pragma once
#include "cli/options.h"

namespace basalt::cli {

/// An exit code: kDone where every cycle is equal, kFailed where one differs, kInputInvalid where a recording cannot be read to its end.
int Replay(const CommonOptions& common, const InputOptions& inputs);

}  // namespace basalt::cli

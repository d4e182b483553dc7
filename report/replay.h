// Recordings: the stream that entered a running scheduler, one JSON object per line, repeated and compared (docs/recording.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "report/engine.h"

namespace basalt {

struct Replayed {
  uint64_t lines = 0, cycles = 0;
  uint64_t differs_line = 0;
  int64_t differs_now_ns = 0;
  std::string error;  ///< a line that cannot be used, and why; empty: the recording was read to its end or to the cycle that differs
};

/// options: backend and threads; everything else is the recording's. The text has the padding of basalt.h behind it.
Replayed Replay(std::string_view recording, const EngineOptions& options);

}  // namespace basalt

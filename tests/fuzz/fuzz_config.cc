// The scheduler configuration: any text is taken or refused with a diagnostic, and one that is taken runs a cycle.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  basalt::EngineOptions options;
  options.lenient = size % 2;
  basalt::Engine engine(options);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool taken = engine.Configure(&text, "fuzz");
  if (!taken) {
    if (engine.diagnostics.empty()) std::abort();  // refused without a word
    return 0;
  }
  engine.Cycle(1, true);
  return 0;
}

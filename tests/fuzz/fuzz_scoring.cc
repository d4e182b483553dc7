// Tables, classes and profiles from raw bytes: every backend has to give what the scalar one gives, bit for bit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/scoring/agree.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace basalt::test;
  if (size < 3) return 0;
  const size_t rows = data[0] % 70;
  const auto kind = static_cast<Amounts>(data[1] % 3);
  Stream stream(data + 2, size - 2);
  const World w = MakeWorld(&stream, rows, kind);
  static const auto backends = AllBackends();
  for (const auto* b : backends) {
    const std::string what = Disagreement(w, *b);
    if (!what.empty()) {
      std::fprintf(stderr, "%s: %s\n", std::string(b->Name()).c_str(), what.c_str());
      std::abort();
    }
  }
  return 0;
}

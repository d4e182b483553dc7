// A whole run over any text: read, two cycles, settle between them. What was read adds up, nobody is bound twice, and undoing leaves no trace.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "report/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  text.reserve(size + basalt::kJsonPaddingBytes);
  basalt::Engine engine({});
  if (!engine.ReadText(text, "fuzz.json", basalt::TextFormat::kAuto)) return 0;
  const auto& c = engine.counts;
  if (c.objects != c.used + c.skipped_kinds + c.set_aside + c.duplicates) std::abort();
  if (!engine.Configure(nullptr, "")) return 0;
  engine.CheckConsistency();
  std::set<uint32_t> bound;
  for (int cycle = 0; cycle < 2; cycle++) {
    const basalt::Plan& plan = engine.Cycle(cycle + 1, true);
    for (const auto& b : plan.binds) {
      if (!bound.insert(b.pod.value).second) std::abort();
      if (!engine.store.nodes.present[b.node.value]) std::abort();
    }
    for (const auto& p : engine.store.pods)
      if (p.in_use && (p.status == basalt::TaskStatus::kAllocated || p.status == basalt::TaskStatus::kPipelined)) std::abort();
    engine.Settle(0);
  }
  return 0;
}

// Any bytes as a snapshot file, as they are and inside a good envelope: refused with one diagnostic, or read like the list that it holds.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "snapshot/executor.h"
#include "snapshot/snapshot_file.h"
#include "snapshot/text/reader.h"

namespace {

using namespace basalt;

struct Result {
  std::vector<std::string> objects;
  size_t unreadable = 0;
};

Result Read(std::string_view bytes) {
  std::string padded(bytes);
  padded.append(kJsonPaddingBytes, '\xA5');
  InlineExecutor executor;
  std::vector<Diagnostic> diagnostics;
  Result r;
  ReadText(std::string_view(padded).substr(0, bytes.size()), "x", TextFormat::kJson, &executor,
           [&](const Decoded&, std::string_view raw) { r.objects.emplace_back(raw); }, &diagnostics);
  for (const Diagnostic& d : diagnostics) r.unreadable += d.severity == Severity::kUnreadable;
  return r;
}

void Check(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result plain = Read("BASALTSF" + text);
  Check(plain.unreadable == 1 && plain.objects.empty());  // nobody guesses two checksums

  SnapshotWriter writer;
  writer.Add(text);
  const Result inside = Read(writer.Finish()), list = Read("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" + text + "\n]}");
  Check(inside.objects == list.objects && inside.unreadable == list.unreadable && inside.unreadable <= 1);
  return 0;
}

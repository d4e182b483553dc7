// Any bytes as a snapshot file: as they are, and as its payload inside an envelope whose checksums agree. Refused with one diagnostic, or read to objects that a
// file written from them gives again. Nothing beyond the file's own end matters, and no order of workers.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "snapshot/executor.h"
#include "snapshot/records.h"
#include "snapshot/snapshot_file.h"
#include "snapshot/text/compact.h"
#include "snapshot/text/reader.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

class BackwardExecutor final : public Executor {
 public:
  size_t Threads() const override { return 5; }
  void ParallelFor(size_t n, const std::function<void(size_t)>& body) override {
    while (n-- > 0) body(n);
  }
};

struct Result {
  std::vector<std::string> objects, told;
  size_t unreadable = 0;
  bool operator==(const Result&) const = default;
};

/// Reads an exact copy, so that whatever is read behind it is seen.
Result Read(const std::string& file, Executor* executor) {
  const std::vector<char> copy(file.begin(), file.end());
  std::vector<Diagnostic> diagnostics;
  Result r;
  const ReadCounts counts = ReadText({copy.data(), copy.size()}, "x", TextFormat::kJson, executor,
                                     [&](const Decoded& d, std::string_view raw) {
                                       r.objects.emplace_back(d.set_aside ? "!" : " ");
                                       AppendStandalone(raw, d.list_kind, d.list_api_version, &r.objects.back());
                                     }, &diagnostics);
  uint64_t bad = 0;
  for (const Diagnostic& d : diagnostics) {
    r.unreadable += d.severity == Severity::kUnreadable, bad += d.severity == Severity::kBadObject;
    r.told.push_back(d.object + "|" + d.field + "|" + d.message);
  }
  Check(counts.objects == r.objects.size() && counts.objects == counts.used + counts.other_kinds + counts.set_aside);
  Check(r.unreadable <= 1 && (r.unreadable == 1 || bad == counts.set_aside));
  return r;
}

uint64_t RecordsIn(std::string_view payload) {
  uint64_t n = 0;
  Record record;
  std::string error;
  for (size_t at = 0; at < payload.size() && NextRecord(payload, &at, &record, &error);) n++;
  return n;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  InlineExecutor forward;
  BackwardExecutor backward;
  const Result plain = Read("BASALTSF" + bytes, &forward);
  Check(plain.unreadable == 1 && plain.objects.empty());  // nobody guesses two checksums

  const std::string file = SnapshotFile(bytes, RecordsIn(bytes));
  const Result inside = Read(file, &forward);
  Check(Read(file, &backward) == inside);
  if (inside.unreadable) return 0;
  SnapshotWriter writer;
  std::string error;
  for (const std::string& object : inside.objects) Check(writer.Add(std::string_view(object).substr(1), &error));
  Check(Read(writer.Finish(), &forward).objects == inside.objects);
  return 0;
}

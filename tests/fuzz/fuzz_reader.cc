// Any bytes as a text of any format (the first byte chooses): what lies behind the text, and the order in which workers run, change nothing;
// the counts add up; a text is either read whole or refused with one diagnostic.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

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
  std::string text;  ///< everything that was told
  std::vector<std::string> raw;
  size_t unreadable = 0;
  friend bool operator==(const Result& a, const Result& b) { return a.text == b.text && a.raw == b.raw; }
};

Result Read(std::string_view bytes, TextFormat format, Executor* executor, char padding) {
  std::string padded(bytes);
  padded.append(kJsonPaddingBytes, padding);
  Result r;
  uint64_t objects = 0;
  std::vector<Diagnostic> diagnostics;
  const ObjectSink sink = [&](const Decoded& d, std::string_view raw) {
    objects++;
    r.text.append(d.kind_name).append(d.set_aside ? "!" : " ");
    if (d.meta != nullptr) r.text.append(d.meta->namespace_).append("/").append(d.meta->name);
    r.text += '\n';
    r.raw.emplace_back(raw);
  };
  const ReadCounts counts = ReadText({padded.data(), bytes.size()}, "in", format, executor, sink, &diagnostics);
  Check(counts.objects == objects && counts.objects == counts.used + counts.other_kinds + counts.set_aside);
  uint64_t bad = 0;
  for (const Diagnostic& d : diagnostics) {
    Check(d.source == "in" && !d.message.empty());
    bad += d.severity == Severity::kBadObject;
    r.unreadable += d.severity == Severity::kUnreadable;
    r.text.append(d.object).append("|").append(d.field).append("|").append(d.message).append("\n");
  }
  Check(r.unreadable <= 1);
  Check(r.unreadable == 1 || bad == counts.set_aside);
  return r;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const TextFormat formats[] = {TextFormat::kAuto, TextFormat::kJson, TextFormat::kYaml, TextFormat::kCsv};
  const TextFormat format = formats[data[0] % 4];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  InlineExecutor forward;
  BackwardExecutor backward;
  const Result result = Read(bytes, format, &forward, '\0');
  for (const char padding : {'}', ']', '"', '\\', '\xEF'}) Check(Read(bytes, format, &forward, padding) == result);
  Check(Read(bytes, format, &backward, ' ') == result);
  if (result.unreadable == 0 && format == TextFormat::kJson) {
    simdjson::dom::parser parser;
    for (const std::string& raw : result.raw) {
      simdjson::dom::element element;
      const simdjson::error_code error = parser.parse(simdjson::padded_string(raw)).get(element);
      // Numbers that fit no double are JSON; so is nesting deeper than simdjson looks.
      Check(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR || error == simdjson::DEPTH_ERROR);
    }
  }
  return 0;
}

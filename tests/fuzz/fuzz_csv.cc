// Any text as an openb list: what becomes of a row is an object that the decoder reads, or a bad row with its line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "snapshot/decode.h"
#include "snapshot/text/csv.h"
#include "snapshot/text/encoding.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string padded(reinterpret_cast<const char*>(data), size);
  padded.append(kJsonPaddingBytes, ',');
  Utf8Text text;
  if (!text.Read({padded.data(), size})) return 0;  // the reader lets no such text through
  Decoder decoder;
  size_t line = 1, objects = 0, bad = 0;
  const auto take = [&](std::string json, size_t at) {
    Check(at >= line);
    line = at;
    objects++;
    const size_t json_size = json.size();
    json.append(kJsonPaddingBytes, '}');
    Arena arena;
    Decoded decoded;
    std::vector<Diagnostic> diagnostics;
    size_t offset = 0;
    std::string message;
    Check(decoder.Decode({json.data(), json_size}, {}, "row", &arena, &decoded, &diagnostics, &offset, &message));
    Check(decoded.kind == objects::Kind::kNode || decoded.kind == objects::Kind::kPod || decoded.kind == objects::Kind::kPodGroup);
  };
  const auto note = [&](const CsvError& e) {
    Check(e.line > 1 && e.line >= line && !e.message.empty());
    bad++;
  };
  CsvError error;
  const bool ok = OpenbCsvToJson(text.text(), take, note, &error);
  Check(ok || (objects == 0 && bad == 0 && error.line == 1 && !error.message.empty()));
  if (text.text().find_first_of("\n") < 1000) Check(ok == LooksLikeOpenbCsv(text.text()));
  return 0;
}

// Texts of any accepted form in, decoded objects out: encodings, JSON and YAML documents, lists, openb CSV.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/decode.h"
#include "snapshot/diagnostic.h"
#include "snapshot/executor.h"

namespace basalt {

/// What a text holds. kAuto looks at the name's ending and then at the first bytes.
enum class TextFormat : uint8_t { kAuto, kJson, kYaml, kCsv };

/// Counts of what was read; used + other_kinds + set_aside = objects.
struct ReadCounts {
  uint64_t objects = 0, used = 0, other_kinds = 0, set_aside = 0;
};

/// Called once per decoded object, on the calling thread, in the order of the text. The object dies after the call.
/// raw_json: the object's own text (for YAML and CSV: the JSON it became).
using ObjectSink = std::function<void(const Decoded& object, std::string_view raw_json)>;

/// Reads one whole text (already decompressed).
/// bytes: kJsonPaddingBytes readable bytes behind it. name: for messages and format detection ("pods.yaml", "-").
/// UTF-8 with or without BOM (also in the middle, where files were joined), UTF-16 with BOM, CRLF. JSON: one object, List, typed list,
/// concatenated objects, NDJSON, in any nesting of lists. YAML: several documents. CSV: an openb node list or pod list. A snapshot file
/// (snapshot_file.h) is known by its first bytes, whatever the format.
/// A text that cannot be read (truncated, binary, no object) gives one kUnreadable diagnostic with byte offset or line and sinks nothing.
/// Object-level trouble is written to diagnostics with `source` = name; the other objects are sunk.
/// Splits first, then decodes in parallel through `executor`, then sinks in order; the result does not depend on the executor.
ReadCounts ReadText(std::string_view bytes, std::string_view name, TextFormat format, Executor* executor, const ObjectSink& sink,
                    std::vector<Diagnostic>* diagnostics);

}  // namespace basalt

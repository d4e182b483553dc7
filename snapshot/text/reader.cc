#include "snapshot/text/reader.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "snapshot/snapshot_file.h"
#include "snapshot/text/csv.h"
#include "snapshot/text/encoding.h"
#include "snapshot/text/split.h"
#include "snapshot/text/yaml.h"

namespace basalt {
namespace {

constexpr size_t kMaxListDepth = 16;           ///< lists in lists; each level reads the text once more
constexpr uint64_t kChunkBytes = 256 << 10;    ///< text that one worker decodes at a time
constexpr size_t kChunkItems = 4096;           ///< most items of it: what is kept of one is larger than a null
constexpr size_t kNamelessTold = 1000;         ///< bad items without a readable name that are told one by one; the others are counted
constexpr size_t kChunksPerThread = 4;         ///< so that threads end a window at about the same time

/// A JSON text to be read, and how places in it are called in messages.
struct Source {
  std::string_view text;
  const Utf8Text* bytes = nullptr;  ///< set where offsets in it are not yet offsets in the input
  uint64_t offset = 0;              ///< of `text` in the input, or in bytes->text()
  std::vector<size_t> lines;        ///< of text that this room wrote: the input's line of every group
  std::string path;                 ///< of the list whose items these are; "" at the top

  std::string Place(size_t group, uint64_t at) const {
    if (!lines.empty()) return "line " + std::to_string(group < lines.size() ? lines[group] : 0);
    return "byte " + std::to_string(bytes == nullptr ? offset + at : bytes->OriginalOffset(offset + at));
  }
};

/// The first characters of a text, for messages.
std::string Shortened(std::string_view text) {
  constexpr size_t kBytes = 40;
  if (text.size() <= kBytes) return std::string(text);
  size_t end = kBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) end--;  // not inside a character
  return std::string(text.substr(0, end)) + "...";
}

/// Items that one worker decodes.
struct Chunk {
  size_t group = 0, first = 0, last = 0;  ///< values [first, last) of one group
  std::string item_kind;                  ///< decoded objects may point to it
  Arena arena;
  std::vector<Decoded> decoded;
  std::vector<Diagnostic> diagnostics;
  std::vector<size_t> nameless;  ///< which of the diagnostics are about bad items without a readable name, at most kNamelessTold
  size_t more_nameless = 0;
  std::unique_ptr<Decoder> decoder;
  std::string syntax_message;  ///< set: the value behind the decoded ones is malformed
  size_t syntax_offset = 0;
};

class Reading {
 public:
  Reading(std::string_view name, Executor* executor, const ObjectSink& sink, std::vector<Diagnostic>* diagnostics)
      : name_(name), executor_(*executor), sink_(sink), diagnostics_(*diagnostics) {}

  ReadCounts counts;

  void Unreadable(std::string message, std::string object = {}) {
    diagnostics_.push_back({Severity::kUnreadable, std::string(name_), std::move(object), {}, std::move(message)});
  }

  bool Json(const Source& source) {
    SplitText split;
    SplitError error;
    if (!SplitJsonText(source.text, &split, &error)) {
      Unreadable(source.Place(split.groups.size(), error.offset) + ": " + error.message);
      return false;
    }
    return CheckEnvelopes(source, split) && Decode(source, split, 0);
  }

  /// The objects of a snapshot file are known to be one list, so nothing has to be looked for.
  void Snapshot(std::string_view file) {
    SplitText split;
    std::string error;
    if (!OpenSnapshot(file, &split.values, &error)) return Unreadable(std::move(error));
    TextGroup& group = split.groups.emplace_back();
    group.is_list = true, group.kind = kList, group.count = split.values.size();
    Source source;
    source.text = file;
    Decode(source, split, 0);
  }

  void Yaml(std::string_view text) {
    std::string json;
    Source source;
    YamlError error;
    std::string no_object;  // what the first document that is none says
    const auto take = [&](std::string document, size_t line) {
      if (document[0] != '{' && no_object.empty()) no_object = "line " + std::to_string(line) + ": expected an object, got " + Shortened(document);
      json += document;
      json += '\n';
      source.lines.push_back(line);
    };
    const bool ok = YamlToJson(text, take, &error);
    if (!no_object.empty()) return Unreadable(std::move(no_object));
    if (!ok) return Unreadable("line " + std::to_string(error.line) + ": " + error.message);
    if (json.empty()) return Unreadable("no object in it");
    Generated(&json, &source);
  }

  void Csv(std::string_view text) {
    std::string json;
    Source source;
    CsvError error;
    const auto take = [&](std::string object, size_t line) {
      json += object;
      json += '\n';
      source.lines.push_back(line);
    };
    const auto bad = [&](const CsvError& e) {
      if (nameless_told_ == kNamelessTold) more_nameless_++;
      else nameless_told_++, diagnostics_.push_back({Severity::kBadObject, std::string(name_), "line " + std::to_string(e.line), e.column, e.message});
      Decoded aside;
      aside.set_aside = true;
      Sink(aside, {});
    };
    if (!OpenbCsvToJson(text, take, bad, &error)) return Unreadable("line " + std::to_string(error.line) + ": " + error.message);
    if (!json.empty()) Generated(&json, &source);
  }

  /// Told once all was read, so that a text of millions of null items costs no more than its bytes.
  void TellMoreNameless() {
    if (more_nameless_ == 0) return;
    diagnostics_.push_back({Severity::kBadObject, std::string(name_), "", "", std::to_string(more_nameless_) + " more items or rows of which no name can be read are set aside"});
  }

 private:
  /// Reads JSON that this room wrote: one object a line, lines of the input in source->lines.
  void Generated(std::string* json, Source* source) {
    json->reserve(json->size() + kJsonPaddingBytes);
    source->text = *json;
    Json(*source);
  }

  void Sink(const Decoded& object, std::string_view raw) {
    counts.objects++;
    if (object.set_aside) counts.set_aside++;
    else if (object.kind == objects::Kind::kOther) counts.other_kinds++;
    else counts.used++;
    sink_(object, raw);
  }

  /// The lists' own members must be well-formed too, though nothing in them is used.
  bool CheckEnvelopes(const Source& source, const SplitText& split) {
    std::unique_ptr<Decoder> decoder;  // plain objects, as live events are, need none
    for (size_t g = 0; g < split.groups.size(); g++) {
      const TextGroup& group = split.groups[g];
      if (!group.is_list) continue;
      const bool has_items = group.items.end != 0;
      std::string envelope =
          has_items ? ListEnvelope(source.text, group) : std::string(source.text.substr(group.object.begin, group.object.end - group.object.begin));
      envelope.reserve(envelope.size() + kJsonPaddingBytes);
      Arena arena;
      Decoded decoded;
      std::vector<Diagnostic> unused;
      size_t at = 0;
      std::string message;
      if (!decoder) decoder = std::make_unique<Decoder>();
      if (decoder->Decode(envelope, {}, {}, &arena, &decoded, &unused, &at, &message)) continue;
      uint64_t offset = group.object.begin + at;
      if (has_items && offset > group.items.begin + 1) offset += group.items.end - group.items.begin - 2;
      Unreadable(source.Place(g, offset) + ": " + message, source.path);
      return false;
    }
    return true;
  }

  static constexpr std::string_view kList = "List";
  static bool IsTyped(const TextGroup& group) { return group.is_list && group.kind != kList; }

  /// The kind of items that have none of their own. A list of a foreign group ("longhorn.io/v1beta2 NodeList") is none of ours.
  static std::string ItemKind(const TextGroup& group) {
    if (!IsTyped(group)) return {};
    const std::string_view kind = group.kind.substr(0, group.kind.size() - kList.size());
    if (KindOf(kind, {}) == KindOf(kind, group.api_version)) return std::string(kind);
    return std::string(group.api_version) + '/' + std::string(kind);
  }

  static std::string Label(const Source& source, const TextGroup& group, size_t group_index, size_t value, uint64_t offset) {
    if (group.is_list) return source.path + (source.path.empty() ? "items[" : ".items[") + std::to_string(value - group.first) + ']';
    return source.path.empty() ? "object at " + source.Place(group_index, offset) : source.path;
  }

  void DecodeChunk(const Source& source, const SplitText& split, Chunk* chunk) {
    // Labels matter only where the object has no name; places are slow to compute, so they are put in once they are needed.
    constexpr std::string_view kNoName = "\1";
    const TextGroup& group = split.groups[chunk->group];
    chunk->item_kind = ItemKind(group);
    for (size_t v = chunk->first; v < chunk->last; v++) {
      const TextRange range = split.values[v];
      Decoded decoded;
      const size_t before = chunk->diagnostics.size();
      if (!chunk->decoder->Decode(source.text.substr(range.begin, range.end - range.begin), chunk->item_kind, kNoName, &chunk->arena, &decoded,
                                  &chunk->diagnostics, &chunk->syntax_offset, &chunk->syntax_message)) {
        if (chunk->syntax_message.empty()) chunk->syntax_message = "malformed";
        return;
      }
      for (size_t d = before; d < chunk->diagnostics.size(); d++) {
        Diagnostic& diagnostic = chunk->diagnostics[d];
        diagnostic.source = name_;
        if (diagnostic.object != kNoName) continue;
        if (chunk->nameless.size() == kNamelessTold) {  // the one bad object's only diagnostic
          chunk->more_nameless++;
          chunk->diagnostics.pop_back();
          break;
        }
        diagnostic.object = Label(source, group, chunk->group, v, range.begin);
        chunk->nameless.push_back(d);
      }
      if (IsTyped(group)) decoded.list_kind = group.kind.substr(0, group.kind.size() - kList.size()), decoded.list_api_version = group.api_version;
      chunk->decoded.push_back(decoded);
    }
  }

  /// Windows of chunks are decoded in parallel, then sunk in order: memory stays bounded and the outcome is one.
  bool Decode(const Source& source, const SplitText& split, size_t depth) {
    std::vector<Chunk> chunks;
    const size_t most = std::max<size_t>(1, executor_.Threads()) * kChunksPerThread;
    for (size_t group = 0, next = 0; next < split.values.size();) {
      size_t used = 0;
      for (; used < most && next < split.values.size(); used++) {
        while (next >= split.groups[group].first + split.groups[group].count) group++;
        if (used == chunks.size()) chunks.emplace_back();
        Chunk& chunk = chunks[used];
        if (!chunk.decoder) chunk.decoder = std::make_unique<Decoder>();
        chunk.arena.Clear();
        chunk.decoded.clear();
        chunk.diagnostics.clear();
        chunk.nameless.clear();
        chunk.more_nameless = 0;
        chunk.group = group;
        chunk.first = next;
        const size_t end = split.groups[group].first + split.groups[group].count;
        const uint64_t limit = split.values[next].begin + kChunkBytes;
        while (next < end && next - chunk.first < kChunkItems && split.values[next].begin < limit) next++;
        chunk.last = next;
      }
      executor_.ParallelFor(used, [&](size_t c) { DecodeChunk(source, split, &chunks[c]); });
      for (size_t c = 0; c < used; c++) {
        if (!SinkChunk(source, split, chunks[c], depth)) return false;
      }
    }
    return true;
  }

  bool SinkChunk(const Source& source, const SplitText& split, Chunk& chunk, size_t depth) {
    const TextGroup& group = split.groups[chunk.group];
    auto nameless = chunk.nameless.begin();
    for (size_t d = 0; d < chunk.diagnostics.size(); d++) {
      if (nameless != chunk.nameless.end() && *nameless == d) {
        ++nameless;
        if (nameless_told_ == kNamelessTold) {
          more_nameless_++;
          continue;
        }
        nameless_told_++;
      }
      diagnostics_.push_back(std::move(chunk.diagnostics[d]));
    }
    more_nameless_ += chunk.more_nameless;
    for (size_t i = 0; i < chunk.decoded.size(); i++) {
      const Decoded& decoded = chunk.decoded[i];
      const TextRange range = split.values[chunk.first + i];
      const std::string_view raw = source.text.substr(range.begin, range.end - range.begin);
      if (group.is_list && decoded.kind == objects::Kind::kOther && !decoded.set_aside && decoded.kind_name.ends_with("List")) {
        const std::string path = Label(source, group, chunk.group, chunk.first + i, range.begin);
        const std::optional<bool> read = NestedList(source, chunk.group, raw, range, path, depth);
        if (read && !*read) return false;
        if (read) continue;
      }
      Sink(decoded, raw);
    }
    if (chunk.syntax_message.empty()) return true;
    const size_t bad = chunk.first + chunk.decoded.size();
    const uint64_t begin = split.values[bad].begin;
    Unreadable(source.Place(chunk.group, begin + chunk.syntax_offset) + ": " + chunk.syntax_message, Label(source, group, chunk.group, bad, begin));
    return false;
  }

  /// Reads an item that is a list itself; nullopt where it is an object whose kind happens to end with "List".
  std::optional<bool> NestedList(const Source& source, size_t group, std::string_view raw, TextRange range, std::string path, size_t depth) {
    Source inner{raw, source.bytes, source.offset + range.begin, {}, std::move(path)};
    if (!source.lines.empty()) inner.lines = {source.lines[group]};
    SplitText split;
    SplitError error;
    if (!SplitJsonText(raw, &split, &error)) {
      Unreadable(inner.Place(0, error.offset) + ": " + error.message, inner.path);
      return false;
    }
    if (split.groups.size() != 1 || !split.groups[0].is_list) return std::nullopt;
    if (depth + 1 > kMaxListDepth) {
      Unreadable(inner.Place(0, 0) + ": lists are nested deeper than " + std::to_string(kMaxListDepth) + " levels", inner.path);
      return false;
    }
    return CheckEnvelopes(inner, split) && Decode(inner, split, depth + 1);
  }

  size_t nameless_told_ = 0, more_nameless_ = 0;
  std::string_view name_;
  Executor& executor_;
  const ObjectSink& sink_;
  std::vector<Diagnostic>& diagnostics_;
};

std::string_view WithoutCompression(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name;
}

TextFormat FormatOf(std::string_view text, std::string_view name) {
  name = WithoutCompression(name);
  if (name.ends_with(".csv")) return TextFormat::kCsv;
  const bool yaml_name = name.ends_with(".yaml") || name.ends_with(".yml");
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (text[first] == '{') {  // kubectl takes this for JSON as well, whatever the name; only a YAML file may begin with a flow map
    const size_t second = text.find_first_not_of(" \t\r\n", first + 1);
    return !yaml_name || second == text.npos || text[second] == '"' || text[second] == '}' ? TextFormat::kJson : TextFormat::kYaml;
  }
  if (name.ends_with(".json") || name.ends_with(".ndjson") || (text[first] == '[' && !yaml_name)) return TextFormat::kJson;
  return !yaml_name && LooksLikeOpenbCsv(text) ? TextFormat::kCsv : TextFormat::kYaml;
}

}  // namespace

ReadCounts ReadText(std::string_view bytes, std::string_view name, TextFormat format, Executor* executor, const ObjectSink& sink,
                    std::vector<Diagnostic>* diagnostics) {
  Reading reading(name, executor, sink, diagnostics);
  if (IsSnapshot(bytes) || WithoutCompression(name).ends_with(".snapshot")) {
    reading.Snapshot(bytes);
    reading.TellMoreNameless();
    return reading.counts;
  }
  Utf8Text text;
  if (!text.Read(bytes)) {
    reading.Unreadable("byte " + std::to_string(text.offset) + ": " + text.message);
    return reading.counts;
  }
  if (text.text().find_first_not_of(" \t\r\n") == std::string_view::npos) {
    reading.Unreadable("byte 0: no object in it, the text is empty");
    return reading.counts;
  }
  if (format == TextFormat::kAuto) format = FormatOf(text.text(), name);
  if (format == TextFormat::kYaml) {
    reading.Yaml(text.text());
  } else if (format == TextFormat::kCsv) {
    reading.Csv(text.text());
  } else {
    Source source;
    source.text = text.text();
    source.bytes = &text;
    reading.Json(source);
  }
  reading.TellMoreNameless();
  return reading.counts;
}

}  // namespace basalt

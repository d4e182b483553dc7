#include "snapshot/text/reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "snapshot/text/yaml.h"

namespace basalt {
namespace {

struct Item {
  size_t begin, end;
  uint32_t index;  ///< position in its list, for messages
};

// The bytes at which a value's inside can change its depth or hide brackets: a table look-up per byte is several times faster than strchr.
constexpr std::array<bool, 256> kStructural = [] {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']'}) table[static_cast<uint8_t>(c)] = true;
  return table;
}();

// Walks JSON structure without parsing values: only brackets and strings are looked at.
class Splitter {
 public:
  Splitter(std::string_view text, std::vector<Item>* items) : text_(text), items_(items) {}
  std::string error;
  size_t error_at = 0;
  std::string kind;  ///< of a typed list, without "List"

  // One or more values back to back.
  bool Run() {
    while (Blank(), at_ < text_.size()) {
      if (text_[at_] != '{') return Fail("expected an object");
      if (!TopLevel()) return false;
    }
    return true;
  }

 private:
  bool Fail(const char* what) { return error = what, error_at = at_, false; }
  void Blank() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) at_++;
  }
  bool String(std::string_view* out) {
    const size_t from = ++at_;
    while (at_ < text_.size()) {
      const void* quote = std::memchr(text_.data() + at_, '"', text_.size() - at_);
      if (!quote) break;
      at_ = static_cast<size_t>(static_cast<const char*>(quote) - text_.data());
      size_t slashes = 0;
      while (at_ - slashes > from && text_[at_ - slashes - 1] == '\\') slashes++;
      at_++;
      if (slashes % 2 == 0) return *out = text_.substr(from, at_ - 1 - from), true;
    }
    at_ = text_.size();
    return Fail("unexpected end");
  }
  // Skips one value; brackets are counted, so nesting costs no stack.
  bool Value() {
    std::string_view s;
    size_t depth = 0;
    do {
      Blank();
      if (at_ >= text_.size()) return Fail("unexpected end");
      const char c = text_[at_];
      if (c == '"') {
        if (!String(&s)) return false;
      } else if (c == '{' || c == '[') {
        depth++, at_++;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return Fail("unexpected bracket");
        depth--, at_++;
      } else if (depth == 0) {
        if (c == ',' || c == ':') return Fail("expected a value");
        while (at_ < text_.size() && !std::strchr(" \n\r\t,]}", text_[at_])) at_++;
        return true;
      } else {
        at_++;
        while (at_ < text_.size() && !kStructural[static_cast<uint8_t>(text_[at_])]) at_++;
      }
    } while (depth > 0);
    return true;
  }
  bool TopLevel() {
    const size_t begin = at_;
    // First the keys: a list is recognised by its kind, wherever that stands.
    std::string_view kind_text;
    size_t items_at = 0;
    bool has_items = false;
    at_++;
    std::vector<std::string_view> keys;
    for (Blank(); at_ < text_.size() && text_[at_] != '}';) {
      std::string_view key;
      if (text_[at_] != '"') return Fail("expected a key");
      if (!String(&key)) return false;
      if (std::find(keys.begin(), keys.end(), key) != keys.end() && (key == "items" || key == "kind" || key == "apiVersion")) {
        duplicate_ = std::string("duplicate key \"").append(key).append("\"");
        return Fail(duplicate_.c_str());
      }
      if (keys.size() < 64) keys.push_back(key);
      Blank();
      if (at_ >= text_.size()) return Fail("unexpected end");
      if (text_[at_] != ':') return Fail("expected ':'");
      at_++;
      Blank();
      const size_t from = at_;
      if (!Value()) return false;
      if (key == "kind" && at_ > from + 2) kind_text = text_.substr(from + 1, at_ - from - 2);
      if (key == "items") has_items = true, items_at = from;
      Blank();
      if (at_ < text_.size() && text_[at_] == ',') {
        at_++;
        Blank();
        if (at_ < text_.size() && text_[at_] == '}') return Fail("unexpected '}' after a comma");
      } else if (at_ < text_.size() && text_[at_] != '}') {
        return Fail("expected ',' or '}'");
      }
    }
    if (at_ >= text_.size()) return Fail("unexpected end");
    at_++;
    if (!kind_text.ends_with("List")) {
      items_->push_back({begin, at_, UINT32_MAX});
      return true;
    }
    list_seen = true;
    if (!has_items) return true;
    const size_t end = at_;
    at_ = items_at;
    kind = kind_text.substr(0, kind_text.size() - 4);
    const bool ok = Items();
    at_ = end;
    return ok;
  }
  bool Items() {
    if (text_[at_] != '[') return text_.substr(at_, 4) == "null" ? true : Fail("items: expected a list");
    at_++;
    uint32_t index = 0;
    for (Blank(); at_ < text_.size() && text_[at_] != ']'; Blank()) {
      const size_t from = at_;
      if (!Value()) return false;
      items_->push_back({from, at_, index++});
      Blank();
      if (at_ < text_.size() && text_[at_] == ',') {
        at_++;
        Blank();
        if (at_ < text_.size() && text_[at_] == ']') return Fail("unexpected ']' after a comma");
      } else if (at_ < text_.size() && text_[at_] != ']') {
        return Fail("expected ',' or ']'");
      }
    }
    return true;
  }
  std::string_view text_;
  std::vector<Item>* items_;
  std::string duplicate_;
  size_t at_ = 0;

 public:
  bool list_seen = false;
};

struct Context {
  std::string_view name;
  Executor* executor;
  const ObjectSink& sink;
  std::vector<Diagnostic>* diagnostics;
  ReadCounts counts;

  void Unreadable(std::string message) { diagnostics->push_back({Severity::kUnreadable, std::string(name), "", "", std::move(message)}); }

  // Splits one JSON text and sinks its objects; lists inside lists are split again.
  bool Json(std::string_view text, bool top) {
    std::vector<Item> items;
    Splitter splitter(text, &items);
    if (!splitter.Run()) {
      Unreadable("byte " + std::to_string(splitter.error_at) + ": " + splitter.error);
      return false;
    }
    if (items.empty() && !splitter.list_seen && top) {
      Unreadable("no object in it");
      return false;
    }
    // Windows of items are decoded in parallel, then sunk in order: the memory they need stays bounded and the outcome is one.
    constexpr size_t kChunkBytes = 1 << 20;
    struct Chunk {
      size_t from, to;
      Arena arena;
      std::vector<Decoded> decoded;
      std::vector<std::vector<Diagnostic>> found;
      size_t bad_at = 0;
      std::string bad;
    };
    std::vector<Decoder> decoders(executor->Threads() * 4);
    for (size_t next = 0; next < items.size();) {
      std::vector<Chunk> chunks;
      for (size_t c = 0; c < decoders.size() && next < items.size(); c++) {
        size_t to = next, bytes = 0;
        while (to < items.size() && bytes < kChunkBytes) bytes += items[to].end - items[to].begin, to++;
        chunks.push_back({next, to, {}, {}, {}, 0, {}});
        next = to;
      }
      executor->ParallelFor(chunks.size(), [&](size_t c) {
        Chunk& chunk = chunks[c];
        for (size_t i = chunk.from; i < chunk.to && chunk.bad.empty(); i++) {
          const Item& item = items[i];
          Decoded d;
          std::vector<Diagnostic> found;
          size_t offset = 0;
          std::string message;
          const std::string label = item.index == UINT32_MAX ? "object at byte " + std::to_string(item.begin) : "items[" + std::to_string(item.index) + "]";
          if (!decoders[c].Decode(text.substr(item.begin, item.end - item.begin), item.index == UINT32_MAX ? "" : splitter.kind, label, &chunk.arena, &d,
                                  &found, &offset, &message)) {
            chunk.bad = message, chunk.bad_at = item.begin + offset;
            return;
          }
          chunk.decoded.push_back(d);
          chunk.found.push_back(std::move(found));
        }
      });
      for (Chunk& chunk : chunks) {
        if (!chunk.bad.empty()) {
          Unreadable("byte " + std::to_string(chunk.bad_at) + ": " + chunk.bad);
          return false;
        }
        for (size_t k = 0; k < chunk.decoded.size(); k++) {
          const Decoded& d = chunk.decoded[k];
          for (Diagnostic& f : chunk.found[k]) f.source = name, diagnostics->push_back(std::move(f));
          const Item& item = items[chunk.from + k];
          const std::string_view raw = text.substr(item.begin, item.end - item.begin);
          if (d.kind == objects::Kind::kOther && d.kind_name.ends_with("List") && item.index != UINT32_MAX && depth_ < 8) {
            depth_++;
            std::string copy(raw);  // the nested text needs padding of its own only at the very end of the input
            copy.reserve(copy.size() + kJsonPaddingBytes);
            const bool ok = Json(copy, false);
            depth_--;
            if (!ok) return false;
            continue;
          }
          counts.objects++;
          if (d.set_aside) counts.set_aside++;
          else if (d.kind == objects::Kind::kOther) counts.other_kinds++;
          else counts.used++;
          sink(d, raw);
        }
      }
    }
    return true;
  }

  bool Yaml(std::string_view text) {
    std::vector<std::string> documents;
    YamlError error;
    if (!YamlToJson(text, [&](std::string json, size_t) { documents.push_back(std::move(json)); }, &error)) {
      Unreadable((error.line ? "line " + std::to_string(error.line) + ": " : "") + error.message);
      return false;
    }
    if (documents.empty()) {
      Unreadable("no object in it");
      return false;
    }
    for (std::string& d : documents) {
      d.reserve(d.size() + kJsonPaddingBytes);
      if (!Json(d, false)) return false;
    }
    return true;
  }

  // ---- openb ----
  static std::vector<std::string_view> Fields(std::string_view line) {
    std::vector<std::string_view> out;
    for (size_t at = 0;;) {
      const size_t comma = std::min(line.find(',', at), line.size());
      out.push_back(line.substr(at, comma - at));
      if (comma == line.size()) return out;
      at = comma + 1;
    }
  }
  void Csv(std::string_view text) {
    size_t line_number = 0;
    std::vector<std::string_view> header;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      at = end + 1, line_number++;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      if (header.empty()) {
        header = Fields(line);
        continue;
      }
      const auto fields = Fields(line);
      const std::string row = "line " + std::to_string(line_number);
      const auto text_of = [&](std::string_view column) {
        for (size_t i = 0; i < header.size() && i < fields.size(); i++)
          if (header[i] == column) return fields[i];
        return std::string_view();
      };
      bool bad = false;
      const auto number_of = [&](std::string_view column, bool required) -> int64_t {
        const std::string_view t = text_of(column);
        int64_t v = 0;
        const auto [p, e] = std::from_chars(t.data(), t.data() + t.size(), v);
        if (t.empty() && !required) return 0;
        if (e != std::errc() || p != t.data() + t.size() || v < 0) {
          if (!bad) {
            counts.objects++, counts.set_aside++;
            diagnostics->push_back({Severity::kBadObject, std::string(name), row, std::string(column), "expected a whole number, got \"" + std::string(t) + "\""});
            Decoded aside;
            aside.set_aside = true, aside.kind = header[0] == "sn" ? objects::Kind::kNode : objects::Kind::kPod;
            sink(aside, {});
          }
          bad = true;
        }
        return v;
      };
      const std::string id(fields[0]);
      if (id.empty() || id.find_first_of("\"\\") != std::string::npos) {
        counts.objects++, counts.set_aside++;
        diagnostics->push_back({Severity::kBadObject, std::string(name), row, std::string(header[0]), "a name is needed"});
        Decoded aside;
        aside.set_aside = true;
        sink(aside, {});
        continue;
      }
      std::string json;
      const int64_t cpu = number_of("cpu_milli", true), memory = number_of("memory_mib", true);
      if (header[0] == "sn") {
        const int64_t gpu = number_of("gpu", false);
        if (bad) continue;
        json = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + id + "\",\"uid\":\"" + id + "\",\"labels\":{\"kubernetes.io/hostname\":\"" + id + "\"";
        if (gpu > 0) json += ",\"basalt.dev/gpu-model\":\"" + std::string(text_of("model")) + "\"";
        json += "}},\"status\":{\"allocatable\":{\"cpu\":\"" + std::to_string(cpu) + "m\",\"memory\":\"" + std::to_string(memory) + "Mi\",\"pods\":\"110\"";
        if (gpu > 0) json += ",\"basalt.dev/gpu-milli\":\"" + std::to_string(1000 * gpu) + "\"";
        json += "}}}";
      } else {
        const int64_t milli = number_of("num_gpu", false) * number_of("gpu_milli", false), created = number_of("creation_time", false);
        if (bad) continue;
        constexpr int64_t kEpoch = 1764500000;  // 2025-11-30T10:53:20Z
        const std::string meta = "\"name\":\"" + id + "\",\"namespace\":\"default\",\"uid\":\"" + id + "\",\"creationTimestamp\":\"" + Moment(kEpoch + created) + "\"";
        json = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{" + meta + ",\"annotations\":{\"scheduling.k8s.io/group-name\":\"" + id +
               "\"}},\"spec\":{\"schedulerName\":\"volcano\",\"containers\":[{\"name\":\"main\",\"resources\":{\"requests\":{\"cpu\":\"" + std::to_string(cpu) +
               "m\",\"memory\":\"" + std::to_string(memory) + "Mi\"";
        if (milli) json += ",\"basalt.dev/gpu-milli\":\"" + std::to_string(milli) + "\"";
        json += "}}}]";
        if (const std::string_view spec = text_of("gpu_spec"); !spec.empty()) {
          json += ",\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":"
                  "\"basalt.dev/gpu-model\",\"operator\":\"In\",\"values\":[";
          for (size_t from = 0;;) {
            const size_t bar = std::min(spec.find('|', from), spec.size());
            json += (from ? ",\"" : "\"") + std::string(spec.substr(from, bar - from)) + "\"";
            if (bar == spec.size()) break;
            from = bar + 1;
          }
          json += "]}]}]}}}";
        }
        json += "},\"status\":{\"phase\":\"Pending\"}}\n{\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{" + meta +
                "},\"spec\":{\"minMember\":1,\"queue\":\"default\"},\"status\":{\"phase\":\"Inqueue\"}}";
      }
      json.reserve(json.size() + kJsonPaddingBytes);
      Json(json, false);
    }
    if (header.empty()) Unreadable("no rows in it");
  }
  static std::string Moment(int64_t seconds) {
    const int64_t days = seconds / 86400, rest = seconds % 86400;
    const int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
    const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const int64_t day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9, year = yoe + era * 400 + (month <= 2);
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04lld-%02lld-%02lldT%02lld:%02lld:%02lldZ", static_cast<long long>(year), static_cast<long long>(month),
                  static_cast<long long>(day), static_cast<long long>(rest / 3600), static_cast<long long>(rest / 60 % 60), static_cast<long long>(rest % 60));
    return buffer;
  }
  int depth_ = 0;
};

// UTF-16 with a mark to UTF-8.
bool FromUtf16(std::string_view bytes, bool little, std::string* out) {
  const auto unit = [&](size_t i) {
    const auto a = static_cast<uint8_t>(bytes[i]), b = static_cast<uint8_t>(bytes[i + 1]);
    return static_cast<uint32_t>(little ? a | b << 8 : b | a << 8);
  };
  for (size_t i = 2; i + 1 < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    if (c == 0xFEFF) continue;
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size()) {
      const uint32_t low = unit(i + 2);
      if (low < 0xDC00 || low > 0xDFFF) return false;
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), i += 2;
    } else if (c >= 0xD800 && c < 0xE000) {
      return false;
    }
    if (c < 0x80) *out += static_cast<char>(c);
    else if (c < 0x800) *out += static_cast<char>(0xC0 | c >> 6), *out += static_cast<char>(0x80 | (c & 63));
    else if (c < 0x10000) *out += static_cast<char>(0xE0 | c >> 12), *out += static_cast<char>(0x80 | (c >> 6 & 63)), *out += static_cast<char>(0x80 | (c & 63));
    else *out += static_cast<char>(0xF0 | c >> 18), *out += static_cast<char>(0x80 | (c >> 12 & 63)), *out += static_cast<char>(0x80 | (c >> 6 & 63)),
         *out += static_cast<char>(0x80 | (c & 63));
  }
  return true;
}

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

}  // namespace

ReadCounts ReadText(std::string_view bytes, std::string_view name, TextFormat format, Executor* executor, const ObjectSink& sink,
                    std::vector<Diagnostic>* diagnostics) {
  Context context{name, executor, sink, diagnostics, {}};
  std::string owned;
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    if (!FromUtf16(bytes, bytes[0] == '\xFF', &owned)) return context.Unreadable("broken UTF-16"), context.counts;
    owned.reserve(owned.size() + kJsonPaddingBytes);
    bytes = owned;
  }
  if (const void* nul = bytes.empty() ? nullptr : std::memchr(bytes.data(), 0, bytes.size())) {
    const auto at = static_cast<size_t>(static_cast<const char*>(nul) - bytes.data());
    context.Unreadable("byte " + std::to_string(at) + ": not UTF-8 (looks like " + (at < 4 ? "UTF-16)" : "binary data)"));
    return context.counts;
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(3);
  if (bytes.find(kUtf8Mark) != std::string_view::npos) {  // files that were joined
    std::string joined;
    for (size_t at = 0; at < bytes.size();) {
      const size_t mark = std::min(bytes.find(kUtf8Mark, at), bytes.size());
      joined.append(bytes.substr(at, mark - at));
      at = mark + 3;
    }
    owned = std::move(joined);
    owned.reserve(owned.size() + kJsonPaddingBytes);
    bytes = owned;
  }
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return context.Unreadable("empty"), context.counts;
  if (format == TextFormat::kAuto) {
    if (bytes[first] == '{' || bytes[first] == '[') format = TextFormat::kJson;
    else if (name.ends_with(".json") || name.ends_with(".ndjson")) format = TextFormat::kJson;
    else if (bytes.substr(first, 3) == "sn," || bytes.substr(first, 5) == "name,") format = TextFormat::kCsv;
    else format = TextFormat::kYaml;
  }
  if (format == TextFormat::kJson) context.Json(bytes, true);
  else if (format == TextFormat::kYaml) context.Yaml(bytes);
  else context.Csv(bytes);
  return context.counts;
}

}  // namespace basalt

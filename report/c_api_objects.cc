// The C door without an engine: objects one by one, and the forms in which they are written again.
#include "report/c_api_common.h"
#include "snapshot/executor.h"
#include "snapshot/snapshot_file.h"
#include "snapshot/text/compact.h"
#include "snapshot/text/json_yaml.h"
#include "snapshot/text/reader.h"
#include "snapshot/time.h"

using basalt::Severity;
using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;
using basalt::door::View;

struct basalt_snapshot_writer {
  basalt::SnapshotWriter writer;
};

namespace {

/// How messages call an object: "Node n1"; "Deployment object" where the name is not read; "object".
std::string NameOf(std::string_view json) {
  basalt::Arena arena;
  basalt::Decoded d;
  std::vector<basalt::Diagnostic> ignored;
  size_t at = 0;
  std::string message;
  if (!basalt::Decoder().Decode(json, {}, {}, &arena, &d, &ignored, &at, &message) || d.kind_name.empty()) return "object";
  std::string name(d.kind_name);
  if (!d.meta) return name + " object";
  name += ' ';
  if (!d.meta->namespace_.empty()) name.append(d.meta->namespace_).append("/");
  return name.append(d.meta->name);
}

}  // namespace

extern "C" {

basalt_status basalt_parse_time(basalt_text text, int64_t* ns) {
  if (!ns) return BASALT_INVALID_ARGUMENT;
  const std::optional<int64_t> time = basalt::ParseRfc3339Ns(View(text));
  if (!time) return BASALT_BAD_INPUT;
  *ns = *time;
  return BASALT_OK;
}

basalt_status basalt_each_object(basalt_text text, const char* name, basalt_format format, basalt_object_callback callback, basalt_diagnostic_callback told,
                                 void* user) {
  if (!callback) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    basalt::InlineExecutor executor;
    std::vector<basalt::Diagnostic> diagnostics;
    bool stop = false, unreadable = false;
    std::string json;
    basalt::ReadText(View(text), name ? name : "", static_cast<basalt::TextFormat>(format), &executor, [&](const basalt::Decoded& d, std::string_view raw) {
      if (stop) return;
      json.clear();
      basalt::AppendStandalone(raw, d.list_kind, d.list_api_version, &json);
      json.reserve(json.size() + BASALT_PADDING_BYTES);
      stop = callback(user, Text(d.kind_name), Text(json)) != 0;
    }, &diagnostics);
    for (const basalt::Diagnostic& d : diagnostics) {
      unreadable = unreadable || d.severity == Severity::kUnreadable;
      const basalt_diagnostic out{static_cast<basalt_severity>(d.severity), Text(d.source), Text(d.object), Text(d.field), Text(d.message)};
      if (told) told(user, &out);
    }
    return unreadable ? BASALT_BAD_INPUT : BASALT_OK;
  });
}

basalt_status basalt_find_object(basalt_text text, const char* name, basalt_format format, basalt_text kind, basalt_text key, basalt_buffer* json) {
  return Guard([&] {
    basalt::InlineExecutor executor;
    std::vector<basalt::Diagnostic> ignored;
    std::string found;
    uint64_t version = 0;
    basalt::ReadText(View(text), name ? name : "", static_cast<basalt::TextFormat>(format), &executor, [&](const basalt::Decoded& d, std::string_view raw) {
      if (d.set_aside || !d.meta || d.kind_name != View(kind)) return;
      std::string_view rest = View(key);
      if (!d.meta->namespace_.empty()) {
        if (!rest.starts_with(d.meta->namespace_) || !rest.substr(d.meta->namespace_.size()).starts_with('/')) return;
        rest.remove_prefix(d.meta->namespace_.size() + 1);
      }
      if (rest != d.meta->name || (!found.empty() && d.meta->resource_version < version)) return;
      version = d.meta->resource_version;
      found.clear();
      basalt::AppendStandalone(raw, d.list_kind, d.list_api_version, &found);
    }, &ignored);
    return found.empty() ? BASALT_NOT_FOUND : Give(found, json);
  });
}

int basalt_is_snapshot(const void* bytes, size_t size) { return bytes && basalt::IsSnapshot({static_cast<const char*>(bytes), size}); }

basalt_status basalt_snapshot_writer_open(basalt_snapshot_writer** writer) {
  if (!writer) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return *writer = new basalt_snapshot_writer, BASALT_OK; });
}

basalt_status basalt_snapshot_writer_add(basalt_snapshot_writer* writer, basalt_text json, basalt_buffer* error) {
  if (!writer || !json.data) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    std::string why;
    if (writer->writer.Add(View(json), &why)) return BASALT_OK;
    if (error) Give(why, error);
    return BASALT_BAD_INPUT;
  });
}

basalt_status basalt_snapshot_writer_finish(basalt_snapshot_writer* writer, basalt_buffer* out) {
  if (!writer) return BASALT_INVALID_ARGUMENT;
  const basalt_status status = Guard([&] { return Give(writer->writer.Finish(), out); });
  delete writer;
  return status;
}

basalt_status basalt_json_to_yaml(basalt_text json, basalt_buffer* out) {
  if (!json.data || !out) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    std::string yaml, why;
    if (basalt::AppendYaml(View(json), &yaml, &why)) return Give(yaml, out);
    return Give(NameOf(View(json)) + ": " + why, out, BASALT_BAD_INPUT);
  });
}

}  // extern "C"

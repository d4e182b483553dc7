#include "cli/object_output.h"

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

ObjectOutput::ObjectOutput(const std::string& format)
    : form_(format == "json" ? Form::kJson : format == "yaml" ? Form::kYaml : Form::kSnapshot) {
  if (form_ == Form::kSnapshot) code_ = Failure(basalt_snapshot_writer_open(&writer_), "snapshot");
}

ObjectOutput::~ObjectOutput() {
  if (!writer_) return;
  Buffer unused;
  basalt_snapshot_writer_finish(writer_, unused.out());
}

bool ObjectOutput::Add(std::string_view json, const std::string& source) {
  if (code_) return false;
  if (json.empty()) {
    left_out_++;
    Error("{}: a row that makes no object is left out", source);
  } else if (form_ == Form::kYaml) {
    AddYaml(json, source);
  } else if (form_ == Form::kSnapshot) {
    Buffer why;
    const basalt_status status = basalt_snapshot_writer_add(writer_, {json.data(), json.size()}, why.out());
    code_ = Failure(status, source, why.text());
  } else {
    text_ += count_++ == 0 ? "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" : ",\n";
    text_ += json;
  }
  return !code_;
}

void ObjectOutput::AddYaml(std::string_view json, const std::string& source) {
  // A document that is no object would make the file unreadable; as an item of a list it is one bad object, as it was.
  std::string list;
  if (json[0] != '{') {
    list.append("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[").append(json).append("]}").reserve(list.size() + BASALT_PADDING_BYTES);
    json = list;
  }
  Buffer yaml;
  const basalt_status status = basalt_json_to_yaml({json.data(), json.size()}, yaml.out());
  if (status == BASALT_BAD_INPUT) {
    left_out_++;
    Error("{}: {}; left out, as YAML has no place for it", source, yaml.text());
  } else if (status != BASALT_OK) {
    code_ = Failure(status, source, yaml.text());
  } else {
    text_.append("---\n").append(yaml.text());
  }
}

int ObjectOutput::Print() {
  if (code_) return code_;
  if (form_ == Form::kSnapshot) {
    Buffer file;
    if (const int code = Failure(basalt_snapshot_writer_finish(std::exchange(writer_, nullptr), file.out()), "snapshot")) return code;
    return PrintData(file.text()) ? kDone : kFailed;
  }
  if (form_ == Form::kYaml && text_.empty()) text_ = "apiVersion: v1\nitems: []\nkind: List\n";
  if (form_ == Form::kJson) text_ += count_ ? "\n]}\n" : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}\n";
  return PrintData(text_) ? kDone : kFailed;
}

}  // namespace basalt::cli

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

bool ObjectOutput::Add(std::string_view json) {
  if (code_) return false;
  count_++;
  if (form_ == Form::kJson) {
    text_ += count_ == 1 ? "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" : ",\n";
    text_ += json;
  } else if (form_ == Form::kSnapshot) {
    code_ = Failure(basalt_snapshot_writer_add(writer_, {json.data(), json.size()}), "snapshot");
  } else if (json != "null") {  // an empty document would be no object at all; that the item was null has been told
    Buffer yaml;
    code_ = Failure(basalt_json_to_yaml({json.data(), json.size()}, yaml.out()), "yaml", yaml.text());
    text_.append("---\n").append(yaml.text());
    if (!text_.ends_with('\n')) text_ += '\n';
  }
  return !code_;
}

int ObjectOutput::Print() {
  if (code_) return code_;
  if (form_ == Form::kSnapshot) {
    Buffer file;
    if (const int code = Failure(basalt_snapshot_writer_finish(std::exchange(writer_, nullptr), file.out()), "snapshot")) return code;
    return PrintData(file.text()) ? kDone : kFailed;
  }
  if (form_ == Form::kJson) text_ += count_ ? "\n]}\n" : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}\n";
  return PrintData(text_) ? kDone : kFailed;
}

}  // namespace basalt::cli

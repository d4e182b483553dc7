#include "cli/object_output.h"

#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

ObjectOutput::ObjectOutput(const std::string& format)
    : form_(format == "json" ? Form::kJson : format == "yaml" ? Form::kYaml : Form::kSnapshot) {
  if (form_ == Form::kSnapshot && Failure(basalt_snapshot_writer_open(&writer_), "snapshot")) failed_ = true;
}

ObjectOutput::~ObjectOutput() {
  if (!writer_) return;
  Buffer unused;
  basalt_snapshot_writer_finish(writer_, unused.out());
}

bool ObjectOutput::Add(std::string_view json) {
  if (failed_) return false;
  count_++;
  if (form_ == Form::kJson) {
    text_ += count_ == 1 ? "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" : ",\n";
    text_ += json;
    return true;
  }
  if (form_ == Form::kSnapshot) return !(failed_ = Failure(basalt_snapshot_writer_add(writer_, {json.data(), json.size()}), "snapshot"));
  Buffer yaml;
  if (Failure(basalt_json_to_yaml({json.data(), json.size()}, yaml.out()), "yaml", yaml.text())) return !(failed_ = true);
  text_.append("---\n").append(yaml.text());
  if (!text_.ends_with('\n')) text_ += '\n';
  return true;
}

bool ObjectOutput::Print() {
  if (failed_) return false;
  if (form_ == Form::kSnapshot) {
    Buffer file;
    const basalt_status status = basalt_snapshot_writer_finish(std::exchange(writer_, nullptr), file.out());
    return !Failure(status, "snapshot") && PrintData(file.text());
  }
  if (form_ == Form::kJson) text_ += count_ ? "\n]}\n" : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}\n";
  return PrintData(text_);
}

}  // namespace basalt::cli

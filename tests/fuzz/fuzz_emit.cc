// Any bytes as a JSON value to be written as YAML: refused with a sentence and without a trace, or one document that reads back to the same value.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "snapshot/decode.h"
#include "snapshot/decode_json.h"
#include "snapshot/text/json_yaml.h"
#include "snapshot/text/yaml.h"
#include "snapshot/text/yaml_json.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

std::string_view Padded(std::string* text) {
  const size_t size = text->size();
  text->append(kJsonPaddingBytes, '\xA5');
  return {text->data(), size};
}

/// The value in one spelling of strings, and of numbers as YAML has them.
class Canonical {
 public:
  std::string Of(std::string json) {
    Check(c_.Open(Padded(&json), &arena_));
    Value();
    Check(c_.Finish());
    return std::move(out_);
  }

 private:
  void Value() {
    const char first = c_.Here();
    const char* separator = "";
    if (first == '{') {
      out_ += '{';
      for (decode::Members m(c_, decode::Members::Nulls::kValues); m.Next();) {
        out_ += std::exchange(separator, ",");
        AppendJsonString(m.key, &out_);
        out_ += ':';
        Value();
      }
      out_ += '}';
    } else if (first == '[') {
      out_ += '[';
      for (decode::Items items(c_); items.Next();) out_ += std::exchange(separator, ","), Value();
      out_ += ']';
    } else if (first == '"') {
      AppendJsonString(c_.String(), &out_);
    } else {
      std::string text(c_.Literal());
      const size_t e = text[0] == 't' || text[0] == 'f' ? text.npos : text.find_first_of("eE");
      if (e != text.npos && text[e + 1] != '+' && text[e + 1] != '-') text.insert(e + 1, 1, '+');
      out_ += text == "-0" ? "0" : text;
    }
  }

  Arena arena_;
  decode::JsonCursor c_;
  std::string out_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  std::string padded = json, yaml = "---\n", error;
  if (!AppendYaml(Padded(&padded), &yaml, &error)) {
    Check(!error.empty() && yaml == "---\n");
    return 0;
  }
  std::vector<std::string> documents;
  YamlError yaml_error;
  Check(YamlToJson(yaml, [&](std::string document, size_t) { documents.push_back(std::move(document)); }, &yaml_error));
  const std::string want = Canonical().Of(json);
  if (want == "null") return Check(documents.empty()), 0;
  Check(documents.size() == 1 && Canonical().Of(documents[0]) == want);
  return 0;
}

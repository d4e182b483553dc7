// basalt version: what was built, and what it can use here.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

/// The value of a key in the library's flat version document: the text between quotes, or the list between brackets without its quotes.
std::string ValueOf(std::string_view json, std::string_view key) {
  size_t at = json.find(fmt::format("\"{}\"", key));
  if (at == json.npos) return "";
  at = json.find_first_of("\"[", at + key.size() + 2);
  if (at == json.npos) return "";
  const size_t end = json.find(json[at] == '[' ? ']' : '"', at + 1);
  std::string value;
  for (const char c : json.substr(at + 1, end - at - 1))
    if (c == ',') value += ", ";
    else if (c != '"' && c != ' ') value += c;
    else if (c == ' ' && json[at] == '"') value += c;
  return value;
}

}  // namespace

std::string VersionText() {
  Buffer json;
  if (basalt_version_json(json.out()) != BASALT_OK) return "basalt";
  std::string text = "basalt " + ValueOf(json.text(), "version");
  for (const char* key : {"commit", "compiler", "backends", "targets"})
    if (const std::string value = ValueOf(json.text(), key); !value.empty()) text += fmt::format("\n{}: {}", key, value);
  return text;
}

void AddVersion(const Registry& registry) {
  const auto format = std::make_shared<std::string>();
  CLI::App* app = registry.Add("version", "Print the version, and the backends of this build on this machine", [=]() -> int {
    std::string text = VersionText();
    if (!format->empty()) {
      Buffer json;
      if (const int code = Failure(basalt_version_json(json.out()), "version")) return code;
      text = json.text();
    }
    if (!text.ends_with('\n')) text += '\n';
    return PrintData(text) ? kDone : kFailed;
  });
  AddChoice(app, "-o,--output", format.get(), {"json"}, "json");
}

}  // namespace basalt::cli

// basalt convert: any accepted input as one JSON list, YAML documents or a snapshot file.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/object_output.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  std::string format = "json";
};

constexpr char kFooter[] =
    "Formats:\n"
    "Every object with its kind, without metadata.managedFields; bad objects as they are (exit code 4).\n"
    "  json      one List, an object per line\n"
    "  yaml      a document per object\n"
    "  snapshot  a checksummed file that loads fastest; schedule, score and explain read it like any other input\n"
    "Example:  basalt convert -f dump.yaml -o snapshot > dump.snapshot";

int Take(void* user, basalt_text, basalt_text json) { return static_cast<ObjectOutput*>(user)->Add({json.data, json.size}) ? 0 : 1; }

int Run(const CommonOptions& common, const Options& options) {
  if (options.format == "snapshot" && isatty(STDOUT_FILENO)) return UsageError("convert", "a snapshot is binary: send standard output to a file");
  Progress progress(common.progress);
  ObjectOutput objects(options.format);
  basalt_status worst = BASALT_OK;
  size_t bad = 0;
  const bool good = ForEachInput(options.inputs, common.threads != 1, &progress, [&](Input& input) {
    Buffer messages;
    size_t set_aside = 0;
    const basalt_status status = basalt_each_object(input.text(), input.name.c_str(), input.format, &Take, &objects, &set_aside, messages.out());
    bad += set_aside;
    std::string_view rest = messages.text();
    const bool told = !rest.empty();
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      Log(Tone::kError, rest.substr(0, end));
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    if (status != BASALT_OK && (status != BASALT_BAD_INPUT || !told)) Failure(status, input.name);
    if (status != BASALT_OK && worst != BASALT_INTERNAL) worst = status;
    return status == BASALT_OK;
  });
  progress.Stop();
  if (!good) return worst == BASALT_OK || worst == BASALT_BAD_INPUT ? kInputInvalid : kFailed;
  // Nothing was written until here: half a conversion would look like a smaller cluster.
  const int code = objects.Print();
  return code == kDone && bad && !common.lenient ? kInputInvalid : code;
}

}  // namespace

void AddConvert(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("convert", "Print any accepted input in another form", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, true);
  AddChoice(app, "-o,--output", &options->format, {"json", "yaml", "snapshot"}, "What to print");
}

}  // namespace basalt::cli

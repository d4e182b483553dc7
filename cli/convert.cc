// basalt convert: any accepted input as one JSON list, YAML documents or a snapshot file.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/diagnostics.h"
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
    "Every object with its kind, without metadata.managedFields; bad objects as they are, told, and exit code 4 (0 with --lenient).\n"
    "Formats:\n"
    "  json      one List, an object per line\n"
    "  yaml      a document per object; one that YAML has no place for (a key that comes twice) is told and left out: exit code 4\n"
    "  snapshot  a checksummed file that loads fastest; every command reads it like any other input\n"
    "Example:  basalt convert -f dump.yaml -o snapshot > dump.snapshot";

struct Conversion {
  ObjectOutput objects;
  DiagnosticLog diagnostics;
  std::string source;
};

int Take(void* user, basalt_text, basalt_text json) {
  auto* c = static_cast<Conversion*>(user);
  return c->objects.Add({json.data, json.size}, c->source) ? 0 : 1;
}

void Tell(void* user, const basalt_diagnostic* diagnostic) { static_cast<Conversion*>(user)->diagnostics.Print(*diagnostic); }

int Run(const CommonOptions& common, const Options& options) {
  if (options.format == "snapshot" && isatty(STDOUT_FILENO)) return UsageError("convert", "a snapshot is binary: send standard output to a file");
  Progress progress(common.progress);
  Conversion conversion{ObjectOutput(options.format), {}, {}};
  basalt_status worst = BASALT_OK;
  const bool good = ForEachInput(options.inputs, common.threads != 1, &progress, [&](Input& input) {
    conversion.source = input.name;
    const basalt_status status = basalt_each_object(input.text(), input.name.c_str(), input.format, &Take, &Tell, &conversion);
    if (status != BASALT_OK && status != BASALT_BAD_INPUT) worst = status, Failure(status, input.name);  // bad input was told
    return status == BASALT_OK;
  });
  progress.Stop();
  conversion.diagnostics.Finish();
  if (!good) return worst == BASALT_OK ? kInputInvalid : kFailed;
  // Nothing was written until here: half a conversion would look like a smaller cluster.
  const int code = conversion.objects.Print();
  const bool all = conversion.diagnostics.bad_objects() == 0 && conversion.objects.left_out() == 0;
  return code == kDone && !all && !common.lenient ? kInputInvalid : code;
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

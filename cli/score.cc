// basalt score: the value of every node for every pending pod.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  std::string pod, by, rows = "pods", variants, format = "table";
};

constexpr char kFooter[] =
    "A number where the pod fits the node now (the sum of all plugins of the configuration, the greatest wins), a reason where it does not.\n"
    "csv has a line per row and node, npy a float64 array of rows x nodes (both sorted by name; NaN: does not fit), by plugin with a third axis: sum, parts.\n"
    "Example:  basalt score -f dump.json --pod default/web-0 --by plugin";

int Write(void* user, basalt_text text) {
  auto* out = static_cast<Output*>(user);
  out->Write({text.data, text.size});
  return out->ended() ? 1 : 0;
}

int Run(const CommonOptions& common, const Options& options) {
  if (options.format == "npy" && isatty(STDOUT_FILENO)) return UsageError("score", "npy is binary: send standard output to a file");
  Session session(common, options.inputs);
  if (const int code = session.Start()) return code;
  const std::string pod = options.pod.empty() || options.pod.find('/') != std::string::npos ? options.pod : "default/" + options.pod;
  basalt_score_options score{};
  score.size = sizeof score;
  score.pod = pod.empty() ? nullptr : pod.c_str();
  score.by_plugin = options.by == "plugin";
  score.rows_by_class = options.rows == "classes";
  score.format = options.format.c_str();
  score.now_ns = NowNs(common.now);
  Input variants;
  if (!options.variants.empty()) {
    variants = LoadInput(options.variants);
    if (!variants.error.empty()) return Error("{}: cannot read: {}", variants.name, variants.error), kInputInvalid;
    score.variants = variants.text();
  }
  Output out(STDOUT_FILENO);
  Buffer error;
  basalt_status status;
  {
    const auto span = session.trace().Stage("score");
    status = basalt_score(session.engine(), &score, &Write, &out, error.out());
  }
  const bool written = out.Finish();
  session.Finish();
  if (!written) return Error("cannot write to standard output: {}", out.error()), kFailed;
  if (status == BASALT_BAD_INPUT) return Failure(status, options.variants, error.text());
  if (status != BASALT_OK && status != BASALT_REFUSED) return Failure(status, "score", error.text());  // refused: the reader had enough
  return session.InputCode();
}

}  // namespace

void AddScore(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("score", "Print the score of every node for every pending pod", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, true);
  AddConfig(app, &options->inputs);
  app->add_option("--pod", options->pod, "Only this pod; without a namespace: default")->type_name("NS/NAME");
  AddChoice(app, "--by", &options->by, {"plugin"}, "plugin: each plugin's part beside the sum");
  AddChoice(app, "--rows", &options->rows, {"pods", "classes"}, "pods: a row per pod; classes: a row per set of pods that are alike to the scheduler");
  app->add_option("--variants", options->variants, "YAML map of a name and a scheduler configuration each: scores under each of them")->type_name("FILE");
  AddChoice(app, "-o,--output", &options->format, {"table", "json", "csv", "npy"}, "What to print");
}

}  // namespace basalt::cli

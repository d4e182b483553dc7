// basalt score: the value of every node for every pending pod.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
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
    "Example:  basalt score -f dump.json --pod default/web-0 --by plugin";

int Run(const CommonOptions& common, const Options& options) {
  if (!options.variants.empty()) return NotSupportedYet("--variants");
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
  Buffer out;
  basalt_status status;
  {
    const auto span = session.trace().Stage("score");
    status = basalt_score(session.engine(), &score, out.out());
  }
  session.Finish();
  if (status != BASALT_OK) return Failure(status, pod.empty() ? "score" : "score of pod " + pod, out.text());
  std::string text(out.text());
  if (options.format != "npy" && !text.ends_with('\n')) text += '\n';
  if (!PrintData(text)) return kFailed;
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
  app->add_option("--variants", options->variants, "Score what-if variants of the cluster (not supported yet)")->type_name("FILE");
  AddChoice(app, "-o,--output", &options->format, {"table", "json", "csv", "npy"}, "What to print");
}

}  // namespace basalt::cli

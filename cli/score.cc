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
  std::string pod, by, rows = "pods", variants, names, format = "table";
};

constexpr char kFooter[] =
    "A number where the pod fits the node now (the sum of all plugins of the configuration, the greatest wins), a reason where it does not.\n"
    "By plugin, the parts added from left to right are the sum to the last bit.\n"
    "Formats:\n"
    "  table  per row the best nodes, how many take it, why the others do not\n"
    "  json   {\"pods\": {\"ns/pod\": {\"nodes\": {\"n1\": 123.0, \"n2\": \"reason\"}}}}\n"
    "  csv    a line per row and node: score or reason, then the parts\n"
    "  npy    a float64 array [variants x] rows x nodes [x sum and parts], NaN where the row does not fit; --names writes what stands along each axis:\n"
    "         n = json.load(open(\"n.json\")); xarray.DataArray(numpy.load(\"s.npy\"), dims=n[\"axes\"], coords={a: n[a] for a in n[\"axes\"]})\n"
    "Variants: a YAML or JSON map of names, each with a scheduler configuration or with what differs from the one in force:\n"
    "  now: {}\n"
    "  pack: {arguments: {nodeorder: {mostrequested.weight: 5}}}\n"
    "Examples:\n"
    "  basalt score -f dump.json --pod default/web-0 --by plugin\n"
    "  basalt score -f dump.json --rows classes --variants weights.yaml -o npy --names n.json > s.npy";

int Write(void* user, basalt_text text) {
  auto* out = static_cast<Output*>(user);
  out->Write({text.data, text.size});
  return out->ended() ? 1 : 0;
}

/// Writes the names along the axes of the npy array.
int WriteNames(basalt_engine* engine, basalt_score_options score, const std::string& path) {
  score.format = "names";
  std::string text;
  Buffer error;
  const auto append = [](void* user, basalt_text piece) { return static_cast<std::string*>(user)->append(piece.data, piece.size), 0; };
  if (const basalt_status status = basalt_score(engine, &score, append, &text, error.out())) return Failure(status, "score", error.text());
  return WriteFile(path, text + "\n") ? kDone : kFailed;
}

int Run(const CommonOptions& common, const Options& options) {
  if (options.names == "-") return UsageError("score", "--names needs the name of a file: standard output has the scores");
  if (options.format == "npy" && isatty(STDOUT_FILENO)) return UsageError("score", "npy is binary: send standard output to a file");
  Session session(common, options.inputs);
  if (const int code = session.Start()) return code;
  const std::string pod = options.pod.empty() || options.pod.find('/') != std::string::npos ? options.pod : "default/" + options.pod;
  basalt_score_options score{};
  score.size = sizeof score;
  score.pod = pod.empty() ? nullptr : pod.c_str();
  score.by = options.by == "plugin" ? BASALT_SCORE_PLUGIN : options.by == "rule" ? BASALT_SCORE_RULE : BASALT_SCORE_SUM;
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
  if (!options.names.empty())
    if (const int code = WriteNames(session.engine(), score, options.names)) return code;
  return session.InputCode();
}

}  // namespace

void AddScore(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app =
      registry.Add("score", "Print the score of every node for every pending pod", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, true);
  AddConfig(app, &options->inputs);
  app->add_option("--pod", options->pod, "Only this pod; without a namespace: default")->type_name("NS/NAME");
  AddChoice(app, "--by", &options->by, {"plugin", "rule"}, "plugin: each plugin's part beside the sum; rule: each rule's");
  AddChoice(app, "--rows", &options->rows, {"pods", "classes"}, "pods: a row per pod; classes: a row per set of pods that are alike to the scheduler");
  app->add_option("--variants", options->variants, "Scores under each of several configurations, see below")->type_name("FILE");
  app->add_option("--names", options->names, "Write the names of rows, nodes and parts as JSON to FILE")->type_name("FILE");
  AddChoice(app, "-o,--output", &options->format, {"table", "json", "csv", "npy"}, "What to print");
}

}  // namespace basalt::cli

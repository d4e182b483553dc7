// basalt verify: does a plan keep the rules, given the input it was made from?
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  std::string plan, evictions;
};

constexpr char kFooter[] =
    "An independent check: capacity, pod slots, node rules, gangs, queue ceilings, no pod twice, the first reason of every waiting pod.\n"
    "Exit code 0: accepted; 1: refused, with one finding per line on standard output.\n"
    "Example:  basalt schedule -f dump.json --plan plan.json && basalt verify -f dump.json --plan plan.json";

struct VerifierCloser {
  void operator()(basalt_verifier* verifier) const { basalt_verifier_close(verifier); }
};

int Run(const CommonOptions& common, const Options& options) {
  Progress progress(common.progress);
  const LibraryOptions library(common, options.inputs, options.evictions);
  basalt_verifier* opened = nullptr;
  if (const int code = Failure(basalt_verifier_open(&library.options, &opened), "cannot start")) return code;
  const std::unique_ptr<basalt_verifier, VerifierCloser> verifier(opened);

  basalt_status worst = BASALT_OK;
  const bool good = ForEachInput(options.inputs, common.threads != 1, &progress, [&](Input& input) {
    const basalt_status status = basalt_verifier_read_text(verifier.get(), input.text(), input.name.c_str(), input.format);
    if (status != BASALT_OK) worst = status;
    return status == BASALT_OK;
  });
  if (!good && worst == BASALT_OK) return kInputInvalid;  // told already

  Input config;
  if (!options.inputs.config.empty()) {
    config = LoadInput(options.inputs.config);
    if (!config.error.empty()) return Error("{}: cannot read: {}", config.name, config.error), kInputInvalid;
  }
  const Input plan = LoadInput(options.plan);
  if (!plan.error.empty()) return Error("{}: cannot read: {}", plan.name, plan.error), kInputInvalid;

  progress.Stage("checking the plan");
  Buffer out;
  const basalt_status status = basalt_verifier_check(verifier.get(), config.text(), plan.text(), out.out());
  progress.Stop();
  if (status != BASALT_OK && status != BASALT_REFUSED) return Failure(status, "verify", out.text());
  if (worst != BASALT_OK) return Failure(worst, "verify", out.text());
  std::string text = Printable(out.text());
  if (text.empty()) text = status == BASALT_OK ? "accepted" : "refused";
  if (!text.ends_with('\n')) text += '\n';
  if (!PrintData(text)) return kFailed;
  return status == BASALT_OK ? kDone : kFailed;
}

}  // namespace

void AddVerify(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("verify", "Check a plan against the dump it was made from", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, true);
  AddConfig(app, &options->inputs);
  AddChoice(app, "--evictions", &options->evictions, {"minimal", "compat"}, "How the plan was told to evict; else what the configuration says");
  app->add_option("--plan", options->plan, "The Schedule document (schedule --plan, schedule -o json); - reads it from standard input")->required()->type_name("FILE");
}

}  // namespace basalt::cli

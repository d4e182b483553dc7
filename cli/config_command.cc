// basalt config: the scheduler configuration as it will be used.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  std::string action;
};

constexpr char kFooter[] =
    "view prints the configuration in force with every default filled in; check only says whether it would be accepted.\n"
    "Without --config and without a ConfigMap in the input it is Volcano's built-in default.\n"
    "Exit code 4: the configuration is refused (unknown action or plugin, duplicate key, text that does not parse).\n"
    "Examples:  basalt config view --config volcano-scheduler.conf      kubectl get cm -A -o yaml | basalt config check -f -";

int Run(const CommonOptions& common, Options options) {
  Session session(common, options.inputs);
  int code = session.Open("");
  if (code == kDone && !options.inputs.paths.empty()) code = session.Read();
  if (code == kDone) code = session.Configure();
  session.Finish();
  if (code != kDone) return code;
  if (options.action == "check") {
    Log(Tone::kPlain, "the configuration is accepted");
    return kDone;
  }
  Buffer out;
  if (const int failed = Failure(basalt_config_view(session.engine(), out.out()), "configuration")) return failed;
  return PrintData(out.text()) ? kDone : kFailed;
}

}  // namespace

void AddConfigCommand(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("config", "Show or check the scheduler configuration", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddChoice(app, "ACTION", &options->action, {"view", "check"}, "view or check")->required();
  AddInputs(app, &options->inputs, false);
  AddConfig(app, &options->inputs);
}

}  // namespace basalt::cli

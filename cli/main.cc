// basalt: reads cluster dumps, runs the library over them, prints. What it decides is decided in the library.
#include <signal.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/log.h"
#include "cli/output.h"

namespace {

using namespace basalt::cli;

constexpr char kDescription[] =
    "Basalt decides where pods of a Kubernetes cluster run, as Volcano would: from files, offline.\n"
    "A first try:   kubectl get nodes,pods,podgroups,queues -A -o json | basalt schedule -f -";

constexpr char kFooter[] =
    "Data goes to standard output, everything else to standard error.\n"
    "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 (with --exit-code) some pods wait; 4 input or configuration invalid: unreadable (nothing\n"
    "is printed) or objects were set aside (the output is complete without them; --lenient makes it 0).\n"
    "More: basalt COMMAND --help";

// A mapped file that another program shortens cannot be read any more where it was: nothing sensible can follow.
extern "C" void InputShrank(int) {
  constexpr char kText[] = "basalt: an input file became shorter while it was read\n";
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, kText, sizeof kText - 1);
  _exit(kInputInvalid);
}

std::string ChosenName(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

std::string Wrong(const CLI::App& app, const CLI::ParseError& error) {
  if (!app.get_subcommands().empty()) return error.what();
  const std::vector<std::string> rest = app.remaining();
  if (rest.empty()) return "a command is needed";
  return fmt::format("there is no {} '{}'", rest.front().starts_with('-') ? "option" : "command", rest.front());
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGBUS, InputShrank);

  CLI::App app(kDescription, "basalt");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  CommonOptions common;
  std::function<int()> chosen;
  AddCommon(&app, &common);
  app.set_version_flag("--version", [] { return VersionText(); });
  const Registry registry{&app, &common, &chosen};
  AddSchedule(registry);
  AddScore(registry);
  AddExplain(registry);
  AddVerify(registry);
  AddConvert(registry);
  AddGenerate(registry);
  AddConfigCommand(registry);
  AddBench(registry);
  AddVersion(registry);
  AddCompletion(registry);
  AddLater(registry);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto subcommands = app.get_subcommands();
    return PrintData(subcommands.empty() ? app.help() : subcommands.front()->help("basalt")) ? kDone : kFailed;
  } catch (const CLI::CallForVersion& version) {
    return PrintData(std::string(version.what()) + "\n") ? kDone : kFailed;
  } catch (const CLI::ParseError& error) {
    StartLog(common.color, common.verbosity);
    return UsageError(ChosenName(app), Wrong(app, error));
  }
  StartLog(common.color, common.verbosity);
  return chosen();
}

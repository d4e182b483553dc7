// basalt explain: why a pod waits or runs where it does, gate by gate.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  uint32_t cycles = 1;
  std::string format = "text";
};

constexpr char kFooter[] =
    "The last two words are what to explain: pod, podgroup, queue or node, and its name (NAMESPACE/NAME; default where there is no namespace).\n"
    "Explained is the state after the cycles: what the scheduler would answer now.\n"
    "Example:  basalt explain -f dump.json pod team-a/train-3";

constexpr std::string_view kKinds[] = {"pod", "podgroup", "queue", "node"};

bool IsKind(std::string_view word) {
  for (const std::string_view kind : kKinds)
    if (word == kind) return true;
  return false;
}

/// Splits "FILE... KIND NAME", also written KIND/NAME as kubectl does, off the paths.
bool TakeSubject(std::vector<std::string>* paths, std::string* kind, std::string* name) {
  if (!paths->empty()) {
    const std::string last = paths->back();
    const size_t slash = last.find('/');
    if (slash != last.npos && slash + 1 < last.size() && IsKind(last.substr(0, slash)) && !(paths->size() >= 2 && IsKind(paths->at(paths->size() - 2)))) {
      *kind = last.substr(0, slash), *name = last.substr(slash + 1);
      paths->pop_back();
      return true;
    }
  }
  if (paths->size() < 2 || !IsKind(paths->at(paths->size() - 2))) return false;
  *name = paths->back(), *kind = paths->at(paths->size() - 2);
  paths->resize(paths->size() - 2);
  return true;
}

int Run(const CommonOptions& common, Options options) {
  std::string kind, name;
  if (!TakeSubject(&options.inputs.paths, &kind, &name))
    return UsageError("explain", "what to explain? End the command with pod, podgroup, queue or node and a name");
  if (options.inputs.paths.empty()) return UsageError("explain", "-f names no input: give FILE, DIR or - (standard input)");
  if ((kind == "pod" || kind == "podgroup") && name.find('/') == name.npos) name = "default/" + name;

  Session session(common, options.inputs);
  if (const int code = session.Start()) return code;
  const int64_t now_ns = NowNs(common.now);
  for (uint32_t i = 0; i < options.cycles; i++) {
    if (i > 0)
      if (const int code = Failure(basalt_settle(session.engine(), 0), "between two cycles")) return code;
    basalt_plan plan;
    if (const int code = session.Cycle(now_ns + i * int64_t{1'000'000'000}, false, i, options.cycles, &plan)) return code;
  }
  Buffer out;
  const basalt_status status = basalt_explain(session.engine(), kind.c_str(), name.c_str(), options.format.c_str(), out.out());
  session.Finish();
  if (status != BASALT_OK) return Failure(status, kind + " " + name, out.text());
  std::string text(out.text());
  if (!text.ends_with('\n')) text += '\n';
  if (!PrintData(text)) return kFailed;
  return session.InputCode();
}

}  // namespace

void AddExplain(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("explain", "Tell why a pod, podgroup, queue or node stands where it stands",
                               [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, false);
  AddConfig(app, &options->inputs);
  app->add_option("--cycles", options->cycles, "Scheduling cycles to run before")->check(CLI::Range(1, 1'000'000).description(""))->type_name("N")->capture_default_str();
  app->add_option("-o,--output", options->format, "What to print")->check(CLI::IsMember({"text", "json"}))->type_name("")->capture_default_str();
}

}  // namespace basalt::cli

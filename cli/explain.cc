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
    "What to explain is pod, podgroup, queue or node, and its name (NAMESPACE/NAME; default where there is no namespace).\n"
    "Explained is the state after the cycles: what the scheduler would answer now.\n"
    "Example:  basalt explain -f dump.json pod team-a/train-3";

constexpr std::string_view kKinds[] = {"pod", "podgroup", "queue", "node"};

bool IsKind(std::string_view word) {
  for (const std::string_view kind : kKinds)
    if (word == kind) return true;
  return false;
}

/// Splits KIND/NAME, as kubectl writes it too.
bool SplitSubject(const std::string& word, std::string* kind, std::string* name) {
  const size_t slash = word.find('/');
  if (slash == word.npos || slash + 1 == word.size() || !IsKind(word.substr(0, slash))) return false;
  *kind = word.substr(0, slash), *name = word.substr(slash + 1);
  return true;
}

/// How many of the last words say what to explain: two, KIND NAME; one, KIND/NAME; none.
size_t SubjectWords(const std::vector<std::string>& words) {
  std::string kind, name;
  if (words.size() >= 2 && IsKind(words[words.size() - 2])) return 2;
  return !words.empty() && SplitSubject(words.back(), &kind, &name) ? 1 : 0;
}

void GiveObject(void* session, basalt_text kind, basalt_text key, basalt_text_taker take, void* to) {
  Buffer json;
  if (static_cast<const Session*>(session)->FindObject(kind, key, &json) == BASALT_OK) take(to, {json.text().data(), json.text().size()});
}

int Run(const CommonOptions& common, const Options& options) {
  const std::vector<std::string>& words = options.inputs.words;
  if (words.empty()) return UsageError("explain", "what to explain? Name it as pod, podgroup, queue or node and its name");
  std::string kind = words.front(), name = words.back();
  if (words.size() == 1) SplitSubject(words.front(), &kind, &name);
  if ((kind == "pod" || kind == "podgroup") && name.find('/') == name.npos) name = "default/" + name;

  Session session(common, options.inputs);
  session.KeepInputs();
  if (const int code = session.Start()) return code;
  const int64_t now_ns = NowNs(common.now);
  for (uint32_t i = 0; i < options.cycles; i++) {
    if (i > 0)
      if (const int code = Failure(basalt_settle(session.engine(), 0), "between two cycles")) return code;
    basalt_plan plan;
    if (const int code = session.Cycle(now_ns + i * int64_t{1'000'000'000}, false, i, options.cycles, &plan)) return code;
  }
  Buffer out;
  basalt_explain_options explain{sizeof explain, kind.c_str(), name.c_str(), options.format.c_str(), &GiveObject, &session};
  const basalt_status status = basalt_explain(session.engine(), &explain, out.out());
  session.Finish();
  if (status != BASALT_OK) return Failure(status, kind + " " + name, out.text());
  std::string text = options.format == "text" ? Printable(out.text()) : std::string(out.text());
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
  AddInputsAndWords(app, &options->inputs, true, "KIND_NAME", "What to explain: pod, podgroup, queue or node, and its name", &SubjectWords);
  AddConfig(app, &options->inputs);
  app->add_option("--cycles", options->cycles, "Scheduling cycles to run before")->check(CLI::Range(1, 1'000'000).description(""))->type_name("N")->capture_default_str();
  AddChoice(app, "-o,--output", &options->format, {"text", "json"}, "What to print");
}

}  // namespace basalt::cli

#include "cli/options.h"

#include <algorithm>

#include "cli/exit_codes.h"
#include "cli/log.h"
#include "kernel/include/basalt.h"

namespace basalt::cli {

void AddCommon(CLI::App* app, CommonOptions* common) {
  const std::string group = "Common options";
  app->add_option("--backend", common->backend, "Who computes scores: auto, scalar, simd, simd:TARGET (as in simd:AVX2), cuda. All give the same plan")
      ->group(group)
      ->capture_default_str();
  app->add_option("--threads", common->threads, "Threads to use; 0: as many as the machine has. The plan does not depend on it")
      ->group(group)
      ->check(CLI::Range(0, 4096).description(""))
      ->type_name("N")
      ->capture_default_str();
  app->add_option("--seed", common->seed, "Seed of everything random (generate)")->group(group)->type_name("S")->capture_default_str();
  app->add_option("--now", common->now, "The time at which the cluster is looked at, RFC 3339 as 2025-11-30T10:53:20Z [the clock]")
      ->group(group)
      ->type_name("TIME")
      ->check([](const std::string& text) {
        int64_t ns = 0;
        return basalt_parse_time({text.data(), text.size()}, &ns) == BASALT_OK ? std::string() : "'" + text + "' is not a time as 2025-11-30T10:53:20Z";
      });
  app->add_flag("--lenient", common->lenient, "Exit code 0 although objects were set aside; actions and plugins not built yet are a warning")->group(group);
  app->add_option("-v,--verbose", common->verbosity, "How much to tell on stderr: 0, 1 (times, all warnings), 2")
      ->group(group)
      ->check(CLI::Range(0, 10).description(""))
      ->type_name("N")
      ->capture_default_str();
  AddChoice(app, "--color", &common->color, {"auto", "always", "never"}, "Colored messages on stderr")->group(group);
  AddChoice(app, "--progress", &common->progress, {"auto", "plain", "none"},
            "What is being done: a line on a terminal (auto), a line per stage (plain), nothing (none)")
      ->group(group);
}

CLI::Option* AddChoice(CLI::App* app, const std::string& flags, std::string* value, const std::vector<std::string>& words, const std::string& description) {
  const std::string shown = Join(words, "|");
  CLI::Option* option = app->add_option(flags, *value, description)->type_name(shown)->check([=](const std::string& text) {
    return std::find(words.begin(), words.end(), text) != words.end() ? std::string() : "'" + text + "' is none of " + shown;
  });
  return value->empty() ? option : option->capture_default_str();
}

CLI::App* Registry::Add(const std::string& name, const std::string& description, std::function<int()> run) const {
  CLI::App* app = root->add_subcommand(name, description);
  app->callback([chosen = chosen, run = std::move(run)] { *chosen = run; });
  AddCommon(app, common);
  return app;
}

void AddInputsAndWords(CLI::App* app, InputOptions* options, bool required, const std::string& name, const std::string& description,
                       std::function<size_t(const std::vector<std::string>&)> words_at_end) {
  // Both keep their own order; the order among them is the order of parsing.
  const auto files = std::make_shared<std::vector<std::string>>(), alone = std::make_shared<std::vector<std::string>>();
  const CLI::Option* file_option =
      app->add_option("-f,--filename", *files, "Input: FILE, DIR or - (standard input); may be given several times and is read in order")
          ->type_name("FILE|DIR|-")
          ->allow_extra_args(false);
  const CLI::Option* alone_option = app->add_option(name, *alone, description)->type_name("");
  app->parse_complete_callback([=] {
    const size_t paths_alone = alone->size() - words_at_end(*alone);
    size_t file_at = 0, alone_at = 0;
    options->paths.clear();
    for (const CLI::Option* option : app->parse_order()) {
      if (option == file_option && file_at < files->size()) options->paths.push_back(files->at(file_at++));
      if (option == alone_option && alone_at < paths_alone) options->paths.push_back(alone->at(alone_at++));
    }
    options->words.assign(alone->begin() + paths_alone, alone->end());
    if (required && options->paths.empty()) throw CLI::ValidationError("-f", "names no input: give FILE, DIR or - (standard input)");
  });
}

void AddInputs(CLI::App* app, InputOptions* options, bool required) {
  AddInputsAndWords(app, options, required, "MORE", "Further inputs, so that -f *.json works", [](const auto&) { return 0; });
}

void AddConfig(CLI::App* app, InputOptions* options) {
  app->add_option("--config", options->config,
                  "volcano-scheduler.conf [a ConfigMap of the input that holds one, else Volcano's built-in default]")
      ->type_name("FILE");
  app->add_option("--scheduler-name", options->scheduler_names,
                  "Pods with this spec.schedulerName are scheduled; *: all pods; several: separated by commas [volcano]")
      ->type_name("NAME|*")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string Join(const std::vector<std::string>& words, const std::string& between) {
  std::string out;
  for (const std::string& word : words) out.append(&word == words.data() ? "" : between).append(word);
  return out;
}

int UsageError(const std::string& command, const std::string& text) {
  Error("{}", text);
  Log(Tone::kPlain, "see `" + (command.empty() ? "basalt" : "basalt " + command) + " --help`");
  return kUsage;
}

int NotSupportedYet(const std::string& what) {
  Error("{} is not supported yet", what);
  return kUsage;
}

}  // namespace basalt::cli

// basalt bench: measures decisions on generated clusters beside a calibrator; starts the live benchmark; compares results.
#include <unistd.h>

#include "cli/bench/result.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  std::vector<std::string> words;
  int tier = 0;
  uint32_t runs = 5;
  std::string scheduler, kubeconfig, json, format = "table";
};

std::string Footer() {
  std::string out = "Scenarios:\n";
  for (const BuiltIn* s = kBuiltInScenarios; s->name; s++) {
    BenchScenario scenario;
    std::string error;
    if (LoadBenchScenario(s->name, &scenario, &error)) out += fmt::format("  {:<24} {}\n", s->name, scenario.about);
  }
  return out + "or a file with the same keys (bench/scenarios/*.toml).\n"
               "Tiers, which never share a table: 0 decisions alone; 2 on a real control plane with fake nodes (needs `make bridge`).\n"
               "Examples:\n"
               "  basalt bench gang-burst-10k --threads 1 --json today.json\n"
               "  basalt bench compare yesterday.json today.json";
}

int RunCompare(const std::vector<std::string>& words) {
  if (words.size() != 3) return UsageError("bench", "compare takes two results");
  ComparedResult results[2];
  std::string text, error;
  for (int i = 0; i < 2; i++)
    if (!ReadResult(words[static_cast<size_t>(i) + 1], &results[i], &error)) return Error("{}", error), kInputInvalid;
  if (!Compare(results[0], results[1], &text, &error)) return Error("not comparable: {}", error), kFailed;
  return PrintData(text) ? kDone : kFailed;
}

// Gives this process to the live benchmark.
int RunLive(const BenchScenario& scenario, const Options& options) {
  const std::string program = Sibling("live_bench");
  std::vector<std::string> words = {program,  "-nodes", std::to_string(scenario.sizes.nodes), "-pods", std::to_string(scenario.sizes.pods),
                                    "-gang",  std::to_string(scenario.sizes.gang), "-runs", std::to_string(options.runs),
                                    "-scheduler", options.scheduler.empty() ? Sibling("basalt-scheduler") : options.scheduler};
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  return Error("{}: {}; `make bench-live` builds it", program, std::strerror(errno)), kFailed;
}

int Measure(const CommonOptions& common, const Options& options, const BenchScenario& scenario) {
  BenchResult result;
  result.scenario = scenario, result.backend = common.backend, result.threads = common.threads;
  Progress progress(common.progress);
  std::string error;
  const auto fail = [&] {
    progress.Stop();
    return Error("{}: {}", scenario.name, error), kFailed;
  };
  if (scenario.verify) {  // answers first
    progress.Stage("checking the plan");
    Run checked;
    if (!MeasureRun(common, scenario, true, &checked, &error)) return fail();
    result.verified = true;
  }
  for (uint32_t i = 0; i < options.runs; i++) {
    progress.Stage(fmt::format("run {} of {}", i + 1, options.runs));
    Run run;
    Calibration calibration;
    if (!MeasureRun(common, scenario, false, &run, &error) || !Calibrate(scenario, &calibration, &error)) return fail();
    result.runs.push_back(run), result.calibrations.push_back(calibration);
    if (run.plan_hash != result.runs.front().plan_hash) return error = "two runs made different plans", fail();
  }
  progress.Stop();
  const std::string json = ResultJson(result);
  if (!options.json.empty() && !WriteFile(options.json, json)) return kFailed;
  return PrintData(options.format == "json" ? json : ResultTable(result)) ? kDone : kFailed;
}

int Chosen(const CommonOptions& common, const Options& options) {
  if (options.words.front() == "compare") return RunCompare(options.words);
  if (options.words.size() != 1) return UsageError("bench", "one scenario at a time");
  BenchScenario scenario;
  std::string error;
  if (!LoadBenchScenario(options.words.front(), &scenario, &error)) return Error("{}", error), kUsage;
  if (!options.kubeconfig.empty()) return NotSupportedYet("--kubeconfig");
  if (options.tier == 1) return NotSupportedYet("--tier 1");
  if (options.tier == 2) return RunLive(scenario, options);
  if (!options.scheduler.empty()) return UsageError("bench", "--scheduler belongs to tier 2: tier 0 measures this library's decisions");
  return Measure(common, options, scenario);
}

}  // namespace

void AddBench(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("bench", "Measure the scheduler on a generated cluster, or compare two results", [=, common = registry.common] { return Chosen(*common, *options); });
  app->footer(Footer());
  app->add_option("SCENARIO", options->words, "A scenario; or: compare A B")->required()->expected(1, 3)->type_name("");
  app->add_option("--tier", options->tier, "0: decisions; 1: against an API server; 2: on a real control plane")
      ->check(CLI::Range(0, 2).description(""))
      ->type_name("0|1|2")
      ->capture_default_str();
  app->add_option("--runs", options->runs, "Runs, each beside one of the calibrator")->check(CLI::Range(1, 1000).description(""))->type_name("N")->capture_default_str();
  app->add_option("--scheduler", options->scheduler, "The scheduler to measure (tier 2)")->type_name("PATH");
  app->add_option("--kubeconfig", options->kubeconfig, "A cluster to measure on (not supported yet)")->type_name("FILE");
  app->add_option("--json", options->json, "Write the result to FILE, too")->type_name("FILE");
  AddChoice(app, "-o,--output", &options->format, {"table", "json"}, "What to print");
}

}  // namespace basalt::cli

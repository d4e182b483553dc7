// basalt generate: clusters for tests, benchmarks and first steps.
#include <unistd.h>

#include <optional>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/generate/scenario.h"
#include "cli/object_output.h"
#include "cli/output.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  std::string scenario, format, list = "nodes";
  std::optional<int64_t> nodes, pods, gang, templates, queues, running;
  int64_t tainted = 0, preferring = 0, unplaceable = 0;
  std::string distinct;
  int indent = 4;
};

std::string Footer() {
  std::string out = "Scenarios, with their sizes where no flag says otherwise:\n";
  for (const Scenario* s : kScenarios)
    out += fmt::format("  {:<14} {} ({} nodes, {} pods, gangs of {}, {} kinds of pods, {} queues)\n", s->name, s->description, s->sizes.nodes,
                       s->sizes.pods, s->sizes.gang, s->sizes.templates, s->sizes.queues);
  return out + "The same flags and seed give the same bytes everywhere.\n"
               "Example:  basalt generate gang-burst --nodes 100 --pods 2000 --gang 20 | basalt schedule -f -";
}

// As `kubectl get -o json` prints a list: the kind stands behind the items.
bool PrintList(const Scenario& scenario, const Sizes& sizes, uint64_t seed, int indent) {
  Output out(STDOUT_FILENO);
  const std::string line = indent ? "\n" : "", once = line + std::string(indent, ' '), twice = indent ? "\n" + std::string(indent * 2, ' ') : "\n";
  const std::string colon = indent ? ": " : ":";
  out.Write("{" + once + "\"apiVersion\"" + colon + "\"v1\"," + once + "\"items\"" + colon + "[");
  bool first = true;
  ObjectWriter writer(indent, 2, seed, [&](std::string_view json) {
    out.Write((first ? "" : ",") + twice);
    out.Write(json);
    first = false;
  });
  scenario.objects(sizes, seed, &writer);
  out.Write((indent ? once : "\n") + "]," + once + "\"kind\"" + colon + "\"List\"," + once + "\"metadata\"" + colon + "{" + (indent ? "\n" + std::string(indent * 2, ' ') : "") +
            "\"resourceVersion\"" + colon + "\"\"" + once + "}" + line + "}\n");
  if (out.Finish()) return true;
  Error("cannot write to standard output: {}", out.error());
  return false;
}

int Run(const CommonOptions& common, const Options& options) {
  const Scenario* scenario = nullptr;
  for (const Scenario* s : kScenarios)
    if (options.scenario == s->name) scenario = s;
  if (!scenario) return UsageError("generate", "there is no scenario " + options.scenario);
  Sizes sizes = scenario->sizes;
  sizes.nodes = options.nodes.value_or(sizes.nodes), sizes.pods = options.pods.value_or(sizes.pods), sizes.gang = options.gang.value_or(sizes.gang);
  sizes.templates = options.templates.value_or(sizes.templates), sizes.queues = options.queues.value_or(sizes.queues);
  sizes.running = options.running.value_or(sizes.running);
  if (options.tainted || options.preferring || options.unplaceable || !options.distinct.empty()) {
    if (scenario != &kGangBurst) return UsageError("generate", "--tainted, --preferring, --unplaceable and --distinct belong to gang-burst");
    sizes.tainted = options.tainted, sizes.preferring = options.preferring, sizes.unplaceable = options.unplaceable, sizes.distinct = options.distinct;
  }
  const std::string format = !options.format.empty() ? options.format : scenario->objects ? "json" : "csv";
  if (format == "csv" ? !scenario->csv : !scenario->objects) return UsageError("generate", fmt::format("{} is not made as {}", scenario->name, format));

  if (format == "csv") return PrintData(scenario->csv(sizes, common.seed, options.list == "pods")) ? kDone : kFailed;
  if (format == "json") return PrintList(*scenario, sizes, common.seed, options.indent) ? kDone : kFailed;
  if (isatty(STDOUT_FILENO)) return UsageError("generate", "a snapshot is binary: send standard output to a file");
  ObjectOutput objects("snapshot");
  ObjectWriter writer(0, 0, common.seed, [&](std::string_view json) { objects.Add(json, scenario->name); });
  scenario->objects(sizes, common.seed, &writer);
  return objects.Print();
}

}  // namespace

void AddGenerate(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("generate", "Make a cluster by rule and seed", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(Footer());
  std::vector<std::string> names;
  for (const Scenario* s : kScenarios) names.push_back(s->name);
  AddChoice(app, "SCENARIO", &options->scenario, names, "Which, see below")->required();
  AddChoice(app, "-o,--output", &options->format, {"json", "snapshot", "csv"}, "What to print [json; csv for openb-sample]");
  const auto size = [&](const char* flag, std::optional<int64_t>* value, int64_t least, const char* what) {
    app->add_option(flag, *value, what)->check(CLI::Range(least, int64_t{100'000'000}).description(""))->type_name("N");
  };
  size("--nodes", &options->nodes, 0, "Nodes");
  size("--pods", &options->pods, 0, "Pending pods");
  size("--gang", &options->gang, 1, "Pods of a job (heterogeneous: at most)");
  size("--templates", &options->templates, 1, "Kinds of pods (gang-burst)");
  size("--queues", &options->queues, 1, "Queues");
  size("--running", &options->running, 0, "Pods that already run, beside the pending ones");
  const auto share = [&](const char* flag, int64_t* value, const char* what) {
    app->add_option(flag, *value, what)->check(CLI::Range(int64_t{0}, int64_t{100}).description(""))->type_name("PERCENT");
  };
  share("--tainted", &options->tainted, "Nodes with a taint, one half NoSchedule, one half PreferNoSchedule (gang-burst)");
  share("--preferring", &options->preferring, "Kinds of pods that prefer a zone (gang-burst)");
  app->add_option("--unplaceable", options->unplaceable, "Pods beside the others that ask for more than any node has (gang-burst)")
      ->check(CLI::Range(int64_t{0}, int64_t{100'000'000}).description(""))
      ->type_name("N");
  AddChoice(app, "--distinct", &options->distinct, {"requests", "names"}, "requests: no two pods ask for the same; names: pods differ in what no rule reads (gang-burst)");
  app->add_option("--indent", options->indent, "Blanks per level of JSON, as kubectl prints it; 0: an object per line")
      ->check(CLI::Range(0, 16).description(""))
      ->type_name("N")
      ->capture_default_str();
  AddChoice(app, "--list", &options->list, {"nodes", "pods"}, "openb-sample: which of its two lists");
}

}  // namespace basalt::cli

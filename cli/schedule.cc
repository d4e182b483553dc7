// basalt schedule: the cycles of the scheduler over a dump, and the plan.
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/replay.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

struct Options {
  InputOptions inputs;
  uint32_t cycles = 1, termination_cycles = 0;
  std::string evictions, format = "table", plan, trace;
  bool exit_code = false, replay = false;
};

constexpr int64_t kPeriodNs = 1'000'000'000;  // between the simulated cycles, as Volcano's --schedule-period

constexpr char kFooter[] =
    "Formats:\n"
    "  table   placed and waiting per queue and job, shares, the top reasons\n"
    "  wide    the same with nothing left out, more columns, and every pod that got a node: placed; pipelined (waits for room that is being\n"
    "          released); held (counted on its node, but no bind is sent: the gang is not ready or the node is overcommitted)\n"
    "  json    the Schedule document: binds, pipelined, evicted, conditions of every cycle; verify reads it\n"
    "  name    NAMESPACE/POD NODE, one line per placed pod, sorted\n"
    "Inputs: List or typed lists, NDJSON, concatenated JSON, YAML with several documents, openb CSV node and pod lists, snapshot files; each\n"
    "also as .gz or .zst. A directory stands for its files ending in .json .yaml .yml .ndjson .csv .snapshot.\n"
    "Examples:\n"
    "  kubectl get nodes,pods,podgroups,queues,priorityclasses -A -o json | basalt schedule -f -\n"
    "  basalt schedule -f dump.json.gz --config volcano-scheduler.conf -o json --plan plan.json --exit-code";

// "ns/pod node" lines of one cycle, sorted: the order of decisions is nobody's interface.
void AppendNames(basalt_engine* engine, const basalt_plan& plan, std::string* out) {
  std::vector<std::string> lines;
  lines.reserve(plan.bind_count);
  for (size_t i = 0; i < plan.bind_count; i++) {
    const basalt_text pod = basalt_pod_name(engine, plan.binds[i].pod);
    std::string line(pod.data, pod.size);
    const basalt_text node = basalt_node_name(engine, plan.binds[i].node);
    lines.push_back(line.append(" ").append(node.data, node.size).append("\n"));
  }
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) *out += line;
}

int Document(Session* session, Buffer* buffer) {
  const auto span = session->trace().Stage("write the document");
  return Failure(basalt_plan_json(session->engine(), buffer->out()), "plan");
}

std::string_view WithNewline(const Buffer& buffer, std::string* kept) {
  if (buffer.text().ends_with('\n')) return buffer.text();
  return *kept = std::string(buffer.text()) + "\n";
}

int Run(const CommonOptions& common, const Options& options) {
  if (options.replay) {
    if (!options.plan.empty() || options.format != "table" || options.cycles != 1 || !options.inputs.config.empty() || !options.inputs.scheduler_names.empty())
      return UsageError("schedule", "--replay repeats what was recorded: --plan, -o, --cycles, --config and --scheduler-name do not go with it");
    return Replay(common, options.inputs);
  }
  if (options.plan == "-") return UsageError("schedule", "--plan needs the name of a file; -o json prints the same document on standard output");

  Session session(common, options.inputs);
  if (const int code = session.Start(options.evictions)) return code;

  const bool document = options.format == "json" || !options.plan.empty();
  std::string names;
  basalt_plan plan{};
  const int64_t now_ns = NowNs(common.now);
  for (uint32_t i = 0; i < options.cycles; i++) {
    if (i > 0) {
      const auto span = session.trace().Stage("settle");
      if (const int code = Failure(basalt_settle(session.engine(), options.termination_cycles), "between two cycles")) return code;
    }
    if (const int code = session.Cycle(now_ns + i * kPeriodNs, document, i, options.cycles, &plan)) return code;
    if (options.format == "name") AppendNames(session.engine(), plan, &names);
    Verbose(1, "cycle {}: {} bound, {} pipelined, {} evicted, {} waiting, decided in {:.3f} ms", i, plan.bind_count, plan.pipelined_count,
            plan.evicted_count, plan.waiting_count, plan.decide_ns / 1e6);
  }
  const uint64_t waiting = plan.waiting_count + plan.pipelined_count;
  session.Finish();

  Buffer json, table;
  if (document)
    if (const int code = Document(&session, &json)) return code;
  bool written = true;
  {
    const auto span = session.trace().Stage("print");
    std::string kept;
    if (options.format == "json") {
      written = PrintData(WithNewline(json, &kept));
    } else if (options.format == "name") {
      written = PrintData(names);
    } else {
      if (const int code = Failure(basalt_plan_table(session.engine(), options.format == "wide", table.out()), "table")) return code;
      written = PrintData(WithNewline(table, &kept));
    }
    if (!options.plan.empty()) written &= WriteFile(options.plan, WithNewline(json, &kept));
  }
  if (!options.trace.empty()) written &= WriteFile(options.trace, session.trace().Json());
  if (!written) return kFailed;
  if (const int code = session.InputCode()) return code;
  return options.exit_code && waiting ? kUnplaced : kDone;
}

}  // namespace

void AddSchedule(const Registry& registry) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = registry.Add("schedule", "Place the pending pods of a dump and print the plan", [=, common = registry.common] { return Run(*common, *options); });
  app->footer(kFooter);
  AddInputs(app, &options->inputs, true);
  AddConfig(app, &options->inputs);
  app->add_option("--cycles", options->cycles, "Scheduling cycles to run; between two, bound pods become Running and evicted pods vanish")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N")
      ->capture_default_str();
  AddChoice(app, "--evictions", &options->evictions, {"minimal", "compat"}, "minimal: no victim that is not needed; compat: exactly Volcano's [as the configuration says, else minimal]");
  app->add_option("--termination-cycles", options->termination_cycles, "Cycles that evicted pods take to vanish")
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->type_name("K")
      ->capture_default_str();
  AddChoice(app, "-o,--output", &options->format, {"table", "wide", "json", "name"}, "What to print");
  app->add_option("--plan", options->plan, "Write the Schedule document to FILE too")->type_name("FILE");
  app->add_flag("--exit-code", options->exit_code, "Exit with 3 where pods still wait after the last cycle");
  app->add_option("--trace-out", options->trace, "Write where the time went, for chrome://tracing or Perfetto")->type_name("FILE");
  app->add_flag("--replay", options->replay, "FILE is a recording of basalt-scheduler --record: repeat its cycles and compare; 1 where one differs");
}

}  // namespace basalt::cli

#include "cli/bench/measure.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/exit_codes.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

constexpr size_t kChunkBytes = 4 << 20;

double Seconds(std::chrono::steady_clock::time_point since) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count(); }

/// Makes the scenario's objects and hands them over as lists of some megabytes.
basalt_status Generate(const BenchScenario& scenario, const std::function<basalt_status(basalt_text)>& take) {
  static constexpr std::string_view kHead = R"({"apiVersion":"v1","kind":"List","items":[)";
  std::string chunk(kHead);
  basalt_status status = BASALT_OK;
  const auto flush = [&] {
    if (chunk.size() == kHead.size() || status != BASALT_OK) return;
    chunk += "]}";
    const size_t size = chunk.size();
    chunk.append(BASALT_PADDING_BYTES, ' ');
    status = take({chunk.data(), size});
    chunk = kHead;
  };
  ObjectWriter writer(0, 0, scenario.seed, [&](std::string_view json) {
    if (chunk.size() > kHead.size()) chunk += ',';
    chunk += json;
    if (chunk.size() > kChunkBytes) flush();
  });
  scenario.generator->objects(scenario.sizes, scenario.seed, &writer);
  flush();
  return status;
}

basalt_text TextOf(const std::string& text) { return text.empty() ? basalt_text{nullptr, 0} : basalt_text{text.data(), text.size()}; }

bool Verify(const basalt_options& options, const BenchScenario& scenario, const std::string& config, basalt_engine* engine, std::string* error) {
  Buffer plan, findings;
  if (basalt_plan_json(engine, plan.out()) != BASALT_OK) return *error = "the plan's document cannot be made", false;
  std::string padded(plan.text());
  padded.append(BASALT_PADDING_BYTES, ' ');
  basalt_verifier* verifier = nullptr;
  if (basalt_verifier_open(&options, &verifier) != BASALT_OK) return *error = "the verifier cannot start", false;
  Generate(scenario, [&](basalt_text text) { return basalt_verifier_read_text(verifier, text, "scenario", BASALT_FORMAT_JSON); });
  const basalt_status status = basalt_verifier_check(verifier, TextOf(config), {padded.data(), plan.text().size()}, findings.out());
  basalt_verifier_close(verifier);
  if (status == BASALT_OK) return true;
  const std::string_view first = findings.text().substr(0, findings.text().find('\n'));
  return *error = fmt::format("the verifier refuses the plan: {}", first), false;
}

bool RunHere(const CommonOptions& common, const BenchScenario& scenario, bool verify, Run* run, std::string* error) {
  const InputOptions inputs;
  const LibraryOptions library(common, inputs, "");
  Buffer why;
  basalt_engine* engine = nullptr;
  if (basalt_open(&library.options, &engine, why.out()) != BASALT_OK) return *error = std::string(why.text()), false;
  std::string config = scenario.config_text;
  if (!config.empty()) config.append(BASALT_PADDING_BYTES, ' ');
  const basalt_text conf = config.empty() ? basalt_text{nullptr, 0} : basalt_text{config.data(), scenario.config_text.size()};

  const basalt_status read = Generate(scenario, [&](basalt_text text) {
    const auto start = std::chrono::steady_clock::now();
    const basalt_status status = basalt_read_text(engine, text, "scenario", BASALT_FORMAT_JSON);
    run->read_s += Seconds(start);
    return status;
  });
  if (read != BASALT_OK || basalt_severity_count(engine, BASALT_BAD_OBJECT)) return *error = "the generated objects cannot be read", false;
  if (basalt_configure(engine, conf, scenario.config.c_str()) != BASALT_OK) return *error = "the scheduler configuration is refused: " + scenario.config, false;

  basalt_plan plan{};
  plan.size = sizeof plan;
  const int64_t now_ns = NowNs(common.now);
  auto start = std::chrono::steady_clock::now();
  if (basalt_cycle(engine, now_ns, 1, &plan) != BASALT_OK) return *error = "the cycle failed", false;
  run->cycle_s = Seconds(start), run->decide_s = static_cast<double>(plan.decide_ns) / 1e9;
  basalt_counts counts{};
  counts.size = sizeof counts;
  if (basalt_input_counts(engine, &counts) != BASALT_OK) return *error = "the counts are not there", false;
  run->nodes = counts.nodes, run->pods = counts.pods;
  run->placed = plan.bind_count, run->waiting = plan.waiting_count + plan.pipelined_count, run->plan_hash = plan.plan_hash;
  std::vector<uint32_t> nodes(plan.bind_count);
  for (size_t i = 0; i < plan.bind_count; i++) nodes[i] = plan.binds[i].node;
  std::sort(nodes.begin(), nodes.end());
  run->nodes_used = static_cast<uint64_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
  if (verify && !Verify(library.options, scenario, scenario.config_text, engine, error)) return false;

  for (int64_t i = 1; i <= 2; i++) {  // the first sees that nothing is left to do
    start = std::chrono::steady_clock::now();
    if (basalt_cycle(engine, now_ns + i * 1'000'000'000, 0, &plan) != BASALT_OK) return *error = "the idle cycle failed", false;
    run->idle_s = Seconds(start);
  }
  return true;
}

}  // namespace

bool MeasureRun(const CommonOptions& common, const BenchScenario& scenario, bool verify, Run* run, std::string* error) {
  int ends[2];
  if (pipe(ends) != 0) return *error = fmt::format("cannot make a pipe: {}", std::strerror(errno)), false;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return *error = fmt::format("cannot start a process: {}", std::strerror(errno)), false;
  if (child == 0) {
    close(ends[0]);
    Run mine;
    std::string why;
    const bool good = RunHere(common, scenario, verify, &mine, &why);
    const auto put = [&](const void* bytes, size_t size) { return write(ends[1], bytes, size) == static_cast<ssize_t>(size); };
    _exit(good ? (put(&mine, sizeof mine) ? 0 : 1) : (put(why.data(), std::min<size_t>(why.size(), 4000)) ? 1 : 2));
  }
  close(ends[1]);
  std::string answer;
  char piece[4096];
  for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    answer.append(piece, static_cast<size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return *error = "lost the process of the run", false;
  if (!WIFEXITED(status)) return *error = fmt::format("the run was ended by signal {}", WTERMSIG(status)), false;
  if (WEXITSTATUS(status) != 0 || answer.size() != sizeof *run) return *error = answer.empty() ? "the run failed" : answer, false;
  std::memcpy(run, answer.data(), sizeof *run);
  run->peak_bytes = int64_t{usage.ru_maxrss} * 1024;
  return true;
}

std::string Sibling(const std::string& name) {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, size > 0 ? static_cast<size_t>(size) : 0);
  return self.substr(0, self.rfind('/') + 1) + name;
}

bool Calibrate(const BenchScenario& scenario, Calibration* out, std::string* error) {
  const std::string program = Sibling("calibrate");
  if (access(program.c_str(), X_OK) != 0) return *error = fmt::format("{} is not there: `make bench` builds it", program), false;
  std::string quoted = "'";
  for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE* from = popen(fmt::format("{}' {} {}", quoted, scenario.calibrate_nodes, scenario.calibrate_pods).c_str(), "r");
  if (!from) return *error = "cannot start the calibrator", false;
  std::string text;
  char piece[512];
  while (std::fgets(piece, sizeof piece, from)) text += piece;
  const int status = pclose(from);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  double tree = 0, scan = 0;
  if (status != 0 || parser.parse(text).get(document) || document["winner_tree_pods_per_s"].get(tree) || document["full_scan_us_per_pod"].get(scan))
    return *error = "the calibrator gives no figures", false;
  *out = {tree, scan / 1e6};
  return true;
}

}  // namespace basalt::cli

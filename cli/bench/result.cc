#include "cli/bench/result.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input.h"
#include "cli/json.h"
#include "cli/session.h"

namespace basalt::cli {

namespace {

template <class T, class F>
std::vector<double> Each(const std::vector<T>& list, const F& value) {
  std::vector<double> out;
  for (const T& entry : list) out.push_back(value(entry));
  return out;
}

void Samples(JsonWriter& json, std::string_view key, const std::vector<double>& samples) {
  json.Key(key).Array();
  for (const double s : samples) json.Number(s);
  json.End();
}

void Bounds(JsonWriter& json, std::string_view key, const Interval& interval) {
  json.Key(key).Array().Number(interval.low).Number(interval.high).End();
}

std::string CpuModel() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return "unknown";
}

void Machine(JsonWriter& json) {
  utsname system{};
  uname(&system);
  json.Key("machine").Object();
  json.Key("cpu").Text(CpuModel());
  json.Key("cores").Integer(sysconf(_SC_NPROCESSORS_ONLN));
  json.Key("memory_bytes").Integer(int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
  json.Key("kernel").Text(system.release);
  json.End();
}

std::string Percent(double value) { return fmt::format("{:+.1f} %", (value - 1) * 100); }

}  // namespace

std::vector<double> PodsPerSecond(const BenchResult& r) {
  return Each(r.runs, [](const Run& run) { return run.decide_s > 0 ? static_cast<double>(run.placed) / run.decide_s : 0; });
}
std::vector<double> TreePodsPerSecond(const BenchResult& r) {
  return Each(r.calibrations, [](const Calibration& c) { return c.winner_tree_pods_per_s; });
}

std::string ResultJson(const BenchResult& r) {
  const std::vector<double> speed = PodsPerSecond(r), tree = TreePodsPerSecond(r);
  const auto decide = Each(r.runs, [](const Run& run) { return run.decide_s; });
  const auto scan = Each(r.calibrations, [](const Calibration& c) { return c.full_scan_s_per_pod; });
  const Run& first = r.runs.front();
  std::string out;
  JsonWriter json(&out, 1);
  json.Object();
  json.Key("schema").Text("basalt.dev/bench/v1");
  json.Key("scenario").Text(r.scenario.name);
  json.Key("about").Text(r.scenario.about);
  json.Key("tier").Integer(0);
  json.Key("seed").Integer(static_cast<int64_t>(r.scenario.seed));
  json.Key("config").Text(r.scenario.config);
  json.Key("backend").Text(r.backend);
  json.Key("threads").Integer(r.threads);
  json.Key("nodes").Integer(static_cast<int64_t>(first.nodes));
  json.Key("pods").Integer(static_cast<int64_t>(first.pods));
  json.Key("placed").Integer(static_cast<int64_t>(first.placed));
  json.Key("waiting").Integer(static_cast<int64_t>(first.waiting));
  json.Key("nodes_used").Integer(static_cast<int64_t>(first.nodes_used));
  json.Key("plan_hash").Text(fmt::format("{:016x}", first.plan_hash));
  json.Key("verified").Bool(r.verified);
  json.Key("runs").Integer(static_cast<int64_t>(r.runs.size()));
  json.Key("pods_per_s").Number(Median(speed));
  Bounds(json, "pods_per_s_interval", MedianInterval(speed));
  json.Key("decide_s").Number(Median(decide));
  json.Key("read_s").Number(Median(Each(r.runs, [](const Run& run) { return run.read_s; })));
  json.Key("cycle_s").Number(Median(Each(r.runs, [](const Run& run) { return run.cycle_s; })));
  json.Key("idle_cycle_s").Number(Median(Each(r.runs, [](const Run& run) { return run.idle_s; })));
  json.Key("peak_bytes").Integer(static_cast<int64_t>(Median(Each(r.runs, [](const Run& run) { return static_cast<double>(run.peak_bytes); }))));
  json.Key("calibrator_pods_per_s").Number(Median(tree));
  json.Key("calibrator_full_scan_s_per_pod").Number(Median(scan));
  json.Key("calibrator_nodes").Integer(r.scenario.calibrate_nodes);
  json.Key("calibrator_pods").Integer(r.scenario.calibrate_pods);
  json.Key("calibrate_sha256").Text(kCalibrateSha256);
  json.Key("pods_over_winner_tree").Number(Median(tree) > 0 ? Median(speed) / Median(tree) : 0);
  Bounds(json, "pods_over_winner_tree_interval", RatioInterval(speed, tree));
  json.Key("pod_over_full_scan").Number(Median(speed) > 0 && Median(scan) > 0 ? 1 / Median(speed) / Median(scan) : 0);
  if (!r.scenario.published.empty()) json.Key("published").Text(r.scenario.published).Key("source").Text(r.scenario.source);
  json.Key("samples").Object();
  Samples(json, "pods_per_s", speed);
  Samples(json, "decide_s", decide);
  Samples(json, "calibrator_pods_per_s", tree);
  json.End();
  Machine(json);
  Buffer version;
  if (basalt_version_json(version.out()) == BASALT_OK) json.Key("version").Text(version.text());
  json.End();
  return out + "\n";
}

std::string ResultTable(const BenchResult& r) {
  const std::vector<double> speed = PodsPerSecond(r), tree = TreePodsPerSecond(r);
  const Interval fast = MedianInterval(speed), ratio = RatioInterval(speed, tree);
  const Run& first = r.runs.front();
  const auto median = [&](double Run::*member) { return Median(Each(r.runs, [&](const Run& run) { return run.*member; })); };
  std::string out = fmt::format("{}: {}\n\n", r.scenario.name, r.scenario.about);
  const auto line = [&](std::string_view what, const std::string& value) { out += fmt::format("  {:<18} {}\n", what, value); };
  line("nodes", fmt::format("{}, {} of them used", first.nodes, first.nodes_used));
  line("pods", fmt::format("{} placed, {} wait", first.placed, first.waiting));
  line("plan hash", fmt::format("{:016x}{}", first.plan_hash, r.verified ? ", accepted by the verifier" : ", not verified"));
  line("backend", fmt::format("{}, {}", r.backend, r.threads ? fmt::format("{} threads", r.threads) : "all threads"));
  line("decision", fmt::format("{:.2f} ms; the whole cycle {:.2f} ms", median(&Run::decide_s) * 1e3, median(&Run::cycle_s) * 1e3));
  line("pods per second", fmt::format("{:.0f} ({:.0f} to {:.0f}, 95 % of {} runs)", Median(speed), fast.low, fast.high, r.runs.size()));
  line("winner tree", fmt::format("{:.0f} pods per second: {:.3f} of it ({:.3f} to {:.3f})", Median(tree), Median(tree) > 0 ? Median(speed) / Median(tree) : 0, ratio.low, ratio.high));
  const double scan = Median(Each(r.calibrations, [](const Calibration& c) { return c.full_scan_s_per_pod; }));
  if (Median(speed) > 0 && scan > 0) line("full scan", fmt::format("{:.2f} us a pod: {:.4f} of it a pod", scan * 1e6, 1 / Median(speed) / scan));
  line("reading", fmt::format("{:.3f} s", median(&Run::read_s)));
  line("idle cycle", fmt::format("{:.3f} us", median(&Run::idle_s) * 1e6));
  line("peak memory", fmt::format("{:.0f} MB", Median(Each(r.runs, [](const Run& run) { return static_cast<double>(run.peak_bytes); })) / 1e6));
  if (!r.scenario.published.empty()) line("published", fmt::format("{} ({})", r.scenario.published, r.scenario.source));
  return out;
}

bool ReadResult(const std::string& path, ComparedResult* out, std::string* error) {
  const Input file = LoadInput(path);
  if (!file.error.empty()) return *error = fmt::format("{}: cannot read: {}", path, file.error), false;
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (const auto code = parser.parse(file.text().data, file.text().size).get(document)) return *error = fmt::format("{}: {}", path, simdjson::error_message(code)), false;
  out->path = path;
  std::string_view text;
  const auto wrong = [&](std::string_view key) { return *error = fmt::format("{}: {}: not there or of a wrong type", path, key), false; };
  if (document["schema"].get(text)) return wrong("schema");
  if (text != "basalt.dev/bench/v1") return *error = fmt::format("{}: schema: '{}' is not basalt.dev/bench/v1", path, text), false;
  for (const auto& [key, member] : {std::pair("scenario", &ComparedResult::scenario), {"plan_hash", &ComparedResult::plan_hash}, {"calibrate_sha256", &ComparedResult::calibrate_sha256}}) {
    if (document[key].get(text)) return wrong(key);
    out->*member = std::string(text);
  }
  for (const auto& [key, member] : {std::pair("tier", &ComparedResult::tier), {"nodes", &ComparedResult::nodes}, {"pods", &ComparedResult::pods}, {"placed", &ComparedResult::placed}, {"threads", &ComparedResult::threads}})
    if (document[key].get(out->*member)) return wrong(key);
  for (const auto& [key, member] : {std::pair("pods_per_s", &ComparedResult::pods_per_s), {"calibrator_pods_per_s", &ComparedResult::calibrator_pods_per_s}}) {
    simdjson::dom::array samples;
    if (document["samples"][key].get(samples)) return wrong(std::string("samples.") + key);
    for (const simdjson::dom::element s : samples) {
      double value = 0;
      if (s.get(value)) return wrong(std::string("samples.") + key);
      (out->*member).push_back(value);
    }
    if ((out->*member).empty()) return wrong(std::string("samples.") + key);
  }
  return true;
}

bool Compare(const ComparedResult& a, const ComparedResult& b, std::string* text, std::string* error) {
  if (a.scenario != b.scenario || a.tier != b.tier || a.nodes != b.nodes || a.pods != b.pods)
    return *error = fmt::format("{} measures {} (tier {}, {} nodes, {} pods), {} measures {} (tier {}, {} nodes, {} pods)", a.path, a.scenario, a.tier, a.nodes, a.pods, b.path, b.scenario,
                                b.tier, b.nodes, b.pods),
           false;
  if (a.calibrate_sha256 != b.calibrate_sha256) return *error = "the calibrators differ", false;
  // Each is held against the calibrator of its own run: then it does not matter that one machine, or one day, is faster.
  const double ratio_a = Median(a.pods_per_s) / Median(a.calibrator_pods_per_s), ratio_b = Median(b.pods_per_s) / Median(b.calibrator_pods_per_s);
  std::vector<double> scaled_a, scaled_b;
  for (const double s : a.pods_per_s) scaled_a.push_back(s / Median(a.calibrator_pods_per_s));
  for (const double s : b.pods_per_s) scaled_b.push_back(s / Median(b.calibrator_pods_per_s));
  const Interval change = RatioInterval(scaled_b, scaled_a);
  *text = fmt::format("{} on {} nodes, {} pods\n\n  A {}: {:.0f} pods per second, {:.3f} of its calibrator, {} runs, {} threads\n  B {}: {:.0f} pods per second, {:.3f} of its calibrator, {} runs, {} threads\n\n",
                      a.scenario, a.nodes, a.pods, a.path, Median(a.pods_per_s), ratio_a, a.pods_per_s.size(), a.threads ? std::to_string(a.threads) : "all", b.path,
                      Median(b.pods_per_s), ratio_b, b.pods_per_s.size(), b.threads ? std::to_string(b.threads) : "all");
  if (a.plan_hash != b.plan_hash) *text += fmt::format("  The plans differ: {} and {}.\n", a.plan_hash, b.plan_hash);
  const std::string range = fmt::format("{} ({} to {}, 95 %)", Percent(ratio_b / ratio_a), Percent(change.low), Percent(change.high));
  if (change.low > 1) *text += fmt::format("  B is faster: {}\n", range);
  else if (change.high < 1) *text += fmt::format("  B is slower: {}\n", range);
  else *text += fmt::format("  No difference outside of the noise: {}\n", range);
  return true;
}

}  // namespace basalt::cli

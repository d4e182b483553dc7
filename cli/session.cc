#include "cli/session.h"

#include <sys/resource.h>

#include <chrono>

#include "cli/exit_codes.h"
#include "cli/input.h"

namespace basalt::cli {

int Failure(basalt_status status, const std::string& doing, std::string_view why) {
  while (why.ends_with('\n')) why.remove_suffix(1);
  const auto tell = [&](std::string_view fallback) { Error("{}: {}", doing, why.empty() ? fallback : why); };
  switch (status) {
    case BASALT_OK: return kDone;
    case BASALT_INVALID_ARGUMENT: return tell("an option has a value that is not known"), kUsage;
    case BASALT_UNAVAILABLE: return tell("not there in this build or on this machine"), kUsage;
    case BASALT_BAD_INPUT: return tell("the input cannot be used"), kInputInvalid;
    case BASALT_NOT_FOUND: return tell("not found"), kFailed;
    case BASALT_REFUSED: return tell("refused"), kFailed;
    case BASALT_OUT_OF_MEMORY: return tell("not enough memory"), kFailed;
    case BASALT_INTERNAL: break;
  }
  return tell("internal error; please report it with the input"), kFailed;
}

int64_t NowNs(const std::string& now) {
  int64_t ns = 0;
  if (!now.empty() && basalt_parse_time({now.data(), now.size()}, &ns) == BASALT_OK) return ns;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

LibraryOptions::LibraryOptions(const CommonOptions& common, const InputOptions& inputs, const std::string& evictions) {
  for (const std::string& name : inputs.scheduler_names) scheduler_names += (scheduler_names.empty() ? "" : ",") + name;
  options.size = sizeof options;
  options.backend = common.backend.c_str();
  options.threads = common.threads;
  options.scheduler_names = inputs.scheduler_names.empty() ? nullptr : scheduler_names.c_str();
  options.offline = 1;
  options.lenient = common.lenient;
  options.evictions = evictions.empty() ? nullptr : evictions.c_str();
}

bool ForEachInput(const InputOptions& inputs, bool ahead, Progress* progress, const std::function<bool(Input&)>& take) {
  InputList list = ListInputs(inputs.paths);
  for (const std::string& note : list.notes) Log(Tone::kNote, note);
  InputReader reader(std::move(list), ahead);
  bool good = true;
  for (size_t i = 1;; i++) {
    progress->Stage(fmt::format("reading {} ({} of {})", reader.coming(), i, reader.count()));
    std::optional<Input> input = reader.Next();
    if (!input) return good;
    if (!input->error.empty()) {
      Error("{}: cannot read: {}", input->name, input->error);
      good = false;
    } else {
      good &= take(*input);
    }
  }
}

Session::~Session() {
  // The process ends next: giving a million objects back one by one would only cost time. Sanitizers want it done.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  basalt_close(engine_);
#endif
}

int Session::Open(const std::string& evictions) {
  const LibraryOptions library(common_, inputs_, evictions);
  Buffer error;
  const basalt_status status = basalt_open(&library.options, &engine_, error.out());  // before the text is asked for: arguments have no order
  return Failure(status, "cannot start", error.text());
}

int Session::Read() {
  int code = kDone;
  const bool good = ForEachInput(inputs_, common_.threads != 1, &progress_, [&](Input& input) {
    const auto span = trace_.Stage("read " + input.name);
    const basalt_status status = basalt_read_text(engine_, input.text(), input.name.c_str(), input.format);
    PrintDiagnostics();
    if (status != BASALT_OK && status != BASALT_BAD_INPUT) code = Failure(status, input.name);
    if (keep_) kept_.push_back(std::move(input));
    return status == BASALT_OK;
  });
  basalt_counts n{};
  n.size = sizeof n;
  if (basalt_input_counts(engine_, &n) == BASALT_OK)
    Log(Tone::kPlain, fmt::format("read {} nodes, {} pods, {} podgroups, {} queues: {} objects = {} used + {} of other kinds + {} set aside + {} duplicates",
                                  n.nodes, n.pods, n.podgroups, n.queues, n.objects, n.used, n.skipped_kinds, n.set_aside, n.duplicates));
  if (code == kDone && !good) code = kInputInvalid;
  return code;
}

basalt_status Session::FindObject(basalt_text kind, basalt_text key, Buffer* json) const {
  for (auto input = kept_.rbegin(); input != kept_.rend(); ++input) {
    const basalt_status status = basalt_find_object(input->text(), input->name.c_str(), input->format, kind, key, json->out());
    if (status != BASALT_NOT_FOUND) return status;
  }
  return BASALT_NOT_FOUND;
}

int Session::Configure() {
  const auto span = trace_.Stage("configure");
  Input file;
  basalt_text text{nullptr, 0};
  if (!inputs_.config.empty()) {
    file = LoadInput(inputs_.config);
    if (!file.error.empty()) return Error("{}: cannot read: {}", file.name, file.error), kInputInvalid;
    text = file.text();
  }
  const size_t before = printed_;
  const basalt_status status = basalt_configure(engine_, text, inputs_.config.c_str());
  PrintDiagnostics();
  if (status == BASALT_BAD_INPUT && printed_ > before) return kInputInvalid;  // the diagnostics have said it
  return Failure(status, "configuration");
}

int Session::Start(const std::string& evictions) {
  int code = Open(evictions);
  if (code == kDone) code = Read();
  if (code == kDone) code = Configure();
  if (code != kDone) Finish();
  return code;
}

int Session::Cycle(int64_t now_ns, bool record, uint32_t index, uint32_t cycles, basalt_plan* plan) {
  progress_.Stage(cycles == 1 ? "deciding" : fmt::format("deciding, cycle {} of {}", index + 1, cycles));
  const auto span = trace_.Stage(fmt::format("cycle {}", index));
  *plan = basalt_plan{};
  plan->size = sizeof *plan;
  const int code = Failure(basalt_cycle(engine_, now_ns, record, plan), "cycle");
  PrintDiagnostics();
  return code;
}

void Session::PrintDiagnostics() {
  for (const size_t count = basalt_diagnostic_count(engine_); printed_ < count; printed_++) {
    basalt_diagnostic d{};
    if (basalt_diagnostic_at(engine_, printed_, &d) == BASALT_OK) diagnostics_.Print(d);
  }
}

void Session::Finish() {
  progress_.Stop();
  if (!engine_) return;
  PrintDiagnostics();
  diagnostics_.Finish("; `schedule -o json` lists all");
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) Verbose(1, "peak memory: {:.1f} MiB", usage.ru_maxrss / 1024.0);
}

int Session::InputCode() const {
  return basalt_severity_count(engine_, BASALT_BAD_OBJECT) && !common_.lenient ? kInputInvalid : kDone;
}

}  // namespace basalt::cli

#include "cli/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "cli/output.h"

namespace basalt::cli {

namespace {

struct State {
  std::mutex mutex;
  bool colored = false;
  int verbosity = 0;
  bool progress_shown = false;  // the cursor stands behind a progress line
  std::shared_ptr<spdlog::logger> logger;
};

State& Shared() {
  static State state;
  return state;
}

// One line, whatever is in it.
std::string Line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\t', ' ');
  line = Printable(line);
  for (size_t at = 0; (at = line.find('\n', at)) != line.npos;) line.replace(at, 1, "\\x0a");
  return line;
}

void EraseProgress(State& state) {
  if (state.progress_shown) fputs("\r\x1b[K", stderr);
  state.progress_shown = false;
}

// No more columns than the terminal has would need a query per refresh; 100 bytes fit nearly everywhere, and a cut is harmless here.
constexpr size_t kProgressBytes = 100;

// A terminal that can do more than print one line after the other.
bool CapableTerminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(term && std::string_view(term) == "dumb");
}

}  // namespace

void StartLog(const std::string& color, int verbosity) {
  State& state = Shared();
  state.verbosity = verbosity;
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  state.colored = color == "always" || (color == "auto" && CapableTerminal() && !(no_color && *no_color));
}

int Verbosity() { return Shared().verbosity; }

void Log(Tone tone, std::string_view text) {
  State& state = Shared();
  const std::scoped_lock lock(state.mutex);
  if (!state.logger) {
    state.logger = std::make_shared<spdlog::logger>("basalt", std::make_shared<spdlog::sinks::stderr_sink_st>());
    state.logger->set_pattern("%v");
  }
  EraseProgress(state);
  static constexpr const char* kPaint[] = {"", "\x1b[2m", "\x1b[33m", "\x1b[31m"};
  const char* paint = state.colored ? kPaint[static_cast<int>(tone)] : "";
  state.logger->info("{}basalt: {}{}", paint, Line(text), *paint ? "\x1b[0m" : "");
}

Progress::Progress(const std::string& mode)
    : mode_(mode == "plain" ? Mode::kPlain : mode == "auto" && CapableTerminal() ? Mode::kLine : Mode::kNone) {
  if (mode_ == Mode::kLine) thread_ = std::thread([this] { Run(); });
}

Progress::~Progress() { Stop(); }

void Progress::Stage(std::string text) {
  if (mode_ == Mode::kPlain) Log(Tone::kNote, text);
  if (mode_ != Mode::kLine) return;
  const std::scoped_lock lock(mutex_);
  text_ = std::move(text);
}

void Progress::Stop() {
  if (thread_.joinable()) {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  State& state = Shared();
  const std::scoped_lock lock(state.mutex);
  EraseProgress(state);
}

void Progress::Run() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  // The first half second stays quiet: a line that flashes up and vanishes disturbs.
  while (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return stop_; })) {
    if (text_.empty()) continue;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string line = fmt::format("\r\x1b[K{} ({:.1f} s)", Line(text_).substr(0, kProgressBytes), seconds);
    State& state = Shared();
    const std::scoped_lock shared(state.mutex);
    fputs(line.c_str(), stderr);
    state.progress_shown = true;
  }
}

}  // namespace basalt::cli

// Everything that is not data: one line per message on stderr, and the progress line of a terminal.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>

namespace basalt::cli {

enum class Tone { kPlain, kNote, kWarning, kError };

/// Sets up stderr. color: "auto", "always", "never"; verbosity: level of the Verbose lines that are shown.
void StartLog(const std::string& color, int verbosity);

/// Writes "basalt: TEXT". Control characters become \xNN: names in the input must not steer the terminal.
void Log(Tone tone, std::string_view text);

template <class... Args>
void Error(fmt::format_string<Args...> format, Args&&... args) {
  Log(Tone::kError, fmt::format(format, std::forward<Args>(args)...));
}

int Verbosity();

template <class... Args>
void Verbose(int level, fmt::format_string<Args...> format, Args&&... args) {
  if (Verbosity() >= level) Log(Tone::kPlain, fmt::format(format, std::forward<Args>(args)...));
}

/// What is being done right now. On a terminal one line that a thread of its own refreshes with the elapsed time (a cycle is one call and
/// cannot report by itself); "plain": one line per stage; "none": nothing.
class Progress {
 public:
  explicit Progress(const std::string& mode);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Stage(std::string text);
  /// Removes the line; data may follow on the same terminal.
  void Stop();

 private:
  void Run();

  enum class Mode { kNone, kPlain, kLine } mode_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string text_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace basalt::cli

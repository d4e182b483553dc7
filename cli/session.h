// What every command that looks at a cluster does first: open the library, read the inputs, choose the configuration, tell what is wrong.
#pragma once
#include <string>

#include "cli/diagnostics.h"
#include "cli/input.h"
#include "cli/log.h"
#include "cli/options.h"
#include "cli/trace.h"
#include "kernel/include/basalt.h"

namespace basalt::cli {

/// A text of the library, freed with the scope.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { basalt_buffer_free(&buffer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  basalt_buffer* out() { return &buffer_; }
  std::string_view text() const { return {buffer_.data ? buffer_.data : "", buffer_.size}; }

 private:
  basalt_buffer buffer_{nullptr, 0};
};

/// The exit code for a status that is not OK, told on stderr with what was being done and the library's own words, if any.
int Failure(basalt_status status, const std::string& doing, std::string_view why = {});

/// RFC 3339 text, or the clock where it is empty: nanoseconds since 1970.
int64_t NowNs(const std::string& now);

/// basalt_options as the flags say; the texts live as long as this.
struct LibraryOptions {
  LibraryOptions(const CommonOptions& common, const InputOptions& inputs, const std::string& evictions);
  std::string scheduler_names;
  basalt_options options{};
};

class Session {
 public:
  Session(const CommonOptions& common, const InputOptions& inputs) : common_(common), inputs_(inputs), progress_(common.progress) {}
  ~Session();

  /// Opens, reads, configures. kDone, or the exit code with which the command has to end; stderr has the reason.
  int Start(const std::string& evictions = "");
  /// The steps of Start. Read: kInputInvalid where a text was unreadable; all others were read then too, for their messages.
  int Open(const std::string& evictions);
  int Read();
  /// Keeps the texts that Read reads, for FindObject.
  void KeepInputs() { keep_ = true; }
  /// An object of the kept texts; see basalt_find_object.
  basalt_status FindObject(basalt_text kind, basalt_text key, Buffer* json) const;
  int Configure();

  /// One cycle at time now_ns; kDone or an exit code.
  int Cycle(int64_t now_ns, bool record, uint32_t index, uint32_t cycles, basalt_plan* plan);

  /// Prints the diagnostics that came since the last call.
  void PrintDiagnostics();
  /// Ends the progress line and the diagnostics; data may be printed now.
  void Finish();
  /// kInputInvalid where objects were set aside and --lenient is not given, else kDone.
  int InputCode() const;

  basalt_engine* engine() const { return engine_; }
  Trace& trace() { return trace_; }
  const CommonOptions& common() const { return common_; }

 private:
  const CommonOptions& common_;
  const InputOptions& inputs_;
  Progress progress_;
  Trace trace_;
  basalt_engine* engine_ = nullptr;
  bool keep_ = false;
  std::vector<Input> kept_;
  size_t printed_ = 0;
  DiagnosticLog diagnostics_;
};

/// Calls take(input) for every input that could be loaded, in order, with the next one loaded meanwhile where `ahead`. False where one could
/// not be loaded (told on stderr; the others are taken all the same) or take returned false.
bool ForEachInput(const InputOptions& inputs, bool ahead, Progress* progress, const std::function<bool(Input&)>& take);

}  // namespace basalt::cli

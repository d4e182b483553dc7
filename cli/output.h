// Data out: standard output and named files, with every write error seen.
#pragma once
#include <string>
#include <string_view>

namespace basalt::cli {

/// Collects small pieces and writes big ones. A pipe whose reader went away ends the output quietly; any other error is kept and told once.
class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}
  void Write(std::string_view bytes);
  /// False where something could not be written; error() says why. A broken pipe counts as written: the reader had enough.
  bool Finish();
  bool failed() const { return error_ != 0; }
  /// Nothing that is written from here on reaches anybody.
  bool ended() const { return failed() || reader_gone_; }
  std::string error() const;

 private:
  void Flush(std::string_view bytes);

  const int fd_;
  int error_ = 0;
  bool reader_gone_ = false;
  std::string pending_;
};

/// The text as a terminal may show it: see basalt_printable. For people's forms only; JSON and names for scripts go out as they are.
std::string Printable(std::string_view text);

/// Writes text to standard output. False after an error, which was told on stderr: the command's exit code is then kFailed.
bool PrintData(std::string_view text);

/// The same for a file; an existing one is replaced.
bool WriteFile(const std::string& path, std::string_view text);

}  // namespace basalt::cli

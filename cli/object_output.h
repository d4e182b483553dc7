// Collects objects and prints them in one of the forms that the tool reads again.
#pragma once
#include <string>
#include <string_view>

#include "kernel/include/basalt.h"

namespace basalt::cli {

class ObjectOutput {
 public:
  /// format: "json" (a compact List), "yaml", "snapshot".
  explicit ObjectOutput(const std::string& format);
  ~ObjectOutput();
  ObjectOutput(const ObjectOutput&) = delete;
  ObjectOutput& operator=(const ObjectOutput&) = delete;

  /// json: the text of one object, as basalt_each_object gives it. False where it cannot be taken, which is told on stderr.
  bool Add(std::string_view json);
  /// Writes all to standard output. kDone, or the exit code of what went wrong here or before; stderr has the reason.
  int Print();

 private:
  enum class Form { kJson, kYaml, kSnapshot } form_;
  basalt_snapshot_writer* writer_ = nullptr;
  std::string text_;
  size_t count_ = 0;
  int code_ = 0;
};

}  // namespace basalt::cli

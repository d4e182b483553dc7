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

  /// json: the text of one object, as basalt_each_object gives it, BASALT_PADDING_BYTES readable bytes behind it; source: where it is from, for messages. An
  /// object that the form has no place for is told on stderr and left out. False where nothing can be taken any more, which is told too.
  bool Add(std::string_view json, const std::string& source);
  /// How many objects were left out.
  size_t left_out() const { return left_out_; }
  /// Writes all to standard output. kDone, or the exit code of what went wrong here or before; stderr has the reason.
  int Print();

 private:
  void AddYaml(std::string_view json, const std::string& source);

  enum class Form { kJson, kYaml, kSnapshot } form_;
  basalt_snapshot_writer* writer_ = nullptr;
  std::string text_;
  size_t count_ = 0, left_out_ = 0;
  int code_ = 0;
};

}  // namespace basalt::cli

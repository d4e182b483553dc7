// What the library found wrong with the input, a line each on stderr.
#pragma once
#include <cstddef>

#include "kernel/include/basalt.h"

namespace basalt::cli {

class DiagnosticLog {
 public:
  /// Beyond some dozens of warnings only their number is told, unless -v 1. Bad objects are always told.
  void Print(const basalt_diagnostic& diagnostic);
  /// Tells how many warnings were not shown. `where` they all are: a command, or nothing.
  void Finish(const char* where = "");
  size_t bad_objects() const { return bad_objects_; }

 private:
  size_t warnings_ = 0, hidden_ = 0, bad_objects_ = 0;
};

}  // namespace basalt::cli

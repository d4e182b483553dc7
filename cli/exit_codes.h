// What the process says to the shell (design, section 5). One list, so that no command invents its own.
#pragma once

namespace basalt::cli {

enum ExitCode : int {
  kDone = 0,          ///< the command did what was asked
  kFailed = 1,        ///< it could not: output not writable, plan refused, named object not there
  kUsage = 2,         ///< the command line is wrong, or asks for what is not built yet
  kUnplaced = 3,      ///< with --exit-code: some pods wait
  kInputInvalid = 4,  ///< input or configuration unreadable (nothing on stdout), or objects were set aside (output complete)
};

}  // namespace basalt::cli

// What is wrong with an input object, as data. The edge prints it; nothing in this room does.
#pragma once
#include <cstdint>
#include <string>

namespace basalt {

/// How a diagnostic counts for the exit code (design, section 5).
enum class Severity : uint8_t {
  kNote,        ///< information: kinds that are not used and were skipped
  kWarning,     ///< dangling reference, duplicate, contradiction, bad argument, unknown key: exit code 0
  kBadObject,   ///< the object was set aside: exit code 4 (0 with --lenient)
  kUnreadable,  ///< the file could not be read at all: exit code 4 and no plan
  kConfig,      ///< the scheduler configuration was refused: exit code 4 and no plan
};

struct Diagnostic {
  Severity severity = Severity::kWarning;
  std::string source;   ///< file name, "-" for stdin, empty where there is none
  std::string object;   ///< "Pod ns/name"; "items[3]" where the object has no readable name
  std::string field;    ///< JSON pointer as "/spec/containers/0/resources/requests/cpu"; may be empty
  std::string message;  ///< one sentence that holds the offending value; byte offset or line for kUnreadable
};

}  // namespace basalt

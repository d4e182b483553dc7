// What a running cluster needs beside the offline engine: relists, results of writes, and what is to be written.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "report/writes.h"
#include "snapshot/decode.h"

namespace basalt {

class Live {
 public:
  explicit Live(Store* store) : writes(store), store_(*store) {}

  /// An object came in. Precondition: the store has taken it in.
  void Saw(const Decoded& object);
  void Removed(objects::Kind kind, std::string_view key);

  /// Objects of `kind` that do not come between these two are gone. False where the kind's name is not known.
  bool ListBegin(std::string_view kind);
  bool ListEnd(std::string_view kind);

  /// The outcome of a write, as the JSON of BASALT_RECORD_RESULT (basalt.h). False and *error where it cannot be read.
  bool Result(std::string_view json, int64_t now_ns, std::string* error);

  Writes writes;

 private:
  Store& store_;
  std::map<objects::Kind, std::unordered_set<std::string>> listing_;
};

}  // namespace basalt

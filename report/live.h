// What a running cluster needs beside the offline engine: relists, results of writes, and what is to be written.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
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

  /// What is known beside the objects, as the JSON of basalt_assumed_json (basalt.h), and taking it in.
  std::string Assumed() const;
  bool Assume(std::string_view json, std::string* error);

  /// The nodes of this scheduler's shard, a JSON list of names (BASALT_RECORD_SHARD).
  bool TakeShard(std::string_view json, std::string* error);

  /// After a cycle that decided anew.
  void Decided(const Plan& plan, int64_t now_ns);

  Writes writes;

  /// What metrics tell of a PodGroup beside its row.
  struct JobFigures {
    uint64_t retries = 0;        ///< cycles after which its gang was not ready
    int64_t last_placed_ns = 0;  ///< 0: nothing was placed yet
  };
  const JobFigures* FiguresOf(std::string_view key) const;

 private:
  Store& store_;
  std::unordered_map<std::string, JobFigures> figures_;  ///< by key
  std::map<objects::Kind, std::unordered_set<std::string>> listing_;
};

}  // namespace basalt

// From what stands behind -f to texts in memory: files, directories, standard input; mapped or decompressed; the next one read ahead.
#pragma once
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bytes.h"
#include "kernel/include/basalt.h"

namespace basalt::cli {

/// One text, ready for the library, or the sentence why there is none.
struct Input {
  std::string name;  ///< as the user wrote it, or DIR/FILE
  Bytes bytes;
  std::string error;  ///< empty: the bytes are good
  basalt_format format = BASALT_FORMAT_AUTO;

  basalt_text text() const { return {bytes.text().data(), bytes.text().size()}; }
};

/// What the paths of -f name, in order: files as they are, "-" standard input, directories their files sorted by name (not recursive, as
/// kubectl does it) where the name ends in .json .yaml .yml .ndjson .csv .snapshot, each also with .gz or .zst behind it.
struct InputList {
  struct Item {
    std::string name, error;
  };
  std::vector<Item> items;
  std::vector<std::string> notes;  ///< what was skipped
};
InputList ListInputs(const std::vector<std::string>& paths);

/// Reads one file, decompressed. Never fails hard: trouble is the result's error.
Input LoadInput(const std::string& name);

/// Hands the inputs over one by one; with more than one thread the next is loaded while the caller works on this one.
class InputReader {
 public:
  InputReader(InputList list, bool ahead) : list_(std::move(list)), ahead_(ahead) {}
  /// nullopt after the last one.
  std::optional<Input> Next();
  size_t count() const { return list_.items.size(); }
  /// Name of the one that Next will give.
  std::string_view coming() const { return at_ < count() ? std::string_view(list_.items[at_].name) : std::string_view(); }

 private:
  Input Load(size_t index) const;

  InputList list_;
  const bool ahead_;
  size_t at_ = 0;
  std::future<Input> next_;
};

}  // namespace basalt::cli

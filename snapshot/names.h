// Strings interned to dense ids: the only place right of the door where text lives; no string goes further right.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/ids.h"

namespace basalt {

/// Interned strings that recur (label keys and values, resource, namespace, role and queue names). Never freed; names that come and go with
/// every object (pods, PodGroups) are kept in their rows instead.
class Names {
 public:
  Names();
  StringId Intern(std::string_view text);
  /// kNone where the text was never interned.
  StringId Find(std::string_view text) const;
  std::string_view Text(StringId id) const { return texts_[id.value]; }
  size_t size() const { return texts_.size(); }

 private:
  void Grow();
  std::vector<std::string_view> texts_;
  std::vector<uint32_t> slots_;  // open addressing; kNoneValue = free
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_at_ = nullptr;
};

/// 64-bit hash of a text (XXH3).
uint64_t HashText(std::string_view text);

}  // namespace basalt

#include "snapshot/names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace basalt {

uint64_t HashText(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

Names::Names() { slots_.assign(1024, StringId::kNoneValue); }

StringId Names::Find(std::string_view text) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = HashText(text) & mask;; i = (i + 1) & mask) {
    const uint32_t at = slots_[i];
    if (at == StringId::kNoneValue) return {};
    if (texts_[at] == text) return StringId{at};
  }
}

StringId Names::Intern(std::string_view text) {
  if (const StringId found = Find(text)) return found;
  if ((texts_.size() + 1) * 2 > slots_.size()) Grow();
  if (text.size() > block_left_) {
    const size_t bytes = text.size() > 65536 ? text.size() : 65536;
    blocks_.push_back(std::make_unique<char[]>(bytes));
    block_at_ = blocks_.back().get(), block_left_ = bytes;
  }
  if (!text.empty()) std::memcpy(block_at_, text.data(), text.size());
  const StringId id{static_cast<uint32_t>(texts_.size())};
  texts_.emplace_back(block_at_, text.size());
  block_at_ += text.size(), block_left_ -= text.size();
  const size_t mask = slots_.size() - 1;
  size_t i = HashText(text) & mask;
  while (slots_[i] != StringId::kNoneValue) i = (i + 1) & mask;
  slots_[i] = id.value;
  return id;
}

void Names::Grow() {
  std::vector<uint32_t> bigger(slots_.size() * 2, StringId::kNoneValue);
  const size_t mask = bigger.size() - 1;
  for (uint32_t at = 0; at < texts_.size(); at++) {
    size_t i = HashText(texts_[at]) & mask;
    while (bigger[i] != StringId::kNoneValue) i = (i + 1) & mask;
    bigger[i] = at;
  }
  slots_.swap(bigger);
}

}  // namespace basalt

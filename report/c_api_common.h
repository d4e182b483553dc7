// What every file of the C door needs: texts across it, and no exception through it.
#pragma once
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/include/basalt.h"

namespace basalt::door {

inline std::string_view View(basalt_text t) { return {t.data ? t.data : "", t.data ? t.size : 0}; }
inline basalt_text Text(std::string_view s) { return {s.data(), s.size()}; }

/// A copy that the caller frees with basalt_buffer_free; gives `status`, or says what prevented it.
inline basalt_status Give(std::string_view text, basalt_buffer* out, basalt_status status = BASALT_OK) {
  if (!out) return BASALT_INVALID_ARGUMENT;
  out->data = static_cast<char*>(std::malloc(text.size() + 1));
  if (!out->data) return BASALT_OUT_OF_MEMORY;
  if (!text.empty()) std::memcpy(out->data, text.data(), text.size());
  out->data[text.size()] = 0;
  out->size = text.size();
  return status;
}

/// No exception crosses the door: memory is the caller's to know, anything else is a bug.
template <class F>
basalt_status Guard(const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return BASALT_OUT_OF_MEMORY;
  } catch (...) {
    return BASALT_INTERNAL;
  }
}

/// "a,b" as a list; an empty text is one empty name.
inline std::vector<std::string> SplitNames(std::string_view names) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= names.size();) {
    const size_t comma = std::min(names.find(',', at), names.size());
    out.emplace_back(names.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

/// "key:value,key:value" as pairs. False where a part is none.
inline bool SplitPairs(std::string_view text, std::vector<std::pair<std::string, std::string>>* pairs) {
  for (const std::string& part : SplitNames(text)) {
    const size_t colon = part.find(':');
    if (colon == std::string::npos || colon == 0) return false;
    pairs->emplace_back(part.substr(0, colon), part.substr(colon + 1));
  }
  return true;
}

}  // namespace basalt::door

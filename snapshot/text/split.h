// Finds the objects of a JSON text without parsing them: single, concatenated, one a line, items of lists.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

/// A value's bytes [begin, end) in the text.
struct TextRange {
  uint64_t begin = 0, end = 0;
};

/// A top-level object, or a list with its items.
struct TextGroup {
  bool is_list = false;
  std::string_view kind, api_version;  ///< of the list, raw text between the quotes; empty where absent
  TextRange object;                    ///< the whole object
  TextRange items;                     ///< the value of "items" with its brackets; empty where there is none
  size_t first = 0, count = 0;         ///< entries of SplitText::values; a plain object is its own only value
};

struct SplitText {
  std::vector<TextRange> values;
  std::vector<TextGroup> groups;  ///< in the order of the text
};

struct SplitError {
  uint64_t offset = 0;
  std::string message;  ///< without the offset
};

/// Splits a JSON text. Lists are objects whose kind is "List", or ends with "List" and that have items or whose items are of a decoded kind;
/// `kind` may stand before or behind the items. Null and absent items are none. Items of any type are values: what is wrong with them is
/// for the decoder to say. So is all inside values; a list's remaining members are not checked either (see ListEnvelope).
/// Returns false and sets *error where the text breaks off, where something stands between values that does not belong there, or where
/// a list has a key twice. Linear in the text and free of recursion. kJsonPaddingBytes readable bytes behind the text.
bool SplitJsonText(std::string_view text, SplitText* out, SplitError* error);

/// A list object with the items taken out, "{...,"items":[],...}", so that its own members can be parsed. For lists with an items array.
std::string ListEnvelope(std::string_view text, const TextGroup& group);

}  // namespace basalt

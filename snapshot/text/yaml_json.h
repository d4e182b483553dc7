// Small helpers on JSON that this code wrote itself: no blanks between tokens, always well-formed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

/// Appends `text` (UTF-8) as a JSON string with its quotes.
void AppendJsonString(std::string_view text, std::string* out);
/// One past the closing quote of the string at the front of `json`.
size_t JsonStringEnd(std::string_view json);
/// The members ("key":value) of an object or the elements of a list, as texts.
void SplitJson(std::string_view json, std::vector<std::string_view>* parts);

}  // namespace basalt

// Edits of JSON texts, as RFC 6902 names them: what an explanation proposes, and what its trial applies.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace basalt {

/// `json` (an object without blanks) with the member at `path` set to `value` (JSON), or removed where value is empty. Objects on the way are made where they
/// are not there.
std::string SetJson(std::string_view json, std::span<const std::string> path, std::string_view value);
/// "/a/b~1c": a JSON pointer.
std::string JsonPointer(std::span<const std::string> path);

}  // namespace basalt

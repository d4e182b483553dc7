// YAML to JSON, so that there is one decoder.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace basalt {

/// Where and why a YAML text was refused.
struct YamlError {
  size_t line = 0;  ///< 1-based
  std::string message;
};

/// Converts every document of a YAML text (YAML 1.2 core types as kubectl reads them: quoted scalars are strings, plain true/false/null/numbers
/// are themselves) to JSON and hands each over; empty and comment-only documents are skipped. Anchors and aliases are resolved (bounded
/// against expansion bombs), merge keys too. A duplicate key in any mapping is an error that names the key and its line.
/// Returns false and sets *error where the text is refused; documents already handed over must then not be used.
/// line: 1-based line of the document's start.
bool YamlToJson(std::string_view text, const std::function<void(std::string json, size_t line)>& document, YamlError* error);

}  // namespace basalt

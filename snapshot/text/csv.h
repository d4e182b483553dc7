// The openb trace's node and pod lists as Kubernetes objects.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace basalt {

/// A row that is no object: its line (1-based), the column and what is wrong with it.
struct CsvError {
  size_t line = 0;
  std::string column, message;
};

/// Whether the text's first line is the header of a node list or a pod list.
bool LooksLikeOpenbCsv(std::string_view text);

/// Turns every row into JSON objects: a Node; a Pod and the PodGroup that is its own. Columns go by the header's names; a pod list needs only
/// the first five. Fields may be quoted. Bad rows are told to `bad` and left out.
/// Returns false and sets *error where the header is none of the two.
bool OpenbCsvToJson(std::string_view text, const std::function<void(std::string json, size_t line)>& object,
                    const std::function<void(const CsvError&)>& bad, CsvError* error);

}  // namespace basalt

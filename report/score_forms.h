// The forms in which scores are printed. Each hands its text on piece by piece: a large cluster's scores fit no memory.
#pragma once
#include <functional>
#include <string_view>

#include "report/score_source.h"

namespace basalt {

/// False ends the printing.
using TextSink = std::function<bool(std::string_view)>;

struct ScoreForm {
  bool by_class = false;
  std::string_view variant;  ///< name of the configuration, where several are compared
  bool first = true, last = true;  ///< of the variants
};

/// {"pods": {"ns/pod": {"nodes": {"n1": 123.0, "n2": "reason"}}}}; with parts {"n1": {"score": 123.0, "parts": {"binpack": 1.5, ...}}}; by class "classes" with
/// "pods" beside "nodes"; variants {"variants": {"name": {"pods": ...}}}.
bool ScoreJson(ScoreSource* source, const ScoreForm& form, const TextSink& sink);
/// One line per row and node under a header: [variant,] pod|class, [pods,] node, score, reason [, a column per part].
bool ScoreCsv(ScoreSource* source, const ScoreForm& form, const TextSink& sink);
/// NumPy's format 1.0, float64, C order: [variants x] rows x nodes [x 1 + parts]; NaN where the node does not take the row.
bool ScoreNpy(ScoreSource* source, const ScoreForm& form, size_t variants, const TextSink& sink);
/// Per row: how many nodes take it, the best ones, why the others do not.
bool ScoreTable(ScoreSource* source, const ScoreForm& form, const TextSink& sink);
/// The axes of the array of ScoreNpy and the names along each: {"axes": ["pod", "node"], "pod": [...], "node": [...]}; by class also "pods", their numbers.
bool ScoreNames(const ScoreSource& source, const ScoreForm& form, const std::vector<std::string_view>& variants, const TextSink& sink);

}  // namespace basalt

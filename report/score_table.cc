#include <algorithm>
#include <map>
#include <numeric>

#include "report/columns.h"
#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

namespace {

constexpr size_t kBestShown = 3, kPartsShown = 10, kRowsShown = 40;

std::string Number(double v) {
  std::string text;
  JsonWriter(&text).Number(v);
  return text;
}

// The best nodes of the row that was judged last, at most `count`: highest score, then the name that sorts first.
std::vector<size_t> Best(const ScoreSource& source, size_t count) {
  std::vector<size_t> nodes;
  for (size_t n = 0; n < source.nodes(); n++)
    if (source.Fits(n)) nodes.push_back(n);
  const size_t shown = std::min(count, nodes.size());
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<ptrdiff_t>(shown), nodes.end(),
                    [&](size_t a, size_t b) { return source.Score(a) != source.Score(b) ? source.Score(a) > source.Score(b) : a < b; });
  nodes.resize(shown);
  return nodes;
}

std::string Refusals(const ScoreSource& source) {
  std::map<std::string, int64_t> counts;
  for (size_t n = 0; n < source.nodes(); n++)
    if (!source.Fits(n)) counts[source.Reason(n)]++;
  std::vector<std::pair<int64_t, std::string>> most;
  for (const auto& [reason, nodes] : counts) most.emplace_back(nodes, reason);
  std::stable_sort(most.begin(), most.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [nodes, reason] : most) text += (text.empty() ? "" : "; ") + std::to_string(nodes) + " " + reason;
  return text;
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

size_t Fitting(const ScoreSource& source) {
  size_t fit = 0;
  for (size_t n = 0; n < source.nodes(); n++) fit += source.Fits(n);
  return fit;
}

using Lines = std::vector<std::vector<std::string>>;

/// A line per row: how many nodes, the best of them, why not the others.
Lines Sums(ScoreSource* source, bool by_class) {
  Lines lines = {by_class ? std::vector<std::string>{"CLASS", "PODS", "FIT", "BEST NODES", "REFUSED BY"}
                          : std::vector<std::string>{"POD", "FIT", "BEST NODES", "REFUSED BY"}};
  std::vector<std::string> told;  // the same for rows that are alike
  for (const ScoreRow& row : source->rows()) {
    if (source->Judge(row)) {
      std::string best;
      for (const size_t n : Best(*source, kBestShown)) best += (best.empty() ? "" : ", ") + std::string(source->NodeName(n)) + " " + Number(source->Score(n));
      told = {std::to_string(Fitting(*source)) + "/" + std::to_string(source->nodes()), best.empty() ? "-" : best, Refusals(*source)};
    }
    std::vector<std::string> line = {std::string(row.name)};
    if (by_class) line.push_back(std::to_string(row.pods));
    line.insert(line.end(), told.begin(), told.end());
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Lines per row and node, with a column per part.
Lines Parts(ScoreSource* source, bool by_class) {
  Lines lines = {{by_class ? "CLASS" : "POD", "NODE", "SCORE"}};
  for (const std::string& name : source->part_names()) lines[0].push_back(Upper(name));
  for (size_t i = 0; i < std::min(source->rows().size(), kRowsShown); i++) {
    const ScoreRow& row = source->rows()[i];
    source->Judge(row);
    const std::vector<size_t> best = Best(*source, kPartsShown);
    for (const size_t n : best) {
      std::vector<std::string> line = {std::string(row.name), std::string(source->NodeName(n)), Number(source->Score(n))};
      for (const double part : source->Parts(n)) line.push_back(Number(part));
      lines.push_back(std::move(line));
    }
    const size_t fit = Fitting(*source);
    if (fit > best.size()) lines.push_back({std::string(row.name), "and " + std::to_string(fit - best.size()) + " more nodes (-o csv shows all)"});
    if (fit == 0) lines.push_back({std::string(row.name), "no node: " + Refusals(*source)});
  }
  return lines;
}

}  // namespace

bool ScoreTable(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  std::string out;
  if (!form.variant.empty()) out.append(form.first ? "" : "\n").append("VARIANT ").append(form.variant).append("\n");
  const bool sums = source->part_names().empty();
  out += Columns(sums ? Sums(source, form.by_class) : Parts(source, form.by_class));
  if (!sums && source->rows().size() > kRowsShown)
    out += "and " + std::to_string(source->rows().size() - kRowsShown) + (form.by_class ? " more classes" : " more pods") + " (--pod shows one, -o csv all)\n";
  return sink(out);
}

}  // namespace basalt

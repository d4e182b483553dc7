#include <algorithm>
#include <map>
#include <numeric>

#include "report/columns.h"
#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

namespace {

constexpr size_t kBestShown = 3, kPartsShown = 10;

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

}  // namespace

bool ScoreTable(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  std::string out;
  if (!form.variant.empty()) out.append(form.first ? "" : "\n").append("VARIANT ").append(form.variant).append("\n");
  std::vector<std::vector<std::string>> lines;
  if (!form.by_plugin) {
    lines.push_back(form.by_class ? std::vector<std::string>{"CLASS", "PODS", "FIT", "BEST NODES", "REFUSED BY"} : std::vector<std::string>{"POD", "FIT", "BEST NODES", "REFUSED BY"});
    for (const ScoreSource::Row& row : source->rows()) {
      source->Judge(row);
      std::string best;
      size_t fit = 0;
      for (size_t n = 0; n < source->nodes(); n++) fit += source->Fits(n);
      for (const size_t n : Best(*source, kBestShown)) best += (best.empty() ? "" : ", ") + std::string(source->NodeName(n)) + " " + Number(source->Score(n));
      std::vector<std::string> line = {std::string(row.name)};
      if (form.by_class) line.push_back(std::to_string(row.pods));
      line.push_back(std::to_string(fit) + "/" + std::to_string(source->nodes())), line.push_back(best.empty() ? "-" : best), line.push_back(Refusals(*source));
      lines.push_back(std::move(line));
    }
    return sink(out + Columns(lines));
  }
  std::vector<std::string> head = {form.by_class ? "CLASS" : "POD", "NODE", "SCORE"};
  for (std::string name : source->PartNames()) {
    for (char& c : name) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    head.push_back(std::move(name));
  }
  lines.push_back(head);
  for (const ScoreSource::Row& row : source->rows()) {
    source->Judge(row);
    const std::vector<size_t> best = Best(*source, kPartsShown);
    for (const size_t n : best) {
      std::vector<std::string> line = {std::string(row.name), std::string(source->NodeName(n)), Number(source->Score(n))};
      for (const double part : source->Parts(n)) line.push_back(Number(part));
      lines.push_back(std::move(line));
    }
    size_t fit = 0;
    for (size_t n = 0; n < source->nodes(); n++) fit += source->Fits(n);
    if (fit > best.size()) lines.push_back({std::string(row.name), "and " + std::to_string(fit - best.size()) + " more nodes (-o csv shows all)"});
    if (fit == 0) lines.push_back({std::string(row.name), "no node: " + Refusals(*source)});
  }
  return sink(out + Columns(lines));
}

}  // namespace basalt

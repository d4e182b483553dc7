#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

namespace {

// RFC 4180: quoted where it has to be.
void Field(std::string_view text, std::string* out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out->append(text);
    return;
  }
  *out += '"';
  for (const char c : text) out->append(c == '"' ? 2 : 1, c);
  *out += '"';
}

void Number(double v, std::string* out) { JsonWriter(out).Number(v); }

void NodeColumns(ScoreSource* source, size_t node, std::string* out) {
  Field(source->NodeName(node), out);
  *out += ',';
  if (source->Fits(node)) {
    Number(source->Score(node), out);
    *out += ',';
    if (!source->part_names().empty())
      for (const double part : source->Parts(node)) *out += ',', Number(part, out);
  } else {
    *out += ',';
    Field(source->Reason(node), out);
    out->append(source->part_names().size(), ',');
  }
  *out += '\n';
}

}  // namespace

bool ScoreCsv(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  std::string text;
  if (form.first) {
    if (!form.variant.empty()) text += "variant,";
    text += form.by_class ? "class,pods,node,score,reason" : "pod,node,score,reason";
    for (const std::string& name : source->part_names()) text += ',', Field(name, &text);
    text += '\n';
  }
  std::vector<std::string> nodes(source->nodes());  // what stands behind a row's own columns: the same for rows that are alike
  for (const ScoreRow& row : source->rows()) {
    if (source->Judge(row))
      for (size_t n = 0; n < nodes.size(); n++) nodes[n].clear(), NodeColumns(source, n, &nodes[n]);
    std::string front;
    if (!form.variant.empty()) Field(form.variant, &front), front += ',';
    Field(row.name, &front);
    front += ',';
    if (form.by_class) front += std::to_string(row.pods) + ",";
    for (const std::string& node : nodes) text.append(front).append(node);
    if (!sink(text)) return false;
    text.clear();
  }
  return text.empty() || sink(text);
}

}  // namespace basalt

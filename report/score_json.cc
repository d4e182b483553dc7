#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

namespace {

/// {"n1": 123.0, "n2": "reason"} of the row that was judged last.
void NodesObject(ScoreSource* source, std::string* out) {
  JsonWriter w(out);
  const std::vector<std::string>& names = source->part_names();
  w.Open('{');
  for (size_t n = 0; n < source->nodes(); n++) {
    w.Key(source->NodeName(n));
    if (!source->Fits(n)) {
      w.String(source->Reason(n));
    } else if (names.empty()) {
      w.Number(source->Score(n));
    } else {
      w.Open('{').Key("score").Number(source->Score(n)).Key("parts").Open('{');
      const std::vector<double>& parts = source->Parts(n);
      for (size_t p = 0; p < parts.size(); p++) w.Key(names[p]).Number(parts[p]);
      w.Close('}').Close('}');
    }
  }
  w.Close('}');
}

}  // namespace

bool ScoreJson(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  std::string text, nodes;
  JsonWriter w(&text);
  if (!form.variant.empty()) {
    text += form.first ? "{\"variants\":{" : ",";
    w.Key(form.variant);
  }
  w.Open('{').Key(form.by_class ? "classes" : "pods").Open('{');
  for (const ScoreRow& row : source->rows()) {
    if (source->Judge(row)) nodes.clear(), NodesObject(source, &nodes);
    w.Key(row.name).Open('{');
    if (form.by_class) w.Key("pods").Integer(static_cast<int64_t>(row.pods));
    w.Key("nodes").Raw(nodes).Close('}');
    if (!sink(text)) return false;
    text.clear();
  }
  w.Close('}').Close('}');
  if (!form.variant.empty() && form.last) text += "}}";
  return sink(text);
}

}  // namespace basalt

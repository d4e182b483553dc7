#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

bool ScoreJson(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  std::string text;
  JsonWriter w(&text);
  const std::vector<std::string> names = form.by_plugin ? source->PartNames() : std::vector<std::string>();
  if (!form.variant.empty()) {
    text += form.first ? "{\"variants\":{" : ",";
    w.Key(form.variant);
  }
  w.Open('{').Key(form.by_class ? "classes" : "pods").Open('{');
  for (const ScoreSource::Row& row : source->rows()) {
    source->Judge(row);
    w.Key(row.name).Open('{');
    if (form.by_class) w.Key("pods").Integer(static_cast<int64_t>(row.pods));
    w.Key("nodes").Open('{');
    for (size_t n = 0; n < source->nodes(); n++) {
      w.Key(source->NodeName(n));
      if (!source->Fits(n)) {
        w.String(source->Reason(n));
      } else if (!form.by_plugin) {
        w.Number(source->Score(n));
      } else {
        w.Open('{').Key("score").Number(source->Score(n)).Key("parts").Open('{');
        const std::vector<double> parts = source->Parts(n);
        for (size_t p = 0; p < parts.size(); p++) w.Key(names[p]).Number(parts[p]);
        w.Close('}').Close('}');
      }
    }
    w.Close('}').Close('}');
    if (!sink(text)) return false;
    text.clear();
  }
  w.Close('}').Close('}');
  if (!form.variant.empty() && form.last) text += "}}";
  return sink(text);
}

}  // namespace basalt

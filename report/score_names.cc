#include "report/json_writer.h"
#include "report/score_forms.h"

namespace basalt {

bool ScoreNames(const ScoreSource& source, const ScoreForm& form, const std::vector<std::string_view>& variants, const TextSink& sink) {
  const std::string_view row = form.by_class ? "class" : "pod";
  const bool parts = !source.part_names().empty();
  std::string text;
  JsonWriter w(&text);
  w.Open('{').Key("axes").Open('[');
  if (!variants.empty()) w.String("variant");
  w.String(row).String("node");
  if (parts) w.String("part");
  w.Close(']');
  if (!variants.empty()) {
    w.Key("variant").Open('[');
    for (const std::string_view name : variants) w.String(name);
    w.Close(']');
  }
  w.Key(row).Open('[');
  for (const ScoreRow& r : source.rows()) w.String(r.name);
  w.Close(']');
  if (form.by_class) {
    w.Key("pods").Open('[');
    for (const ScoreRow& r : source.rows()) w.Integer(static_cast<int64_t>(r.pods));
    w.Close(']');
  }
  w.Key("node").Open('[');
  for (size_t n = 0; n < source.nodes(); n++) w.String(source.NodeName(n));
  w.Close(']');
  if (parts) {
    w.Key("part").Open('[').String("score");
    for (const std::string& name : source.part_names()) w.String(name);
    w.Close(']');
  }
  w.Close('}');
  return sink(text);
}

}  // namespace basalt

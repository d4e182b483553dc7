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

}  // namespace

bool ScoreCsv(ScoreSource* source, const ScoreForm& form, const TextSink& sink) {
  const std::vector<std::string> names = form.by_plugin ? source->PartNames() : std::vector<std::string>();
  std::string text;
  if (form.first) {
    if (!form.variant.empty()) text += "variant,";
    text += form.by_class ? "class,pods,node,score,reason" : "pod,node,score,reason";
    for (const std::string& name : names) text += ',', Field(name, &text);
    text += '\n';
  }
  for (const ScoreSource::Row& row : source->rows()) {
    source->Judge(row);
    std::string front;
    if (!form.variant.empty()) Field(form.variant, &front), front += ',';
    Field(row.name, &front);
    front += ',';
    if (form.by_class) front += std::to_string(row.pods) + ",";
    for (size_t n = 0; n < source->nodes(); n++) {
      text += front;
      Field(source->NodeName(n), &text);
      text += ',';
      if (source->Fits(n)) {
        Number(source->Score(n), &text);
        text += ',';
        if (form.by_plugin)
          for (const double part : source->Parts(n)) text += ',', Number(part, &text);
      } else {
        text += ',';
        Field(source->Reason(n), &text);
        text.append(names.size(), ',');
      }
      text += '\n';
    }
    if (!sink(text)) return false;
    text.clear();
  }
  return text.empty() || sink(text);
}

}  // namespace basalt

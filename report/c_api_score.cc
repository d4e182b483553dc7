// The C door to scores.
#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/nearest.h"
#include "report/score_forms.h"

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;
using basalt::door::View;

namespace {

basalt_status Print(basalt::Engine* engine, const basalt_score_options& options, const basalt::ScoreForm& form, size_t variants, const basalt::TextSink& sink,
                    basalt_buffer* error) {
  const std::string_view pod = options.pod ? options.pod : "", format = options.format;
  basalt::ScoreSource source(engine, pod, form.by_class, options.now_ns);
  if (source.rows().empty() && !pod.empty()) {
    const basalt::PodId id = engine->store.FindPod(pod);
    std::vector<std::string_view> names;
    for (const auto& p : engine->store.pods)
      if (p.in_use && p.ours && p.status == basalt::TaskStatus::kPending) names.push_back(p.key);
    const std::string why = id ? "pod " + std::string(pod) + " is " + std::string(basalt::StatusText(engine->store.pods[id.value].status)) +
                                     (engine->store.pods[id.value].ours ? "" : " and not of this scheduler's name") + "; only pending pods are scored"
                               : "pod " + std::string(pod) + " is not in the input" + basalt::DidYouMean(pod, names);
    return error ? Give(why, error, BASALT_NOT_FOUND) : BASALT_NOT_FOUND;
  }
  const bool done = format == "json"    ? basalt::ScoreJson(&source, form, sink)
                    : format == "csv"   ? basalt::ScoreCsv(&source, form, sink)
                    : format == "npy"   ? basalt::ScoreNpy(&source, form, variants, sink)
                                        : basalt::ScoreTable(&source, form, sink);
  return done ? BASALT_OK : BASALT_REFUSED;
}

}  // namespace

extern "C" basalt_status basalt_score(basalt_engine* e, const basalt_score_options* options, basalt_text_callback callback, void* user, basalt_buffer* error) {
  if (!e || !options || options->size != sizeof *options || !callback || !options->format || !e->engine.configured) return BASALT_INVALID_ARGUMENT;
  const std::string_view format = options->format;
  if (format != "json" && format != "csv" && format != "npy" && format != "table") return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    const basalt::TextSink sink = [&](std::string_view text) { return callback(user, Text(text)) == 0; };
    basalt::ScoreForm form{options->by_plugin != 0, options->rows_by_class != 0, {}, true, true};
    if (!options->variants.data) return Print(&e->engine, *options, form, 0, sink, error);

    basalt::ConfigValue variants;
    std::string why;
    const auto refuse = [&](const std::string& sentence) { return error ? Give(sentence, error, BASALT_BAD_INPUT) : BASALT_BAD_INPUT; };
    if (!basalt::ParseConfigText(View(options->variants), &variants, &why)) return refuse(why);
    if (variants.type != basalt::ConfigValue::Type::kMap || variants.map.empty()) return refuse("expected a map of a name and a scheduler configuration each");
    for (size_t i = 0; i < variants.map.size(); i++) {
      const auto& [name, value] = variants.map[i];
      form.variant = name, form.first = i == 0, form.last = i + 1 == variants.map.size();
      if (!e->engine.Configure(value, "variant " + name)) return refuse("variant " + name + " is refused");
      if (const basalt_status status = Print(&e->engine, *options, form, variants.map.size(), sink, error)) return status;
    }
    return BASALT_OK;
  });
}

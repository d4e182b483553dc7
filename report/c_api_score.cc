// The C door to scores.
#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/nearest.h"
#include "report/score_forms.h"
#include "report/score_variants.h"

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;
using basalt::door::View;

namespace {

using basalt::Engine;

std::string WhyNot(const basalt::Store& store, std::string_view pod) {
  if (const basalt::PodId id = store.FindPod(pod)) {
    const basalt::PodRow& p = store.pods[id.value];
    return "pod " + std::string(pod) + " is " + std::string(basalt::StatusText(p.status)) + (p.ours ? "" : " and not of this scheduler's name") +
           "; only pending pods are scored";
  }
  std::vector<std::string_view> names;
  for (const auto& p : store.pods)
    if (p.in_use && p.ours && p.status == basalt::TaskStatus::kPending) names.push_back(p.key);
  return "pod " + std::string(pod) + " is not in the input" + basalt::DidYouMean(pod, names);
}

/// Configurations that take the place of the one in force while this lives.
class Variants {
 public:
  explicit Variants(Engine* engine) : engine_(engine) {}
  ~Variants() {
    if (list_.empty()) return;
    Configure(in_force_, engine_->config_source, false);
  }
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;

  bool Read(std::string_view text, std::string* error) {
    return basalt::ParseConfigText(engine_->config_text, &in_force_, error) && basalt::ReadVariants(text, in_force_, &list_, error);
  }
  /// How often Use has to be called: once where there are no variants.
  size_t rounds() const { return list_.empty() ? 1 : list_.size(); }
  std::string_view name(size_t i) const { return list_.empty() ? std::string_view() : list_[i].name; }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const auto& v : list_) names.push_back(v.name);
    return names;
  }
  /// Puts one in force. tell: with the diagnostics of its configuration. False where it is refused.
  bool Use(size_t i, bool tell) { return list_.empty() || Configure(list_[i].config, "variant " + list_[i].name, tell); }

 private:
  bool Configure(const basalt::ConfigValue& config, const std::string& source, bool tell) {
    const size_t before = engine_->diagnostics.size();
    const bool good = engine_->Configure(config, source);
    if (!tell) engine_->diagnostics.erase(engine_->diagnostics.begin() + static_cast<ptrdiff_t>(before), engine_->diagnostics.end());
    return good;
  }
  Engine* const engine_;
  basalt::ConfigValue in_force_;
  std::vector<basalt::ScoreVariant> list_;
};

bool Print(std::string_view format, basalt::ScoreSource* source, const basalt::ScoreForm& form, const Variants& variants, const basalt::TextSink& sink) {
  if (format == "json") return basalt::ScoreJson(source, form, sink);
  if (format == "csv") return basalt::ScoreCsv(source, form, sink);
  if (format == "npy") return basalt::ScoreNpy(source, form, variants.rounds(), sink);
  if (format == "table") return basalt::ScoreTable(source, form, sink);
  return !form.first || basalt::ScoreNames(*source, form, variants.names(), sink);
}

}  // namespace

extern "C" basalt_status basalt_score(basalt_engine* e, const basalt_score_options* options, basalt_text_callback callback, void* user, basalt_buffer* error) {
  if (!e || !options || options->size != sizeof *options || !callback || !options->format || !e->engine.configured) return BASALT_INVALID_ARGUMENT;
  const std::string_view format = options->format, pod = options->pod ? options->pod : "";
  if (format != "json" && format != "csv" && format != "npy" && format != "table" && format != "names") return BASALT_INVALID_ARGUMENT;
  if (options->by < BASALT_SCORE_SUM || options->by > BASALT_SCORE_RULE) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    Engine* const engine = &e->engine;
    const auto refuse = [&](basalt_status status, const std::string& sentence) { return error ? Give(sentence, error, status) : status; };
    engine->store.Prepare();
    basalt::ScoreRows pods(engine->store, pod);
    if (pods.empty() && !pod.empty()) return refuse(BASALT_NOT_FOUND, WhyNot(engine->store, pod));
    Variants variants(engine);
    std::string why;
    if (options->variants.data && !variants.Read(View(options->variants), &why)) return refuse(BASALT_BAD_INPUT, why);

    // Rows and columns fit all configurations, and nothing is printed where one is refused.
    const bool by_class = options->rows_by_class != 0;
    basalt::ScoreColumns columns(static_cast<basalt::ScoreBy>(options->by));
    for (size_t i = 0; i < variants.rounds(); i++) {
      if (!variants.Use(i, true)) return refuse(BASALT_BAD_INPUT, "variant " + std::string(variants.name(i)) + " is refused");
      columns.Add(engine->kernel.profile());
      if (!by_class) continue;
      engine->kernel.Open(options->now_ns);
      pods.Split(&engine->kernel);
    }
    const std::vector<basalt::ScoreRow> rows = by_class ? pods.Classes() : pods.Pods();
    const basalt::TextSink sink = [&](std::string_view text) { return callback(user, Text(text)) == 0; };
    for (size_t i = 0; i < variants.rounds(); i++) {
      variants.Use(i, false);
      engine->kernel.Open(options->now_ns);
      basalt::ScoreSource source(engine, &rows, &columns);
      if (!Print(format, &source, {by_class, variants.name(i), i == 0, i + 1 == variants.rounds()}, variants, sink)) return BASALT_REFUSED;
    }
    return BASALT_OK;
  });
}

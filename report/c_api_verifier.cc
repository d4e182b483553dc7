// The door of the plan verifier.
#include <algorithm>

#include "kernel/include/basalt.h"
#include "report/c_api_common.h"
#include "report/verifier.h"

struct basalt_verifier {
  explicit basalt_verifier(basalt::VerifierOptions options) : verifier(std::move(options)) {}
  basalt::Verifier verifier;
  std::string unreadable;  ///< why a text could not be read; the check then says so
};

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::View;

extern "C" {

basalt_status basalt_verifier_open(const basalt_options* options, basalt_verifier** verifier) {
  if (!options || !verifier || options->size != sizeof *options) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    basalt::VerifierOptions o;
    o.threads = options->threads;
    o.implied_pod_groups = options->offline;
    if (options->default_queue) o.default_queue = options->default_queue;
    if (options->scheduler_names) o.scheduler_names = basalt::door::SplitNames(options->scheduler_names);
    if (options->evictions) o.minimal_evictions = std::string_view(options->evictions) == "minimal";
    *verifier = new basalt_verifier(std::move(o));
    return BASALT_OK;
  });
}

void basalt_verifier_close(basalt_verifier* verifier) { delete verifier; }

basalt_status basalt_verifier_read_text(basalt_verifier* v, basalt_text text, const char* name, basalt_format format) {
  if (!v) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    std::string error;
    if (v->verifier.Read(View(text), name ? name : "", static_cast<basalt::TextFormat>(format), &error)) return BASALT_OK;
    if (v->unreadable.empty()) v->unreadable = std::move(error);
    return BASALT_BAD_INPUT;
  });
}

basalt_status basalt_verifier_check(basalt_verifier* v, basalt_text config, basalt_text plan_json, basalt_buffer* out) {
  if (!v || !out) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    if (!v->unreadable.empty()) return Give(v->unreadable, out, BASALT_BAD_INPUT);
    const std::string_view config_text = View(config);
    std::vector<basalt::Finding> findings;
    std::string error;
    switch (v->verifier.Check(config.data ? &config_text : nullptr, View(plan_json), &findings, &error)) {
      case basalt::Verifier::Verdict::kAccepted: return Give("", out, BASALT_OK);
      case basalt::Verifier::Verdict::kUnreadable: return Give(error, out, BASALT_BAD_INPUT);
      case basalt::Verifier::Verdict::kRefused: break;
    }
    std::string text;
    for (const basalt::Finding& f : findings) text += FindingText(f) + "\n";
    if (const size_t more = v->verifier.finding_count() - findings.size()) text += "and " + std::to_string(more) + " more\n";
    return Give(text, out, BASALT_REFUSED);
  });
}

}  // extern "C"

// The C door to recordings.
#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/cycle_lines.h"
#include "report/replay.h"

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::View;

extern "C" {

basalt_status basalt_assumed_json(basalt_engine* e, basalt_buffer* out) {
  if (!e || !out || !e->engine.live()) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return Give(e->engine.live()->Assumed(), out); });
}

basalt_status basalt_cycle_hash(const basalt_engine* e, uint64_t* hash) {
  if (!e || !hash || !e->engine.configured) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return *hash = basalt::CycleHash(e->engine.store, e->engine.kernel.plan()), BASALT_OK; });
}

basalt_status basalt_replay(const basalt_options* options, basalt_text recording, basalt_replay_result* result, basalt_buffer* error) {
  if (!options || options->size != sizeof *options || !result || result->size != sizeof *result) return BASALT_INVALID_ARGUMENT;
  return Guard([&]() -> basalt_status {
    basalt::EngineOptions o;
    std::string why;
    o.backend = basalt::scoring::ChooseBackend(options->backend ? options->backend : "auto", &why);
    if (!o.backend) return error ? Give(why, error, BASALT_UNAVAILABLE) : BASALT_UNAVAILABLE;
    o.threads = options->threads;
    const basalt::Replayed r = basalt::Replay(View(recording), o);
    *result = {sizeof *result, r.lines, r.cycles, r.differs_line, r.differs_now_ns};
    if (r.differs_line) return error ? Give("line " + std::to_string(r.differs_line) + ": the cycle decides otherwise than it was recorded", error, BASALT_REFUSED) : BASALT_REFUSED;
    if (!r.error.empty()) return error ? Give(r.error, error, BASALT_BAD_INPUT) : BASALT_BAD_INPUT;
    return BASALT_OK;
  });
}

}  // extern "C"

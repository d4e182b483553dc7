// The C door of a running cluster: what is to be written.
#include "kernel/policies/catalogue.h"
#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/figures.h"

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;

extern "C" {

basalt_status basalt_take_writes(basalt_engine* e, const basalt_write** writes, size_t* count) {
  if (!e || !writes || !count || !e->engine.live()) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    e->taken.swap(e->engine.live()->writes.pending);
    e->engine.live()->writes.pending.clear();
    e->writes.clear();
    for (const basalt::Write& w : e->taken)
      e->writes.push_back({static_cast<uint32_t>(w.kind), w.urgent, Text(w.object_kind), Text(w.namespace_), Text(w.name), Text(w.uid), Text(w.group),
                           Text(w.node), Text(w.body), Text(w.event_type), Text(w.event_reason), Text(w.event_message), w.created_seconds, w.group_created_seconds});
    *writes = e->writes.data(), *count = e->writes.size();
    return BASALT_OK;
  });
}

basalt_status basalt_figures_json(basalt_engine* e, basalt_buffer* out) {
  if (!e || !out || !e->engine.live() || !e->engine.configured) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return Give(basalt::FiguresJson(&e->engine), out); });
}

basalt_status basalt_stage_times(basalt_engine* e, const basalt_stage_time** times, size_t* count) {
  if (!e || !times || !count) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    e->stages.clear();
    const auto& config = e->engine.kernel.config();
    for (const basalt::StageTime& t : e->engine.kernel.stage_times().times) {
      std::string_view name;
      if (t.stage == basalt::StageTime::kOpenPolicy) name = basalt::Policies()[t.index].name;
      if (t.stage == basalt::StageTime::kAction) name = config.actions[t.index].name;
      e->stages.push_back({static_cast<uint32_t>(t.stage), Text(name), t.ns});
    }
    *times = e->stages.data(), *count = e->stages.size();
    return BASALT_OK;
  });
}

void basalt_drop_diagnostics(basalt_engine* e) {
  if (e) e->engine.diagnostics.clear();
}

}  // extern "C"

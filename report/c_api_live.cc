// The C door of a running cluster: what is to be written.
#include "report/c_api_common.h"
#include "report/c_api_engine.h"

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
                           Text(w.node), Text(w.body), Text(w.event_type), Text(w.event_reason), Text(w.event_message)});
    *writes = e->writes.data(), *count = e->writes.size();
    return BASALT_OK;
  });
}

void basalt_drop_diagnostics(basalt_engine* e) {
  if (e) e->engine.diagnostics.clear();
}

}  // extern "C"

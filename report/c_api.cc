// The C door: joins ids to names and texts, keeps C++ and exceptions inside.
#include "kernel/include/basalt.h"

#include <cstdlib>

#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/engine.h"
#include "report/json_writer.h"
#include "report/printable.h"
#include "report/table.h"
#include "snapshot/text/reader.h"

namespace {

using basalt::Severity;
using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;
using basalt::door::View;

basalt::TextFormat FormatOf(basalt_format f) { return static_cast<basalt::TextFormat>(f); }

}  // namespace

extern "C" {

void basalt_buffer_free(basalt_buffer* buffer) {
  if (!buffer) return;
  std::free(buffer->data);
  buffer->data = nullptr, buffer->size = 0;
}

basalt_status basalt_printable(basalt_text text, basalt_buffer* out) {
  if ((!text.data && text.size) || !out) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return Give(basalt::Printable(View(text), true).text, out, BASALT_OK); });
}

uint32_t basalt_abi_version(void) { return BASALT_ABI_VERSION; }

basalt_status basalt_version_json(basalt_buffer* out) {
  return Guard([&] {
    std::string json;
    basalt::JsonWriter w(&json);
    w.Open('{').Key("version").String(BASALT_VERSION).Key("compiler").String(__VERSION__).Key("backends").Open('[').String("scalar").String("simd").Close(']');
    w.Key("targets").Open('[');
    for (const std::string& t : basalt::scoring::SimdTargets()) w.String(t);
    w.Close(']').Close('}');
    return Give(json, out);
  });
}

basalt_status basalt_open(const basalt_options* options, basalt_engine** engine, basalt_buffer* error) {
  if (!options || !engine || options->size != sizeof *options) return BASALT_INVALID_ARGUMENT;
  return Guard([&]() -> basalt_status {
    basalt::EngineOptions o;
    std::string why;
    o.backend = basalt::scoring::ChooseBackend(options->backend ? options->backend : "auto", &why);
    if (!o.backend) {
      if (error) Give(why, error);
      return BASALT_UNAVAILABLE;
    }
    o.threads = options->threads;
    o.lenient = options->lenient;
    o.store.implied_pod_groups = options->offline, o.store.live = !options->offline;
    if (options->default_queue) o.store.default_queue = options->default_queue;
    if (options->scheduler_names) o.store.scheduler_names = basalt::door::SplitNames(options->scheduler_names);
    if (options->node_selector && !basalt::door::SplitPairs(options->node_selector, &o.store.node_selector)) return BASALT_INVALID_ARGUMENT;
    if (options->evictions) {
      const std::string_view e = options->evictions;
      if (e != "minimal" && e != "compat") return BASALT_INVALID_ARGUMENT;
      o.has_evictions = true, o.evictions = e == "compat" ? basalt::Evictions::kCompat : basalt::Evictions::kMinimal;
    }
    *engine = new basalt_engine(std::move(o));
    return BASALT_OK;
  });
}

void basalt_close(basalt_engine* engine) { delete engine; }

basalt_status basalt_read_text(basalt_engine* e, basalt_text text, const char* name, basalt_format format) {
  if (!e) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return e->engine.ReadText(View(text), name ? name : "", FormatOf(format)) ? BASALT_OK : BASALT_BAD_INPUT; });
}

basalt_status basalt_apply(basalt_engine* e, const void* records, size_t bytes) {
  if (!e || (!records && bytes)) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return e->engine.Apply({static_cast<const char*>(records), bytes}, "records") ? BASALT_OK : BASALT_BAD_INPUT; });
}

basalt_status basalt_configure(basalt_engine* e, basalt_text text, const char* name) {
  if (!e) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    const std::string_view view = View(text);
    return e->engine.Configure(text.data ? &view : nullptr, name ? name : "") ? BASALT_OK : BASALT_BAD_INPUT;
  });
}

basalt_status basalt_config_view(basalt_engine* e, basalt_buffer* out) {
  if (!e || !e->engine.configured) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return Give("# from: " + e->engine.config_source + "\n" + e->engine.config_text, out); });
}

size_t basalt_diagnostic_count(const basalt_engine* e) { return e ? e->engine.diagnostics.size() : 0; }

basalt_status basalt_diagnostic_at(const basalt_engine* e, size_t index, basalt_diagnostic* out) {
  if (!e || !out || index >= e->engine.diagnostics.size()) return BASALT_INVALID_ARGUMENT;
  const basalt::Diagnostic& d = e->engine.diagnostics[index];
  *out = {static_cast<basalt_severity>(d.severity), Text(d.source), Text(d.object), Text(d.field), Text(d.message)};
  return BASALT_OK;
}

size_t basalt_severity_count(const basalt_engine* e, basalt_severity severity) {
  size_t n = 0;
  if (e)
    for (const auto& d : e->engine.diagnostics) n += static_cast<int>(d.severity) == static_cast<int>(severity);
  return n;
}

basalt_status basalt_input_counts(const basalt_engine* e, basalt_counts* out) {
  if (!e || !out || out->size != sizeof *out) return BASALT_INVALID_ARGUMENT;
  const auto& c = e->engine.counts;
  *out = {sizeof *out, c.objects, c.used, c.skipped_kinds, c.set_aside, c.duplicates, c.nodes, c.pods, c.podgroups, c.queues};
  return BASALT_OK;
}

basalt_status basalt_cycle(basalt_engine* e, int64_t now_ns, int record, basalt_plan* plan) {
  if (!e || !e->engine.configured || (plan && plan->size != sizeof *plan)) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    if (!e->engine.live()) e->engine.CheckConsistency();
    const basalt::Plan& p = e->engine.Cycle(now_ns, record != 0);
    if (!plan) return BASALT_OK;
    e->binds.clear(), e->pipelined.clear(), e->evicted.clear();
    for (const auto& b : p.binds) e->binds.push_back({b.pod.value, b.node.value});
    for (const auto& b : p.pipelined) e->pipelined.push_back({b.pod.value, b.node.value});
    for (const auto& v : p.evicted) e->evicted.push_back(v.pod.value);
    *plan = {sizeof *plan, e->binds.data(), e->binds.size(), e->pipelined.data(), e->pipelined.size(), e->evicted.data(), e->evicted.size(),
             p.waiting.size(), 0, p.next_wakeup_ns, e->engine.decide_ns};
    if (record) plan->plan_hash = std::strtoull(e->engine.plan_hash().c_str(), nullptr, 16);
    return BASALT_OK;
  });
}

basalt_status basalt_settle(basalt_engine* e, uint32_t termination_cycles) {
  if (!e) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return e->engine.Settle(termination_cycles), BASALT_OK; });
}

basalt_text basalt_pod_name(const basalt_engine* e, uint32_t pod) {
  return e && pod < e->engine.store.pods.size() ? Text(e->engine.store.pods[pod].key) : basalt_text{nullptr, 0};
}
basalt_text basalt_node_name(const basalt_engine* e, uint32_t node) {
  return e && node < e->engine.store.nodes.rows ? Text(e->engine.store.NodeName(basalt::NodeId{node})) : basalt_text{nullptr, 0};
}

basalt_status basalt_plan_json(basalt_engine* e, basalt_buffer* out) {
  if (!e) return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    const basalt::Engine& g = e->engine;
    std::string json;
    basalt::JsonWriter w(&json);
    w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("Schedule").Key("inputs").Open('{');
    w.Key("nodes").Integer(g.counts.nodes).Key("pods").Integer(g.counts.pods).Key("podgroups").Integer(g.counts.podgroups).Key("queues").Integer(g.counts.queues).Close('}');
    w.Key("diagnostics").Open('[');
    for (const auto& d : g.diagnostics)
      if (d.severity != Severity::kNote)
        w.Open('{').Key("object").String(d.object).Key("field").String(d.field).Key("message").String(d.message).Key("source").String(d.source).Close('}');
    w.Close(']').Key("cycles").Open('[');
    for (const auto& c : g.cycles) w.Raw(c.json);
    w.Close(']').Key("stats").Open('{').Key("decide_ms").Number(static_cast<double>(g.decide_ns) / 1e6).Key("plan_hash").String(g.plan_hash()).Close('}').Close('}');
    return Give(json, out);
  });
}

basalt_status basalt_plan_table(basalt_engine* e, int wide, basalt_buffer* out) {
  if (!e) return BASALT_INVALID_ARGUMENT;
  return Guard([&] { return Give(basalt::PlanTable(e->engine, wide != 0), out); });
}

}  // extern "C"

// Any bytes through the decoder. Checked besides the sanitizers: what lies behind the text changes nothing, every reported place is inside
// it, the contract of Decoded holds, and simdjson's own parser agrees on what is well-formed (apart from what ours leaves open).
#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "snapshot/decode.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

/// Reads every byte that a decoded object points to.
struct Sum {
  uint64_t sum = 0;
  void operator()(std::string_view s) {
    sum = sum * 31 + s.size() + 1;
    for (const char c : s) sum = sum * 31 + static_cast<uint8_t>(c);
  }
  void operator()(int64_t n) { sum = sum * 31 + static_cast<uint64_t>(n); }
  template <class T>
  void operator()(std::span<const T> list) {
    (*this)(static_cast<int64_t>(list.size()));
    for (const T& t : list) (*this)(t);
  }
  void operator()(const objects::KeyValue& kv) { (*this)(kv.key), (*this)(kv.value); }
  void operator()(const objects::Resource& r) {
    (*this)(r.name), (*this)(r.amount.units), Check(r.amount.units >= 0), (*this)(int64_t{r.amount.nano});
  }
  void operator()(const objects::Requirement& r) { (*this)(r.key), (*this)(static_cast<int64_t>(r.op)), (*this)(r.values); }
  void operator()(const objects::NodeSelectorTerm& t) { (*this)(t.expressions), (*this)(t.fields); }
  void operator()(const objects::PreferredTerm& t) { (*this)(int64_t{t.weight}), (*this)(t.term); }
  void operator()(const objects::Taint& t) { (*this)(t.key), (*this)(t.value), Check(t.effect != objects::TaintEffect::kNone); }
  void operator()(const objects::Toleration& t) { (*this)(t.key), (*this)(t.value); }
  void operator()(const objects::HostPort& p) { (*this)(p.ip), Check(p.port > 0 && p.port < 65536); }
  void operator()(const objects::Container& c) {
    (*this)(c.name), (*this)(c.image), (*this)(c.requests), (*this)(c.limits), (*this)(c.host_ports),
        Check(c.requests.size() >= c.limits.size());
  }
  void operator()(const objects::ContainerResources& c) { (*this)(c.name), (*this)(c.requests), (*this)(c.allocated); }
  void operator()(const objects::Image& i) { (*this)(i.names), (*this)(i.size_bytes); }
  void operator()(const objects::TaskMin& t) { (*this)(t.role), (*this)(int64_t{t.min}); }
  void operator()(const objects::PodGroupCondition& c) {
    (*this)(c.type), (*this)(c.status), (*this)(c.reason), (*this)(c.message), (*this)(c.transition_id);
  }
  void operator()(const objects::HyperNodeMember& m) { (*this)(m.exact_name), (*this)(m.regex_pattern); }
  void operator()(const objects::Meta& m) {
    (*this)(m.name), (*this)(m.namespace_), (*this)(m.uid), (*this)(m.controller_uid), (*this)(m.labels), (*this)(m.annotations),
        (*this)(m.creation_seconds);
  }
  void operator()(const Decoded& d) {
    (*this)(static_cast<int64_t>(d.kind)), (*this)(d.kind_name);
    if (d.meta) (*this)(*d.meta);
    if (d.node) (*this)(d.node->taints), (*this)(d.node->allocatable), (*this)(d.node->capacity), (*this)(d.node->images);
    if (const auto* p = d.pod) {
      (*this)(p->scheduler_name), (*this)(p->node_name), (*this)(p->nominated_node_name), (*this)(p->priority_class_name),
          (*this)(p->scheduling_gates);
      (*this)(p->containers), (*this)(p->init_containers), (*this)(p->overhead), (*this)(p->pod_requests), (*this)(p->node_selector);
      (*this)(p->required_terms), (*this)(p->preferred_terms), (*this)(p->tolerations), (*this)(p->resized), (*this)(p->resized_init),
          (*this)(p->unsupported_field);
      if (const auto& c = p->scheduled_condition) (*this)(c->type), (*this)(c->status), (*this)(c->reason), (*this)(c->message);
    }
    if (const auto* g = d.pod_group)
      (*this)(g->queue), (*this)(g->priority_class_name), (*this)(g->min_resources), (*this)(g->min_task_member), (*this)(g->phase),
          (*this)(g->conditions), (*this)(g->unsupported_field);
    if (const auto* q = d.queue) (*this)(q->parent), (*this)(q->state), (*this)(q->capability), (*this)(q->deserved), (*this)(q->guarantee);
    if (d.hyper_node) (*this)(d.hyper_node->tier_name), (*this)(d.hyper_node->members);
    if (d.priority_class) (*this)(int64_t{d.priority_class->value});
    if (d.resource_quota) (*this)(d.resource_quota->hard), (*this)(d.resource_quota->used);
    if (d.config_map) (*this)(d.config_map->scheduler_conf);
    if (const auto* m = d.metric_value) (*this)(m->node), (*this)(m->metric), (*this)(m->value.units), (*this)(m->seconds);
    if (const auto* b = d.pod_disruption_budget) {
      (*this)(b->match_labels), (*this)(b->expressions), (*this)(b->disrupted_pods), (*this)(int64_t{b->disruptions_allowed});
    }
  }
};

struct Outcome {
  bool well_formed = false;
  size_t offset = 0;
  uint64_t sum = 0;
  std::string text;  // of the diagnostics, or of the syntax error
};

Outcome Run(Decoder* decoder, std::string_view json, char padding, std::string_view default_kind) {
  auto bytes = std::make_unique<char[]>(json.size() + kJsonPaddingBytes);
  if (!json.empty()) std::memcpy(bytes.get(), json.data(), json.size());
  std::memset(bytes.get() + json.size(), padding, kJsonPaddingBytes);
  Arena arena;
  Decoded d;
  std::vector<Diagnostic> diagnostics;
  Outcome out;
  std::string message;
  out.well_formed = decoder->Decode({bytes.get(), json.size()}, default_kind, "items[0]", &arena, &d, &diagnostics, &out.offset, &message);
  if (!out.well_formed) {
    Check(out.offset <= json.size() && !message.empty() && diagnostics.empty() && !d.meta && !d.set_aside);
    out.text = message;
    return out;
  }
  size_t bad = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    bad += diagnostic.severity == Severity::kBadObject;
    Check(!diagnostic.object.empty() && !diagnostic.message.empty() && diagnostic.source.empty());
    Check(diagnostic.field.empty() || diagnostic.field[0] == '/');
    out.text += diagnostic.object + '\n' + diagnostic.field + '\n' + diagnostic.message + '\n';
  }
  Check(bad == (d.set_aside ? 1 : 0) && diagnostics.size() <= 1);
  const int set = !!d.node + !!d.pod + !!d.pod_group + !!d.queue + !!d.hyper_node + !!d.priority_class + !!d.resource_quota +
                  !!d.namespace_ + !!d.config_map + !!d.pod_disruption_budget + !!d.metric_value;
  Check(set == (d.set_aside || d.kind == objects::Kind::kOther ? 0 : 1));
  if (set) Check(d.meta && !d.meta->name.empty() && d.meta->name.size() <= 253);
  if (d.kind != objects::Kind::kOther) Check(d.kind_name == KindName(d.kind));
  Sum sum;
  sum(d);
  out.sum = sum.sum;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Decoder decoder;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const std::string_view default_kind = size % 3 == 0 ? "Pod" : size % 3 == 1 ? "Queue" : "";
  const Outcome a = Run(&decoder, json, '}', default_kind), b = Run(&decoder, json, '"', default_kind),
                c = Run(&decoder, json, '1', default_kind);
  for (const Outcome* other : {&b, &c})
    Check(a.well_formed == other->well_formed && a.offset == other->offset && a.sum == other->sum && a.text == other->text);

  static simdjson::dom::parser parser;
  const simdjson::error_code error = parser.parse(simdjson::padded_string(json)).error();
  if (error == simdjson::SUCCESS) Check(a.well_formed);
  // Ours leaves open: escapes in strings that are not read and half surrogates (STRING_ERROR), the size of numbers (NUMBER_ERROR), the
  // depth.
  if (a.well_formed)
    Check(error == simdjson::SUCCESS || error == simdjson::STRING_ERROR || error == simdjson::NUMBER_ERROR ||
          error == simdjson::DEPTH_ERROR);
  return 0;
}

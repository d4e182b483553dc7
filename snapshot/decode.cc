#include "snapshot/decode.h"

#include <algorithm>
#include <optional>
#include <string>

#include "snapshot/decode_walk.h"

namespace basalt {
namespace {

using decode::Fields;
using decode::Key;
using decode::Walk;
using objects::Kind;

struct KindInfo {
  std::string_view name, group;  // group: "" is the core group
  std::string_view api_version;
  bool namespaced;
};
// In the order of objects::Kind.
constexpr KindInfo kKinds[] = {
    {"Node", "", "v1", false},
    {"Pod", "", "v1", true},
    {"PodGroup", "scheduling.volcano.sh", "scheduling.volcano.sh/v1beta1", true},
    {"Queue", "scheduling.volcano.sh", "scheduling.volcano.sh/v1beta1", false},
    {"HyperNode", "topology.volcano.sh", "topology.volcano.sh/v1alpha1", false},
    {"PriorityClass", "scheduling.k8s.io", "scheduling.k8s.io/v1", false},
    {"ResourceQuota", "", "v1", true},
    {"Namespace", "", "v1", false},
    {"ConfigMap", "", "v1", true},
    {"PodDisruptionBudget", "policy", "policy/v1", true},
    {"MetricValue", "custom.metrics.k8s.io", "custom.metrics.k8s.io/v1beta2", false},
};
static_assert(std::size(kKinds) == static_cast<size_t>(Kind::kOther));

constexpr std::string_view kDefaultNamespace = "default";

bool IsNamespaced(Kind kind) { return kind != Kind::kOther && kKinds[static_cast<size_t>(kind)].namespaced; }

/// What an object says of itself.
struct Identity {
  std::string_view kind, api_version, name, namespace_, uid;
};

/// Reads the identity wherever it stands and however bad the rest is; of repeated keys the first counts. The text is well-formed.
Identity FindIdentity(Walk& w) {
  Identity id;
  const auto take = [&](std::string_view* text) {
    const size_t token = w.Token();
    w.PassOver();
    if (text->empty() && w.IsStringAt(token)) *text = w.StringAt(token);
  };
  bool metadata = false;
  w.EachMember([&](std::string_view key) {
    if (key == "kind") return take(&id.kind);
    if (key == "apiVersion") return take(&id.api_version);
    if (key != "metadata" || metadata || w.Here() != '{') return w.PassOver();
    metadata = true;
    w.EachMember([&](std::string_view field) {
      if (field == "name") take(&id.name);
      else if (field == "namespace") take(&id.namespace_);
      else if (field == "uid") take(&id.uid);
      else w.PassOver();
    });
  });
  return id;
}

/// The kind and apiVersion as far as they are the first members: only a guess where to start.
Identity LeadingIdentity(Walk& w) {
  Identity id;
  w.LeadingStrings([&](std::string_view key, std::string_view value) {
    if (key == "kind") return id.kind = value, true;
    return key == "apiVersion" && (id.api_version = value, true);
  });
  return id;
}

/// Skips a metadata member, managedFields as cheaply as in the kinds that are read.
void SkipMeta(Walk& w) {
  if (w.Here() != '{') return w.Skip();
  for (Fields f(w); f.Next();)
    if (f.key == Key::kManagedFields) w.PassOver();
    else w.Skip();
}

bool IsMirror(const objects::Meta& meta) {
  return std::any_of(meta.annotations.begin(), meta.annotations.end(),
                     [](const objects::KeyValue& a) { return a.key == "kubernetes.io/config.mirror"; });
}

}  // namespace

objects::Kind KindOf(std::string_view kind_name, std::string_view api_version) {
  for (size_t i = 0; i < std::size(kKinds); i++) {
    if (kKinds[i].name != kind_name) continue;
    const size_t slash = api_version.find('/');
    const std::string_view group = slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
    return api_version.empty() || group == kKinds[i].group ? static_cast<Kind>(i) : Kind::kOther;
  }
  return Kind::kOther;
}

std::string_view KindName(objects::Kind kind) { return kind == Kind::kOther ? std::string_view() : kKinds[static_cast<size_t>(kind)].name; }

std::string_view ApiVersionOf(objects::Kind kind) { return kind == Kind::kOther ? std::string_view() : kKinds[static_cast<size_t>(kind)].api_version; }

struct Decoder::Impl {
  Walk w;

  /// Walks the whole object and reads it as `kind`. *found: the kind and apiVersion that it has.
  void WalkAs(Kind kind, Identity* found, Decoded* out);

 private:
  template <class T, class OnField>
  T* WalkObject(Identity* found, Decoded* out, OnField&& on_field);
  bool CommonField(Key key, Identity* found);
};

bool Decoder::Impl::CommonField(Key key, Identity* found) {
  if (key == Key::kApiVersion) return found->api_version = w.String(), true;
  if (key != Key::kKind) return false;
  const size_t token = w.Token();
  found->kind = w.String();
  if (w.Ok() && !found->kind.empty() && !decode::IsUsableName(found->kind)) w.Fail(token, "bad kind " + w.Describe(token));
  return true;
}

/// on_field(key, object): consumes the value of a field of this kind, or says no.
template <class T, class OnField>
T* Decoder::Impl::WalkObject(Identity* found, Decoded* out, OnField&& on_field) {
  T* object = w.New<T>();
  bool has_meta = false;
  for (Fields f(w); f.Next();) {
    if (f.key == Key::kMetadata) has_meta = true, decode::ReadMeta(w, &object->meta);
    else if (!CommonField(f.key, found) && !on_field(f.key, object)) w.Skip();
  }
  if (!has_meta) w.Fail(0, "missing metadata", "metadata");
  out->meta = &object->meta;
  objects::Meta& meta = object->meta;
  if (!IsNamespaced(out->kind)) meta.namespace_ = {};
  else if (meta.namespace_.empty()) meta.namespace_ = kDefaultNamespace;
  return object;
}

void Decoder::Impl::WalkAs(Kind kind, Identity* found, Decoded* out) {
  *out = {};
  *found = {};
  out->kind = kind;
  switch (kind) {
    case Kind::kNode:
      out->node = WalkObject<objects::Node>(found, out, [this](Key key, objects::Node* node) {
        if (key == Key::kSpec) return decode::ReadNodeSpec(w, node), true;
        return key == Key::kStatus && (decode::ReadNodeStatus(w, node), true);
      });
      return;
    case Kind::kPod: {
      auto* pod = WalkObject<objects::Pod>(found, out, [this](Key key, objects::Pod* p) {
        if (key == Key::kSpec) return decode::ReadPodSpec(w, p), true;
        return key == Key::kStatus && (decode::ReadPodStatus(w, p), true);
      });
      pod->mirror = IsMirror(pod->meta);
      out->pod = pod;
      return;
    }
    case Kind::kPodGroup:
      out->pod_group = WalkObject<objects::PodGroup>(found, out, [this](Key key, objects::PodGroup* group) {
        if (key == Key::kSpec) return decode::ReadPodGroupSpec(w, group), true;
        return key == Key::kStatus && (decode::ReadPodGroupStatus(w, group), true);
      });
      return;
    case Kind::kQueue:
      out->queue = WalkObject<objects::Queue>(found, out, [this](Key key, objects::Queue* queue) {
        if (key == Key::kSpec) return decode::ReadQueueSpec(w, queue), true;
        return key == Key::kStatus && (decode::ReadQueueStatus(w, queue), true);
      });
      return;
    case Kind::kHyperNode:
      out->hyper_node = WalkObject<objects::HyperNode>(found, out, [this](Key key, objects::HyperNode* hyper_node) {
        return key == Key::kSpec && (decode::ReadHyperNodeSpec(w, hyper_node), true);
      });
      return;
    case Kind::kPriorityClass:
      out->priority_class = WalkObject<objects::PriorityClass>(found, out, [this](Key key, objects::PriorityClass* priority_class) {
        if (key == Key::kValue) return priority_class->value = w.Int32(), true;
        if (key == Key::kGlobalDefault) return priority_class->global_default = w.Bool(), true;
        return key == Key::kPreemptionPolicy && (priority_class->preemption_never = w.String() == "Never", true);
      });
      return;
    case Kind::kResourceQuota:
      out->resource_quota = WalkObject<objects::ResourceQuota>(found, out, [this](Key key, objects::ResourceQuota* quota) {
        return key == Key::kStatus && (decode::ReadResourceQuotaStatus(w, quota), true);
      });
      return;
    case Kind::kNamespace:
      out->namespace_ = WalkObject<objects::Namespace>(found, out, [](Key, objects::Namespace*) { return false; });
      return;
    case Kind::kConfigMap:
      out->config_map = WalkObject<objects::ConfigMap>(found, out, [this](Key key, objects::ConfigMap* config_map) {
        return key == Key::kData && (decode::ReadConfigMapData(w, config_map), true);
      });
      return;
    case Kind::kPodDisruptionBudget:
      out->pod_disruption_budget =
          WalkObject<objects::PodDisruptionBudget>(found, out, [this](Key key, objects::PodDisruptionBudget* budget) {
            if (key == Key::kSpec) return decode::ReadPodDisruptionBudgetSpec(w, budget), true;
            return key == Key::kStatus && (decode::ReadPodDisruptionBudgetStatus(w, budget), true);
          });
      return;
    case Kind::kMetricValue: {
      auto* metric = w.New<objects::MetricValue>();
      for (Fields f(w); f.Next();)
        if (!CommonField(f.key, found) && !decode::ReadMetricValueField(w, f.key, metric)) w.Skip();
      decode::NameMetricValue(w, metric);
      out->metric_value = metric, out->meta = &metric->meta;
      return;
    }
    case Kind::kOther:
      for (Fields f(w); f.Next();)
        if (f.key == Key::kMetadata) SkipMeta(w);
        else if (f.key == Key::kItems) w.PassOver();  // of a list in a list: each is read as an object of its own
        else if (!CommonField(f.key, found)) w.Skip();
      return;
  }
}

Decoder::Decoder() : impl_(std::make_unique<Impl>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;

bool Decoder::Decode(std::string_view json, std::string_view default_kind_name, std::string_view label, Arena* arena, Decoded* out,
                     std::vector<Diagnostic>* diagnostics, size_t* syntax_offset, std::string* syntax_message) {
  Walk& w = impl_->w;
  w.arena = arena;
  const auto malformed = [&] {
    *out = {};
    *syntax_offset = w.SyntaxOffset(), *syntax_message = w.Message();
    return false;
  };
  *out = {};
  if (!w.Open(json, arena)) return malformed();

  // `kind` and `apiVersion` mostly come first; where they come late or not at all, the walk starts with what the list said and is
  // repeated if that was wrong.
  Identity id = LeadingIdentity(w), found;
  Kind kind = Kind::kOther;
  const auto kind_name = [&] { return found.kind.empty() ? default_kind_name : found.kind; };
  for (bool again = false;; again = true) {
    found = id;
    kind = KindOf(kind_name(), id.api_version);
    w.Rewind();
    w.pod_phase_seen = false;
    if (w.Here() == '{') impl_->WalkAs(kind, &found, out);
    else w.WrongType("an object");
    if (w.Finish()) {
      if (!again && KindOf(kind_name(), found.api_version) != kind) {
        id = found;
        continue;
      }
      if (kind_name().empty()) w.Fail(0, "missing kind", "kind");
      else break;
    }
    if (w.Failed() == Walk::Failure::kSyntax || !w.CheckRest()) return malformed();

    // A bad object. Its name may stand behind what is bad, and its kind too.
    Diagnostic bad{
        .severity = Severity::kBadObject, .source = {}, .object = std::string(label), .field = w.FailurePointer(), .message = w.Message()};
    w.Rewind();
    if (w.Here() == '{') {
      id = FindIdentity(w);
      if (!w.Ok()) return malformed();
    }
    found = id;
    if (!again && KindOf(kind_name(), id.api_version) != kind) continue;
    *out = {};
    out->kind = kind, out->kind_name = kind_name(), out->set_aside = true;
    if (id.namespace_.empty() && IsNamespaced(kind)) id.namespace_ = kDefaultNamespace;
    if (decode::IsUsableName(id.name) && decode::IsUsableName(kind_name()) &&
        (id.namespace_.empty() || decode::IsUsableName(id.namespace_))) {
      const bool show_namespace = !id.namespace_.empty() && (kind == Kind::kOther || IsNamespaced(kind));
      bad.object = std::string(kind_name()) + ' ' + (show_namespace ? std::string(id.namespace_) + '/' : "") + std::string(id.name);
      auto* meta = w.New<objects::Meta>();
      meta->name = id.name, meta->uid = id.uid;
      if (show_namespace) meta->namespace_ = id.namespace_;
      out->meta = meta;
    }
    diagnostics->push_back(std::move(bad));
    return true;
  }
  out->kind_name = kind_name();
  if (out->pod &&
      !w.pod_phase_seen)  // the API server always writes one, so a dump that was cut inside YAML (where no cut can be seen) shows here
    diagnostics->push_back({Severity::kWarning,
                            {},
                            "Pod " + std::string(out->meta->namespace_) + '/' + std::string(out->meta->name),
                            "/status/phase",
                            "no status.phase: read as Pending; the file may be cut"});
  return true;
}

}  // namespace basalt

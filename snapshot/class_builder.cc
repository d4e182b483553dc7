#include "snapshot/class_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "snapshot/config_value.h"
#include "snapshot/resources.h"

namespace basalt {
namespace {

using objects::Container;
using objects::Operator;
using objects::Pod;
using objects::Resource;
using objects::ResourceList;

const Quantity* Find(ResourceList list, std::string_view name) {
  for (const Resource& r : list)
    if (r.name == name) return &r.amount;
  return nullptr;
}

// Entries by key in the order in which they came: a linear search while there are few, as pods name three or four resources, and an index beyond, so that a
// hostile pod costs no quadratic time.
template <class Entry, class Key, Key Entry::* kKey, class Hash>
class Few {
 public:
  /// The entry of a key; null where there is none.
  Entry* Find(const Key& key) {
    if (list.size() <= kLinear) {
      for (Entry& e : list)
        if (e.*kKey == key) return &e;
      return nullptr;
    }
    for (; indexed_ < list.size(); indexed_++) index_.emplace(list[indexed_].*kKey, indexed_);
    const auto it = index_.find(key);
    return it == index_.end() ? nullptr : &list[it->second];
  }
  void Clear() { list.clear(), index_.clear(), indexed_ = 0; }
  std::vector<Entry> list;  ///< only Find, push_back and Clear keep the index right

 private:
  static constexpr size_t kLinear = 32;
  std::unordered_map<Key, size_t, Hash> index_;
  size_t indexed_ = 0;
};
struct IdHash { size_t operator()(ResourceId id) const { return id.value; } };
using Sums = Few<ResourceAmount, ResourceId, &ResourceAmount::id, IdHash>;
using Request = Few<Resource, std::string_view, &Resource::name, std::hash<std::string_view>>;

int64_t& At(Sums* sums, ResourceId id) {
  if (ResourceAmount* a = sums->Find(id)) return a->amount;
  sums->list.push_back({id, 0});
  return sums->list.back().amount;
}
void AddTo(Sums* sums, const Sums& other) {
  for (const ResourceAmount& a : other.list) {
    int64_t& at = At(sums, a.id);
    at = std::min(SaturatingAdd(at, a.amount), kAmountMax);
  }
}
void MaxTo(Sums* sums, const Sums& other) {
  for (const ResourceAmount& a : other.list) {
    int64_t& at = At(sums, a.id);
    at = std::max(at, a.amount);
  }
}

/// What the status says of containers that are being resized, by name; the last of a name counts.
class Resized {
 public:
  explicit Resized(std::span<const objects::ContainerResources> list) {
    for (const auto& r : list) by_name_[r.name] = &r;
  }
  const objects::ContainerResources* Find(std::string_view name) const {
    const auto it = by_name_.empty() ? by_name_.end() : by_name_.find(name);
    return it == by_name_.end() ? nullptr : it->second;
  }

 private:
  std::unordered_map<std::string_view, const objects::ContainerResources*> by_name_;
};

// The request of one container: its spec, or per name the largest of spec, status and allocated while a resize is under way
// (the spec is left out where the resize is infeasible).
void ContainerRequest(const Container& container, const Resized& resized, bool infeasible, bool resizable, Request* out) {
  out->Clear();
  const objects::ContainerResources* status = resizable ? resized.Find(container.name) : nullptr;
  const auto raise = [out](ResourceList list) {
    for (const Resource& r : list) {
      Resource* known = out->Find(r.name);
      if (!known) out->list.push_back(r);
      else if (known->amount < r.amount) known->amount = r.amount;
    }
  };
  if (!status || !infeasible) raise(container.requests);
  if (status) raise(status->requests), raise(status->allocated);
}

// Kubernetes' view of a request: exact quantities, added before rounding.
struct KubeSums {
  std::array<Quantity, 3> plain{};
  std::array<Quantity, 2> nonzero{};
  void Add(const KubeSums& o) {
    for (int d = 0; d < 3; d++) plain[d] = plain[d] + o.plain[d];
    for (int d = 0; d < 2; d++) nonzero[d] = nonzero[d] + o.nonzero[d];
  }
  void Max(const KubeSums& o) {
    for (int d = 0; d < 3; d++) plain[d] = std::max(plain[d], o.plain[d]);
    for (int d = 0; d < 2; d++) nonzero[d] = std::max(nonzero[d], o.nonzero[d]);
  }
};
constexpr std::string_view kKubeNames[3] = {"cpu", "memory", kAcceleratorName};
// What Kubernetes' scorers assume of a container that names no request: 100 milli-CPU and 200 MiB.
constexpr Quantity kDefaultRequest[2] = {{0, 100'000'000}, {200 * 1024 * 1024, 0}};

KubeSums KubeOf(const std::vector<Resource>& request) {
  KubeSums sums;
  for (int d = 0; d < 3; d++) {
    const Quantity* q = Find(request, kKubeNames[d]);
    if (q) sums.plain[d] = *q;
    if (d < 2) sums.nonzero[d] = q ? *q : kDefaultRequest[d];
  }
  return sums;
}

bool IsPodLevelName(std::string_view name) { return name == "cpu" || name == "memory" || name.starts_with("hugepages-"); }

void SortRequest(std::vector<ResourceAmount>* request, const Store& store) {
  std::sort(request->begin(), request->end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
    const int ra = a.id == kCpu ? 0 : a.id == kMemory ? 1 : 2, rb = b.id == kCpu ? 0 : b.id == kMemory ? 1 : 2;
    return ra != rb ? ra < rb : ra == 2 && store.ResourceName(a.id) < store.ResourceName(b.id);
  });
}

// Both views of the pod's request in one walk over its containers.
KubeSums SumRequests(const Pod& pod, Store* store, std::vector<ResourceAmount>* result) {
  Request request;
  Sums sums, *total = &sums;
  const Resized resized(pod.resized), resized_init(pod.resized_init);
  Sums one, sidecar, init_max, scratch;
  KubeSums kube_total, kube_sidecar, kube_init;
  const auto convert = [&](ResourceList list, Sums* out) {
    out->Clear();
    for (const Resource& r : list) {
      const ResourceKind kind = KindOfResource(r.name);
      if (kind == ResourceKind::kDropped) continue;
      At(out, store->Resource(r.name)) += AmountOf(kind, r.amount);
    }
  };
  At(total, kCpu), At(total, kMemory);
  for (const Container& c : pod.containers) {
    ContainerRequest(c, resized, pod.resize_infeasible, true, &request);
    convert(request.list, &one);
    AddTo(total, one);
    kube_total.Add(KubeOf(request.list));
  }
  for (const Container& c : pod.init_containers) {
    ContainerRequest(c, resized_init, pod.resize_infeasible, c.restart_always, &request);
    convert(request.list, &one);
    const KubeSums kube = KubeOf(request.list);
    if (c.restart_always) {
      AddTo(total, one), AddTo(&sidecar, one), MaxTo(&init_max, sidecar);
      kube_total.Add(kube), kube_sidecar.Add(kube), kube_init.Max(kube_sidecar);
    } else {
      scratch = one;
      AddTo(&scratch, sidecar), MaxTo(&init_max, scratch);
      KubeSums sum = kube;
      sum.Add(kube_sidecar), kube_init.Max(sum);
    }
  }
  MaxTo(total, init_max);
  kube_total.Max(kube_init);
  At(total, kPods) += 1;
  for (const Resource& r : pod.pod_requests) {
    if (!IsPodLevelName(r.name)) continue;
    At(total, store->Resource(r.name)) = AmountOf(KindOfResource(r.name), r.amount);
    for (int d = 0; d < 2; d++)
      if (r.name == kKubeNames[d]) kube_total.plain[d] = kube_total.nonzero[d] = r.amount;
  }
  convert(pod.overhead, &one);
  AddTo(total, one);
  for (int d = 0; d < 3; d++)
    if (const Quantity* q = Find(pod.overhead, kKubeNames[d])) {
      kube_total.plain[d] = kube_total.plain[d] + *q;
      if (d < 2) kube_total.nonzero[d] = kube_total.nonzero[d] + *q;
    }
  *result = std::move(sums.list);
  SortRequest(result, *store);
  return kube_total;
}

}  // namespace

void RequestOf(const Pod& pod, Store* store, std::vector<ResourceAmount>* request) {
  request->clear();
  SumRequests(pod, store, request);
}

std::vector<ResourceAmount> AmountsOf(ResourceList list, Store* store) {
  std::vector<ResourceAmount> amounts;
  for (const Resource& r : list) {
    const ResourceKind kind = KindOfResource(r.name);
    if (kind != ResourceKind::kDropped) amounts.push_back({store->Resource(r.name), AmountOf(kind, r.amount)});
  }
  SortRequest(&amounts, *store);
  return amounts;
}

void ClassBuilder::BuildRequest(const Pod& pod, Store* store) {
  row_.request.clear();
  const KubeSums kube = SumRequests(pod, store, &row_.request);
  row_.kube_request = {kube.plain[0].MilliValue(), kube.plain[1].Value(), kube.plain[2].Value()};
  row_.kube_nonzero = {kube.nonzero[0].MilliValue(), kube.nonzero[1].Value()};
  for (int64_t& v : row_.kube_request) v = std::clamp<int64_t>(v, 0, kAmountMax);
  for (int64_t& v : row_.kube_nonzero) v = std::clamp<int64_t>(v, 0, kAmountMax);
  row_.best_effort = std::all_of(row_.request.begin(), row_.request.end(), [](const ResourceAmount& a) { return a.id == kPods || a.amount < 1; });
}

namespace {

// The pod annotation that weighs resource-strategy-fit's names: a JSON object of whole numbers; anything else makes the strategy invalid.
void ParseStrategyWeights(std::string_view text, Store* store, PodStrategy* strategy) {
  ConfigValue value;
  std::string error;
  bool valid = ParseConfigText(text, &value, &error) && value.type == ConfigValue::Type::kMap;
  if (valid)
    for (const auto& [name, weight] : value.map) {
      if (weight.type != ConfigValue::Type::kInt) {
        valid = false;
        break;
      }
      strategy->weights.push_back({store->Resource(name), weight.integer});
    }
  if (!valid) strategy->kind = PodStrategy::kInvalid, strategy->weights.clear();
}

std::optional<int64_t> ParseWhole(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(v) : std::nullopt;
}

}  // namespace

void ClassBuilder::BuildConstraints(const Pod& pod, Store* store) {
  Names& names = store->names;
  row_.node_selector.clear(), row_.required_terms.clear(), row_.preferred_terms.clear(), row_.tolerations.clear();
  row_.ports.clear(), row_.images.clear(), row_.strategy = {};
  for (const auto& [key, value] : pod.node_selector)
    row_.node_selector.push_back({store->LabelColumnOf(names.Intern(key)), Operator::kIn, {names.Intern(value)}, 0});

  const auto compile = [&](const objects::NodeSelectorTerm& term) {
    SelectorTerm out;
    out.never = term.expressions.empty() && term.fields.empty();
    for (const objects::Requirement& r : term.expressions) {
      LabelTest test{store->LabelColumnOf(names.Intern(r.key)), r.op, {}, 0};
      const bool wants_values = r.op == Operator::kIn || r.op == Operator::kNotIn;
      const bool compares = r.op == Operator::kGt || r.op == Operator::kLt;
      // What Kubernetes' parser refuses makes the whole term match nothing.
      if (wants_values && r.values.empty()) out.never = true;
      if (!wants_values && !compares && !r.values.empty()) out.never = true;
      if (compares) {
        const auto bound = r.values.size() == 1 ? ParseWhole(r.values[0]) : std::nullopt;
        if (bound) test.bound = *bound; else out.never = true;
      }
      if (wants_values)
        for (std::string_view v : r.values) test.values.push_back(names.Intern(v));
      std::sort(test.values.begin(), test.values.end());
      out.tests.push_back(std::move(test));
    }
    for (const objects::Requirement& r : term.fields) {
      if (r.key != "metadata.name" || (r.op != Operator::kIn && r.op != Operator::kNotIn) || r.values.size() != 1) {
        out.never = true;
        continue;
      }
      out.tests.push_back({LabelTest::kNodeName, r.op, {names.Intern(r.values[0])}, 0});
    }
    return out;
  };
  row_.has_required = pod.has_required_affinity;
  // Kubernetes' PreFilter: where every term pins metadata.name, an empty set of names common to one term's pins is a conflict.
  size_t pinned_terms = 0, empty_terms = 0;
  for (const auto& term : pod.required_terms) {
    row_.required_terms.push_back(compile(term));
    std::optional<StringId> pin;
    bool conflict = false;
    for (const LabelTest& t : row_.required_terms.back().tests) {
      if (t.column != LabelTest::kNodeName || t.op != Operator::kIn) continue;
      if (pin && *pin != t.values[0]) conflict = true;
      pin = t.values[0];
    }
    if (pin) pinned_terms++, empty_terms += conflict;
  }
  row_.terms_conflict = pinned_terms > 0 && pinned_terms == row_.required_terms.size() && empty_terms == pinned_terms;
  for (const auto& p : pod.preferred_terms)
    if (p.weight != 0) row_.preferred_terms.push_back({p.weight, compile(p.term)});
  for (const auto& t : pod.tolerations)
    row_.tolerations.push_back({t.key.empty() ? StringId{} : names.Intern(t.key), names.Intern(t.value), t.op, t.effect});

  const auto take_ports = [&](const Container& c) {
    for (const objects::HostPort& p : c.host_ports)
      row_.ports.push_back({p.ip.empty() || p.ip == "0.0.0.0" ? StringId{} : names.Intern(p.ip), p.port, p.protocol});
  };
  std::string image;
  const auto take_image = [&](std::string_view name) {
    // Kubernetes: a name without a tag means :latest; a ':' before the last '/' belongs to the registry's port.
    image.assign(name);
    const size_t colon = image.rfind(':'), slash = image.rfind('/');
    if (colon == std::string::npos || (slash != std::string::npos && colon < slash)) image += ":latest";
    row_.images.push_back(names.Intern(image));
  };
  for (const Container& c : pod.init_containers) {
    take_image(c.image);
    if (c.restart_always) take_ports(c);
  }
  for (const Container& c : pod.containers) take_image(c.image), take_ports(c);
  row_.image_containers = static_cast<int32_t>(pod.containers.size() + pod.init_containers.size());

  for (const auto& [key, value] : pod.meta.annotations) {
    if (key == "volcano.sh/resource-strategy-scoring-type")
      row_.strategy.kind = value == "MostAllocated" ? PodStrategy::kMost : value == "LeastAllocated" ? PodStrategy::kLeast : PodStrategy::kInvalid;
  }
  if (row_.strategy.kind != PodStrategy::kAbsent) {
    std::string_view weights;
    for (const auto& [key, value] : pod.meta.annotations)
      if (key == "volcano.sh/resource-strategy-weight") weights = value;
    ParseStrategyWeights(weights, store, &row_.strategy);
  }
  row_.unsupported = pod.unsupported_field.empty() ? StringId{} : names.Intern(pod.unsupported_field);
}

void ClassBuilder::BuildKey() {
  key_.clear();
  const auto put = [this](auto v) { key_.append(reinterpret_cast<const char*>(&v), sizeof v); };
  const auto put_tests = [&](const std::vector<LabelTest>& tests) {
    put(static_cast<uint32_t>(tests.size()));
    for (const LabelTest& t : tests) {
      put(t.column), put(t.op), put(t.bound), put(static_cast<uint32_t>(t.values.size()));
      for (StringId v : t.values) put(v.value);
    }
  };
  put(static_cast<uint32_t>(row_.request.size()));
  for (const auto& r : row_.request) put(r.id.value), put(r.amount);
  for (int64_t v : row_.kube_request) put(v);
  for (int64_t v : row_.kube_nonzero) put(v);
  put_tests(row_.node_selector);
  put(static_cast<uint8_t>(row_.has_required));
  put(static_cast<uint32_t>(row_.required_terms.size()));
  for (const auto& t : row_.required_terms) put(static_cast<uint8_t>(t.never)), put_tests(t.tests);
  put(static_cast<uint32_t>(row_.preferred_terms.size()));
  for (const auto& p : row_.preferred_terms) put(p.weight), put(static_cast<uint8_t>(p.term.never)), put_tests(p.term.tests);
  put(static_cast<uint32_t>(row_.tolerations.size()));
  for (const auto& t : row_.tolerations) put(t.key.value), put(t.value.value), put(t.op), put(t.effect);
  put(static_cast<uint32_t>(row_.ports.size()));
  for (const auto& p : row_.ports) put(p.ip.value), put(p.port), put(p.protocol);
  put(static_cast<uint32_t>(row_.images.size()));
  for (StringId i : row_.images) put(i.value);
  put(row_.image_containers);
  put(row_.strategy.kind);
  put(static_cast<uint32_t>(row_.strategy.weights.size()));
  for (const auto& w : row_.strategy.weights) put(w.id.value), put(w.amount);
  put(row_.unsupported.value);
}

void ClassBuilder::Build(const Pod& pod, Store* store) {
  BuildRequest(pod, store);
  BuildConstraints(pod, store);
  BuildKey();
}

}  // namespace basalt

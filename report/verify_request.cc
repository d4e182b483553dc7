// Requests and allocatable amounts, from the reference alone (volcano-core, sections 2.2 and 2.3).
#include <algorithm>

#include "report/verify_cluster.h"

namespace basalt::verify {
namespace {

using objects::Resource;
using objects::ResourceList;

enum class Unit { kDropped, kMilli, kPlain };

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// prefix/name as Kubernetes wants it of an extended resource (with "requests." in front it still has to be a qualified name).
bool IsExtendedName(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash > 253 - std::string_view("requests.").size()) return false;
  const std::string_view domain = name.substr(0, slash), part = name.substr(slash + 1);
  if (part.empty() || part.size() > 63 || !IsLetterOrDigit(part.front()) || !IsLetterOrDigit(part.back())) return false;
  for (const char c : part)
    if (!IsLetterOrDigit(c) && c != '-' && c != '_' && c != '.') return false;
  for (size_t at = 0; at <= domain.size();) {  // dot-separated labels of [a-z0-9-]
    const size_t dot = std::min(domain.find('.', at), domain.size());
    const std::string_view label = domain.substr(at, dot - at);
    if (label.empty() || label.front() == '-' || label.back() == '-') return false;
    for (const char c : label)
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
    at = dot + 1;
  }
  return true;
}

Unit UnitOf(std::string_view name) {
  if (name == "cpu" || name == "ephemeral-storage") return Unit::kMilli;
  if (name == "memory" || name == "pods") return Unit::kPlain;
  if (name.starts_with("count/")) return Unit::kDropped;
  if (name.starts_with("hugepages-") || name.starts_with("attachable-volumes-") || name.find("kubernetes.io/") != std::string_view::npos) return Unit::kMilli;
  if (name.starts_with("requests.")) return Unit::kDropped;
  return IsExtendedName(name) ? Unit::kMilli : Unit::kDropped;
}

int64_t ValueOf(Unit unit, const Quantity& q) {
  return std::clamp(unit == Unit::kMilli ? q.MilliValue() : q.Value(), -kAmountLimit, kAmountLimit);
}

int64_t& At(Amounts* list, int dim) {
  for (Amount& a : *list)
    if (a.dim == dim) return a.value;
  list->push_back({dim, 0});
  return list->back().value;
}
void Accumulate(Amounts* list, const Amounts& more) {
  for (const Amount& a : more) {
    int64_t& at = At(list, a.dim);
    at = std::min(SaturatingAdd(at, a.value), kAmountLimit);
  }
}
void Raise(Amounts* list, const Amounts& other) {
  for (const Amount& a : other) {
    int64_t& at = At(list, a.dim);
    at = std::max(at, a.value);
  }
}

void Sort(Amounts* list, const Dimensions& dims) {
  const auto place = [](int dim) { return dim == kCpu ? 0 : dim == kMemory ? 1 : 2; };
  std::sort(list->begin(), list->end(), [&](const Amount& a, const Amount& b) {
    if (place(a.dim) != place(b.dim)) return place(a.dim) < place(b.dim);
    return place(a.dim) == 2 && dims.Name(a.dim) < dims.Name(b.dim);
  });
}

// One container: its spec; while a resize is under way, per name the largest of spec, status and allocated, without the spec where it is infeasible.
std::vector<Resource> ContainerRequest(const objects::Container& container, std::span<const objects::ContainerResources> statuses, bool infeasible) {
  std::vector<Resource> out;
  const auto take = [&out](ResourceList list) {
    for (const Resource& r : list) {
      const auto it = std::find_if(out.begin(), out.end(), [&](const Resource& o) { return o.name == r.name; });
      if (it == out.end()) out.push_back(r);
      else if (it->amount < r.amount) it->amount = r.amount;
    }
  };
  const auto status = std::find_if(statuses.begin(), statuses.end(), [&](const auto& s) { return s.name == container.name; });
  if (status == statuses.end() || !infeasible) take(container.requests);
  if (status != statuses.end()) take(status->requests), take(status->allocated);
  return out;
}

}  // namespace

Dimensions::Dimensions() { Of("cpu"), Of("memory"), Of("pods"); }

int Dimensions::Of(std::string_view name) {
  const auto it = index_.find(name);
  if (it != index_.end()) return it->second;
  names_.emplace_back(name);
  index_.emplace(std::string(name), Count() - 1);
  return Count() - 1;
}

std::string Dimensions::Text(int dim, int64_t value) const {
  std::string text(Name(dim));
  const bool milli = dim != kMemory && dim != kPods;
  if (milli && value % 1000 == 0) return text + " " + std::to_string(value / 1000);
  return text + " " + std::to_string(value) + (milli ? "m" : "");
}

Amounts Cluster::AmountsOf(ResourceList list) {
  Amounts out;
  for (const Resource& r : list)
    if (const Unit unit = UnitOf(r.name); unit != Unit::kDropped) At(&out, dims.Of(r.name)) = ValueOf(unit, r.amount);
  Sort(&out, dims);
  return out;
}

Amounts Cluster::RequestOf(const objects::Pod& pod) {
  Amounts total, sidecars, init;
  At(&total, kCpu), At(&total, kMemory);
  for (const objects::Container& c : pod.containers) Accumulate(&total, AmountsOf(ContainerRequest(c, pod.resized, pod.resize_infeasible)));
  for (const objects::Container& c : pod.init_containers) {
    // Only restartable init containers can be resized.
    const auto statuses = c.restart_always ? pod.resized_init : std::span<const objects::ContainerResources>();
    const Amounts one = AmountsOf(ContainerRequest(c, statuses, pod.resize_infeasible));
    if (c.restart_always) {
      Accumulate(&total, one), Accumulate(&sidecars, one), Raise(&init, sidecars);
    } else {
      Amounts peak = one;
      Accumulate(&peak, sidecars), Raise(&init, peak);
    }
  }
  Raise(&total, init);
  At(&total, kPods) += 1;
  for (const Resource& r : pod.pod_requests)
    if (r.name == "cpu" || r.name == "memory" || r.name.starts_with("hugepages-")) At(&total, dims.Of(r.name)) = ValueOf(UnitOf(r.name), r.amount);
  Accumulate(&total, AmountsOf(pod.overhead));
  Sort(&total, dims);
  return total;
}

}  // namespace basalt::verify

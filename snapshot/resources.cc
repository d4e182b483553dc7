#include "snapshot/resources.h"

#include <algorithm>

#include "snapshot/store.h"

namespace basalt {
namespace {

bool IsAlphaNumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Kubernetes' IsQualifiedName for "requests." + name, where name has the form prefix/part.
bool IsQualifiedExtendedName(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.find('/', slash + 1) != std::string_view::npos) return false;
  const std::string_view prefix = name.substr(0, slash), part = name.substr(slash + 1);
  constexpr size_t kRequestsPrefix = 9, kMaxDns = 253, kMaxPart = 63;
  if (prefix.empty() || prefix.size() + kRequestsPrefix > kMaxDns || part.empty() || part.size() > kMaxPart) return false;
  if (!IsAlphaNumeric(part.front()) || !IsAlphaNumeric(part.back())) return false;
  for (char c : part)
    if (!IsAlphaNumeric(c) && c != '-' && c != '_' && c != '.') return false;
  char before = '.';
  for (char c : prefix) {
    const bool lower = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!lower && c != '-' && c != '.') return false;
    if ((c == '.' || c == '-') && before == '.') return false;
    if (c == '.' && before == '-') return false;
    before = c;
  }
  return before != '.' && before != '-';
}

}  // namespace

ResourceKind KindOfResource(std::string_view name) {
  if (name == "cpu") return ResourceKind::kCpu;
  if (name == "memory") return ResourceKind::kMemory;
  if (name == "pods") return ResourceKind::kPods;
  if (name == "ephemeral-storage") return ResourceKind::kScalar;
  if (name.starts_with("count/")) return ResourceKind::kDropped;
  if (name.starts_with("hugepages-") || name.starts_with("attachable-volumes-")) return ResourceKind::kScalar;
  if (name.find("kubernetes.io/") != std::string_view::npos) return ResourceKind::kScalar;
  if (name.find('/') == std::string_view::npos || name.starts_with("requests.")) return ResourceKind::kDropped;
  return IsQualifiedExtendedName(name) ? ResourceKind::kScalar : ResourceKind::kDropped;
}

int64_t AmountOf(ResourceKind kind, Quantity quantity) {
  const bool milli = kind == ResourceKind::kCpu || kind == ResourceKind::kScalar;
  return std::clamp(milli ? quantity.MilliValue() : quantity.Value(), -kAmountMax, kAmountMax);
}

}  // namespace basalt

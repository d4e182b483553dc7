// ResourceQuotas as their status has them: exact quantities under quota names ("requests.cpu", "count/pods"), which are no resources of nodes.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/ids.h"
#include "snapshot/names.h"
#include "snapshot/objects.h"

namespace basalt {

struct NamedAmount {
  StringId name;
  Quantity amount;
};
std::vector<NamedAmount> NamedAmountsOf(objects::ResourceList list, Names* names);

struct QuotaRow {
  StringId namespace_;
  std::vector<NamedAmount> hard, used;
  uint64_t resource_version = 0;
};
/// By "namespace/name".
using QuotaTable = std::map<std::string, QuotaRow, std::less<>>;

}  // namespace basalt

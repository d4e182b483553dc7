#include "snapshot/quotas.h"

namespace basalt {

std::vector<NamedAmount> NamedAmountsOf(objects::ResourceList list, Names* names) {
  std::vector<NamedAmount> out;
  for (const auto& r : list) out.push_back({names->Intern(r.name), r.amount});
  return out;
}

}  // namespace basalt

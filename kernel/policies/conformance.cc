// conformance: critical pods are never victims (volcano-core, section 7.5). It takes part only where pods are evicted, which no built action does.
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

class Conformance final : public Policy {
 public:
  uint32_t Families() const override { return 0; }
};

}  // namespace

std::unique_ptr<Policy> MakeConformance(const PluginOption&, scoring::ArgumentReader*) { return std::make_unique<Conformance>(); }

}  // namespace basalt

// One backend for every way of running lanes: the loop over blocks is here once, a way of running is four functions over a block.
#pragma once
#include <string>

#include "scoring/rule.h"

namespace basalt::scoring {

/// The profile's lists as pointers: lane regions call no member function of std::.
struct PluginSpans {
  const OrderRule* order;
  size_t order_count;
  const StrategyFitArgs* proportional;
  size_t proportional_count;
};
inline PluginSpans SpansOf(const Profile& p) { return {p.order.data(), p.order.size(), p.proportional.data(), p.proportional.size()}; }

struct BlockKernels {
  void (*filter)(const RuleInput& in, const PluginSpans& plugins, const uint8_t* fail, const uint32_t* groups, size_t count, uint8_t* bits);
  bool (*score)(const RuleInput& in, const PluginSpans& plugins, const uint32_t* groups, size_t count, double* order, double* batch);
  void (*keys)(const double* order, const double* batch, const uint8_t* bits, const uint32_t* groups, size_t count, double* key);
  int32_t (*max_raw)(const int32_t* raw, const uint8_t* mask, size_t begin, size_t end);
  void (*best)(const double* key, const uint64_t* rank, size_t first, size_t last, const BestColumns& best);
};

class BlockBackend final : public Backend {
 public:
  BlockBackend(std::string name, const BlockKernels& kernels) : name_(std::move(name)), kernels_(kernels) {}
  std::string_view Name() const override { return name_; }
  void Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) const override;
  void FeasibleGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, const uint32_t* groups,
                      size_t count, uint8_t* bits) const override;
  void TotalsOfGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint32_t* groups,
                      size_t count, const uint8_t* bits, double* key) const override;
  Norm Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const override;
  void BestOfBlocks(const double* key, const uint64_t* rank, size_t first, size_t last, const BestColumns& best) const override {
    kernels_.best(key, rank, first, last, best);
  }

 private:
  const std::string name_;
  const BlockKernels kernels_;
};

}  // namespace basalt::scoring

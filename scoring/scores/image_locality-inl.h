// Image locality: how much of the pod's images a node already has, weighed by how many nodes have them (volcano-nodes, section 2.11). Whole score
// 0..100, static per class and node. Images are lists of uneven length, so rows are worked out one by one, by the same code for every backend.
#include "scoring/arguments.h"
#include "scoring/rule.h"
#ifndef BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H_PLAIN
#define BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H_PLAIN
namespace basalt::scoring {

struct ImageLocality {
  static constexpr OrderRule::Kind kKind = OrderRule::kImageLocality;
  static constexpr std::string_view kPlugin = "nodeorder", kName = "imagelocality";
  static constexpr ArgumentSpec kArguments[] = {
      {kPlugin, "imagelocality.weight", "int", "1", "-2147483647..2147483647", "weight of the score for container images that the node already has"},
  };

  static void Configure(ArgumentReader* reader, bool /*filter*/, bool order, const ResourceLookup&, Profile* profile) {
    OrderRule rule{};
    rule.kind = kKind;
    rule.weight = reader->Int("imagelocality.weight", 1);
    if (order && rule.weight != 0) profile->order.push_back(std::move(rule));
  }

  const int8_t* score;
  double weight;

  bool Prepare(const RuleInput& in, const OrderRule& rule) {
    score = in.fixed.image.data(), weight = static_cast<double>(rule.weight);
    return in.fixed.image.size() != 0 && rule.weight != 0;
  }

  static bool Applies(const RuleInput& in) {
    if (in.cls.images.empty() || !in.nodes.any_images) return false;
    for (const OrderRule& rule : in.profile.order)
      if (rule.kind == kKind && rule.weight != 0) return true;
    return false;
  }
  static int8_t RowScore(const RuleInput& in, size_t row) {
    constexpr int64_t kMinBytes = 23ll << 20, kMaxBytesPerContainer = 1000ll << 20;
    if (row >= in.nodes.images.size() || in.nodes.images[row].empty() || in.nodes.present_count == 0) return 0;
    const double nodes = static_cast<double>(in.nodes.present_count);
    double sum = 0;  // whole numbers: each term is truncated
    for (const StringId wanted : in.cls.images)
      for (const NodeImage& image : in.nodes.images[row])
        if (image.name == wanted) {
          // Division first, then multiplication, then truncation, as Kubernetes.
          sum += std::trunc(static_cast<double>(image.size_bytes) * (static_cast<double>(image.num_nodes) / nodes));
          break;
        }
    const int64_t max = kMaxBytesPerContainer * in.cls.image_containers;
    const int64_t held = sum < static_cast<double>(kMinBytes) ? kMinBytes : sum > static_cast<double>(max) ? max : static_cast<int64_t>(sum);
    return max <= kMinBytes ? 0 : static_cast<int8_t>(100 * (held - kMinBytes) / (max - kMinBytes));
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H
#undef BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H
#else
#define BASALT_SCORING_SCORES_IMAGE_LOCALITY_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::F Value(const L& l, const ImageLocality& r) {
  return l.Mul(l.ToF(l.Small(r.score)), l.Float(r.weight));
}

LANES_END

#endif  // per target

// The plain-loop backend, the block loop of all backends, and what is asked of single rows: the same text on the scalar lane.
#include "scoring/batch.h"
#include "scoring/lanes.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/block_loops-inl.h"

namespace basalt::scoring {
namespace {

constexpr BlockKernels kScalarKernels = {scalar::FilterBlock<ScalarLanes>, scalar::ScoreBlock<ScalarLanes>, scalar::KeyBlock, scalar::MaxRaw, scalar::BestOfBlocks<ScalarLanes>};

const StaticColumns kNoColumns;

/// Gives a static column the range, or nothing where it was and stays 0 everywhere.
template <class T>
void StoreRange(const std::vector<T>& values, const NodeTable& nodes, size_t begin, bool whole, Column<T>* column) {
  const bool zero = std::all_of(values.begin(), values.end(), [](T v) { return v == 0; });
  if (zero && whole) *column = Column<T>();
  if (zero && column->size() == 0) return;
  column->Resize(PaddedRows(nodes.rows));
  std::copy(values.begin(), values.end(), column->data() + begin);
}

bool ListsRefuse(const RuleInput& in, size_t row) {
#define BASALT_RUN(Rule) \
  if (Rule::Applies(in) && Rule::Refuses(in, row)) return true;
  BASALT_LIST_FILTERS(BASALT_RUN)
#undef BASALT_RUN
  return false;
}

bool FiltersPass(const RuleInput& in, size_t row) {
  uint8_t mask = 1;
  if (in.fixed.fail[row]) return false;
  scalar::FilterBlock<ScalarLanes>(in, SpansOf(in.profile), in.fixed.fail.data(), row, 1, &mask);
  return mask && !ListsRefuse(in, row);
}

double ScoreRow(const RuleInput& in, size_t row) {
  double order, batch;
  scalar::ScoreBlock<ScalarLanes>(in, SpansOf(in.profile), row, 1, &order, &batch);
  return order + batch;
}

}  // namespace

void BlockBackend::Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) const {
  const RuleInput in{nodes, cls, profile, kNoColumns, {}, Room::kNone};
  const size_t rows = end - begin;
  const bool whole = begin == 0 && end == nodes.rows;

  out->fail.Resize(PaddedRows(nodes.rows));
  uint8_t* fail = out->fail.data() + begin;
  for (size_t k = 0; k < rows; k++) fail[k] = static_cast<uint8_t>(nodes.present[begin + k] ? kReasonNone : kReasonAbsent);
  if (profile.predicates) {
    std::vector<uint8_t> refused(rows);
    // The first filter that refuses ends the node, so an entry that is set stays.
#define BASALT_RUN(Rule)                                                             \
  if (Rule::Applies(in)) {                                                           \
    Rule::Refuse(in, begin, rows, refused.data());                                   \
    for (size_t k = 0; k < rows; k++) fail[k] = !fail[k] && refused[k] ? static_cast<uint8_t>(Rule::kReason) : fail[k]; \
  }
    BASALT_STATIC_FILTERS(BASALT_RUN)
#undef BASALT_RUN
  }

  std::vector<int32_t> raw(rows);
  if (NodeAffinityPreferred::Applies(in)) NodeAffinityPreferred::Fill(in, begin, rows, raw.data());
  StoreRange(raw, nodes, begin, whole, &out->affinity_raw);
  raw.assign(rows, 0);
  if (TaintPreference::Applies(in)) TaintPreference::Fill(in, begin, rows, raw.data());
  StoreRange(raw, nodes, begin, whole, &out->taint_raw);
  std::vector<int8_t> image(rows);
  if (ImageLocality::Applies(in))
    for (size_t k = 0; k < rows; k++) image[k] = ImageLocality::RowScore(in, begin + k);
  StoreRange(image, nodes, begin, whole, &out->image);
}

void BlockBackend::Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin,
                            size_t end, uint8_t* mask) const {
  const RuleInput in{nodes, cls, profile, fixed, {}, room};
  const PluginSpans plugins = SpansOf(profile);
  alignas(64) uint8_t block[kBlockRows];
  for (size_t at = begin; at < end; at += kBlockRows) {
    const size_t rows = std::min(end - at, kBlockRows);
    kernels_.filter(in, plugins, fixed.fail.data(), at, rows, block);
    std::copy_n(block, rows, mask + at);
  }
#define BASALT_RUN(Rule)                          \
  if (Rule::Applies(in))                          \
    for (size_t row = begin; row < end; row++)    \
      if (mask[row] && Rule::Refuses(in, row)) mask[row] = 0;
  BASALT_LIST_FILTERS(BASALT_RUN)
#undef BASALT_RUN
}

Norm BlockBackend::Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const {
  Norm norm;
  if (fixed.affinity_raw.size()) norm.affinity_max = kernels_.max_raw(fixed.affinity_raw.data(), mask, begin, end);
  if (fixed.taint_raw.size()) norm.taint_max = kernels_.max_raw(fixed.taint_raw.data(), mask, begin, end);
  return norm;
}

void BlockBackend::Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
                          size_t begin, size_t end, double* key) const {
  const RuleInput in{nodes, cls, profile, fixed, norm, Room::kNone};
  const PluginSpans plugins = SpansOf(profile);
  alignas(64) double order[kBlockRows];
  alignas(64) double batch[kBlockRows];
  for (size_t at = begin; at < end; at += kBlockRows) {
    const size_t rows = std::min(end - at, kBlockRows);
    if (std::all_of(mask + at, mask + at + rows, [](uint8_t m) { return m == 0; })) {
      std::fill_n(key + at, rows, kInfeasible);
      continue;
    }
    // A block with a value outside the vectors' domain is scored row by row.
    if (!kernels_.score(in, plugins, at, rows, order, batch)) kScalarKernels.score(in, plugins, at, rows, order, batch);
    kernels_.keys(order, batch, mask + at, rows, key + at);
  }
}

const Backend& ScalarBackend() {
  static const BlockBackend kScalar("scalar", kScalarKernels);
  return kScalar;
}

bool RowFeasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row) {
  return FiltersPass({nodes, cls, profile, fixed, {}, room}, row);
}

double RowTotal(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, Room room, size_t row) {
  const RuleInput in{nodes, cls, profile, fixed, norm, room};
  return FiltersPass(in, row) ? ScoreRow(in, row) : kInfeasible;
}

RowReason ReasonOfRow(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row) {
  const RuleInput in{nodes, cls, profile, fixed, {}, room};
  const uint8_t fail = fixed.fail[row] == kFailPolicy ? uint8_t{0} : fixed.fail[row];
  const uint8_t policy = fixed.policy_refused.size() ? fixed.policy_refused[row] : uint8_t{0};
  if (fail == kReasonAbsent) return {kReasonAbsent, {}, 0};
  // Allocate compares resources before it asks any plugin, and that ends the node.
  if (const ResourceId first = ResourceFit::FirstShort(in, row)) return {kReasonResource, first, 0};

  // Plugins run in the order of the configuration; the first that refuses ends the node.
  const auto proportional = [&](bool before_predicates) -> ResourceId {
    for (const StrategyFitArgs& args : profile.proportional) {
      if (args.before_predicates != before_predicates) continue;
      for (size_t d = 0; d < args.proportional.size(); d++) {
        Proportional rule;
        if (rule.Prepare(in, args, d, d + 1) && !scalar::Pass(ScalarLanes{row}, rule)) return args.proportional[d].id;
      }
    }
    return {};
  };
  if (policy & kPolicyFirst) return {kReasonPolicy, {}, policy};
  if (const ResourceId id = proportional(true)) return {kReasonProportional, id, 0};
  RowReason reason;
  PodNumber pod_number;
  if (pod_number.Prepare(in) && !scalar::Pass(ScalarLanes{row}, pod_number)) reason.bits |= kReasonPodNumber;
  reason.bits |= fail;
  if (!fail && Ports::Applies(in) && Ports::Refuses(in, row)) reason.bits |= kReasonPorts;
  if (reason.bits) return reason;
  if (policy) return {kReasonPolicy, {}, policy};
  if (const ResourceId id = proportional(false)) return {kReasonProportional, id, 0};
  return reason;
}

std::vector<ScorePart> ScoreParts(const Profile& profile) {
  std::vector<ScorePart> parts;
  for (const OrderRule& order_rule : profile.order) {
    switch (order_rule.kind) {
#define BASALT_RUN(Rule) \
  case Rule::kKind: parts.push_back({Rule::kPlugin, Rule::kName, false}); break;
      BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    }
  }
#define BASALT_RUN(Rule) \
  if (profile.*Rule::kWeight.member) parts.push_back({"nodeorder", Rule::kName, true});
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  return parts;
}

void RowParts(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, size_t row, double* values) {
  const RuleInput in{nodes, cls, profile, fixed, norm, Room::kNone};
  for (const OrderRule& order_rule : profile.order) {
    switch (order_rule.kind) {
#define BASALT_RUN(Rule)                                                                     \
  case Rule::kKind: {                                                                        \
    Rule rule;                                                                               \
    *values++ = rule.Prepare(in, order_rule) ? scalar::Value(ScalarLanes{row}, rule) : 0.0;  \
    break;                                                                                   \
  }
      BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    }
  }
#define BASALT_RUN(Rule)                                                                                                                   \
  if (const int64_t weight = profile.*Rule::kWeight.member) {                                                                              \
    Rule rule;                                                                                                                             \
    *values++ = rule.Prepare(in) ? static_cast<double>(scalar::Score(ScalarLanes{row}, rule)) * static_cast<double>(weight) : 0.0;         \
  }
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
}

}  // namespace basalt::scoring

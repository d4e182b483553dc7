// The plain-loop backend, the block loop of all backends, and what is asked of single rows: the same text on the scalar lane.
#include <numeric>

#include "scoring/batch.h"
#include "scoring/lanes.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/block_loops-inl.h"

namespace basalt::scoring {
namespace {

constexpr BlockKernels kScalarKernels = {scalar::FilterBlock<ScalarLanes>, scalar::ScoreBlock<ScalarLanes>, scalar::KeyBlock<ScalarLanes>, scalar::MaxRaw, scalar::BestOfBlocks<ScalarLanes>};

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
  if (in.fixed.fail[row]) return false;
#define BASALT_RUN(Rule)                                                                     \
  {                                                                                          \
    Rule rule;                                                                               \
    if (rule.Prepare(in) && !scalar::Pass(ScalarLanes{row}, rule)) return false;             \
  }
  BASALT_COLUMN_FILTERS(BASALT_RUN)
#undef BASALT_RUN
  for (const StrategyFitArgs& args : in.profile.proportional) {
    Proportional rule;
    if (rule.Prepare(in, args) && !scalar::Pass(ScalarLanes{row}, rule)) return false;
  }
  return !ListsRefuse(in, row);
}

double ScoreRow(const RuleInput& in, size_t row) {
  double order = 0.0, batch = 0.0;
#define BASALT_RUN(Rule)                                                                                                                       \
  if (const int64_t weight = in.profile.*Rule::kWeight.member) {                                                                               \
    Rule rule;                                                                                                                                 \
    if (rule.Prepare(in)) batch += static_cast<double>(scalar::Score(ScalarLanes{row}, rule)) * static_cast<double>(weight);                   \
  }
  BASALT_BATCH_SCORES(BASALT_RUN)
#undef BASALT_RUN
  for (const OrderRule& order_rule : in.profile.order) {
    switch (order_rule.kind) {
#define BASALT_RUN(Rule)                                                                                  \
  case Rule::kKind: {                                                                                     \
    Rule rule;                                                                                            \
    if (rule.Prepare(in, order_rule)) order += scalar::Value(ScalarLanes{row}, rule);                     \
    break;                                                                                                \
  }
      BASALT_ORDER_SCORES(BASALT_RUN)
#undef BASALT_RUN
    }
  }
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

void BlockBackend::FeasibleGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room,
                                  const uint32_t* groups, size_t count, uint8_t* bits) const {
  const RuleInput in{nodes, cls, profile, fixed, {}, room};
  const PluginSpans plugins = SpansOf(profile);
  for (size_t at = 0; at < count; at += kBlockGroups)
    kernels_.filter(in, plugins, fixed.fail.data(), groups + at, std::min(count - at, kBlockGroups), bits + at);
#define BASALT_RUN(Rule)                                                                                     \
  if (Rule::Applies(in))                                                                                     \
    for (size_t g = 0; g < count; g++)                                                                       \
      for (size_t j = 0; j < kRowPad; j++)                                                                   \
        if (bits[g] >> j & 1 && Rule::Refuses(in, groups[g] * kRowPad + j)) bits[g] &= static_cast<uint8_t>(~(1u << j));
  BASALT_LIST_FILTERS(BASALT_RUN)
#undef BASALT_RUN
}

Norm BlockBackend::Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const {
  Norm norm;
  if (fixed.affinity_raw.size()) norm.affinity_max = kernels_.max_raw(fixed.affinity_raw.data(), mask, begin, end);
  if (fixed.taint_raw.size()) norm.taint_max = kernels_.max_raw(fixed.taint_raw.data(), mask, begin, end);
  return norm;
}

void BlockBackend::TotalsOfGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm,
                                  const uint32_t* groups, size_t count, const uint8_t* bits, double* key) const {
  const RuleInput in{nodes, cls, profile, fixed, norm, Room::kNone};
  const PluginSpans plugins = SpansOf(profile);
  alignas(64) double order[kBlockRows];
  alignas(64) double batch[kBlockRows];
  for (size_t at = 0; at < count; at += kBlockGroups) {
    const size_t some = std::min(count - at, kBlockGroups);
    if (std::all_of(bits + at, bits + at + some, [](uint8_t b) { return b == 0; })) {
      for (size_t g = at; g < at + some; g++) std::fill_n(key + groups[g] * kRowPad, kRowPad, kInfeasible);
      continue;
    }
    // A block with a value outside the vectors' domain is scored row by row.
    if (!kernels_.score(in, plugins, groups + at, some, order, batch)) kScalarKernels.score(in, plugins, groups + at, some, order, batch);
    kernels_.keys(order, batch, bits + at, groups + at, some, key);
  }
}

void Backend::Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin,
                       size_t end, uint8_t* mask) const {
  uint32_t groups[kBlockGroups];
  uint8_t bits[kBlockGroups];
  for (size_t at = begin; at < end; at += kBlockRows) {
    const size_t rows = std::min(end - at, kBlockRows), count = PaddedRows(rows) / kRowPad;
    std::iota(groups, groups + count, static_cast<uint32_t>(at / kRowPad));
    FeasibleGroups(nodes, cls, profile, fixed, room, groups, count, bits);
    for (size_t k = 0; k < rows; k++) mask[at + k] = bits[k / kRowPad] >> k % kRowPad & 1;
  }
}

void Backend::Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
                     size_t begin, size_t end, double* key) const {
  for (size_t at = begin; at < end; at += kBlockRows) {
    const size_t rows = std::min(end - at, kBlockRows), count = PaddedRows(rows) / kRowPad;
    uint32_t groups[kBlockGroups];
    uint8_t bits[kBlockGroups] = {};
    std::iota(groups, groups + count, static_cast<uint32_t>(at / kRowPad));
    for (size_t k = 0; k < rows; k++) bits[k / kRowPad] |= static_cast<uint8_t>((mask[at + k] != 0) << k % kRowPad);
    TotalsOfGroups(nodes, cls, profile, fixed, norm, groups, count, bits, key);
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
  if (profile.*Rule::kWeight.member) parts.push_back({kNodeOrderPlugin, Rule::kName, true});
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

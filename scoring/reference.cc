// The plain-loop backend, and what is asked of single rows: the same text on the scalar lane.
#include "scoring/batch.h"
#include "scoring/lanes.h"

#define LANE_NAMESPACE scalar
#define LANE_BEGIN_TARGET
#define LANE_END_TARGET
#include "scoring/lane_region-inl.h"
#include "scoring/batch_body-inl.h"

namespace basalt::scoring {
namespace {

class Scalar final : public Backend {
 public:
  std::string_view Name() const override { return "scalar"; }
  void Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) const override {
    scalar::StaticRows<ScalarLanes>(nodes, cls, profile, begin, end, out);
  }
  void Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin, size_t end,
                uint8_t* mask) const override {
    scalar::FeasibleRows<ScalarLanes>(nodes, cls, profile, fixed, room, begin, end, mask);
  }
  Norm Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const override {
    return scalar::ExtremeRows<ScalarLanes>(fixed, mask, begin, end);
  }
  void Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
              size_t begin, size_t end, double* key) const override {
    scalar::TotalRows<ScalarLanes>(nodes, cls, profile, fixed, norm, mask, begin, end, key);
  }
};

}  // namespace

const Backend& ScalarBackend() {
  static const Scalar kScalar;
  return kScalar;
}

bool RowFeasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row) {
  if (fixed.fail[row]) return false;
  if (profile.predicates && !scalar::PodNumber<ScalarLanes>(nodes, row)) return false;
  if (!scalar::ResourceFit<ScalarLanes>(nodes, cls, room, row)) return false;
  for (const StrategyFitArgs& args : profile.proportional)
    if (!AsksForListed(cls, args))
      for (const auto& p : args.proportional)
        if (!scalar::LeavesProportion<ScalarLanes>(nodes, cls, p, row)) return false;
  return !(profile.predicates && profile.node_ports && !cls.ports.empty() && PortsConflict(nodes, cls, row));
}

double RowTotal(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, Room room, size_t row) {
  return RowFeasible(nodes, cls, profile, fixed, room, row) ? scalar::Total<ScalarLanes>(nodes, cls, profile, fixed, norm, row) : kInfeasible;
}

RowReason ReasonOfRow(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row) {
  RowReason reason;
  if (fixed.fail[row] == kReasonAbsent) return {kReasonAbsent, {}};
  // Allocate compares resources before it asks any plugin, and that ends the node.
  if (room != Room::kNone)
    for (const ResourceAmount& r : cls.request) {
      const bool short_future = r.amount > nodes.future[r.id.value][row];
      if (short_future || (room == Room::kIdle && r.amount > nodes.idle[r.id.value][row])) return {kReasonResource, r.id};
    }
  if (profile.predicates && !scalar::PodNumber<ScalarLanes>(nodes, row)) reason.bits |= kReasonPodNumber;
  reason.bits |= fixed.fail[row];
  if (fixed.fail[row]) return reason;
  if (profile.predicates && profile.node_ports && PortsConflict(nodes, cls, row)) reason.bits |= kReasonPorts;
  for (const StrategyFitArgs& args : profile.proportional)
    if (!AsksForListed(cls, args) && !reason.bits)
      for (const auto& p : args.proportional)
        if (!scalar::LeavesProportion<ScalarLanes>(nodes, cls, p, row)) return {kReasonProportional, p.id};
  return reason;
}

}  // namespace basalt::scoring

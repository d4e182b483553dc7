// The column loops, once for every backend: blocks of lanes over the rows, rules in the order of the profile.
#include "scoring/filters/node_affinity-inl.h"
#include "scoring/filters/pod_number-inl.h"
#include "scoring/filters/ports-inl.h"
#include "scoring/filters/proportional-inl.h"
#include "scoring/filters/resource_fit-inl.h"
#include "scoring/filters/taints-inl.h"
#include "scoring/filters/unschedulable-inl.h"
#include "scoring/reductions/extremes-inl.h"
#include "scoring/scores/balanced_allocation-inl.h"
#include "scoring/scores/binpack-inl.h"
#include "scoring/scores/image_locality-inl.h"
#include "scoring/scores/least_allocated-inl.h"
#include "scoring/scores/most_allocated-inl.h"
#include "scoring/scores/node_affinity_preferred-inl.h"
#include "scoring/scores/resource_strategy_fit-inl.h"
#include "scoring/scores/taint_preference-inl.h"

#if defined(BASALT_SCORING_BATCH_BODY_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_BATCH_BODY_INL_H
#undef BASALT_SCORING_BATCH_BODY_INL_H
#else
#define BASALT_SCORING_BATCH_BODY_INL_H
#endif

LANES_BEGIN

/// fail[i] for one step of rows: the first of unschedulable, node affinity, taints that refuses, or absent. hard: HardTaintTable of the class.
template <class L>
LANE_FN typename L::I StaticFail(const NodeTable& nodes, const PodClass& cls, const Profile& profile, bool tolerates_unschedulable, const int64_t* hard, size_t i) {
  typename L::I fail = L::Set(0);
  if (profile.predicates) {
    if (profile.taint_toleration) fail = L::If(UntoleratedTaint<L>(nodes, hard, i), L::Set(kReasonTaint), fail);
    if (profile.node_affinity) fail = L::If(NodeAffinity<L>(nodes, cls, i), fail, L::Set(kReasonNodeAffinity));
    fail = L::If(Unschedulable<L>(nodes, tolerates_unschedulable, i), L::Set(kReasonUnschedulable), fail);
  }
  return L::If(L::LoadMask(&nodes.present[i]), fail, L::Set(kReasonAbsent));
}

template <class L>
LANE_FN void StaticRows(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) {
  const std::vector<int64_t> hard = HardTaintTable(nodes, cls), prefer = PreferTaintTable(nodes, cls);
  const bool tolerates = ToleratesUnschedulable(nodes, cls);
  out->fail.Resize(nodes.rows);
  for (size_t i = begin; i < end; i += L::kLanes) L::StoreInt8(StaticFail<L>(nodes, cls, profile, tolerates, hard.data(), i), &out->fail[i]);
  if (profile.node_affinity_weight != 0 && !cls.preferred_terms.empty()) {
    out->affinity_raw.Resize(nodes.rows);
    for (size_t i = begin; i < end; i += L::kLanes) L::StoreInt32(PreferredAffinityRaw<L>(nodes, cls, i), &out->affinity_raw[i]);
  }
  bool any = false;
  for (const int64_t n : prefer) any = any || n != 0;
  if (profile.taint_weight != 0 && any) {
    out->taint_raw.Resize(nodes.rows);
    for (size_t i = begin; i < end; i += L::kLanes) L::StoreInt32(L::Lookup(prefer.data(), L::LoadId(&nodes.taint_set[i])), &out->taint_raw[i]);
  }
  bool image_rule = false;
  for (const OrderRule& rule : profile.order) image_rule = image_rule || (rule.kind == OrderRule::kImageLocality && rule.weight != 0);
  if (image_rule && !cls.images.empty()) {
    for (size_t row = begin; row < end && row < nodes.rows; row++) {
      const int8_t score = nodes.images[row].empty() ? 0 : ImageLocality(nodes, cls, row);
      if (score == 0 && !out->image.size()) continue;
      out->image.Resize(nodes.rows);
      out->image[row] = score;
    }
  }
}

template <class L>
LANE_FN void FeasibleRows(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin, size_t end,
                          uint8_t* mask) {
  for (size_t i = begin; i < end; i += L::kLanes) {
    typename L::M ok = L::Not(L::LoadMask(&fixed.fail[i]));
    if (profile.predicates) ok = L::And(ok, PodNumber<L>(nodes, i));
    ok = L::And(ok, ResourceFit<L>(nodes, cls, room, i));
    for (const StrategyFitArgs& args : profile.proportional)
      if (!AsksForListed(cls, args))
        for (const auto& p : args.proportional) ok = L::And(ok, LeavesProportion<L>(nodes, cls, p, i));
    L::StoreMask(ok, &mask[i]);
  }
  if (profile.predicates && profile.node_ports && !cls.ports.empty())
    for (size_t row = begin; row < end && row < nodes.rows; row++)
      if (mask[row] && PortsConflict(nodes, cls, row)) mask[row] = 0;
}

/// order + batch of one step of rows.
template <class L>
LANE_FN typename L::F Total(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, size_t i) {
  typename L::F order = L::SetF(0.0);
  for (const OrderRule& rule : profile.order) {
    switch (rule.kind) {
      case OrderRule::kImageLocality:
        if (fixed.image.size()) order = L::AddF(order, L::MulF(L::ToF(L::LoadInt8(&fixed.image[i])), L::SetF(static_cast<double>(rule.weight))));
        break;
      case OrderRule::kBinpack: order = L::AddF(order, Binpack<L>(nodes, cls, rule.binpack, i)); break;
      case OrderRule::kStrategyFit: order = L::AddF(order, StrategyFit<L>(nodes, cls, rule.strategy, i)); break;
    }
  }
  // Integer scores times integer weights: every sum is a whole number below 2^53, so doubles add them exactly in any order.
  typename L::F batch = L::SetF(0.0);
  const auto add = [&](typename L::F score, int64_t weight) { batch = L::AddF(batch, L::MulF(score, L::SetF(static_cast<double>(weight)))); };
  if (profile.least_requested) add(L::ToF(LeastAllocated<L>(nodes, cls, i)), profile.least_requested);
  if (profile.most_requested) add(L::ToF(MostAllocated<L>(nodes, cls, i)), profile.most_requested);
  if (profile.balanced_resource && BalancedApplies(cls)) add(BalancedAllocation<L>(nodes, cls, i), profile.balanced_resource);
  if (fixed.affinity_raw.size()) add(L::ToF(NormaliseUp<L>(L::LoadInt32(&fixed.affinity_raw[i]), norm.affinity_max)), profile.node_affinity_weight);
  if (profile.taint_weight) {
    const typename L::I raw = fixed.taint_raw.size() ? L::LoadInt32(&fixed.taint_raw[i]) : L::Set(0);
    add(L::ToF(NormaliseDown<L>(raw, norm.taint_max)), profile.taint_weight);
  }
  return L::AddF(order, batch);
}

template <class L>
LANE_FN void TotalRows(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
                       size_t begin, size_t end, double* key) {
  for (size_t i = begin; i < end; i += L::kLanes)
    L::StoreF(L::IfF(L::LoadMask(&mask[i]), Total<L>(nodes, cls, profile, fixed, norm, i), L::SetF(kInfeasible)), &key[i]);
}

template <class L>
LANE_FN Norm ExtremeRows(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) {
  Norm norm;
  if (fixed.affinity_raw.size()) norm.affinity_max = MaxRaw<L>(fixed.affinity_raw.data(), mask, begin, end);
  if (fixed.taint_raw.size()) norm.taint_max = MaxRaw<L>(fixed.taint_raw.data(), mask, begin, end);
  return norm;
}

LANES_END

#endif  // per target

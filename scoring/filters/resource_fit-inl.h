// The fit test: the request against what is free (volcano-core, section 2.2). Volcano compares doubles with a tolerance of 0.1 in the unit of each
// dimension; on whole amounts that is exactly request <= free. Every dimension that the request names is compared, also where it asks 0: a node
// whose free amount is negative refuses it. cpu and memory are always named. Units: Volcano's. Exact for any int64. Cost: one or two columns each.
#include "scoring/rule.h"
#ifndef BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H_PLAIN
#define BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H_PLAIN
namespace basalt::scoring {

struct ResourceFit {
  struct Dimension { const int64_t *future, *idle; int64_t amount; };  ///< idle: null where one column says it
  ShortList<Dimension, 8> dimensions;
  bool never = false;  ///< asks for something that no node has

  bool Prepare(const RuleInput& in) {
    if (in.room == Room::kNone) return false;
    for (const ResourceAmount& r : in.cls.request) {
      const int64_t* future = ColumnOf(in.nodes, in.nodes.future, r.id);
      const int64_t* idle = in.room == Room::kIdle && in.nodes.moving_tasks ? ColumnOf(in.nodes, in.nodes.idle, r.id) : nullptr;
      if (future) dimensions.Add({future, idle, r.amount});
      else never = never || r.amount > 0;
    }
    return true;
  }
  /// The first dimension, in request order, that falls short on a row; kNone where all fit.
  static ResourceId FirstShort(const RuleInput& in, size_t row) {
    if (in.room == Room::kNone) return {};
    for (const ResourceAmount& r : in.cls.request) {
      const int64_t* future = ColumnOf(in.nodes, in.nodes.future, r.id);
      const int64_t* idle = in.room == Room::kIdle ? ColumnOf(in.nodes, in.nodes.idle, r.id) : nullptr;
      if (r.amount > (future ? future[row] : 0) || (idle && r.amount > idle[row])) return r.id;
    }
    return {};
  }
};

}  // namespace basalt::scoring
#endif  // plain part

#if defined(BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H) == defined(LANE_TOGGLE)
#ifdef BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#undef BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#else
#define BASALT_SCORING_FILTERS_RESOURCE_FIT_INL_H
#endif

LANES_BEGIN

template <class L>
LANE_FN typename L::M Pass(const L& l, const ResourceFit& r) {
  auto ok = r.never ? l.False() : l.True();
  for (size_t d = 0; d < r.dimensions.count; d++) {
    const ResourceFit::Dimension& dim = r.dimensions.first[d];
    ok = l.And(ok, l.AtLeast(dim.future, dim.amount));
    if (dim.idle) ok = l.And(ok, l.AtLeast(dim.idle, dim.amount));
  }
  return ok;
}

LANES_END

#endif  // per target

// The list of rules. A rule is one file and one line here: the backends, explain, arguments, tests, fuzzer and benchmarks loop over these lists.
// No guard: rule files carry their own, and lane parts come in once per target.
#include "scoring/filters/node_affinity-inl.h"
#include "scoring/filters/pod_number-inl.h"
#include "scoring/filters/ports-inl.h"
#include "scoring/filters/proportional-inl.h"
#include "scoring/filters/resource_fit-inl.h"
#include "scoring/filters/taints-inl.h"
#include "scoring/filters/unschedulable-inl.h"
#include "scoring/reductions/best_node-inl.h"
#include "scoring/reductions/extremes-inl.h"
#include "scoring/scores/balanced_allocation-inl.h"
#include "scoring/scores/binpack-inl.h"
#include "scoring/scores/image_locality-inl.h"
#include "scoring/scores/least_allocated-inl.h"
#include "scoring/scores/most_allocated-inl.h"
#include "scoring/scores/node_affinity_preferred-inl.h"
#include "scoring/scores/node_group-inl.h"
#include "scoring/scores/resource_strategy_fit-inl.h"
#include "scoring/scores/taint_preference-inl.h"
#include "scoring/scores/task_topology-inl.h"
#include "scoring/scores/time_division-inl.h"
#include "scoring/scores/usage-inl.h"

#ifndef BASALT_SCORING_CATALOGUE_H
#define BASALT_SCORING_CATALOGUE_H

namespace basalt::scoring {
/// The plugins that are lists of the rules below.
inline constexpr std::string_view kPredicatesPlugin = "predicates", kNodeOrderPlugin = "nodeorder";
}  // namespace basalt::scoring

/// Filters of the predicates plugin that depend on the class and the Node object only, in Volcano's order; the first that refuses ends the node.
///   static constexpr Reason kReason;  static bool Applies(in);  static void Refuse(in, begin, rows, refused);
#define BASALT_STATIC_FILTERS(X) X(Unschedulable) X(NodeAffinity) X(Taints)

/// Filters over columns that placements change.
///   bool Prepare(in): binds, false where the rule lets every row pass;  lanes: Pass(l, rule) -> M
#define BASALT_COLUMN_FILTERS(X) X(ResourceFit) X(PodNumber)

/// Filters of the predicates plugin over lists of the row.
///   static bool Applies(in);  static bool Refuses(in, row);
#define BASALT_LIST_FILTERS(X) X(Ports)

/// Filters that can be switched by an argument of predicates: static constexpr SwitchArgument kSwitch.
#define BASALT_SWITCHED_FILTERS(X) X(NodeAffinity) X(Ports) X(Taints)

/// Whole scores 0..100 of nodeorder, each times its weight: Volcano's batch part.
///   kName, kWeight;  bool Prepare(in): binds, false where every row gets 0;  bool ConstantsFit(): in the lanes' domain;  lanes: Score(l, rule) -> N
#define BASALT_BATCH_SCORES(X) X(LeastAllocated) X(MostAllocated) X(BalancedAllocation) X(NodeAffinityPreferred) X(TaintPreference)

/// Double scores that carry their weight: Volcano's order part, summed in the order of the configuration.
///   kKind, kPlugin, kName, kArguments, Configure(...);  bool Prepare(in, order_rule);  lanes: Value(l, rule) -> F
#define BASALT_PLUGIN_SCORES(X) X(ImageLocality) X(Binpack) X(StrategyFit)
/// The same, worked out by policies of the kernel, which read the arguments too: no Configure.
#define BASALT_POLICY_SCORES(X) X(NodeGroupScore) X(TimeDivisionScore) X(TaskTopologyScore) X(UsageScore)
#define BASALT_ORDER_SCORES(X) BASALT_PLUGIN_SCORES(X) BASALT_POLICY_SCORES(X)

#endif

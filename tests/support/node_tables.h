// Node tables, classes and profiles from a stream of numbers: seeded for tests and benchmarks, bytes for the fuzzer. No two rows are alike by design.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scoring/batch.h"

namespace basalt::test {

/// A stream of 64-bit numbers: splitmix64, or the given bytes first (then zeros).
class Stream {
 public:
  explicit Stream(uint64_t seed) : state_(seed) {}
  Stream(const uint8_t* bytes, size_t size) : bytes_(bytes), left_(size), from_bytes_(true) {}
  uint64_t Next() {
    if (from_bytes_) {
      uint64_t v = 0;
      for (int k = 0; k < 2 && left_ > 0; k++, left_--) v = v << 8 | *bytes_++;
      return v;
    }
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// 0 .. n - 1.
  uint64_t Below(uint64_t n) { return Next() % n; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_ = 0;
  const uint8_t* bytes_ = nullptr;
  size_t left_ = 0;
  bool from_bytes_ = false;
};

/// How far amounts stray from what clusters have.
enum class Amounts : uint8_t {
  kOrdinary,  ///< as clusters are: every vector stays in its domain
  kEdges,     ///< around the domain's bounds and powers of two
  kHostile,   ///< any int64
};

inline int64_t Amount(Stream* s, Amounts kind, int64_t ordinary_max) {
  static constexpr int64_t kEdges[] = {0,           1,           2,           99,          100,         101,          (1ll << 46) - 1, 1ll << 46, (1ll << 46) + 1,
                                       (1ll << 47), 81ll << 40,  82ll << 40,  1ll << 50,   (1ll << 53) - 1, 1ll << 53, (1ll << 53) + 1, 1ll << 59, (1ll << 59) - 1};
  static constexpr int64_t kHostile[] = {-1, INT64_MIN, INT64_MAX, INT64_MIN + 1, INT64_MAX - 1, -(1ll << 46), -(1ll << 53) - 1, 1ll << 62, -(1ll << 62), -5000};
  const int64_t ordinary = static_cast<int64_t>(s->Below(static_cast<uint64_t>(ordinary_max) + 1));
  if (kind == Amounts::kOrdinary || !s->OneIn(3)) return ordinary;
  if (kind == Amounts::kEdges || s->OneIn(2)) return kEdges[s->Below(std::size(kEdges))];
  return kHostile[s->Below(std::size(kHostile))];
}

struct World {
  static constexpr uint32_t kResources = 5;  ///< cpu, memory, pods and two devices; id kResources has no column
  NodeTable nodes;
  PodClass cls;
  scoring::Profile profile;
};

inline int64_t OrdinaryMax(uint32_t resource) { return resource == 0 ? 96'000 : resource == 1 ? 512ll << 30 : resource == 2 ? 110 : 8'000; }

inline void AddRows(Stream* s, size_t rows, Amounts kind, NodeTable* t) {
  t->rows = rows;
  t->moving_tasks = 1;  // idle and future differ
  t->well_known.empty = StringId{0}, t->well_known.unschedulable_taint_key = StringId{1};
  t->allocatable.resize(World::kResources), t->idle.resize(World::kResources), t->future.resize(World::kResources);
  for (uint32_t r = 0; r < World::kResources; r++) t->allocatable[r].Resize(rows), t->idle[r].Resize(rows), t->future[r].Resize(rows);
  t->present.Resize(rows), t->unschedulable.Resize(rows), t->name.Resize(rows), t->rank.Resize(rows), t->taint_set.Resize(rows);
  t->max_pods.Resize(rows), t->pod_count.Resize(rows);
  for (auto& c : t->kube_allocatable) c.Resize(rows);
  for (auto& c : t->kube_inverse) c.Resize(rows);
  for (auto& c : t->kube_requested) c.Resize(rows);
  for (auto& c : t->kube_nonzero) c.Resize(rows);
  t->images.resize(rows), t->ports.resize(rows), t->object_generation.resize(rows);

  t->labels.resize(1 + s->Below(3));
  for (uint32_t l = 0; l < t->labels.size(); l++) {
    LabelColumn& label = t->labels[l];
    label.key = StringId{100 + l};
    label.value.Resize(rows), label.number.Resize(rows), label.has_number.Resize(rows);
    for (size_t i = 0; i < rows; i++) {
      if (s->OneIn(4)) continue;
      label.value[i] = static_cast<uint32_t>(200 + s->Below(12));
      if (s->OneIn(2)) label.has_number[i] = 1, label.number[i] = static_cast<int64_t>(s->Below(9)) - 4;
    }
  }
  t->taint_sets.resize(1 + s->Below(5));
  for (size_t set = 1; set < t->taint_sets.size(); set++)
    for (uint64_t n = s->Below(4); n > 0; n--)
      t->taint_sets[set].push_back({StringId{static_cast<uint32_t>(s->Below(4))}, StringId{static_cast<uint32_t>(s->Below(3))},
                                    static_cast<objects::TaintEffect>(1 + s->Below(3))});
  for (size_t i = 0; i < rows; i++) {
    t->present[i] = !s->OneIn(16);
    t->present_count += t->present[i];
    t->unschedulable[i] = s->OneIn(10);
    t->name[i] = static_cast<uint32_t>(1000 + i), t->rank[i] = i;
    t->taint_set[i] = s->OneIn(2) ? 0 : static_cast<uint32_t>(s->Below(t->taint_sets.size()));
    for (uint32_t r = 0; r < World::kResources; r++) {
      const int64_t allocatable = r > 2 && s->OneIn(2) ? 0 : Amount(s, kind, OrdinaryMax(r));
      t->allocatable[r][i] = allocatable;
      t->idle[r][i] = kind != Amounts::kOrdinary && s->OneIn(8) ? Amount(s, kind, OrdinaryMax(r)) : SaturatingSub(allocatable, static_cast<int64_t>(s->Below(OrdinaryMax(r) + 1)) / 2);
      t->future[r][i] = s->OneIn(2) ? t->idle[r][i] : kind == Amounts::kHostile ? Amount(s, kind, OrdinaryMax(r)) : SaturatingAdd(t->idle[r][i] / 2, static_cast<int64_t>(s->Below(9000)));
    }
    t->max_pods[i] = Amount(s, kind, 110), t->pod_count[i] = Amount(s, kind, 100);
    for (int d = 0; d < 3; d++) {
      const int64_t max = d == 0 ? 96'000 : d == 1 ? 512ll << 30 : 8;
      t->SetKubeAllocatable(d, i, s->OneIn(8) ? 0 : Amount(s, kind, max));
      t->kube_requested[d][i] = s->OneIn(4) ? 0 : Amount(s, kind, max);
      if (d < 2) t->kube_nonzero[d][i] = s->OneIn(4) ? 0 : Amount(s, kind, max);
    }
    for (uint64_t n = s->OneIn(2) ? s->Below(4) : 0; n > 0; n--)
      t->images[i].push_back({StringId{static_cast<uint32_t>(300 + s->Below(4))}, Amount(s, kind, 2ll << 30), static_cast<int64_t>(s->Below(rows + 1))});
    for (uint64_t n = s->OneIn(3) ? s->Below(3) : 0; n > 0; n--)
      t->ports[i].push_back({s->OneIn(2) ? StringId{} : StringId{static_cast<uint32_t>(400 + s->Below(2))}, static_cast<int32_t>(80 + s->Below(3)),
                             static_cast<objects::Protocol>(s->Below(3)), 1});
  }
}

inline LabelTest RandomTest(Stream* s, const NodeTable& t) {
  LabelTest test;
  test.column = s->OneIn(6) ? LabelTest::kNodeName : static_cast<uint32_t>(s->Below(t.labels.size()));
  test.op = static_cast<objects::Operator>(s->Below(test.column == LabelTest::kNodeName ? 2 : 6));
  for (uint64_t n = 1 + s->Below(s->OneIn(4) ? 20 : 3); n > 0; n--)
    test.values.push_back(StringId{static_cast<uint32_t>(test.column == LabelTest::kNodeName ? 1000 + s->Below(t.rows + 1) : 200 + s->Below(12))});
  test.bound = static_cast<int64_t>(s->Below(9)) - 4;
  return test;
}

inline SelectorTerm RandomTerm(Stream* s, const NodeTable& t) {
  SelectorTerm term;
  term.never = s->OneIn(8);
  for (uint64_t n = 1 + s->Below(2); n > 0; n--) term.tests.push_back(RandomTest(s, t));
  return term;
}

inline void FillClass(Stream* s, Amounts kind, const NodeTable& t, PodClass* cls) {
  for (uint32_t r = 0; r < World::kResources + 1; r++) {
    if (r >= 3 && !s->OneIn(r == World::kResources ? 12 : 3)) continue;
    const bool hostile = kind != Amounts::kOrdinary && s->OneIn(6);
    cls->request.push_back({ResourceId{r}, s->OneIn(5) ? 0 : hostile ? Amount(s, kind, OrdinaryMax(r)) : static_cast<int64_t>(s->Below(OrdinaryMax(r) / 6 + 2))});
  }
  for (int d = 0; d < 3; d++) {
    const int64_t max = d == 0 ? 16'000 : d == 1 ? 64ll << 30 : 2;
    const Amounts request_kind = s->OneIn(4) ? kind : Amounts::kOrdinary;
    cls->kube_request[d] = s->OneIn(3) ? 0 : Amount(s, request_kind, max);
    if (d < 2) cls->kube_nonzero[d] = Amount(s, request_kind, max);
  }
  if (s->OneIn(4)) cls->node_selector.push_back(RandomTest(s, t));
  if (s->OneIn(4)) {
    cls->has_required = true;
    for (uint64_t n = s->Below(3); n > 0; n--) cls->required_terms.push_back(RandomTerm(s, t));
  }
  for (uint64_t n = s->OneIn(2) ? s->Below(4) : 0; n > 0; n--) cls->preferred_terms.push_back({static_cast<int32_t>(s->Below(101)), RandomTerm(s, t)});
  for (uint64_t n = s->Below(4); n > 0; n--)
    cls->tolerations.push_back({s->OneIn(4) ? StringId{} : StringId{static_cast<uint32_t>(s->Below(4))}, StringId{static_cast<uint32_t>(s->Below(3))},
                                static_cast<objects::TolerationOperator>(s->Below(3)), static_cast<objects::TaintEffect>(s->Below(4))});
  for (uint64_t n = s->OneIn(3) ? s->Below(3) : 0; n > 0; n--)
    cls->ports.push_back({s->OneIn(2) ? StringId{} : StringId{static_cast<uint32_t>(400 + s->Below(2))}, static_cast<int32_t>(80 + s->Below(3)),
                          static_cast<objects::Protocol>(s->Below(3))});
  for (uint64_t n = s->OneIn(2) ? s->Below(3) : 0; n > 0; n--) cls->images.push_back(StringId{static_cast<uint32_t>(300 + s->Below(4))});
  cls->image_containers = static_cast<int32_t>(s->Below(3));
  if (s->OneIn(4)) {
    cls->strategy.kind = static_cast<PodStrategy::Kind>(s->Below(4));
    for (uint32_t r = 0; r < World::kResources; r++)
      if (s->OneIn(2)) cls->strategy.weights.push_back({ResourceId{r}, static_cast<int64_t>(s->Below(7)) - 2});
  }
}

inline void FillProfile(Stream* s, scoring::Profile* p) {
  using scoring::OrderRule;
  const auto weight = [&] { return s->OneIn(3) ? 0 : static_cast<int64_t>(s->Below(12)) - 2; };
  p->predicates = !s->OneIn(6);
  p->node_affinity = !s->OneIn(6), p->node_ports = !s->OneIn(6), p->taint_toleration = !s->OneIn(6);
  p->least_requested = weight(), p->most_requested = weight(), p->balanced_resource = weight(), p->node_affinity_weight = weight(), p->taint_weight = weight();
  for (uint64_t n = s->Below(4); n > 0; n--) {
    OrderRule rule{};
    rule.kind = static_cast<OrderRule::Kind>(s->Below(3));
    rule.weight = weight(), rule.binpack.weight = weight();
    for (uint32_t r = 0; r < World::kResources; r++)
      if (!s->OneIn(3)) rule.binpack.resources.emplace_back(ResourceId{r}, static_cast<int64_t>(s->Below(4)));
    rule.strategy.weight = static_cast<int64_t>(s->Below(12)), rule.strategy.sra_weight = s->OneIn(2) ? 0 : static_cast<int64_t>(s->Below(12));
    for (uint32_t r = 0; r < World::kResources; r++) rule.strategy.resolved.push_back({!s->OneIn(3), s->OneIn(2), static_cast<int64_t>(1 + s->Below(3))});
    for (uint32_t r = 3; r <= World::kResources; r++) {
      const int64_t w = static_cast<int64_t>(s->Below(3));
      rule.strategy.sra_resources.emplace_back(ResourceId{r}, w), rule.strategy.sra_weight_sum += w;
    }
    p->order.push_back(rule);
  }
  if (s->OneIn(4)) {
    scoring::StrategyFitArgs args;
    args.before_predicates = s->OneIn(2);
    for (uint32_t r = 3; r <= World::kResources; r++) args.proportional.push_back({ResourceId{r}, static_cast<double>(s->Below(5)) / 2, static_cast<double>(s->Below(9)) / 4});
    p->proportional.push_back(args);
  }
}

inline World MakeWorld(Stream* s, size_t rows, Amounts kind) {
  World w;
  AddRows(s, rows, kind, &w.nodes);
  FillClass(s, kind, w.nodes, &w.cls);
  FillProfile(s, &w.profile);
  return w;
}

}  // namespace basalt::test

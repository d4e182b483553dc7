// What a cycle costs when nothing, and when one pod, has changed: 10,000 nodes, 100,000 running pods. The peer is a pass over as many node keys as there are
// nodes, the least that a scheduler without kept state would do.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <numeric>
#include <string>

#include "tests/support/door.h"

namespace {

using basalt::test::Door;

constexpr int kNodes = 10'000, kPods = 100'000;

Door& Cluster() {
  static Door* door = [] {
    auto* d = new Door(true);  // lives as long as the process
    std::string nodes = R"({"kind":"NodeList","apiVersion":"v1","items":[)", pods = R"({"kind":"PodList","apiVersion":"v1","items":[)";
    for (int n = 0; n < kNodes; n++) nodes += (n ? "," : "") + basalt::test::NodeJson("n" + std::to_string(n), "64");
    for (int p = 0; p < kPods; p++) pods += (p ? "," : "") + basalt::test::PodJson("g" + std::to_string(p / 100), "p-w-" + std::to_string(p), "1", "n" + std::to_string(p % kNodes));
    d->Upsert(nodes + "]}");
    for (int g = 0; g < kPods / 100; g++) d->Upsert(basalt::test::GroupJson("g" + std::to_string(g), 100, "Running"));
    d->Upsert(basalt::test::QueueJson("default"));
    d->Upsert(pods + "]}");
    d->Cycle();
    return d;
  }();
  return *door;
}

void IdleCycle(benchmark::State& state) {
  Door& door = Cluster();
  if (!door.Cycle().empty()) state.SkipWithError("a cycle without events wants to write");
  int64_t now = 1'900'000'000'000'000'000;
  for (auto _ : state) basalt_cycle(door.engine(), now += 1'000'000'000, 0, nullptr);
}
BENCHMARK(IdleCycle);

void OnePodComesAndIsPlaced(benchmark::State& state) {
  Door& door = Cluster();
  door.Upsert(basalt::test::GroupJson("single", 1));
  int64_t i = 0;
  for (auto _ : state) {
    const std::string pod = basalt::test::PodJson("single", "single-w-" + std::to_string(i++), "1");
    door.Upsert(pod);
    size_t binds = 0;
    for (const auto& w : door.Cycle()) binds += w.kind == BASALT_WRITE_BIND;
    if (binds != 1) return state.SkipWithError("the pod is not bound");
    door.Remove(pod);
  }
}
BENCHMARK(OnePodComesAndIsPlaced)->Unit(benchmark::kMicrosecond);

void PassOverKeysOfNodes(benchmark::State& state) {
  std::vector<double> keys(kNodes, 1.0);
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(keys.begin(), keys.end(), 0.0));
}
BENCHMARK(PassOverKeysOfNodes);

}  // namespace

// openb-sample: a node list and a pod list in the columns of the openb trace, with numbers of our own.
#include <fmt/format.h>

#include "cli/generate/scenario.h"

namespace basalt::cli {

namespace {

struct Shape {
  int64_t cpu_milli, memory_mib, gpu;
  const char* model;
};
constexpr Shape kShapes[] = {{64'000, 262'144, 0, ""}, {96'000, 393'216, 2, "P100"}, {96'000, 786'432, 8, "T4"}, {128'000, 786'432, 8, "G2"}};

std::string Nodes(const Sizes& sizes, Random* random) {
  std::string out = "sn,cpu_milli,memory_mib,gpu,model\n";
  for (int64_t i = 0; i < sizes.nodes; i++) {
    const Shape& s = kShapes[random->Below(std::size(kShapes))];
    out += fmt::format("{},{},{},{},{}\n", Numbered("sample-node", i, sizes.nodes), s.cpu_milli, s.memory_mib, s.gpu, s.model);
  }
  return out;
}

std::string Pods(const Sizes& sizes, Random* random) {
  constexpr const char* kSpecs[] = {"T4", "G2", "P100", "T4|G2"};
  std::string out = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";
  int64_t created = 0;
  for (int64_t i = 0; i < sizes.pods; i++) {
    const bool gpu = random->Percent(70), shared = gpu && random->Percent(40);
    const int64_t cards = !gpu ? 0 : shared ? 1 : int64_t{1} << random->Below(4);
    const int64_t milli = !gpu ? 0 : shared ? static_cast<int64_t>(random->Below(19) + 1) * 50 : 1000;
    created += static_cast<int64_t>(random->Below(3600));
    out += fmt::format("{},{},{},{},{},{},{},Running,{},{},{}\n", Numbered("sample-pod", i, sizes.pods), (random->Below(16) + 1) * 1000,
                       (random->Below(16) + 1) * 2048, cards, milli, gpu && random->Percent(15) ? kSpecs[random->Below(std::size(kSpecs))] : "",
                       random->Percent(60) ? "LS" : "BE", created, created + 86'400, created + 5);
  }
  return out;
}

std::string Csv(const Sizes& sizes, uint64_t seed, bool pods) {
  Random random(seed * 2 + pods);
  return pods ? Pods(sizes, &random) : Nodes(sizes, &random);
}

}  // namespace

const Scenario kOpenbSample{"openb-sample", "a CSV node list or pod list (--list) as the openb trace has them", {.nodes = 24, .pods = 240}, nullptr, &Csv};

}  // namespace basalt::cli

// Where a cycle's time goes, by policy and action. The kernel reads no clock: whoever wants the times gives it one.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace basalt {

struct StageTime {
  enum Stage : uint8_t { kOpenPolicy, kAction, kClose } stage;
  uint16_t index;  ///< of the policy in its catalogue, of the action in the configuration
  int64_t ns;
};

struct StageTimes {
  std::function<int64_t()> clock;  ///< nanoseconds; empty: nothing is measured
  std::vector<StageTime> times;    ///< of the last cycle that decided anew

  template <class F>
  void Measure(StageTime::Stage stage, size_t index, const F& work) {
    if (!clock) return work();
    const int64_t start = clock();
    work();
    times.push_back({stage, static_cast<uint16_t>(index), clock() - start});
  }
};

}  // namespace basalt

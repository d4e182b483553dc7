#include "cli/bench/statistics.h"

#include <algorithm>

#include "cli/generate/random.h"

namespace basalt::cli {

namespace {

constexpr size_t kResamples = 2000;

std::vector<double> Resampled(const std::vector<double>& samples, Random* random) {
  std::vector<double> out(samples.size());
  for (double& x : out) x = samples[random->Below(samples.size())];
  return out;
}

template <class Draw>
Interval Bootstrap(uint64_t seed, const Draw& draw) {
  Random random(seed);
  std::vector<double> values(kResamples);
  for (double& v : values) v = draw(&random);
  std::sort(values.begin(), values.end());
  return {values[kResamples / 40], values[kResamples - 1 - kResamples / 40]};
}

}  // namespace

double Median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const size_t middle = samples.size() / 2;
  return samples.size() % 2 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

Interval MedianInterval(const std::vector<double>& samples, uint64_t seed) {
  if (samples.empty()) return {};
  return Bootstrap(seed, [&](Random* random) { return Median(Resampled(samples, random)); });
}

Interval RatioInterval(const std::vector<double>& above, const std::vector<double>& below, uint64_t seed) {
  if (above.empty() || below.empty()) return {};
  return Bootstrap(seed, [&](Random* random) {
    const double over = Median(Resampled(above, random)), under = Median(Resampled(below, random));
    return under > 0 ? over / under : 0;
  });
}

}  // namespace basalt::cli

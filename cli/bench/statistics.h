// Medians and how far they can be trusted.
#pragma once
#include <cstdint>
#include <vector>

namespace basalt::cli {

/// Of an even number the mean of the middle two; 0 of none.
double Median(std::vector<double> samples);

struct Interval {
  double low = 0, high = 0;
};

/// The 95 % bootstrap interval of the median: percentiles of the medians of 2,000 resamples, seeded, so that the same samples give the same interval.
Interval MedianInterval(const std::vector<double>& samples, uint64_t seed = 1);
/// The same for the ratio of two medians.
Interval RatioInterval(const std::vector<double>& above, const std::vector<double>& below, uint64_t seed = 1);

}  // namespace basalt::cli

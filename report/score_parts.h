// The columns that `score --by` shows beside the total, the same for every configuration that is compared.
#pragma once
#include <string>
#include <vector>

#include "scoring/batch.h"

namespace basalt {

enum class ScoreBy : uint8_t {
  kSum,     ///< the total alone
  kPlugin,  ///< a column per plugin; added from left to right they are the total to the bit
  kRule,    ///< a column per rule: first those that Volcano adds node by node, then those of its batch; each group added, then the two, are the total
};

/// A plugin has one column, with two exceptions: a plugin with rules in both groups has one for each order rule and one for its batch rules ("nodeorder.imagelocality",
/// "nodeorder"), and one that stands twice, or elsewhere in another configuration, comes again with a number ("binpack#2"). Otherwise the sums could
/// differ in their last bit.
class ScoreColumns {
 public:
  explicit ScoreColumns(ScoreBy by) : by_(by) {}
  /// Makes room for the parts of a further configuration.
  void Add(const scoring::Profile& profile);
  size_t size() const { return order_.size() + batch_.size(); }
  std::vector<std::string> Names() const;
  /// The column of each of scoring::ScoreParts(profile). Precondition: the profile was added.
  std::vector<size_t> Places(const scoring::Profile& profile) const;

 private:
  const ScoreBy by_;
  std::vector<std::string> order_, batch_;
};

}  // namespace basalt

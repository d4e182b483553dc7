// ResourceQuotas and the votes of policy resourcequota, by the verifier's own count (volcano-core, section 7.7).
#pragma once
#include <map>
#include <string>

#include "report/verify_cluster.h"

namespace basalt::verify {

struct Cycle;

/// A request under every name by which quotas may limit it.
NamedQuantities QuotaNames(const Dimensions& dims, const Amounts& request);

class QuotaVotes {
 public:
  explicit QuotaVotes(const Cycle& cycle);
  /// Would the minimum of a group fit the quotas of its namespace? yes stays true where it certainly does, no becomes true where it certainly does not:
  /// which groups of the namespace were admitted before it is not known.
  void Vote(int group, bool* yes, bool* no) const;

 private:
  struct Space {
    std::vector<const Quota*> quotas;
    NamedQuantities admitted;  ///< minimums of the groups that this cycle admits
    NamedQuantities use;       ///< what pods on nodes ask, where an earlier cycle bound one: then that is the use
  };
  bool Admits(int group) const;

  const Cycle& c_;
  std::map<std::string, Space, std::less<>> spaces_;  ///< by namespace, those with a quota
};

}  // namespace basalt::verify

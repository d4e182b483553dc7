#include "report/verify_queue_tree.h"

#include <map>
#include <string>

namespace basalt::verify {

QueuePlaces::QueuePlaces(const std::vector<Queue>& queues) : above(queues.size(), kNone), placed(queues.size()), inner(queues.size()) {
  std::multimap<std::string, int> children;
  for (size_t q = 0; q < queues.size(); q++) {
    if (queues[q].name == "root") order.push_back(static_cast<int>(q)), placed[q] = 1;
    else children.emplace(queues[q].parent.empty() ? "root" : queues[q].parent, static_cast<int>(q));
  }
  for (size_t i = 0; i < order.size(); i++) {
    const auto [begin, end] = children.equal_range(queues[static_cast<size_t>(order[i])].name);
    for (auto child = begin; child != end; ++child) {
      const auto q = static_cast<size_t>(child->second);
      above[q] = order[i], placed[q] = 1, inner[static_cast<size_t>(order[i])] = 1;
      order.push_back(child->second);
    }
  }
}

bool QueuePlaces::IsBelow(int queue, int other) const {
  for (; queue != kNone; queue = above[static_cast<size_t>(queue)])
    if (queue == other) return true;
  return false;
}

}  // namespace basalt::verify

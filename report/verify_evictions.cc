// Evictions: nobody that is protected, nobody without somebody who takes the place, and with the setting `minimal` nobody who could have stayed.
#include <algorithm>
#include <map>

#include "report/verify_cycle.h"

namespace basalt::verify {
namespace {

struct Place {
  std::vector<int> evicted, waiting;  ///< waiting: pods that this cycle pipelined here
};

// Would all that waits still fit beside the pod? Its resources count where somebody who waits asks for them.
bool CouldStay(const Cycle& c, const Ceilings& ceilings, int node, const Place& place, int victim) {
  const PodClass& stays = c.ClassOf(victim);
  for (const int w : place.waiting) {
    // It may have gone for the limit of the queue.
    const int group = c.PodAt(victim).group;
    if (c.InSession(group) && c.InSession(c.PodAt(w).group) && c.GroupAt(group).queue == c.GroupAt(c.PodAt(w).group).queue && !ceilings.Takes(c.GroupAt(group).queue, stays)) return false;
    for (const Amount& asked : c.ClassOf(w).request)
      for (const Amount& held : stays.request)
        if (held.dim == asked.dim && SaturatingSub(c.end.Future(node, held.dim), held.value) < 0) return false;
    for (const Port& a : stays.ports)
      for (const Port& b : c.ClassOf(w).ports)
        if (Clash(a, b)) return false;
  }
  return !c.settings.predicates || c.end.PodCount(node) < c.cluster.nodes[static_cast<size_t>(node)].max_pods;
}

}  // namespace

void CheckEvictions(const Cycle& c, const Ceilings& ceilings) {
  std::map<int, Place> places;
  const bool shuffles = c.settings.Has("shuffle");
  for (size_t i = 0; i < c.after.status.size(); i++) {
    const int p = static_cast<int>(i);
    const Status before = c.Before(p), after = c.After(p);
    if (after == Status::kPipelined) places[c.after.node[i]].waiting.push_back(p);
    if (after != Status::kReleasing || before == Status::kReleasing) continue;
    places[c.after.node[i]].evicted.push_back(p);
    const Pod& pod = c.PodAt(p);
    const auto refuse = [&](const std::string& why) { c.Report(FindingKind::kEviction, "pod " + pod.key + " is evicted though " + why); };
    if (!pod.preemptable && !shuffles) refuse("its annotation or label volcano.sh/preemptable forbids it");
    if (pod.critical && c.settings.minimal) refuse("it is critical for the cluster");
    const bool only_reclaims = c.settings.Has("reclaim") && !c.settings.Has("preempt") && !c.settings.Has("gangpreempt") && !c.settings.Has("gangreclaim") && !shuffles;
    if (only_reclaims && c.InSession(pod.group) && !c.cluster.queues[static_cast<size_t>(c.GroupAt(pod.group).queue)].reclaimable) refuse("nothing may be reclaimed from its queue");
  }
  if (shuffles) return;  // there nobody takes the place
  const bool for_gangs = c.settings.Has("gangpreempt") || c.settings.Has("gangreclaim");
  if (for_gangs && !c.settings.minimal) return;  // Volcano takes whole bundles, of use or not
  struct Broken { bool of_use = false; std::vector<std::string> useless; };
  std::map<int, Broken> broken;  // gangs that fell below their minimum for another gang go as a whole: one pod of use is enough
  for (const auto& [node, place] : places) {
    if (node == kNone) continue;
    for (const int victim : place.evicted) {
      const std::string subject = "pod " + c.PodAt(victim).key + " is evicted from node " + c.cluster.nodes[static_cast<size_t>(node)].name;
      std::string useless;
      if (place.waiting.empty()) useless = subject + ", where nobody waits for its room";
      else if (c.settings.minimal && CouldStay(c, ceilings, node, place, victim)) useless = subject + ", but all that waits there would fit beside it";
      const int group = c.PodAt(victim).group;
      if (for_gangs && c.InSession(group) && !JobReady(c, group, c.after)) {
        Broken& b = broken[group];
        if (useless.empty()) b.of_use = true;
        else b.useless.push_back(useless);
      } else if (!useless.empty()) {
        c.Report(FindingKind::kEviction, useless);
      }
    }
  }
  for (const auto& [group, b] : broken)
    if (!b.of_use)
      for (const std::string& useless : b.useless) c.Report(FindingKind::kEviction, useless);
}

}  // namespace basalt::verify

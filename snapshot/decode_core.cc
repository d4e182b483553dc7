// The small kinds: ResourceQuota, ConfigMap, PodDisruptionBudget.
#include "snapshot/decode_walk.h"

namespace basalt::decode {

void ReadResourceQuotaStatus(Walk& w, objects::ResourceQuota* quota) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kHard: quota->hard = ReadResourceList(w, "hard limit"); break;
      case Key::kUsed: quota->used = ReadResourceList(w, "use"); break;
      default: w.Skip();
    }
}

void ReadConfigMapData(Walk& w, objects::ConfigMap* config_map) {
  for (Members m(w); m.Next();) {
    if (m.key == "volcano-scheduler.conf") config_map->has_scheduler_conf = true, config_map->scheduler_conf = w.String();
    else w.Skip();
  }
}

void ReadPodDisruptionBudgetSpec(Walk& w, objects::PodDisruptionBudget* budget) {
  for (Fields f(w); f.Next();) {
    if (f.key != Key::kSelector) {
      w.Skip();
      continue;
    }
    for (Fields s(w); s.Next();) switch (s.key) {
        case Key::kMatchLabels: budget->match_labels = ReadKeyValues(w); break;
        case Key::kMatchExpressions: budget->expressions = w.List(w.requirements, [&](objects::Requirement* r) { ReadRequirement(w, r); }); break;
        default: w.Skip();
      }
  }
}

void ReadPodDisruptionBudgetStatus(Walk& w, objects::PodDisruptionBudget* budget) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kDisruptionsAllowed: budget->disruptions_allowed = w.Int32(); break;
      case Key::kDisruptedPods:
        w.strings.clear();
        for (Members m(w, Members::Nulls::kValues); m.Next(); w.Skip()) w.strings.push_back(m.key);  // null is a time too
        budget->disrupted_pods = w.arena->Copy(w.strings);
        break;
      default: w.Skip();
    }
}

}  // namespace basalt::decode

// The small kinds: ResourceQuota, ConfigMap, PodDisruptionBudget, MetricValue.
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

// custom.metrics.k8s.io: v1beta2 says metric.name, v1beta1 metricName.
bool ReadMetricValueField(Walk& w, Key key, objects::MetricValue* metric) {
  switch (key) {
    case Key::kDescribedObject: {
      std::string_view kind, name;
      for (Fields f(w); f.Next();) switch (f.key) {
          case Key::kKind: kind = w.String(); break;
          case Key::kName: name = w.String(); break;
          default: w.Skip();
        }
      metric->meta.name = name;
      if (kind == "Node") metric->node = name;
      return true;
    }
    case Key::kMetric:
      for (Fields f(w); f.Next();)
        if (f.key == Key::kName) metric->metric = w.String();
        else w.Skip();
      return true;
    case Key::kMetricName: return metric->metric = w.String(), true;
    case Key::kTimestamp: return metric->seconds = ReadTime(w), true;
    case Key::kValue: return metric->value = w.NonNegative("value"), true;
    default: return false;
  }
}

void NameMetricValue(Walk& w, objects::MetricValue* metric) {
  if (!w.Ok()) return;
  const std::string name = std::string(metric->meta.name) + '/' + std::string(metric->metric);
  if (metric->meta.name.empty()) return w.Fail(0, "missing name", "describedObject");
  if (metric->metric.empty()) return w.Fail(0, "missing name", "metric");
  if (!IsUsableName(name)) return w.Fail(0, "bad name of an object or a metric", "describedObject");
  metric->meta.name = w.arena->Copy(std::string_view(name));
  metric->meta.resource_version = metric->seconds > 0 ? static_cast<uint64_t>(metric->seconds) : 0;
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

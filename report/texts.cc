#include "report/texts.h"

#include <algorithm>
#include <cinttypes>
#include <map>

#include "kernel/actions/catalogue.h"
#include "scoring/batch.h"

namespace basalt {
namespace {

constexpr uint16_t kReasonBits[] = {scoring::kReasonResource, scoring::kReasonPodNumber,   scoring::kReasonUnschedulable, scoring::kReasonNodeAffinity,
                                   scoring::kReasonTaint,    scoring::kReasonPorts, scoring::kReasonProportional,
                                    scoring::kReasonPolicy};

std::string_view PodName(std::string_view key) { return key.substr(key.find('/') + 1); }

std::string NodesText(int64_t nodes, const std::string& histogram) {
  std::string text = "0/" + std::to_string(nodes) + " nodes are unavailable";
  if (nodes > 0) text += ": " + histogram + ".";
  return text;
}

}  // namespace

std::string HeldText(std::string_view node) { return std::string(node).append(" (allocated, not dispatched)"); }

std::string_view PhaseText(GroupPhase phase) {
  static constexpr std::string_view kTexts[] = {"", "Pending", "Inqueue", "Running", "Unknown", "Completed"};
  return kTexts[static_cast<int>(phase)];
}

std::string_view StatusText(TaskStatus status) {
  static constexpr std::string_view kTexts[] = {"Pending", "Allocated", "Pipelined", "Binding", "Bound", "Running", "Releasing", "Succeeded", "Failed", "Unknown"};
  return kTexts[static_cast<int>(status)];
}

namespace {

std::string PolicyText(const Store& store, PolicyReason reason, StringId name) {
  const std::string about(name ? store.names.Text(name) : "");
  switch (reason) {
    case PolicyReason::kNone: break;
    case PolicyReason::kGroupLabelMissing: return "node group label not found";
    case PolicyReason::kGroupNotWanted: return "node group affinity not specified";
    case PolicyReason::kGroupMismatch: return "node does not satisfy the node group affinity";
    case PolicyReason::kGroupLimit: return "node group resource limit exceeded";
    case PolicyReason::kGroupLimitsInvalid: return "node group resource limits annotation invalid";
    case PolicyReason::kZoneInactive: return "current time beyond revocable zone " + about;
    case PolicyReason::kZoneUnknown: return "revocable zone " + about + " not support";
    case PolicyReason::kNotInShard: return "node isn't in scheduler node shard";
    case PolicyReason::kZoneNotAllowed: return "not allow to dispatch to revocable node";
    case PolicyReason::kCpuLoad: return "the CPU load of the node exceeds the upper limit";
    case PolicyReason::kMemoryLoad: return "the memory load of the node exceeds the upper limit";
  }
  return "";
}

}  // namespace

std::string ReasonText(const Store& store, uint16_t bit, ResourceId resource, PolicyReason policy, StringId name) {
  switch (bit) {
    case scoring::kReasonResource: return "Insufficient " + std::string(store.ResourceName(resource));
    case scoring::kReasonPodNumber: return "node(s) pod number exceeded";
    case scoring::kReasonUnschedulable: return "node(s) were unschedulable";
    case scoring::kReasonNodeAffinity: return "node(s) didn't match Pod's node affinity/selector";
    case scoring::kReasonTaint: return "node(s) had untolerated taint(s)";
    case scoring::kReasonPorts: return "node(s) didn't have free ports for the requested pod ports";
    case scoring::kReasonProportional: return "proportional of resource " + std::string(store.ResourceName(resource)) + " check failed";
    case scoring::kReasonPolicy: return PolicyText(store, policy, name);
    default: return "";
  }
}

std::vector<std::string> ReasonTexts(const Store& store, const scoring::RowReason& reason, const NodeRules* rules) {
  std::vector<std::string> texts;
  for (const uint16_t bit : kReasonBits) {
    if (!(reason.bits & bit)) continue;
    const NodeRules::Refusal refusal = bit == scoring::kReasonPolicy ? rules->RefusalOf(reason.policy) : NodeRules::Refusal{};
    texts.push_back(ReasonText(store, bit, reason.resource, refusal.reason, refusal.name));
  }
  return texts;
}

std::string JoinHistogram(std::vector<std::pair<int64_t, std::string>> entries) {
  std::vector<std::string> texts;
  for (const auto& [count, reason] : entries) texts.push_back(std::to_string(count) + " " + reason);
  std::sort(texts.begin(), texts.end());
  std::string joined;
  for (const std::string& t : texts) joined += (joined.empty() ? "" : ", ") + t;
  return joined;
}

std::string FitErrorText(const Store& store, const FitError& error, PodId pod) {
  switch (error.kind) {
    case FitError::kRoleFailed:
      return "Task " + std::string(PodName(store.pods[pod.value].key)) + " with role spec " + std::string(store.names.Text(error.role)) +
             " has already predicated failed, skip";
    case FitError::kUnsupported: return "not supported yet: " + std::string(store.names.Text(error.field));
    case FitError::kTermsConflict: {
      const auto nodes = static_cast<int64_t>(store.nodes.present_count);
      return NodesText(nodes, std::to_string(nodes) + " plugin NodeAffinity pre-predicates failed pod affinity terms conflict");
    }
    case FitError::kNodes: break;
  }
  std::map<std::string, int64_t> counts;
  for (const ReasonCount& r : error.reasons)
    for (const uint16_t bit : kReasonBits)
      if (r.bits & bit) counts[ReasonText(store, bit, r.resource, r.policy, r.name)] += r.nodes;
  std::vector<std::pair<int64_t, std::string>> entries;
  for (const auto& [reason, count] : counts) entries.emplace_back(count, reason);
  return NodesText(error.nodes, JoinHistogram(std::move(entries)));
}

std::string GroupText(const Store& store, const Plan& plan, const GroupVerdict& g) {
  std::vector<std::pair<int64_t, std::string>> entries;
  for (int s = 0; s < kTaskStatusCount; s++)
    if (g.counts[s]) entries.emplace_back(g.counts[s], StatusText(static_cast<TaskStatus>(s)));
  entries.emplace_back(g.min_available, "minAvailable");
  std::string text = (g.ready ? "pod group is ready, " : "pod group is not ready, ") + JoinHistogram(std::move(entries));
  if (g.counts[static_cast<int>(TaskStatus::kPending)]) {
    std::vector<std::pair<int64_t, std::string>> reasons;
    if (g.pending_schedulable) reasons.emplace_back(g.pending_schedulable, "Schedulable");
    if (g.pending_unschedulable) reasons.emplace_back(g.pending_unschedulable, "Unschedulable");
    text += "; Pending: " + JoinHistogram(std::move(reasons));
  }
  if (g.origin) text += ". Origin reason is " + std::string(PodName(store.pods[g.origin.value].key)) + ": " + FitErrorText(store, plan.fit_errors[g.origin_error], g.origin);
  return text;
}

ConditionText VerdictText(const Store& store, const Plan& plan, const TaskVerdict& v, const std::string& group_text) {
  const std::string pod = "Pod " + std::string(store.pods[v.pod.value].key) + " can possibly be assigned to ";
  switch (v.kind) {
    case TaskVerdict::kSchedulable: return {"Schedulable", pod + std::string(store.NodeName(v.node)) + ", once minAvailable is satisfied"};
    case TaskVerdict::kPipelined:
      return {"Unschedulable", pod + std::string(store.NodeName(v.node)) + ", once resource is released and minAvailable is satisfied"};
    case TaskVerdict::kFit: return {"Unschedulable", FitErrorText(store, plan.fit_errors[v.fit_error], v.pod)};
    case TaskVerdict::kGroup: return {"Unschedulable", group_text};
  }
  return {};
}

std::string RefusalText(const Store& store, const EnqueueRefusal* refusal, QueueId own_queue) {
  if (!refusal || (refusal->exceeded.empty() && refusal->quota_exceeded.empty())) return "";
  std::string text = ": short of";
  for (const ResourceId d : refusal->exceeded) text += " " + std::string(store.ResourceName(d));
  for (const StringId name : refusal->quota_exceeded) text += " quota for " + std::string(store.names.Text(name));
  if (refusal->queue && refusal->queue != own_queue) text += " in queue " + std::string(store.QueueName(refusal->queue));
  return text;
}

std::string EvictionText(const Store& store, const Eviction& e) {
  std::string text = "evicted by " + std::string(NameOf(e.action));
  if (e.by) text += " for " + std::string(store.pods[e.by.value].key);
  return text;
}

GroupCondition GangCondition(const GroupVerdict& g, const std::string& group_text) {
  if (g.gang_ready) return {"Scheduled", "True", "tasks in gang are ready to be scheduled", "", ""};
  return {"Unschedulable", "True", "NotEnoughResources",
          std::to_string(g.unready_tasks) + "/" + std::to_string(g.tasks) + " tasks in gang unschedulable: " + group_text, ""};
}

std::string AmountText(const Store&, ResourceId resource, int64_t amount) {
  const auto trimmed = [](double v, const char* suffix) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%.2f", v);
    std::string s(buffer);
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s + suffix;
  };
  if (resource == kPods) return std::to_string(amount);
  if (resource == kMemory) {
    static constexpr const char* kSuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    double v = static_cast<double>(amount);
    int i = 0;
    while ((v >= 1024 || v <= -1024) && i < 6) v /= 1024, i++;
    return trimmed(v, kSuffixes[i]);
  }
  if (amount % 1000 == 0) return std::to_string(amount / 1000);
  return resource == kCpu ? std::to_string(amount) + "m" : trimmed(static_cast<double>(amount) / 1000, "");
}

}  // namespace basalt

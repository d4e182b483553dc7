// PodGroup, Queue (scheduling.volcano.sh/v1beta1) and HyperNode (topology.volcano.sh/v1alpha1).
#include "snapshot/decode_walk.h"

namespace basalt::decode {
namespace {

void ReadCondition(Walk& w, objects::PodGroupCondition* condition) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kType: condition->type = w.String(); break;
      case Key::kStatus: condition->status = w.String(); break;
      case Key::kReason: condition->reason = w.String(); break;
      case Key::kMessage: condition->message = w.String(); break;
      case Key::kTransitionId: condition->transition_id = w.String(); break;
      case Key::kLastTransitionTime: condition->transition_seconds = ReadTime(w); break;
      default: w.Skip();
    }
}

/// An object with one string, as {exactMatch: {name: x}}.
std::string_view ReadOnly(Walk& w, Key key) {
  std::string_view text;
  for (Fields f(w); f.Next();)
    if (f.key == key) text = w.String();
    else w.Skip();
  return text;
}

void ReadMember(Walk& w, objects::HyperNodeMember* member) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kType: {
        const size_t token = w.Token();
        const std::string_view type = w.String();
        member->is_hypernode = type == "HyperNode";
        if (!member->is_hypernode && type != "Node") w.Unknown("member type", token);
        break;
      }
      case Key::kSelector:
        for (Fields s(w); s.Next();) switch (s.key) {
            case Key::kExactMatch: member->exact_name = ReadOnly(w, Key::kName); break;
            case Key::kRegexMatch: member->regex_pattern = ReadOnly(w, Key::kPattern); break;
            case Key::kLabelMatch: member->has_label_match = true, w.Skip(); break;
            default: w.Skip();
          }
        break;
      default: w.Skip();
    }
}

void ReadGroupNames(Walk& w, std::span<const std::string_view>* required, std::span<const std::string_view>* preferred) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kRequiredTerms: *required = w.Strings(); break;
      case Key::kPreferredTerms: *preferred = w.Strings(); break;
      default: w.Skip();
    }
}

void ReadQueueAffinity(Walk& w, objects::QueueAffinity* affinity) {
  affinity->present = w.Here() == '{';
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kNodeGroupAffinity: ReadGroupNames(w, &affinity->required, &affinity->preferred); break;
      case Key::kNodeGroupAntiAffinity: ReadGroupNames(w, &affinity->anti_required, &affinity->anti_preferred); break;
      default: w.Skip();
    }
}

}  // namespace

void ReadPodGroupSpec(Walk& w, objects::PodGroup* group) {
  bool topology = false, sub_groups = false;
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kMinMember: group->min_member = w.Int32(); break;
      case Key::kQueue: group->queue = w.String(); break;
      case Key::kPriorityClassName: group->priority_class_name = w.String(); break;
      case Key::kMinResources: group->has_min_resources = true, group->min_resources = ReadResourceList(w, "minimum"); break;
      case Key::kMinTaskMember:
        w.task_mins.clear();
        for (Members m(w); m.Next();) w.task_mins.push_back({m.key, w.Int32()});
        group->min_task_member = w.arena->Copy(w.task_mins);
        break;
      case Key::kNetworkTopology:
        topology = true;
        if (w.Here() != '{') w.WrongType("an object");
        w.Skip();
        break;
      case Key::kSubGroupPolicy:
        for (Items items(w); items.Next(); w.Skip()) sub_groups = true;
        break;
      default: w.Skip();
    }
  if (topology) group->unsupported_field = "/spec/networkTopology";
  else if (sub_groups) group->unsupported_field = "/spec/subGroupPolicy";
}

void ReadPodGroupStatus(Walk& w, objects::PodGroup* group) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kPhase: group->phase = w.String(); break;
      case Key::kConditions: group->conditions = w.List(w.conditions, [&](objects::PodGroupCondition* c) { ReadCondition(w, c); }); break;
      case Key::kRunning: group->running = w.Int32(); break;
      case Key::kSucceeded: group->succeeded = w.Int32(); break;
      case Key::kFailed: group->failed = w.Int32(); break;
      default: w.Skip();
    }
}

void ReadQueueSpec(Walk& w, objects::Queue* queue) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kWeight: queue->weight = w.Int32(); break;
      case Key::kPriority: queue->priority = w.Int32(); break;
      case Key::kReclaimable: queue->reclaimable = w.Bool(); break;
      case Key::kAffinity: ReadQueueAffinity(w, &queue->affinity); break;
      case Key::kParent: queue->parent = w.String(); break;
      case Key::kCapability: queue->capability = ReadResourceList(w, "capability"); break;
      case Key::kDeserved: queue->deserved = ReadResourceList(w, "deserved"); break;
      case Key::kGuarantee:
        for (Fields g(w); g.Next();)
          if (g.key == Key::kResource) queue->guarantee = ReadResourceList(w, "guarantee");
          else w.Skip();
        break;
      default: w.Skip();
    }
}

void ReadQueueStatus(Walk& w, objects::Queue* queue) {
  for (Fields f(w); f.Next();)
    if (f.key == Key::kState) queue->state = w.String();
    else w.Skip();
}

void ReadHyperNodeSpec(Walk& w, objects::HyperNode* hyper_node) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kTier: hyper_node->tier = w.Int32(); break;
      case Key::kTierName: hyper_node->tier_name = w.String(); break;
      case Key::kMembers: hyper_node->members = w.List(w.members, [&](objects::HyperNodeMember* m) { ReadMember(w, m); }); break;
      default: w.Skip();
    }
}

}  // namespace basalt::decode

#include <algorithm>
#include <array>
#include <optional>

#include "snapshot/decode_walk.h"
#include "snapshot/time.h"

namespace basalt::decode {
namespace {

using objects::Container;
using objects::NodeSelectorTerm;
using objects::Pod;
using objects::Requirement;

/// The uses of rules that are not built yet, in the order in which they are reported. The text is made only where there is one.
struct Unsupported {
  enum Rule { kAffinity, kAntiAffinity, kSpread, kVolume, kClaims, kSharedGpu, kRules };
  struct Use {
    bool seen = false;
    size_t index = 0;                          // of the constraint, volume or container
    std::string_view where{}, part{}, name{};  // per rule: see Pointer()
  };
  std::array<Use, kRules> uses;

  void Note(Rule rule, Use use) {
    if (uses[rule].seen) return;
    use.seen = true;
    uses[rule] = use;
  }
  std::string_view Pointer(Arena* arena) const {
    const auto rule = std::find_if(uses.begin(), uses.end(), [](const Use& u) { return u.seen; }) - uses.begin();
    if (rule == kRules) return {};
    const Use& use = uses[static_cast<size_t>(rule)];
    std::string text;
    switch (rule) {
      case kAffinity: return "/spec/affinity/podAffinity";
      case kAntiAffinity: return "/spec/affinity/podAntiAffinity";
      case kClaims: return "/spec/resourceClaims";
      case kSpread: text = "/spec/topologySpreadConstraints/" + std::to_string(use.index); break;
      case kVolume: text = "/spec/volumes/" + std::to_string(use.index) + '/' + std::string(use.part); break;
      default:
        text = std::string(use.where) + std::to_string(use.index) + "/resources/" + std::string(use.part) + '/';
        for (const char c : use.name) text += c == '/' ? "~1" : std::string(1, c);
    }
    return arena->Copy(std::string_view(text));
  }
};

/// Resources that are served by sharing a device, which only Volcano's deviceshare understands.
bool IsSharedDevice(std::string_view resource) {
  if (resource == "huawei.com/npu-core") return true;
  if (!resource.starts_with("volcano.sh/")) return false;
  const std::string_view name = resource.substr(sizeof("volcano.sh/") - 1);
  for (const std::string_view known : {"vgpu-number", "vgpu-memory", "vgpu-cores", "vgpu-memory-percentage", "gpu-memory", "gpu-number"})
    if (name == known) return true;
  return false;
}

void ReadTerm(Walk& w, NodeSelectorTerm* term) {
  const auto read = [&](Requirement* r) { ReadRequirement(w, r); };
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kMatchExpressions: term->expressions = w.List(w.requirements, read); break;
      case Key::kMatchFields: term->fields = w.List(w.requirements, read); break;
      default: w.Skip();
    }
}

void ReadNodeAffinity(Walk& w, Pod* pod) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kRequiredTerms:
        pod->has_required_affinity = true;
        for (Fields r(w); r.Next();)
          if (r.key == Key::kNodeSelectorTerms) pod->required_terms = w.List(w.terms, [&](NodeSelectorTerm* t) { ReadTerm(w, t); });
          else w.Skip();
        break;
      case Key::kPreferredTerms:
        pod->preferred_terms = w.List(w.preferred_terms, [&](objects::PreferredTerm* t) {
          for (Fields p(w); p.Next();) switch (p.key) {
              case Key::kWeight: t->weight = w.Int32(); break;
              case Key::kPreference: ReadTerm(w, &t->term); break;
              default: w.Skip();
            }
        });
        break;
      default: w.Skip();
    }
}

/// podAffinity or podAntiAffinity: is there a term?
bool HasPodTerms(Walk& w) {
  bool any = false;
  for (Fields f(w); f.Next();)
    if (f.key == Key::kRequiredTerms || f.key == Key::kPreferredTerms)
      for (Items items(w); items.Next(); w.Skip()) any = true;
    else w.Skip();
  return any;
}

void ReadAffinity(Walk& w, Pod* pod, Unsupported* unsupported) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kNodeAffinity: ReadNodeAffinity(w, pod); break;
      case Key::kPodAffinity:
        if (HasPodTerms(w)) unsupported->Note(Unsupported::kAffinity, {});
        break;
      case Key::kPodAntiAffinity:
        if (HasPodTerms(w)) unsupported->Note(Unsupported::kAntiAffinity, {});
        break;
      default: w.Skip();
    }
}

void ReadToleration(Walk& w, objects::Toleration* toleration) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kKey: toleration->key = w.String(); break;
      case Key::kValue: toleration->value = w.String(); break;
      case Key::kEffect: toleration->effect = ReadEffect(w); break;
      case Key::kOperator: {
        const size_t token = w.Token();
        const std::string_view op = w.String();
        if (op == "Exists") toleration->op = objects::TolerationOperator::kExists;
        else if (op == "Gt" || op == "Lt") toleration->op = objects::TolerationOperator::kOther;
        else if (!op.empty() && op != "Equal") w.Unknown("operator", token);
        break;
      }
      default: w.Skip();
    }
}

void ReadPort(Walk& w, std::vector<objects::HostPort>* ports) {
  objects::HostPort port;
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kHostPort: port.port = static_cast<int32_t>(w.Integer(0, 65535)); break;
      case Key::kHostIp: port.ip = w.String(); break;
      case Key::kProtocol: {
        const size_t token = w.Token();
        const std::string_view protocol = w.String();
        if (protocol == "UDP") port.protocol = objects::Protocol::kUdp;
        else if (protocol == "SCTP") port.protocol = objects::Protocol::kSctp;
        else if (!protocol.empty() && protocol != "TCP") w.Unknown("protocol", token);
        break;
      }
      default: w.Skip();
    }
  if (port.port > 0) ports->push_back(port);
}

/// where: "/spec/containers/" or "/spec/initContainers/".
std::span<const Container> ReadContainers(Walk& w, std::string_view where, Unsupported* unsupported) {
  const auto note_shared = [&](const std::vector<objects::Resource>& list, std::string_view part, size_t index) {
    for (const objects::Resource& r : list)
      if (!r.amount.IsZero() && IsSharedDevice(r.name))
        unsupported->Note(Unsupported::kSharedGpu, {.index = index, .where = where, .part = part, .name = r.name});
  };
  w.containers.clear();
  for (Items items(w); items.Next();) {
    Container& container = w.containers.emplace_back();
    for (Fields f(w); f.Next();) switch (f.key) {
        case Key::kName: container.name = w.String(); break;
        case Key::kImage: container.image = w.String(); break;
        case Key::kRestartPolicy: container.restart_always = w.String() == "Always"; break;
        case Key::kPorts:
          w.host_ports.clear();
          for (Items ports(w); ports.Next();) ReadPort(w, &w.host_ports);
          container.host_ports = w.arena->Copy(w.host_ports);
          break;
        case Key::kResources: {
          w.resources.clear(), w.limits.clear();
          for (Fields r(w); r.Next();) switch (r.key) {
              case Key::kRequests: ReadResources(w, "request", &w.resources); break;
              case Key::kLimits: ReadResources(w, "limit", &w.limits); break;
              default: w.Skip();
            }
          note_shared(w.limits, "limits", items.Index());
          note_shared(w.resources, "requests", items.Index());
          container.limits = w.arena->Copy(w.limits);
          // As the API server defaults it: what is limited but not requested is requested at its limit.
          const size_t requested = w.resources.size();
          for (const objects::Resource& limit : w.limits) {
            const auto end = w.resources.begin() + static_cast<ptrdiff_t>(requested);
            if (std::none_of(w.resources.begin(), end, [&](const objects::Resource& r) { return r.name == limit.name; }))
              w.resources.push_back(limit);
          }
          container.requests = w.arena->Copy(w.resources);
          break;
        }
        default: w.Skip();
      }
  }
  return w.arena->Copy(w.containers);
}

void ReadVolume(Walk& w, size_t index, Unsupported* unsupported) {
  for (Fields f(w); f.Next(); w.Skip())
    if (f.key == Key::kPersistentVolumeClaim || f.key == Key::kEphemeral)
      unsupported->Note(Unsupported::kVolume, {.index = index, .part = kKeyNames[static_cast<size_t>(f.key)]});
}

/// containerStatuses: those with a `resources` section.
std::span<const objects::ContainerResources> ReadContainerStatuses(Walk& w) {
  w.container_resources.clear();
  for (Items items(w); items.Next();) {
    objects::ContainerResources status;
    bool has_resources = false;
    for (Fields f(w); f.Next();) switch (f.key) {
        case Key::kName: status.name = w.String(); break;
        case Key::kAllocatedResources: status.allocated = ReadResourceList(w, "request"); break;
        case Key::kResources:
          has_resources = true;
          for (Fields r(w); r.Next();)
            if (r.key == Key::kRequests) status.requests = ReadResourceList(w, "request");
            else w.Skip();
          break;
        default: w.Skip();
      }
    if (has_resources) w.container_resources.push_back(status);
  }
  return w.arena->Copy(w.container_resources);
}

void ReadConditions(Walk& w, Pod* pod) {
  bool resize_seen = false, scheduled_seen = false;
  for (Items items(w); items.Next();) {
    std::string_view type;
    size_t status = 0, reason = 0, message = 0, since = 0;  // tokens, 0 where absent: read only where the type asks for it
    for (Fields f(w); f.Next();) switch (f.key) {
        case Key::kType: type = w.String(); break;
        case Key::kStatus: status = w.Token(), w.Skip(); break;
        case Key::kReason: reason = w.Token(), w.Skip(); break;
        case Key::kMessage: message = w.Token(), w.Skip(); break;
        case Key::kLastTransitionTime: since = w.Token(), w.Skip(); break;
        default: w.Skip();
      }
    if (!w.Ok()) return;
    const auto text = [&](size_t token) {
      if (!token) return std::string_view();
      if (w.IsStringAt(token)) return w.StringAt(token);
      return w.Fail(token, "expected a string, got " + w.Describe(token)), std::string_view();
    };
    if (type == "DisruptionTarget") {
      pod->preempted = text(status) == "True" && text(reason) == "PreemptionByScheduler";
    } else if (type == "PodScheduled") {
      if (!pod->scheduled_condition) pod->scheduled_condition = objects::PodConditionView{type, text(status), text(reason), text(message)};
      if (!scheduled_seen && text(status) == "True") {
        scheduled_seen = true;
        const std::string_view time = text(since);
        if (const auto seconds = ParseRfc3339(time)) pod->scheduled_seconds = *seconds;
        else if (!time.empty()) w.Fail(since, "bad time " + w.Describe(since));
      }
    } else if (type == "PodResizePending" && !resize_seen) {
      resize_seen = true;
      pod->resize_infeasible = text(reason) == "Infeasible";
    }
  }
}

}  // namespace

void ReadRequirement(Walk& w, Requirement* requirement) {
  static constexpr std::string_view kOperators[] = {"In",           "NotIn", "Exists",
                                                    "DoesNotExist", "Gt",    "Lt"};  // in the order of objects::Operator
  const size_t object = w.Token();
  bool has_operator = false;
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kKey: requirement->key = w.String(); break;
      case Key::kValues: requirement->values = w.Strings(); break;
      case Key::kOperator: {
        const size_t token = w.Token();
        const auto known = std::find(std::begin(kOperators), std::end(kOperators), w.String());
        if (known == std::end(kOperators)) w.Unknown("operator", token);
        else requirement->op = static_cast<objects::Operator>(known - kOperators), has_operator = true;
        break;
      }
      default: w.Skip();
    }
  if (!has_operator) w.Fail(object, "unknown operator \"\"", "operator");
}

void ReadPodSpec(Walk& w, Pod* pod) {
  Unsupported unsupported;
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kSchedulerName: pod->scheduler_name = w.String(); break;
      case Key::kNodeName: pod->node_name = w.String(); break;
      case Key::kPriorityClassName: pod->priority_class_name = w.String(); break;
      case Key::kPriority: pod->priority = w.Int32(); break;
      case Key::kPreemptionPolicy: pod->preemption_never = w.String() == "Never"; break;
      case Key::kSchedulingGates:
        pod->scheduling_gates = w.List(w.strings, [&](std::string_view* gate) {
          for (Fields g(w); g.Next();)
            if (g.key == Key::kName) *gate = w.String();
            else w.Skip();
        });
        break;
      case Key::kContainers: pod->containers = ReadContainers(w, "/spec/containers/", &unsupported); break;
      case Key::kInitContainers: pod->init_containers = ReadContainers(w, "/spec/initContainers/", &unsupported); break;
      case Key::kOverhead: pod->overhead = ReadResourceList(w, "overhead"); break;
      case Key::kResources:
        for (Fields r(w); r.Next();)
          if (r.key == Key::kRequests) pod->pod_requests = ReadResourceList(w, "request");
          else w.Skip();
        break;
      case Key::kNodeSelector: pod->has_node_selector = true, pod->node_selector = ReadKeyValues(w); break;
      case Key::kAffinity: ReadAffinity(w, pod, &unsupported); break;
      case Key::kTolerations: pod->tolerations = w.List(w.tolerations, [&](objects::Toleration* t) { ReadToleration(w, t); }); break;
      case Key::kTopologySpreadConstraints:
        for (Items items(w); items.Next();)
          for (Fields s(w); s.Next();)
            if (s.key != Key::kWhenUnsatisfiable) w.Skip();
            else if (w.String() == "DoNotSchedule") unsupported.Note(Unsupported::kSpread, {.index = items.Index()});
        break;
      case Key::kVolumes:
        for (Items items(w); items.Next();) ReadVolume(w, items.Index(), &unsupported);
        break;
      case Key::kResourceClaims:
        for (Items items(w); items.Next(); w.Skip()) unsupported.Note(Unsupported::kClaims, {});
        break;
      default: w.Skip();
    }
  if (w.Ok()) pod->unsupported_field = unsupported.Pointer(w.arena);
}

void ReadPodStatus(Walk& w, Pod* pod) {
  for (Fields f(w); f.Next();) switch (f.key) {
      case Key::kPhase: {
        w.pod_phase_seen = true;
        const std::string_view phase = w.String();
        pod->phase = phase.empty() || phase == "Pending" ? objects::PodPhase::kPending
                     : phase == "Running"                ? objects::PodPhase::kRunning
                     : phase == "Succeeded"              ? objects::PodPhase::kSucceeded
                     : phase == "Failed"                 ? objects::PodPhase::kFailed
                                                         : objects::PodPhase::kUnknown;
        break;
      }
      case Key::kNominatedNodeName: pod->nominated_node_name = w.String(); break;
      case Key::kConditions: ReadConditions(w, pod); break;
      case Key::kStartTime: pod->start_seconds = ReadTime(w); break;
      case Key::kContainerStatuses: pod->resized = ReadContainerStatuses(w); break;
      case Key::kInitContainerStatuses: pod->resized_init = ReadContainerStatuses(w); break;
      default: w.Skip();
    }
}

}  // namespace basalt::decode

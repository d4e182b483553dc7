#include "cli/generate/objects.h"

#include <chrono>

#include <fmt/format.h>

#include "cli/json.h"

namespace basalt::cli {

namespace {

constexpr int64_t kStartSeconds = 1764496400;  // 2025-11-30T09:53:20Z
constexpr int64_t kObjectsPerSecond = 50;

std::string Cpu(int64_t milli) { return milli % 1000 ? fmt::format("{}m", milli) : fmt::format("{}", milli / 1000); }
std::string Memory(int64_t mib) { return mib % 1024 ? fmt::format("{}Mi", mib) : fmt::format("{}Gi", mib / 1024); }

void Text(JsonWriter& json, std::string_view key, std::string_view value) { json.Key(key).Text(value); }

/// Requests of a container or a whole group; a resource that is not asked for is not written.
void Resources(JsonWriter& json, std::string_view key, int64_t cpu_milli, int64_t memory_mib, int64_t gpus) {
  json.Key(key).Object();
  if (cpu_milli) Text(json, "cpu", Cpu(cpu_milli));
  if (memory_mib) Text(json, "memory", Memory(memory_mib));
  if (gpus) Text(json, "nvidia.com/gpu", std::to_string(gpus));
  json.End();
}

struct Taint {
  std::string_view key, value, effect;
};

Taint SplitTaint(std::string_view text) {
  const size_t equals = text.find('='), colon = text.find(':');
  return {text.substr(0, equals), text.substr(equals + 1, colon - equals - 1), text.substr(colon + 1)};
}

void Condition(JsonWriter& json, std::string_view type, std::string_view since) {
  json.Object();
  Text(json, "lastTransitionTime", since);
  Text(json, "status", "True");
  Text(json, "type", type);
  json.End();
}

void Toleration(JsonWriter& json, std::string_view key) {
  json.Object();
  Text(json, "effect", "NoExecute");
  Text(json, "key", key);
  Text(json, "operator", "Exists");
  json.Key("tolerationSeconds").Integer(300).End();
}

void MatchExpression(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
  json.Key("matchExpressions").Array().Object();
  Text(json, "key", key);
  Text(json, "operator", "In");
  json.Key("values").Array();
  for (const std::string& value : values) json.Text(value);
  json.End().End().End();
}

void Affinity(JsonWriter& json, const PodSpec& pod) {
  json.Key("affinity").Object().Key("nodeAffinity").Object();
  if (!pod.preferred_zone.empty()) {
    json.Key("preferredDuringSchedulingIgnoredDuringExecution").Array().Object().Key("preference").Object();
    MatchExpression(json, kZoneLabel, {pod.preferred_zone});
    json.End().Key("weight").Integer(10).End().End();
  }
  if (!pod.gpu_models.empty()) {
    json.Key("requiredDuringSchedulingIgnoredDuringExecution").Object().Key("nodeSelectorTerms").Array().Object();
    MatchExpression(json, kGpuModelLabel, pod.gpu_models);
    json.End().End().End();
  }
  json.End().End();
}

}  // namespace

std::string ObjectWriter::Uid() {
  const uint64_t a = random_.Next(), b = random_.Next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff, 0x8000 | (b >> 48 & 0x3fff), b & 0xffffffffffff);
}

std::string ObjectWriter::Moment() const {
  using namespace std::chrono;
  const sys_seconds at{seconds(kStartSeconds + age_ / kObjectsPerSecond)};
  const year_month_day date(floor<days>(at));
  const hh_mm_ss time(at - floor<days>(at));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()), unsigned(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

void ObjectWriter::Emit() {
  sink_(text_);
  text_.clear();
  age_++;
}

void ObjectWriter::Node(const NodeSpec& node) {
  const std::string since = Moment();
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "v1");
  Text(json, "kind", "Node");
  json.Key("metadata").Object();
  json.Key("annotations").Object();
  Text(json, "node.alpha.kubernetes.io/ttl", "0");
  Text(json, "volumes.kubernetes.io/controller-managed-attach-detach", "true");
  json.End();
  Text(json, "creationTimestamp", since);
  json.Key("labels").Object();
  Text(json, "beta.kubernetes.io/arch", "amd64");
  Text(json, "beta.kubernetes.io/os", "linux");
  if (!node.gpu_model.empty()) Text(json, kGpuModelLabel, node.gpu_model);
  for (const auto& [key, value] : node.labels) Text(json, key, value);
  Text(json, "kubernetes.io/arch", "amd64");
  Text(json, "kubernetes.io/hostname", node.name);
  Text(json, "kubernetes.io/os", "linux");
  if (!node.zone.empty()) Text(json, kZoneLabel, node.zone);
  json.End();
  Text(json, "name", node.name);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End();
  json.Key("spec").Object();
  Text(json, "podCIDR", fmt::format("10.{}.{}.0/24", age_ / 256 % 256, age_ % 256));
  if (!node.taint.empty()) {
    const Taint taint = SplitTaint(node.taint);
    json.Key("taints").Array().Object();
    Text(json, "effect", taint.effect);
    Text(json, "key", taint.key);
    Text(json, "value", taint.value);
    json.End().End();
  }
  if (node.unschedulable) json.Key("unschedulable").Bool(true);
  json.End();
  json.Key("status").Object();
  json.Key("addresses").Array();
  for (const auto& [address, type] : {std::pair(fmt::format("192.168.{}.{}", age_ / 256 % 256, age_ % 256), "InternalIP"), std::pair(node.name, "Hostname")}) {
    json.Object();
    Text(json, "address", address);
    Text(json, "type", type);
    json.End();
  }
  json.End();
  for (const char* key : {"allocatable", "capacity"}) {
    json.Key(key).Object();
    Text(json, "cpu", Cpu(node.cpu_milli));
    Text(json, "ephemeral-storage", "470624Mi");
    Text(json, "hugepages-1Gi", "0");
    Text(json, "hugepages-2Mi", "0");
    Text(json, "memory", fmt::format("{}Ki", node.memory_mib * 1024));
    if (node.gpus) Text(json, "nvidia.com/gpu", std::to_string(node.gpus));
    Text(json, "pods", std::to_string(node.pods));
    json.End();
  }
  json.Key("conditions").Array().Object();
  Text(json, "lastHeartbeatTime", since);
  Text(json, "lastTransitionTime", since);
  Text(json, "message", "kubelet is posting ready status");
  Text(json, "reason", "KubeletReady");
  Text(json, "status", "True");
  Text(json, "type", "Ready");
  json.End().End();
  json.Key("images").Array();
  json.Object().Key("names").Array().Text("registry.example.com/base/pause:3.10").End().Key("sizeBytes").Integer(742080).End();
  json.Object().Key("names").Array().Text("registry.example.com/team/train:2.4").End().Key("sizeBytes").Integer(4'812'000'000).End();
  json.End();
  json.Key("nodeInfo").Object();
  Text(json, "architecture", "amd64");
  Text(json, "containerRuntimeVersion", "containerd://2.1.4");
  Text(json, "kubeletVersion", "v1.36.1");
  Text(json, "operatingSystem", "linux");
  Text(json, "osImage", "Debian GNU/Linux 12 (bookworm)");
  json.End();
  json.End().End();
  Emit();
}

void ObjectWriter::Queue(const QueueSpec& queue) {
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "scheduling.volcano.sh/v1beta1");
  Text(json, "kind", "Queue");
  json.Key("metadata").Object();
  Text(json, "creationTimestamp", Moment());
  json.Key("generation").Integer(1);
  Text(json, "name", queue.name);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End();
  json.Key("spec").Object();
  if (queue.capability_cpu_milli) Resources(json, "capability", queue.capability_cpu_milli, 0, 0);
  Text(json, "parent", "root");
  json.Key("reclaimable").Bool(true).Key("weight").Integer(queue.weight).End();
  json.Key("status").Object();
  Text(json, "state", "Open");
  json.End().End();
  Emit();
}

void ObjectWriter::PriorityClass(const std::string& name, int64_t value) {
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "scheduling.k8s.io/v1");
  Text(json, "kind", "PriorityClass");
  json.Key("metadata").Object();
  Text(json, "creationTimestamp", Moment());
  Text(json, "name", name);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End();
  Text(json, "preemptionPolicy", "PreemptLowerPriority");
  json.Key("value").Integer(value).End();
  Emit();
}

void ObjectWriter::PodGroup(const GroupSpec& group) {
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "scheduling.volcano.sh/v1beta1");
  Text(json, "kind", "PodGroup");
  json.Key("metadata").Object();
  Text(json, "creationTimestamp", Moment());
  json.Key("generation").Integer(1);
  Text(json, "name", group.name);
  Text(json, "namespace", group.space);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End();
  json.Key("spec").Object();
  json.Key("minMember").Integer(group.min_member);
  if (group.cpu_milli || group.memory_mib) Resources(json, "minResources", group.cpu_milli, group.memory_mib, group.gpus);
  if (!group.priority_class.empty()) Text(json, "priorityClassName", group.priority_class);
  Text(json, "queue", group.queue);
  json.End();
  json.Key("status").Object();
  Text(json, "phase", group.phase);
  json.End().End();
  Emit();
}

void ObjectWriter::Pod(const PodSpec& pod) {
  const std::string since = Moment();
  const std::string token = fmt::format("kube-api-access-{:05x}", random_.Below(1 << 20));
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "v1");
  Text(json, "kind", "Pod");
  json.Key("metadata").Object();
  json.Key("annotations").Object();
  Text(json, "scheduling.k8s.io/group-name", pod.group);
  Text(json, "volcano.sh/job-name", pod.group);
  Text(json, "volcano.sh/task-index", std::to_string(pod.index));
  Text(json, "volcano.sh/task-spec", pod.role);
  json.End();
  Text(json, "creationTimestamp", since);
  json.Key("labels").Object();
  Text(json, "app", pod.group);
  for (const auto& [key, value] : pod.labels) Text(json, key, value);
  Text(json, "volcano.sh/job-name", pod.group);
  Text(json, "volcano.sh/task-index", std::to_string(pod.index));
  json.End();
  Text(json, "name", pod.name);
  Text(json, "namespace", pod.space);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End();
  json.Key("spec").Object();
  if (!pod.gpu_models.empty() || !pod.preferred_zone.empty()) Affinity(json, pod);
  json.Key("containers").Array().Object();
  if (!pod.env.empty()) {
    json.Key("env").Array();
    for (const auto& [name, value] : pod.env) {
      json.Object();
      Text(json, "name", name);
      Text(json, "value", value);
      json.End();
    }
    json.End();
  }
  Text(json, "image", "registry.example.com/team/train:2.4");
  Text(json, "imagePullPolicy", "IfNotPresent");
  Text(json, "name", "main");
  json.Key("resources").Object();
  if (pod.gpus) Resources(json, "limits", 0, 0, pod.gpus);
  Resources(json, "requests", pod.cpu_milli, pod.memory_mib, pod.gpus);
  json.End();
  Text(json, "terminationMessagePath", "/dev/termination-log");
  Text(json, "terminationMessagePolicy", "File");
  json.Key("volumeMounts").Array().Object();
  Text(json, "mountPath", "/var/run/secrets/kubernetes.io/serviceaccount");
  Text(json, "name", token);
  json.Key("readOnly").Bool(true).End().End();
  json.End().End();
  Text(json, "dnsPolicy", "ClusterFirst");
  json.Key("enableServiceLinks").Bool(true);
  if (!pod.node.empty()) Text(json, "nodeName", pod.node);
  if (!pod.selector.empty()) {
    json.Key("nodeSelector").Object();
    for (const auto& [key, value] : pod.selector) Text(json, key, value);
    json.End();
  }
  Text(json, "preemptionPolicy", "PreemptLowerPriority");
  json.Key("priority").Integer(pod.priority);
  if (!pod.priority_class.empty()) Text(json, "priorityClassName", pod.priority_class);
  Text(json, "restartPolicy", "OnFailure");
  Text(json, "schedulerName", "volcano");
  json.Key("securityContext").Object().End();
  Text(json, "serviceAccount", "default");
  Text(json, "serviceAccountName", "default");
  json.Key("terminationGracePeriodSeconds").Integer(30);
  json.Key("tolerations").Array();
  if (!pod.tolerated.empty()) {
    const Taint taint = SplitTaint(pod.tolerated);
    json.Object();
    Text(json, "effect", taint.effect);
    Text(json, "key", taint.key);
    Text(json, "operator", "Equal");
    Text(json, "value", taint.value);
    json.End();
  }
  Toleration(json, "node.kubernetes.io/not-ready");
  Toleration(json, "node.kubernetes.io/unreachable");
  json.End();
  json.Key("volumes").Array().Object();
  Text(json, "name", token);
  json.Key("projected").Object().Key("defaultMode").Integer(420).Key("sources").Array();
  json.Object().Key("serviceAccountToken").Object().Key("expirationSeconds").Integer(3607);
  Text(json, "path", "token");
  json.End().End();
  json.End().End().End().End();
  json.End();
  json.Key("status").Object();
  if (!pod.node.empty()) {
    json.Key("conditions").Array();
    for (const char* type : {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) Condition(json, type, since);
    json.End();
    json.Key("containerStatuses").Array().Object();
    Text(json, "image", "registry.example.com/team/train:2.4");
    Text(json, "name", "main");
    json.Key("ready").Bool(true).Key("restartCount").Integer(0).Key("started").Bool(true);
    json.Key("state").Object().Key("running").Object();
    Text(json, "startedAt", since);
    json.End().End().End().End();
  }
  Text(json, "phase", pod.node.empty() ? "Pending" : "Running");
  Text(json, "qosClass", "Burstable");
  if (!pod.node.empty()) Text(json, "startTime", since);
  json.End().End();
  Emit();
}

void ObjectWriter::ConfigMap(const std::string& space, const std::string& name, const std::string& key, const std::string& text) {
  JsonWriter json(&text_, indent_, level_);
  json.Object();
  Text(json, "apiVersion", "v1");
  json.Key("data").Object();
  Text(json, key, text);
  json.End();
  Text(json, "kind", "ConfigMap");
  json.Key("metadata").Object();
  Text(json, "creationTimestamp", Moment());
  Text(json, "name", name);
  Text(json, "namespace", space);
  Text(json, "resourceVersion", std::to_string(1000 + age_));
  Text(json, "uid", Uid());
  json.End().End();
  Emit();
}

}  // namespace basalt::cli

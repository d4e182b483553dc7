// Decoding speed in bytes per second, on one core: a pod as kubectl prints it in a list (indented, about 3.5 KB) and other shapes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "snapshot/decode.h"

namespace {

using basalt::Arena;
using basalt::Decoded;
using basalt::Decoder;
using basalt::Diagnostic;

// A pod of a gang, running, as the API server of 1.33 keeps it.
constexpr std::string_view kPod = R"({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {
                    "scheduling.k8s.io/group-name": "train-00042",
                    "volcano.sh/task-spec": "worker"
                },
                "creationTimestamp": "2025-11-30T10:53:23Z",
                "generation": 1,
                "labels": {
                    "app.kubernetes.io/name": "train",
                    "batch.kubernetes.io/job-completion-index": "17",
                    "team": "research"
                },
                "name": "train-00042-worker-17",
                "namespace": "research",
                "ownerReferences": [
                    {
                        "apiVersion": "batch.volcano.sh/v1alpha1",
                        "blockOwnerDeletion": true,
                        "controller": true,
                        "kind": "Job",
                        "name": "train-00042",
                        "uid": "6f1c4c36-5a32-4a86-9a6b-0d5b3f1f6a11"
                    }
                ],
                "resourceVersion": "8123456",
                "uid": "0b0e8f4e-7a35-4d0e-8f39-1a8c3f0a9b42"
            },
            "spec": {
                "containers": [
                    {
                        "command": [
                            "python",
                            "train.py"
                        ],
                        "image": "registry.example/research/train:2025.11",
                        "imagePullPolicy": "IfNotPresent",
                        "name": "main",
                        "resources": {
                            "limits": {
                                "nvidia.com/gpu": "1"
                            },
                            "requests": {
                                "cpu": "3500m",
                                "memory": "24Gi",
                                "nvidia.com/gpu": "1"
                            }
                        },
                        "terminationMessagePath": "/dev/termination-log",
                        "terminationMessagePolicy": "File",
                        "volumeMounts": [
                            {
                                "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
                                "name": "kube-api-access-x7z2q",
                                "readOnly": true
                            }
                        ]
                    }
                ],
                "dnsPolicy": "ClusterFirst",
                "enableServiceLinks": true,
                "nodeName": "node-00123",
                "preemptionPolicy": "PreemptLowerPriority",
                "priority": 1000,
                "priorityClassName": "batch",
                "restartPolicy": "Never",
                "schedulerName": "volcano",
                "securityContext": {},
                "serviceAccount": "default",
                "serviceAccountName": "default",
                "terminationGracePeriodSeconds": 30,
                "tolerations": [
                    {
                        "effect": "NoExecute",
                        "key": "node.kubernetes.io/not-ready",
                        "operator": "Exists",
                        "tolerationSeconds": 300
                    },
                    {
                        "effect": "NoExecute",
                        "key": "node.kubernetes.io/unreachable",
                        "operator": "Exists",
                        "tolerationSeconds": 300
                    }
                ]
            },
            "status": {
                "conditions": [
                    {
                        "lastProbeTime": null,
                        "lastTransitionTime": "2025-11-30T10:53:25Z",
                        "status": "True",
                        "type": "PodScheduled"
                    }
                ],
                "phase": "Running",
                "qosClass": "Burstable",
                "startTime": "2025-11-30T10:53:25Z"
            }
        })";

constexpr std::string_view kNode = R"({
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "labels": {
                    "kubernetes.io/arch": "amd64",
                    "kubernetes.io/hostname": "node-00123",
                    "kubernetes.io/os": "linux",
                    "topology.kubernetes.io/zone": "zone-3"
                },
                "name": "node-00123",
                "uid": "1b0e8f4e-7a35-4d0e-8f39-1a8c3f0a9b42"
            },
            "spec": {},
            "status": {
                "allocatable": {
                    "cpu": "95500m",
                    "ephemeral-storage": "901Gi",
                    "hugepages-1Gi": "0",
                    "memory": "1055758336Ki",
                    "nvidia.com/gpu": "8",
                    "pods": "110"
                },
                "capacity": {
                    "cpu": "96",
                    "ephemeral-storage": "1Ti",
                    "hugepages-1Gi": "0",
                    "memory": "1056758336Ki",
                    "nvidia.com/gpu": "8",
                    "pods": "110"
                }
            }
        })";

/// The same text without the blanks that kubectl puts in.
std::string Compact(std::string_view text) {
  std::string out;
  bool string = false;
  for (const char c : text) {
    if (c == '"') string = !string;
    if (string || (c != ' ' && c != '\n')) out += c;
  }
  return out;
}

/// A pod with managedFields in front of what is read, as `--show-managed-fields` and the watch deliver it.
std::string WithManagedFields() {
  std::string fields = "\"managedFields\": [";
  for (int i = 0; i < 2; i++) {
    if (i) fields += ", ";
    fields +=
        R"({"apiVersion": "v1", "fieldsType": "FieldsV1", "manager": "m", "operation": "Update", "time": "2025-11-30T10:53:25Z", "fieldsV1": {)";
    for (int k = 0; k < 30; k++)
      fields += (k ? ", " : "") + ("\"f:field" + std::to_string(k)) + R"(": {".": {}, "k:{\"name\":\"main\"}": {"f:value": {}}})";
    fields += "}}";
  }
  std::string pod(kPod);
  return pod.insert(pod.find("\"name\": \"train-00042-worker-17\""), fields + "], ");
}

void Decode(benchmark::State& state, std::string_view text) {
  const std::string padded = std::string(text) + std::string(basalt::kJsonPaddingBytes, ' ');
  const std::string_view json(padded.data(), text.size());
  Decoder decoder;
  Arena arena;
  Decoded decoded;
  std::vector<Diagnostic> diagnostics;
  size_t offset = 0;
  std::string message;
  if (!decoder.Decode(json, {}, "x", &arena, &decoded, &diagnostics, &offset, &message) || !diagnostics.empty() || !decoded.meta ||
      (decoded.pod ? decoded.pod->containers[0].requests.size() != 3 : decoded.node->allocatable.size() != 6)) {
    std::cerr << "wrong answer: " << message << " at " << offset << '\n';
    std::exit(1);
  }
  for (auto _ : state) {
    arena.Clear();
    decoder.Decode(json, {}, "x", &arena, &decoded, &diagnostics, &offset, &message);
    benchmark::DoNotOptimize(decoded);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
  state.counters["object_bytes"] = static_cast<double>(text.size());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("decode/pod_indented", [](benchmark::State& s) { Decode(s, kPod); });
  benchmark::RegisterBenchmark("decode/pod_compact", [](benchmark::State& s) { Decode(s, Compact(kPod)); });
  benchmark::RegisterBenchmark("decode/pod_managed_fields", [](benchmark::State& s) { Decode(s, WithManagedFields()); });
  benchmark::RegisterBenchmark("decode/node_indented", [](benchmark::State& s) { Decode(s, kNode); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

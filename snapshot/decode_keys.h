// The field names of the decoded kinds, looked up once per JSON key: length and first eight bytes are hashed, then compared in full.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace basalt::decode {

// The second half lists fields that every dump holds and nothing reads: known names are cheaper to check for duplicates than unknown ones.
// clang-format off
#define BASALT_DECODE_KEYS(X)                                                                                                             \
  X(kAffinity, "affinity") X(kAllocatable, "allocatable") X(kAllocatedResources, "allocatedResources") X(kAnnotations, "annotations")     \
  X(kApiVersion, "apiVersion") X(kCapability, "capability") X(kCapacity, "capacity") X(kConditions, "conditions")                         \
  X(kContainers, "containers") X(kContainerStatuses, "containerStatuses") X(kController, "controller")                                    \
  X(kCreationTimestamp, "creationTimestamp") X(kData, "data") X(kDeletionTimestamp, "deletionTimestamp") X(kDescribedObject, "describedObject") X(kDeserved, "deserved")         \
  X(kDisruptedPods, "disruptedPods") X(kDisruptionsAllowed, "disruptionsAllowed") X(kEffect, "effect") X(kEphemeral, "ephemeral") X(kExactMatch, "exactMatch")               \
  X(kFailed, "failed") X(kGlobalDefault, "globalDefault") X(kGuarantee, "guarantee") X(kHard, "hard") X(kHostIp, "hostIP")                \
  X(kHostPort, "hostPort") X(kImage, "image") X(kImages, "images") X(kInitContainers, "initContainers")                                   \
  X(kInitContainerStatuses, "initContainerStatuses") X(kItems, "items") X(kKey, "key") X(kKind, "kind") X(kLabelMatch, "labelMatch") X(kLabels, "labels")    \
  X(kLastTransitionTime, "lastTransitionTime") X(kLimits, "limits") X(kMatchExpressions, "matchExpressions")                              \
  X(kMatchFields, "matchFields") X(kMatchLabels, "matchLabels") X(kMembers, "members") X(kMessage, "message") X(kMetadata, "metadata") X(kMetric, "metric") X(kMetricName, "metricName") X(kMinMember, "minMember")        \
  X(kMinResources, "minResources") X(kMinTaskMember, "minTaskMember") X(kName, "name") X(kNames, "names") X(kNamespace, "namespace")      \
  X(kNetworkTopology, "networkTopology") X(kNodeAffinity, "nodeAffinity") X(kNodeGroupAffinity, "nodeGroupAffinity") X(kNodeGroupAntiAffinity, "nodeGroupAntiAffinity") X(kNodeName, "nodeName") X(kNodeSelector, "nodeSelector")       \
  X(kNodeSelectorTerms, "nodeSelectorTerms") X(kNominatedNodeName, "nominatedNodeName") X(kOperator, "operator")                          \
  X(kOverhead, "overhead") X(kOwnerReferences, "ownerReferences") X(kParent, "parent") X(kPattern, "pattern")                             \
  X(kPersistentVolumeClaim, "persistentVolumeClaim") X(kPhase, "phase") X(kPodAffinity, "podAffinity")                                    \
  X(kPodAntiAffinity, "podAntiAffinity") X(kPorts, "ports") X(kPreference, "preference") X(kPreemptionPolicy, "preemptionPolicy")         \
  X(kPreferredTerms, "preferredDuringSchedulingIgnoredDuringExecution") X(kPriority, "priority")                                          \
  X(kPriorityClassName, "priorityClassName") X(kProtocol, "protocol") X(kQueue, "queue") X(kReason, "reason")                             \
  X(kReclaimable, "reclaimable") X(kRegexMatch, "regexMatch") X(kRequests, "requests")                                                    \
  X(kRequiredTerms, "requiredDuringSchedulingIgnoredDuringExecution") X(kResource, "resource") X(kResourceClaims, "resourceClaims")       \
  X(kResources, "resources") X(kResourceVersion, "resourceVersion") X(kRestartPolicy, "restartPolicy") X(kRunning, "running")             \
  X(kSchedulerName, "schedulerName") X(kSchedulingGates, "schedulingGates") X(kSelector, "selector") X(kSizeBytes, "sizeBytes")           \
  X(kSpec, "spec") X(kState, "state") X(kStatus, "status") X(kSubGroupPolicy, "subGroupPolicy") X(kSucceeded, "succeeded")                \
  X(kTaints, "taints") X(kTier, "tier") X(kTimestamp, "timestamp") X(kTierName, "tierName") X(kTolerations, "tolerations")                                           \
  X(kTopologySpreadConstraints, "topologySpreadConstraints") X(kTransitionId, "transitionID") X(kType, "type") X(kUid, "uid")             \
  X(kUnschedulable, "unschedulable") X(kUsed, "used") X(kValue, "value") X(kValues, "values") X(kVolumes, "volumes")                      \
  X(kWeight, "weight") X(kWhenUnsatisfiable, "whenUnsatisfiable")                                                                         \
  /* never read */                                                                                                                        \
  X(kAddresses, "addresses") X(kAllocated, "allocated") X(kArgs, "args") X(kBlockOwnerDeletion, "blockOwnerDeletion")                     \
  X(kCommand, "command") X(kConfig, "config") X(kConfigMap, "configMap") X(kContainerId, "containerID")                                   \
  X(kContainerPort, "containerPort") X(kDaemonEndpoints, "daemonEndpoints") X(kDefaultMode, "defaultMode") X(kDescription, "description") \
  X(kDnsPolicy, "dnsPolicy") X(kEmptyDir, "emptyDir") X(kEnableServiceLinks, "enableServiceLinks") X(kEnv, "env") X(kEnvFrom, "envFrom")  \
  X(kFeatures, "features") X(kFinalizers, "finalizers") X(kGenerateName, "generateName") X(kGeneration, "generation")                     \
  X(kHostIps, "hostIPs") X(kHostNetwork, "hostNetwork") X(kHostPath, "hostPath") X(kHostname, "hostname") X(kImageId, "imageID")          \
  X(kImagePullPolicy, "imagePullPolicy") X(kImagePullSecrets, "imagePullSecrets") X(kLastProbeTime, "lastProbeTime")                      \
  X(kLastState, "lastState") X(kLifecycle, "lifecycle") X(kLivenessProbe, "livenessProbe") X(kManagedFields, "managedFields")             \
  X(kNodeInfo, "nodeInfo") X(kObservedGeneration, "observedGeneration") X(kPodCidr, "podCIDR") X(kPodCidrs, "podCIDRs")                   \
  X(kPodIp, "podIP") X(kPodIps, "podIPs") X(kProjected, "projected") X(kProviderId, "providerID") X(kQosClass, "qosClass")                \
  X(kReadinessProbe, "readinessProbe") X(kReady, "ready") X(kRestartCount, "restartCount") X(kRuntimeHandlers, "runtimeHandlers")         \
  X(kSecret, "secret") X(kSecurityContext, "securityContext") X(kServiceAccount, "serviceAccount")                                        \
  X(kServiceAccountName, "serviceAccountName") X(kStarted, "started") X(kStartTime, "startTime") X(kStartupProbe, "startupProbe")         \
  X(kSubdomain, "subdomain") X(kTerminationGracePeriodSeconds, "terminationGracePeriodSeconds")                                           \
  X(kTerminationMessagePath, "terminationMessagePath") X(kTerminationMessagePolicy, "terminationMessagePolicy") X(kTimeAdded, "timeAdded") \
  X(kTolerationSeconds, "tolerationSeconds") X(kUser, "user") X(kVolumeMounts, "volumeMounts") X(kVolumesAttached, "volumesAttached")     \
  X(kVolumesInUse, "volumesInUse") X(kWorkingDir, "workingDir")
// clang-format on

enum class Key : uint8_t {
  kUnknown,
#define X(id, text) id,
  BASALT_DECODE_KEYS(X)
#undef X
};

inline constexpr std::string_view kKeyNames[] = {"",
#define X(id, text) text,
                                                 BASALT_DECODE_KEYS(X)
#undef X
};
inline constexpr size_t kKeyCount = std::size(kKeyNames);
static_assert(kKeyCount <= 256, "Key is one byte, and Fields keeps 256 bits of seen keys");
static_assert(std::endian::native == std::endian::little, "heads are compared as little-endian words");

/// The first eight bytes as a word, zeros behind a shorter text. Reads eight bytes whatever the length.
inline uint64_t HeadOf(const char* text, size_t length) {
  uint64_t word;
  std::memcpy(&word, text, 8);
  return length >= 8 ? word : length == 0 ? 0 : word & (~0ull >> (64 - 8 * length));
}
inline constexpr uint64_t HashOf(uint64_t head, size_t length) {
  const uint64_t h = (head ^ length * 0x9E3779B97F4A7C15ull) * 0xD6E8FEB86659FD93ull;
  return h ^ h >> 32;
}

/// Open addressing with linear probing, built by the compiler.
struct KeyTable {
  static constexpr size_t kSlots = 1024;
  std::array<uint8_t, kSlots> slot{};
  std::array<uint64_t, kKeyCount> head{};

  constexpr KeyTable() {
    for (size_t k = 1; k < kKeyCount; k++) {
      for (size_t i = 0; i < 8 && i < kKeyNames[k].size(); i++) head[k] |= static_cast<uint64_t>(kKeyNames[k][i]) << (8 * i);
      size_t at = HashOf(head[k], kKeyNames[k].size()) % kSlots;
      while (slot[at]) at = (at + 1) % kSlots;
      slot[at] = static_cast<uint8_t>(k);
    }
  }
};
inline constexpr KeyTable kKeyTable;

/// Do two texts of `length` > 8 bytes agree behind their first eight? In whole words, the last one overlapping: cheaper than a call of
/// memcmp.
inline bool SameTail(const char* a, const char* b, size_t length) {
  const auto differ = [&](size_t at) {
    uint64_t x, y;
    std::memcpy(&x, a + at, 8), std::memcpy(&y, b + at, 8);
    return x != y;
  };
  for (size_t at = 8; at + 8 < length; at += 8)
    if (differ(at)) return false;
  return !differ(length - 8);
}

/// The key of a field name, kUnknown where it is none of ours. Eight bytes must be readable at `text`.
inline Key FindKey(const char* text, size_t length) {
  const uint64_t head = HeadOf(text, length);
  for (size_t at = HashOf(head, length) % KeyTable::kSlots; const uint8_t k = kKeyTable.slot[at]; at = (at + 1) % KeyTable::kSlots)
    if (kKeyTable.head[k] == head && kKeyNames[k].size() == length && (length <= 8 || SameTail(kKeyNames[k].data(), text, length)))
      return static_cast<Key>(k);
  return Key::kUnknown;
}

}  // namespace basalt::decode

// What the decoders of the single kinds share: where results and scratch live, and the readers of common shapes.
#pragma once
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "snapshot/arena.h"
#include "snapshot/decode_json.h"
#include "snapshot/objects.h"

namespace basalt::decode {

/// The cursor over one object, the arena its result goes to, and scratch that is reused from object to object.
struct Walk : JsonCursor {
  Arena* arena = nullptr;

  bool pod_phase_seen = false;

  std::vector<objects::KeyValue> key_values;
  std::vector<objects::Resource> resources, limits;
  std::vector<std::string_view> strings;
  std::vector<objects::Requirement> requirements;
  std::vector<objects::NodeSelectorTerm> terms;
  std::vector<objects::PreferredTerm> preferred_terms;
  std::vector<objects::Toleration> tolerations;
  std::vector<objects::Taint> taints;
  std::vector<objects::HostPort> host_ports;
  std::vector<objects::Container> containers;
  std::vector<objects::ContainerResources> container_resources;
  std::vector<objects::Image> images;
  std::vector<objects::TaskMin> task_mins;
  std::vector<objects::PodGroupCondition> conditions;
  std::vector<objects::HyperNodeMember> members;

  template <class T>
  T* New() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena->Allocate(sizeof(T), alignof(T))) T();
  }
  /// Reads an array through `scratch`, which must not be in use: read(&item) for every item.
  template <class T, class ReadItem>
  std::span<const T> List(std::vector<T>& scratch, ReadItem&& read) {
    scratch.clear();
    for (Items items(*this); items.Next();) read(&scratch.emplace_back());
    return arena->Copy(scratch);
  }
  std::span<const std::string_view> Strings() {
    return List(strings, [this](std::string_view* s) { *s = String(); });
  }
  /// Fails where a value is none of those the API server takes; the value is the one at `token`.
  void Unknown(const char* what, size_t token) { Fail(token, std::string("unknown ") + what + ' ' + Describe(token)); }
};

/// metadata. Missing and bad names fail; the namespace is left empty where it is absent.
void ReadMeta(Walk& w, objects::Meta* meta);
/// True for a name or namespace that can be used: 1 to 253 bytes without control characters.
bool IsUsableName(std::string_view name);

/// An object of strings.
std::span<const objects::KeyValue> ReadKeyValues(Walk& w);
/// An object of quantities, appended to `out`; noun as in JsonCursor::NonNegative.
void ReadResources(Walk& w, const char* noun, std::vector<objects::Resource>* out);
objects::ResourceList ReadResourceList(Walk& w, const char* noun);
/// An RFC 3339 time.
int64_t ReadTime(Walk& w);
/// One expression of a selector.
void ReadRequirement(Walk& w, objects::Requirement* requirement);
/// A taint's or toleration's effect; empty is kNone.
objects::TaintEffect ReadEffect(Walk& w);

// One reader per kind and section. They stand at the section's value and consume it.
void ReadNodeSpec(Walk& w, objects::Node* node);
void ReadNodeStatus(Walk& w, objects::Node* node);
void ReadPodSpec(Walk& w, objects::Pod* pod);
void ReadPodStatus(Walk& w, objects::Pod* pod);
void ReadPodGroupSpec(Walk& w, objects::PodGroup* group);
void ReadPodGroupStatus(Walk& w, objects::PodGroup* group);
void ReadQueueSpec(Walk& w, objects::Queue* queue);
void ReadQueueStatus(Walk& w, objects::Queue* queue);
void ReadHyperNodeSpec(Walk& w, objects::HyperNode* hyper_node);
void ReadResourceQuotaStatus(Walk& w, objects::ResourceQuota* quota);
void ReadConfigMapData(Walk& w, objects::ConfigMap* config_map);
/// The object itself, not a section: the fields that are none of every object's.
bool ReadMetricValueField(Walk& w, Key key, objects::MetricValue* metric);
/// Gives it the name that it lacks.
void NameMetricValue(Walk& w, objects::MetricValue* metric);
void ReadPodDisruptionBudgetSpec(Walk& w, objects::PodDisruptionBudget* budget);
void ReadPodDisruptionBudgetStatus(Walk& w, objects::PodDisruptionBudget* budget);

}  // namespace basalt::decode

// Turns a decoded pod into its class row and the key that says which pods are alike.
#pragma once
#include <string>

#include "snapshot/store.h"

namespace basalt {

/// Scratch for building class rows; reusing one instance avoids allocation per pod.
class ClassBuilder {
 public:
  /// Fills row() and key() for a pod. Names are interned in the store, label columns created for the keys it selects on.
  void Build(const objects::Pod& pod, Store* store);
  const PodClass& row() const { return row_; }
  const std::string& key() const { return key_; }

 private:
  void BuildRequest(const objects::Pod& pod, Store* store);
  void BuildConstraints(const objects::Pod& pod, Store* store);
  void BuildKey();
  PodClass row_;
  std::string key_;
};

/// The pod's request in Volcano's vector (section 2.3 of the core reference): containers, init containers, sidecars, resize, pod-level, overhead, pods = 1.
/// cpu and memory first and always, then by name.
void RequestOf(const objects::Pod& pod, Store* store, std::vector<ResourceAmount>* request);

/// A resource list in Volcano's units, in request order, dropped names left out.
std::vector<ResourceAmount> AmountsOf(objects::ResourceList list, Store* store);

}  // namespace basalt

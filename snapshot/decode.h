// The one decoder: JSON of one API object in, plain structs out (objects.h). Pure: no state but its scratch, no columns.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "snapshot/arena.h"
#include "snapshot/diagnostic.h"
#include "snapshot/objects.h"

namespace basalt {

/// One decoded object. Exactly the pointer that belongs to `kind` is set (none for kOther or where the object was set aside).
struct Decoded {
  objects::Kind kind = objects::Kind::kOther;
  std::string_view kind_name;            ///< the text of `kind`, also for kinds that are not decoded
  std::string_view list_kind, list_api_version;  ///< of the items of the typed list that it came in (the reader sets them), else empty
  bool set_aside = false;                ///< a bad object: a kBadObject diagnostic was written, only kind and meta (as far as read) may be used
  const objects::Meta* meta = nullptr;   ///< never null when !set_aside and kind != kOther
  const objects::Node* node = nullptr;
  const objects::Pod* pod = nullptr;
  const objects::PodGroup* pod_group = nullptr;
  const objects::Queue* queue = nullptr;
  const objects::HyperNode* hyper_node = nullptr;
  const objects::PriorityClass* priority_class = nullptr;
  const objects::ResourceQuota* resource_quota = nullptr;
  const objects::Namespace* namespace_ = nullptr;
  const objects::ConfigMap* config_map = nullptr;
  const objects::PodDisruptionBudget* pod_disruption_budget = nullptr;
  const objects::MetricValue* metric_value = nullptr;
};

/// Bytes that must be readable behind every JSON text handed to the decoder (their content does not matter).
inline constexpr size_t kJsonPaddingBytes = 64;

/// Decodes objects one after another; one instance per thread, reusable.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;

  /// Decodes one object.
  /// json: the object's text, kJsonPaddingBytes readable bytes behind it; must stay alive as long as the result is used.
  /// default_kind_name: kind of items of a typed list ("Node" for a NodeList), used where the object has none of its own; else empty.
  /// label: how to name the object where its own name cannot be read, e.g. "items[3]".
  /// arena: owns the result. diagnostics: at most one kBadObject per object, warnings as needed (source left empty, the caller fills it in).
  /// Returns false where the text is not well-formed JSON: then *syntax_offset is the byte offset in `json` and *syntax_message says what.
  bool Decode(std::string_view json, std::string_view default_kind_name, std::string_view label, Arena* arena, Decoded* out,
              std::vector<Diagnostic>* diagnostics, size_t* syntax_offset, std::string* syntax_message);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The kind of a kind name; kOther for names that are not decoded. A kind counts only in its own API group or with an empty apiVersion:
/// PodGroup and Queue in scheduling.volcano.sh, HyperNode in topology.volcano.sh, Node (Longhorn has one too) in the core group, and so on.
objects::Kind KindOf(std::string_view kind_name, std::string_view api_version);
/// "Node", "Pod", ... ; "" for kOther.
std::string_view KindName(objects::Kind kind);
/// "v1", "scheduling.volcano.sh/v1beta1", ...; "" for kOther.
std::string_view ApiVersionOf(objects::Kind kind);

}  // namespace basalt

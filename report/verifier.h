// The independent check of a plan document against the input it was made from. It shares only decoded objects with the kernel: requests, node
// rules, gangs, queue limits and reasons are worked out again from the reference, plainly.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/diagnostic.h"
#include "snapshot/text/reader.h"

namespace basalt {

struct VerifierOptions {
  std::vector<std::string> scheduler_names = {"volcano"};  ///< "*": every pod is ours
  std::string default_queue = "default";
  bool implied_pod_groups = true;  ///< offline: pods of ours without a PodGroup have one
  size_t threads = 1;              ///< 0: as many as the machine has
  size_t max_findings = 100;       ///< further ones are only counted
  std::optional<bool> minimal_evictions;  ///< unset: as the configuration says, else minimal
  uint32_t termination_cycles = 0;  ///< cycles that evicted pods took to vanish when the plan was made
};

/// What a finding is about.
enum class FindingKind : uint8_t {
  kForm,         ///< the document is not a Schedule as it has to look
  kInputs,       ///< it was made from another input
  kHash,         ///< plan_hash is not that of the decisions
  kUnknownName,  ///< a pod, node or PodGroup that the input does not have
  kTwice,        ///< a pod is placed more than once
  kNotOurs,      ///< a pod that may not be placed: running, finished, gated, of another scheduler, without PodGroup, of a rule not supported
  kCapacity,     ///< a node has less than what is placed on it
  kPodSlots,     ///< a node takes fewer pods
  kNodeRule,     ///< unschedulable, affinity, taints
  kPorts,        ///< host ports clash
  kGang,         ///< a PodGroup is started below its minimum, or before it was admitted
  kQueue,        ///< a queue gets more than its limit, or anything while it is closed
  kEviction,     ///< a pod may not be evicted
  kPhase,        ///< a PodGroup's phase does not follow from its pods
  kGroups,       ///< a PodGroup is missing
  kCondition,    ///< a PodGroup's condition does not follow from its pods
  kReason,       ///< a waiting pod's reason is wrong
  kUnexplained,  ///< a pod waits without a reason
};
std::string_view FindingKindName(FindingKind kind);

struct Finding {
  FindingKind kind;
  int cycle;         ///< -1: the document as a whole
  std::string text;  ///< names the object and the numbers
};
/// "cycle 0: capacity: node n1: ..."
std::string FindingText(const Finding& finding);

class Verifier {
 public:
  enum class Verdict : uint8_t { kAccepted, kRefused, kUnreadable };

  explicit Verifier(VerifierOptions options);
  ~Verifier();

  /// Reads one text of the input (kJsonPaddingBytes readable bytes behind it). False where it cannot be read; *error then says why.
  bool Read(std::string_view text, std::string_view name, TextFormat format, std::string* error);

  /// Checks a plan; may be called repeatedly once everything is read. config: the configuration's text; null: from a ConfigMap of the input,
  /// else Volcano's built-in one. kRefused: findings, at most max_findings. kUnreadable: *error says which of plan and configuration it is.
  Verdict Check(const std::string_view* config, std::string_view plan_json, std::vector<Finding>* findings, std::string* error);
  /// How many findings the last check had in all.
  size_t finding_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt

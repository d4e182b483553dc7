// One handle of the C door in C++: the store, the kernel over it, and the texts that join ids to names.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernel/kernel.h"
#include "report/live.h"
#include "report/settle.h"
#include "report/texts.h"
#include "snapshot/diagnostic.h"
#include "snapshot/executor.h"
#include "snapshot/store.h"
#include "snapshot/text/reader.h"

namespace basalt {

struct EngineOptions {
  StoreOptions store;
  const scoring::Backend* backend = nullptr;
  size_t threads = 1;
  bool lenient = false;
  bool has_evictions = false;
  Evictions evictions = Evictions::kMinimal;
};

struct InputCounts {
  uint64_t objects = 0, used = 0, skipped_kinds = 0, set_aside = 0, duplicates = 0;
  uint64_t nodes = 0, pods = 0, podgroups = 0, queues = 0;
};

/// What one recorded cycle looked like from outside, as text, since rows move on.
struct CycleRecord {
  std::string json;                 ///< the cycle's object of the Schedule document
  std::vector<std::string> lines;   ///< what the plan hash is made of
};

class Engine {
 public:
  explicit Engine(EngineOptions options);

  // ---- input ----
  bool ReadText(std::string_view text, std::string_view name, TextFormat format);
  /// Takes records in (basalt.h). False where the framing is broken.
  bool Apply(std::string_view records, std::string_view name);
  /// One record; at: where it stands, for messages.
  bool Take(uint16_t type, std::string_view payload, std::string_view name, size_t at = 0);
  bool Configure(const std::string_view* text, std::string_view name);
  /// The same from a value that is parsed already.
  bool Configure(const ConfigValue& value, std::string_view name);
  /// Findings that concern several objects: references to nothing, contradictions among queues. Once, before the first cycle.
  void CheckConsistency();

  // ---- cycles ----
  const Plan& Cycle(int64_t now_ns, bool record);
  void Settle(uint32_t termination_cycles);

  Store store;
  Kernel kernel;
  std::vector<Diagnostic> diagnostics;
  InputCounts counts;
  std::vector<CycleRecord> cycles;
  int64_t decide_ns = 0, last_now_ns = 0;
  bool configured = false;
  const EngineOptions options;
  std::string config_text, config_source;
  /// Takes back what the last cycle decided, so that it can be decided again from where it began. Only for a cycle that was not settled.
  void Rewind();
  /// Why PodGroups were not admitted in the last cycle.
  const EnqueueRefusal* RefusalOf(JobId job) const;
  std::string plan_hash() const;
  Executor* executor() { return executor_.get(); }
  /// What a running cluster needs; null offline.
  Live* live() { return live_.get(); }

 private:
  void Take(const Decoded& object, std::string_view source);
  /// Conditions of groups and pods into their rows; returns the pods whose condition differs from the one they had.
  std::vector<PodCondition> WriteConditions(const Plan& plan);
  void Record(const Plan& plan, const std::vector<PodCondition>& written);
  /// Frames of a watch: {"type": ..., "object": {...}}.
  bool TakeWatch(std::string_view frame, std::string_view name, std::string* error);
  bool RefuseRecord(size_t at, std::string_view name, const std::string& why);
  void Drop(std::string_view json, std::string_view name);

  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Live> live_;
  Settlement settlement_;
  std::unordered_map<std::string, uint64_t> skipped_kinds_;
  std::unordered_map<std::string, uint64_t> rowless_;  ///< "Kind/ns/name" -> resourceVersion of objects without rows
  size_t rowless_pods_ = 0;
  std::vector<GroupPhase> phases_before_;  ///< by job row, before the last cycle; offline only
  uint64_t conditions_of_ = 0;  ///< the decided cycle whose conditions are in the rows
  bool consistency_checked_ = false;
};

}  // namespace basalt

// The decision maker: owns what persists between cycles beside the store. One thread owns an instance; it holds no strings, prints nothing,
// reads no clock.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "kernel/class_index.h"
#include "kernel/config.h"
#include "kernel/plan.h"
#include "kernel/session.h"
#include "scoring/batch.h"
#include "snapshot/store.h"

namespace basalt {

class Kernel {
 public:
  explicit Kernel(Store* store) : store_(store) {}

  /// Takes a configuration; problems with arguments are appended (they never refuse it).
  void Configure(Config config, std::vector<scoring::ArgumentProblem>* problems);
  const Config& config() const { return config_; }
  void SetBackend(const scoring::Backend* backend);

  /// One cycle at the given time. Decisions are applied to the store: bound tasks are Binding on their node, phases are new.
  /// Where nothing has changed since a cycle that decided nothing, the last plan stands and the call returns at once.
  /// Preconditions: configured, Store::Prepare() has run since the last event.
  const Plan& Cycle(int64_t now_ns);
  const Plan& plan() const { return plan_; }
  /// Cycles that decided anew; stays where the last plan stood.
  uint64_t cycles_decided() const { return cycles_decided_; }
  /// What the first policy that divides the cluster among queues knows of one, after a cycle. policy: its index in the catalogue. False where none does.
  bool View(QueueId queue, QueueView* view, uint16_t* policy) const;
  /// Opens the policies without deciding anything, so that View() tells what they would say. Preconditions as for Cycle.
  void Open(int64_t now_ns);
  /// A pod as the policies of the last cycle (or Open) see it; its class alone where anything has changed since. Its rules hold until the next call.
  ClassView View(PodId pod);
  /// The dominant share of a job after a cycle; below 0 where no policy keeps one.
  double JobShare(JobId job) const;
  StageTimes& stage_times() { return times_; }
  ClassIndex& index() { return index_; }
  const scoring::Profile& profile() const { return profile_; }

 private:
  void ResolveResources();

  Store* store_;
  Config config_;
  PolicyTiers tiers_;
  scoring::Profile profile_;
  const scoring::Backend* backend_ = &scoring::ScalarBackend();
  ClassIndex index_;
  StageTimes times_;
  Plan plan_, looked_;              ///< looked_: what Open's session would fill
  std::unique_ptr<Session> session_;
  uint64_t session_generation_ = 0; ///< the store's generation after it
  bool idle_ = false;               ///< the last cycle changed nothing
  uint64_t idle_generation_ = 0;    ///< the store's generation after it
  size_t resources_resolved_ = 0;
  uint64_t cycles_decided_ = 0;
};

}  // namespace basalt

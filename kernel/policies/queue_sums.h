// Per-queue sums that proportion and capacity share (volcano-queues, sections 2.1 and 3.1). A record exists for queues that own a job.
#pragma once
#include <limits>
#include <vector>

#include "kernel/policies/admission.h"
#include "kernel/session.h"
#include "kernel/vector.h"

namespace basalt {

struct QueueSums {
  bool exists = false;
  Vector allocated;   ///< tasks in the allocated class; inside a session pipelined ones too
  Vector request;     ///< allocated and pending
  Vector inqueue;     ///< reserved by admitted jobs
  Vector elastic;     ///< allocated beyond minResources
  Vector guarantee, real_capability, deserved;
  double share = 0;

  /// Takes the amounts of one of its jobs in.
  void AddJob(const JobRow& job);
  /// After a task of this request took room (sign 1) or gave it back (-1).
  void Move(const std::vector<ResourceAmount>& request, int sign);
  /// allocated + request within the limit, on the dimensions that are requested.
  bool HasRoom(const std::vector<ResourceAmount>& request, const Vector& limit) const;
  /// min + allocated + inqueue - elastic within realCapability, on the dimensions that the minimum names; the others go to *exceeded.
  bool Admits(const std::vector<ResourceAmount>& min_resources, std::vector<ResourceId>* exceeded) const;
};

/// Builds the records of all queues with jobs: sums, guarantee and the hard limit realCapability.
std::vector<QueueSums> SumQueues(Session& session);

/// share = largest allocated/deserved over dimensions with deserved >= epsilon.
double ShareOf(const Vector& allocated, const Vector& deserved);

/// What proportion and capacity have in common: a limit per queue that admission and allocation are held against, and sums that follow every placement.
/// They differ in what a queue deserves, in its share and in the limit.
class QueuePolicy : public Policy {
 public:
  bool Allocatable(Session& session, QueueId queue, PodId pod) override;
  Vote JobEnqueueable(Session& session, JobId job, EnqueueRefusal* refusal) override;
  void JobEnqueued(Session& session, JobId job) override;
  void Changed(Session& session, PodId pod, int sign) override;
  bool View(QueueId queue, QueueView* view) const override;

 protected:
  /// What a queue may hold in all: the bound of Allocatable.
  virtual const Vector& Limit(const QueueSums& sums) const = 0;
  /// Brings `share` up to date after `allocated` changed.
  virtual void Reshare(QueueSums* sums) const = 0;
  std::vector<QueueSums> queues_;
};

}  // namespace basalt

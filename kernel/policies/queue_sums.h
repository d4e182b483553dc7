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
};

/// Builds the records of all queues with jobs: sums, guarantee and the hard limit realCapability.
std::vector<QueueSums> SumQueues(Session& session);

/// share = largest allocated/deserved over dimensions with deserved >= epsilon.
double ShareOf(const Vector& allocated, const Vector& deserved);

/// May a job with minResources be admitted: min + allocated + inqueue - elastic within realCapability on the dimensions it names.
Vote AdmitToQueue(const QueueRow& queue, const QueueSums& sums, const JobRow& job, std::vector<ResourceId>* exceeded);

}  // namespace basalt

#include "kernel/policies/capacity_lines.h"

#include <map>

#include "kernel/victims.h"

namespace basalt {
namespace {

using Request = std::vector<ResourceAmount>;

const Request& RequestOf(const Store& store, PodId pod) { return store.classes[store.pods[pod.value].cls.value].request; }

/// kNone where the queue has no such ancestor.
QueueId AncestorAt(const QueueLines& lines, QueueId queue, int64_t level) {
  for (; level > 0 && queue; level--) queue = lines.tree->Parent(queue);
  return queue;
}
/// The root is no line: nobody is above it to arbitrate.
bool IsLine(const QueueLines& lines, QueueId ancestor) { return ancestor && ancestor != lines.tree->root(); }

/// A dimension that the task asks for is one that the queue deserves something of.
bool SharesDimension(const Request& request, const Vector& deserved) {
  for (const ResourceAmount& r : request)
    if (r.amount >= 1 && deserved[r.id] >= Vector::kEpsilon) return true;
  return false;
}

/// On some dimension that the task asks for and that the queue deserves anything of, the queue has more than it deserves.
bool IsAbove(const Vector& allocated, const Vector& deserved, const Request& request) {
  for (const ResourceAmount& r : request) {
    if (r.amount <= 0 || r.id == kPods) continue;
    const bool relevant = r.id.value <= kMemory.value ? deserved[r.id] >= Vector::kEpsilon : deserved.Has(r.id);
    if (relevant && allocated[r.id] > deserved[r.id]) return true;
  }
  return false;
}

bool WithinOnSome(const Vector& allocated, const Vector& deserved, const Amounts& request) {
  for (uint32_t i = 0; i < request.size(); i++) {
    const ResourceId r{i};
    if (request[r] <= 0 || r == kPods) continue;
    const double future = allocated[r] + static_cast<double>(request[r]);
    if (future < Vector::kEpsilon && deserved[r] < Vector::kEpsilon) continue;
    if (future < deserved[r] || std::abs(future - deserved[r]) < Vector::kEpsilon) return true;
  }
  return false;
}

/// What queues have left while victims are chosen.
class Running {
 public:
  explicit Running(const std::vector<QueueSums>& queues) : queues_(queues) {}
  Vector& Of(QueueId queue) { return left_.try_emplace(queue, queues_[queue.value].allocated).first->second; }

 private:
  const std::vector<QueueSums>& queues_;
  std::map<QueueId, Vector> left_;
};

bool KeepsGuarantee(const Vector& allocated, const Vector& guarantee, const Request& request) {
  Vector rest = allocated;
  rest.Subtract(Vector(request));
  return guarantee.LessEqual(rest);
}

bool ShareAncestor(const QueueLines& lines, QueueId a, QueueId b) {
  for (int64_t level = 1; level <= lines.levels; level++) {
    const QueueId above = AncestorAt(lines, a, level);
    if (!above) return false;
    if (IsLine(lines, above) && above == AncestorAt(lines, b, level)) return true;
  }
  return false;
}

}  // namespace

bool MayTake(Session& session, const QueueLines& lines, QueueId queue, const std::vector<PodId>& tasks) {
  if (!session.store.queues[queue.value].open) return false;
  Amounts request;
  for (const PodId t : tasks) request.Add(RequestOf(session.store, t), 1);
  const QueueSums& sums = lines.queues[queue.value];
  for (uint32_t i = 0; i < request.size(); i++) {
    const ResourceId r{i};
    if (request[r] > 0 && r != kPods && sums.allocated[r] + static_cast<double>(request[r]) > sums.real_capability[r]) return false;
  }
  if (WithinOnSome(sums.allocated, sums.deserved, request)) return true;
  for (int64_t level = 1; lines.tree && level <= lines.levels; level++) {
    const QueueId above = AncestorAt(lines, queue, level);
    if (!above) return false;
    if (IsLine(lines, above) && WithinOnSome(lines.queues[above.value].allocated, lines.queues[above.value].deserved, request)) return true;
  }
  return false;
}

void SpareTasks(Session& session, const QueueLines& lines, const VictimQuery& query, std::vector<PodId>* victims) {
  const Store& store = session.store;
  if (!session.Takes(query.job)) return;
  const QueueId own = store.jobs[query.job.value].queue;
  const Request& wanted = RequestOf(store, query.evictor);
  Running running(lines.queues);
  VictimQueue order(session, query.job, query.candidates);
  while (!order.empty()) {
    const PodId task = order.Pop();
    const JobId job = store.pods[task.value].job;
    if (!session.Takes(job)) continue;
    const QueueId queue = store.jobs[job.value].queue;
    if (!lines.queues[queue.value].exists) continue;
    const Request& request = RequestOf(store, task);
    bool common = false;  // what it frees has to be of a kind that is wanted
    for (const ResourceAmount& r : request)
      for (const ResourceAmount& w : wanted) common |= r.id == w.id && r.id != kPods && r.amount >= 1 && w.amount >= 1;
    if (!common) continue;
    const QueueSums& sums = lines.queues[queue.value];
    Vector& allocated = running.Of(queue);
    if (!KeepsGuarantee(allocated, sums.guarantee, request)) continue;
    if (!SharesDimension(request, sums.deserved)) {
      // Nobody has a claim on what it holds, unless the two queues have an ancestor in common and the evictor has no claim either.
      if (lines.tree && ShareAncestor(lines, own, queue) && !SharesDimension(wanted, lines.queues[own.value].deserved)) continue;
    } else if (!IsAbove(allocated, sums.deserved, request)) {
      continue;
    }
    std::vector<Vector*> above;
    bool spared = true;
    for (int64_t level = 1; lines.tree && level <= lines.levels && spared; level++) {
      const QueueId ancestor = AncestorAt(lines, queue, level);
      if (!ancestor) break;
      if (!IsLine(lines, ancestor) || ancestor == AncestorAt(lines, own, level)) continue;
      above.push_back(&running.Of(ancestor));
      const Vector& deserved = lines.queues[ancestor.value].deserved;
      spared = !SharesDimension(request, deserved) || IsAbove(*above.back(), deserved, request);
    }
    if (!spared) continue;
    allocated.Subtract(Vector(request));
    for (Vector* a : above) a->Subtract(Vector(request));
    victims->push_back(task);
  }
}

void SpareTasksOfGangs(Session& session, const QueueLines& lines, const VictimQuery& query, std::vector<PodId>* victims) {
  const Store& store = session.store;
  Running running(lines.queues);
  for (const PodId task : query.candidates) {
    const JobId job = store.pods[task.value].job;
    if (!session.Takes(job) || !lines.queues[store.jobs[job.value].queue.value].exists) continue;
    const QueueSums& sums = lines.queues[store.jobs[job.value].queue.value];
    const Request& request = RequestOf(store, task);
    Vector& allocated = running.Of(store.jobs[job.value].queue);
    if (!KeepsGuarantee(allocated, sums.guarantee, request)) continue;
    if (SharesDimension(request, sums.deserved) && !IsAbove(allocated, sums.deserved, request)) continue;
    allocated.Subtract(Vector(request));
    victims->push_back(task);
  }
}

}  // namespace basalt

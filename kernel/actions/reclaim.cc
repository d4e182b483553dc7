// reclaim: a queue that deserves more takes room back from others (volcano-queues, section 5.2).
#include <algorithm>

#include "kernel/actions/eviction_nodes.h"
#include "kernel/heap.h"
#include "kernel/victims.h"

namespace basalt {
namespace {

class Reclaim {
 public:
  explicit Reclaim(Session& session) : session_(session), store_(session.store) {}

  void Run() {
    const auto queue_less = [&](QueueId a, QueueId b) { return session_.QueueLess(a, b); };
    const auto job_less = [&](JobId a, JobId b) { return session_.JobLess(a, b); };
    std::vector<Heap<JobId>> starving(store_.queues.size());
    std::vector<uint8_t> pushed(store_.queues.size(), 0);
    Heap<QueueId> queues;
    for (const JobId id : session_.jobs()) {
      const JobRow& job = store_.jobs[id.value];
      if (job.IsPending() || job.unsupported || !session_.JobValid(id)) continue;
      if (!pushed[job.queue.value]) pushed[job.queue.value] = 1, queues.Push(job.queue, queue_less);
      if (session_.JobStarving(id)) starving[job.queue.value].Push(id, job_less);
    }
    while (!queues.empty()) {
      const QueueId queue = queues.Pop(queue_less);
      if (session_.Overused(queue)) continue;
      Heap<JobId>& jobs = starving[queue.value];
      while (!jobs.empty()) ForJob(jobs.Pop(job_less), queue);
    }
  }

 private:
  void ForJob(JobId id, QueueId queue) {
    std::vector<PodId> tasks;
    for (const PodId t : store_.jobs[id.value].pods)
      if (store_.pods[t.value].status == TaskStatus::kPending && !store_.pods[t.value].gated) tasks.push_back(t);
    session_.SortTasks(&tasks, 1);
    Statement statement;
    for (const PodId task : tasks) {
      if (!session_.JobStarving(id)) break;
      const PodRow& p = store_.pods[task.value];
      if (p.preemption_never || session_.Unsupported(task) || TermsConflict(task) || !session_.Preemptive(queue, {task})) continue;
      ForTask(task, queue, &statement);
    }
    if (session_.JobPipelined(id)) session_.Commit(&statement);
    else session_.Discard(&statement);
  }

  bool TermsConflict(PodId task) const {
    const auto& profile = session_.index.profile();
    return store_.classes[store_.pods[task.value].cls.value].terms_conflict && profile.predicates && profile.node_affinity;
  }

  void ForTask(PodId task, QueueId queue, Statement* statement) {
    const auto may_go = [&](PodId t) {
      const PodRow& v = store_.pods[t.value];
      if (v.status != TaskStatus::kRunning || !v.preemptable || session_.IsProtected(t) || !session_.Takes(v.job)) return false;
      const QueueId of = store_.jobs[v.job.value].queue;
      return of != queue && store_.queues[of.value].reclaimable;
    };
    for (const NodeId node : EvictionNodes(session_, task, /*scored=*/false, may_go)) {
      const std::vector<PodId> candidates = CandidatesOn(session_, node, store_.pods[task.value].job, may_go);
      if (!candidates.empty() && MakeRoom(task, node, candidates, statement)) return;
    }
  }

  // Neither the queue's limit nor the predicates are asked again after evictions: Volcano does not.
  bool MakeRoom(PodId task, NodeId node, const std::vector<PodId>& candidates, Statement* statement) {
    const JobId job = store_.pods[task.value].job;
    const std::vector<PodId> victims = FindVictims(session_, Family::kReclaimable, {task, job, candidates, false});
    if (!FitsWithout(store_, task, node, victims)) return false;
    const size_t before = statement->log.size();
    VictimQueue order(session_, job, victims);
    while (!FitsFuture(store_, task, node) && !order.empty()) session_.Evict(statement, order.Pop(), task, EvictionAction::kReclaim);
    if (!FitsFuture(store_, task, node)) {
      session_.Rewind(statement, before);
      return false;
    }
    session_.Place(statement, task, TaskStatus::kPipelined, node, statement->log.size() > before);
    return true;
  }

  Session& session_;
  Store& store_;
};

}  // namespace

void RunReclaim(Session& session, const ActionOption&) { Reclaim(session).Run(); }

}  // namespace basalt

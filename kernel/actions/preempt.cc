// preempt: a starving job takes room from less important jobs of its queue, then from its own less important tasks (volcano-queues, section 5.1).
#include <algorithm>

#include "kernel/actions/eviction_nodes.h"
#include "kernel/heap.h"
#include "kernel/victims.h"

namespace basalt {
namespace {

using scoring::Room;

class Preempt {
 public:
  explicit Preempt(Session& session) : session_(session), store_(session.store) {}

  void Run() {
    Collect();
    const auto queue_less = [&](QueueId a, QueueId b) { return session_.QueueLess(a, b); };
    const auto job_less = [&](JobId a, JobId b) { return session_.JobLess(a, b); };
    Heap<QueueId> queues;
    for (const QueueId q : queues_) queues.Push(q, queue_less);
    while (!queues.empty()) {
      const QueueId queue = queues.Pop(queue_less);
      const std::vector<JobId>& starving = starving_[queue.value];
      Heap<JobId> jobs;
      for (const JobId j : starving) jobs.Push(j, job_less);
      while (!jobs.empty()) BetweenJobs(jobs.Pop(job_less));
      for (const JobId j : starving) WithinJob(j);
    }
  }

 private:
  void Collect() {
    starving_.resize(store_.queues.size());
    std::vector<uint8_t> seen(store_.queues.size(), 0);
    for (const JobId id : session_.jobs()) {
      const JobRow& job = store_.jobs[id.value];
      if (job.IsPending() || job.unsupported || !session_.JobValid(id)) continue;
      if (!seen[job.queue.value]) seen[job.queue.value] = 1, queues_.push_back(job.queue);
      if (session_.JobStarving(id)) starving_[job.queue.value].push_back(id);
    }
  }

  std::vector<PodId> PendingOf(JobId id) {
    std::vector<PodId> tasks;
    for (const PodId t : store_.jobs[id.value].pods)
      if (store_.pods[t.value].status == TaskStatus::kPending && !store_.pods[t.value].gated) tasks.push_back(t);
    session_.SortTasks(&tasks, 1);
    return tasks;
  }

  // All or nothing: the evictions stand only if the job as a whole then has its places.
  void BetweenJobs(JobId id) {
    Statement statement;
    for (const PodId task : PendingOf(id)) {
      if (!session_.JobStarving(id)) break;
      Try(task, &statement, [&](const PodRow& victim) {
        return victim.job != store_.pods[task.value].job && session_.Takes(victim.job) && store_.jobs[victim.job.value].queue == store_.jobs[id.value].queue;
      });
    }
    if (session_.JobPipelined(id)) session_.Commit(&statement);
    else session_.Discard(&statement);
  }

  // Task by task, until one finds no place: what stands is kept without asking the gang.
  void WithinJob(JobId id) {
    for (const PodId task : PendingOf(id)) {
      Statement statement;
      if (!Try(task, &statement, [&](const PodRow& victim) { return victim.job == id; })) return session_.Discard(&statement);
      session_.Commit(&statement);
    }
  }

  // A task that waits for the room that was made for it before does not preempt again.
  bool Eligible(PodId task) {
    const PodRow& p = store_.pods[task.value];
    if (p.preemption_never || session_.Unsupported(task)) return false;
    if (!p.nominated) return true;
    const NodeId node = store_.FindNode(p.nominated);
    if (!node || !store_.nodes.present[node.value]) return false;
    const ClassView view = session_.View(task);
    // Volcano's task does not preempt again as long as nothing but room keeps it from the node: where an eviction came to nothing, it waits for ever.
    if (session_.config.evictions == Evictions::kCompat && session_.index.Feasible(store_, view, node, Room::kNone)) return false;
    if (!session_.index.Candidates(store_, view)[node.value]) return true;
    return std::none_of(store_.node_pods[node.value].begin(), store_.node_pods[node.value].end(), [&](PodId t) {
      const PodRow& other = store_.pods[t.value];
      return other.pod_priority < p.pod_priority && other.deleting && other.preempted;
    });
  }

  template <class From>
  bool Try(PodId task, Statement* statement, const From& from) {
    if (!Eligible(task) || TermsConflict(task)) return false;
    const bool best_effort = store_.classes[store_.pods[task.value].cls.value].best_effort;
    const auto may_go = [&](PodId t) {
      const PodRow& v = store_.pods[t.value];
      if (v.status != TaskStatus::kRunning && v.status != TaskStatus::kBound) return false;
      return v.preemptable && v.job && !session_.IsProtected(t) && from(v) && (!best_effort || store_.classes[v.cls.value].best_effort);
    };
    for (const NodeId node : EvictionNodes(session_, task, /*scored=*/true, may_go)) {
      const std::vector<PodId> candidates = CandidatesOn(session_, node, store_.pods[task.value].job, may_go);
      if (MakeRoom(task, node, candidates, statement)) return true;
    }
    return false;
  }

  bool TermsConflict(PodId task) const {
    const auto& profile = session_.index.profile();
    return store_.classes[store_.pods[task.value].cls.value].terms_conflict && profile.predicates && profile.node_affinity;
  }

  bool MakeRoom(PodId task, NodeId node, const std::vector<PodId>& candidates, Statement* statement) {
    const JobId job = store_.pods[task.value].job;
    const std::vector<PodId> victims = FindVictims(session_, Family::kPreemptable, {task, job, candidates, false});
    if (!FitsWithout(store_, task, node, victims)) return false;
    const size_t before = statement->log.size();
    const QueueId queue = store_.jobs[job.value].queue;
    const auto fits = [&] {
      return session_.Allocatable(queue, task) && FitsFuture(store_, task, node) && session_.index.Feasible(store_, session_.View(task), node, Room::kNone);
    };
    VictimQueue order(session_, job, victims);
    bool enough = fits(), anything = false;
    while (!enough && !order.empty()) {
      const PodId victim = order.Pop();
      anything |= !store_.classes[store_.pods[victim.value].cls.value].best_effort;
      session_.Evict(statement, victim, task, EvictionAction::kPreempt);
      enough = fits();
    }
    if (!enough) {
      session_.Rewind(statement, before);
      return false;
    }
    session_.Place(statement, task, TaskStatus::kPipelined, node, anything);
    return true;
  }

  Session& session_;
  Store& store_;
  std::vector<QueueId> queues_;
  std::vector<std::vector<JobId>> starving_;  ///< by queue row, in key order
};

}  // namespace

void RunPreempt(Session& session, const ActionOption&) { Preempt(session).Run(); }

}  // namespace basalt

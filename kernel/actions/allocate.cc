// allocate: places the tasks of admitted jobs, gang by gang, then one task a round (volcano-core, section 5.2).
#include <algorithm>

#include "kernel/actions/catalogue.h"
#include "kernel/actions/role_cache.h"
#include "kernel/heap.h"
#include "kernel/session.h"

namespace basalt {
namespace {

using scoring::Room;

class Allocate {
 public:
  explicit Allocate(Session& session) : session_(session), store_(session.store) {}

  void Run() {
    Collect();
    FinishPartialGangs();
    while (!queues_.empty()) {
      const QueueId queue = queues_.Pop(queue_less_);
      // Overused is asked before looking for jobs; such a queue is out for this cycle.
      if (session_.Overused(queue)) continue;
      Heap<JobId>& jobs = jobs_of_[queue.value];
      if (jobs.empty()) continue;
      const JobId job = jobs.Pop(job_less_);
      Tasks& tasks = tasks_of_[job.value];
      Statement statement;
      if (AllocateTasks(job, &tasks, &statement) && session_.JobReady(job)) {
        session_.Commit(&statement);
        if (!tasks.Empty()) jobs.Push(job, job_less_);
      }
      // A job that is only pipelined keeps what it holds until the session ends; it is not tried again.
      queues_.Push(queue, queue_less_);
    }
  }

 private:
  /// Tasks of a job that are still to be tried; none comes back.
  struct Tasks {
    std::vector<PodId> order;
    size_t next = 0;
    bool Empty() const { return next == order.size(); }
  };

  void Collect() {
    jobs_of_.resize(store_.queues.size());
    tasks_of_.resize(store_.jobs.size());
    std::vector<uint8_t> pushed(store_.queues.size(), 0);
    const bool enqueue_runs = session_.config.HasAction(kEnqueueAction);
    for (const JobId id : session_.jobs()) {
      JobRow& job = store_.jobs[id.value];
      if (job.IsPending()) {
        if (enqueue_runs) continue;
        job.phase = GroupPhase::kInqueue;
      }
      if (!job.Count(TaskStatus::kPending) || !session_.JobValid(id)) continue;
      std::vector<PodId>& members = tasks_of_[id.value].order;
      for (const PodId t : job.pods) {
        const PodRow& p = store_.pods[t.value];
        if (p.status != TaskStatus::kPending || (p.gated && !p.volcano_gate_only) || store_.classes[p.cls.value].best_effort) continue;
        members.push_back(t);
      }
      if (members.empty()) continue;
      session_.SortTasks(&members, 2);
      if (!pushed[job.queue.value]) pushed[job.queue.value] = 1, queues_.Push(job.queue, queue_less_);
      jobs_of_[job.queue.value].Push(id, job_less_);
    }
  }

  // Live: a gang of which a part is bound (a bind was refused, or the process died between two binds) holds its room for nothing until the rest is
  // placed, so the rest goes before every queue.
  void FinishPartialGangs() {
    if (!store_.live()) return;
    for (const JobId id : session_.jobs()) {
      const JobRow& job = store_.jobs[id.value];
      Tasks& tasks = tasks_of_[id.value];
      if (tasks.Empty() || job.phase != GroupPhase::kInqueue || job.Ready() == 0 || job.Ready() >= job.min_member) continue;
      Statement statement;
      if (AllocateTasks(id, &tasks, &statement) && session_.JobReady(id)) session_.Commit(&statement);
    }
  }

  // True: the transaction stands (the job is ready, or all its tasks have a place to wait for); false: it was undone.
  bool AllocateTasks(JobId id, Tasks* tasks, Statement* statement) {
    const QueueId queue = store_.jobs[id.value].queue;
    RoleCache cache(store_, id, session_.config.predicate_error_cache);
    while (!tasks->Empty()) {
      const PodId task = tasks->order[tasks->next++];
      const PodRow& p = store_.pods[task.value];
      if (!session_.Allocatable(queue, task)) continue;  // no fit error: the group's state is the message
      if (p.gated) continue;
      if (session_.RoleFailed(id, p.role)) {
        session_.SetFitError(task, session_.AddFitError({FitError::kRoleFailed, 0, p.role, {}, {}}));
        continue;
      }
      uint32_t error = Refused(task);
      NodeId node;
      bool now = true;
      if (error == kNoFitError) {
        node = Find(task, &cache, &now);
        if (!node) error = NodesError(task);
      }
      if (error != kNoFitError) {
        session_.SetFitError(task, error);
        if (!GoOn(id)) break;
        continue;
      }
      session_.Place(statement, task, now ? TaskStatus::kAllocated : TaskStatus::kPipelined, node);
      if (session_.JobReady(id)) break;
    }
    if (session_.JobReady(id) || session_.JobPipelined(id)) return true;
    session_.Discard(statement);
    return false;
  }

  // What refuses a task before any node is looked at.
  uint32_t Refused(PodId task) {
    if (const StringId field = session_.Unsupported(task)) return session_.AddFitError({FitError::kUnsupported, 0, {}, field, {}});
    const PodClass& cls = store_.classes[store_.pods[task.value].cls.value];
    const auto& profile = session_.index.profile();
    if (cls.terms_conflict && profile.predicates && profile.node_affinity) return session_.AddFitError({FitError::kTermsConflict, 0, {}, {}, {}});
    return kNoFitError;
  }

  uint32_t NodesError(PodId task) {
    const ClassView view = session_.View(task);
    if (const uint32_t known = session_.index.Remembered(store_, view, Room::kFuture); known != kNoFitError) return known;
    const uint32_t error = session_.AddFitError(session_.index.Explain(store_, view, Room::kFuture));
    session_.index.Remember(store_, view, Room::kFuture, error);
    return error;
  }

  NodeId Find(PodId task, RoleCache* cache, bool* now) {
    const PodRow& p = store_.pods[task.value];
    ClassIndex& index = session_.index;
    const ClassView view = session_.View(task);
    *now = true;
    if (p.nominated) {
      const NodeId nominated = store_.FindNode(p.nominated);
      if (nominated && store_.nodes.present[nominated.value] && index.Feasible(store_, view, nominated, Room::kFuture)) {
        *now = index.Feasible(store_, view, nominated, Room::kIdle);
        return nominated;
      }
    }
    if (p.role && cache->Needed()) return index.BestAmong(store_, view, cache->Failed(p.role), now);
    if (index.Remembered(store_, view, Room::kFuture) != kNoFitError) return {};  // nothing has changed since it failed
    if (const NodeId best = index.Best(store_, view)) return best;
    *now = false;
    return store_.releasing_tasks ? index.BestFuture(store_, view) : NodeId{};
  }

  // NeedContinueAllocating: may the rest still make the gang after one task failed?
  bool GoOn(JobId id) {
    const JobRow& job = store_.jobs[id.value];
    const auto tasks = static_cast<int64_t>(job.pods.size());
    if (job.min_member >= tasks) return false;
    const auto& failed = session_.FailedRoles(id);
    const auto has_failed = [&](StringId role) { return std::find(failed.begin(), failed.end(), role) != failed.end(); };
    if (job.min_member < job.task_min_total) {
      int64_t left = 0;
      for (const PodId t : job.pods) {
        const PodRow& p = store_.pods[t.value];
        left += p.status == TaskStatus::kPending && !has_failed(p.role);
      }
      return job.Ready() + left >= job.min_member;
    }
    for (const auto& [role, min] : job.task_min) {
      if (min <= 0 || !has_failed(role)) continue;
      int64_t ready = 0;
      for (const PodId t : job.pods) {
        const PodRow& p = store_.pods[t.value];
        if (p.role != role) continue;
        ready += IsAllocated(p.status) || p.status == TaskStatus::kSucceeded ||
                 (p.status == TaskStatus::kPending && store_.classes[p.cls.value].best_effort);
      }
      if (ready < min) return false;
    }
    return true;
  }

  Session& session_;
  Store& store_;
  Heap<QueueId> queues_;
  std::vector<Heap<JobId>> jobs_of_;
  std::vector<Tasks> tasks_of_;  ///< by job row
  struct QueueLess { Session& s; bool operator()(QueueId a, QueueId b) const { return s.QueueLess(a, b); } } queue_less_{session_};
  struct JobLess { Session& s; bool operator()(JobId a, JobId b) const { return s.JobLess(a, b); } } job_less_{session_};
};

}  // namespace

void RunAllocate(Session& session, const ActionOption&) { Allocate(session).Run(); }

}  // namespace basalt

// gangpreempt and gangreclaim: room for a gang as a whole, taken in bundles that break as few other gangs as possible (volcano-queues, sections 5.3, 5.4).
#include <algorithm>

#include "kernel/actions/bundles.h"
#include "kernel/actions/role_cache.h"
#include "kernel/heap.h"
#include "kernel/victims.h"

namespace basalt {
namespace {

class GangEvict {
 public:
  GangEvict(Session& session, const ActionOption& option, EvictionAction action)
      : session_(session), store_(session.store), option_(option), action_(action), reclaim_(action == EvictionAction::kGangReclaim) {}

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
      if (reclaim_ && session_.Overused(queue)) continue;
      Heap<JobId>& jobs = starving[queue.value];
      while (!jobs.empty()) ForJob(jobs.Pop(job_less));
    }
  }

 private:
  void ForJob(JobId id) {
    const std::vector<PodId> tasks = PendingOf(id);
    if (tasks.empty()) return;
    if (reclaim_ && !session_.Preemptive(store_.jobs[id.value].queue, tasks)) return;
    Amounts sum;
    for (const PodId t : tasks) sum.Add(RequestOf(t), 1);
    Need need;
    for (uint32_t r = 0; r < sum.size(); r++)
      if (sum[ResourceId{r}]) need.push_back({ResourceId{r}, sum[ResourceId{r}]});

    std::vector<Bundle> bundles = Approved(id, need);
    if (!option_.allow_whole_bundle) std::erase_if(bundles, [](const Bundle& b) { return b.whole; });
    Need room = Room(need);
    // Volcano always takes a bundle, though what is being released may do.
    const bool none_may_do = session_.config.evictions == Evictions::kMinimal;
    for (size_t n = 0; n <= bundles.size(); n++) {
      if (n > 0)
        for (const PodId t : bundles[n - 1].tasks) AddTo(&room, RequestOf(t));
      const bool may_suffice = std::equal(need.begin(), need.end(), room.begin(), [](const auto& a, const auto& b) { return a.amount <= b.amount; });
      if (!may_suffice || (n == 0 && !none_may_do)) continue;
      std::vector<Bundle> taken(bundles.begin(), bundles.begin() + static_cast<ptrdiff_t>(n));
      Statement statement;
      if (!Try(id, tasks, taken, &statement)) continue;
      if (session_.config.evictions == Evictions::kMinimal) LeaveOut(id, tasks, &taken, &statement);
      return session_.Commit(&statement);
    }
  }

  // What a bundle frees may turn out to be of no use beside the later ones: leaves out every bundle without which the gang has its places all the same,
  // the most important first. A job that is broken keeps nothing of what it could spare.
  void LeaveOut(JobId id, const std::vector<PodId>& tasks, std::vector<Bundle>* taken, Statement* statement) {
    for (size_t i = taken->size(); i-- > 0;) {
      const Bundle& bundle = (*taken)[i];
      if (!bundle.whole && std::any_of(taken->begin(), taken->end(), [&](const Bundle& b) { return b.whole && b.job == bundle.job; })) continue;
      std::vector<Bundle> fewer = *taken;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      session_.Rewind(statement, 0);
      if (Try(id, tasks, fewer, statement)) *taken = std::move(fewer);
      else Try(id, tasks, *taken, statement);
    }
  }

  // All tasks, or none: evicts the bundles, then looks for a node for one task after the other. Undone where the gang does not come together.
  bool Try(JobId id, const std::vector<PodId>& tasks, const std::vector<Bundle>& bundles, Statement* statement) {
    for (const Bundle& b : bundles)
      for (const PodId t : b.tasks) session_.Evict(statement, t, tasks[0], action_);
    const size_t evictions = statement->log.size();
    const QueueId queue = store_.jobs[id.value].queue;
    RoleCache cache(store_, id, session_.config.predicate_error_cache);
    for (const PodId t : tasks) {
      const NodeId node = session_.Allocatable(queue, t) ? Find(t, &cache) : NodeId{};
      if (!node) return session_.Rewind(statement, 0), false;
      session_.Place(statement, t, TaskStatus::kPipelined, node, evictions > 0);
    }
    if (!session_.JobPipelined(id)) return session_.Rewind(statement, 0), false;
    for (size_t i = 0; i < evictions; i++)  // for whom a pod goes: a task that gets its node, if any does
      for (size_t j = evictions; j < statement->log.size(); j++)
        if (store_.pods[statement->log[j].pod.value].node == statement->log[i].was_node) {
          statement->log[i].by = statement->log[j].pod;
          break;
        }
    return true;
  }

  NodeId Find(PodId task, RoleCache* cache) {
    const ClassView view = session_.View(task);
    const StringId role = store_.pods[task.value].role;
    bool now = true;
    if (role && cache->Needed()) return session_.index.BestAmong(store_, view, cache->Failed(role), &now);
    if (const NodeId best = session_.index.Best(store_, view)) return best;
    return session_.index.BestFuture(store_, view);
  }

  // Empty where the gang cannot be helped.
  std::vector<PodId> PendingOf(JobId id) {
    std::vector<PodId> tasks;
    const auto& profile = session_.index.profile();
    for (const PodId t : store_.jobs[id.value].pods) {
      const PodRow& p = store_.pods[t.value];
      const PodClass& cls = store_.classes[p.cls.value];
      if (p.status != TaskStatus::kPending || p.gated || cls.best_effort) continue;
      if (p.preemption_never && session_.config.evictions == Evictions::kMinimal) continue;
      if (session_.Unsupported(t) || (cls.terms_conflict && profile.predicates && profile.node_affinity)) return {};
      tasks.push_back(t);
    }
    session_.SortTasks(&tasks, 2);
    return tasks;
  }

  bool MayGo(PodId t, JobId evictor) const {
    const PodRow& v = store_.pods[t.value];
    return v.preemptable && v.node && store_.nodes.present[v.node.value] && !session_.IsProtected(t) &&
           (v.status == TaskStatus::kRunning || (v.status == TaskStatus::kBound && !reclaim_)) && v.job != evictor;
  }

  bool MayGive(JobId victim, JobId evictor) const {
    const JobRow &v = store_.jobs[victim.value], &e = store_.jobs[evictor.value];
    if (victim == evictor || v.never_victim) return false;
    return reclaim_ ? v.queue != e.queue && store_.queues[v.queue.value].reclaimable : v.queue == e.queue && v.priority < e.priority;
  }

  // The bundles that the policies agree on, in the order in which they are taken.
  std::vector<Bundle> Approved(JobId id, const Need& need) {
    std::vector<Bundle> bundles;
    for (const JobId victim : session_.jobs()) {
      if (!MayGive(victim, id)) continue;
      std::vector<PodId> tasks;
      for (const PodId t : store_.jobs[victim.value].pods)
        if (MayGo(t, id)) tasks.push_back(t);
      if (tasks.empty()) continue;
      for (Bundle& b : BundlesOf(store_, victim, std::move(tasks))) bundles.push_back(std::move(b));
    }
    if (bundles.empty()) return bundles;
    SortBundles(session_, id, reclaim_, need, &bundles);
    std::vector<PodId> all;
    for (const Bundle& b : bundles) all.insert(all.end(), b.tasks.begin(), b.tasks.end());
    std::vector<uint8_t> agreed(store_.pods.size(), 0);
    for (const PodId t : FindVictims(session_, Family::kUnifiedEvictable, {PodId{}, id, all, reclaim_})) agreed[t.value] = 1;
    for (Bundle& b : bundles) {
      const size_t before = b.tasks.size();
      std::erase_if(b.tasks, [&](PodId t) { return !agreed[t.value]; });
      if (b.whole && b.tasks.size() < before) b.tasks.clear();
    }
    std::erase_if(bundles, [](const Bundle& b) { return b.tasks.empty(); });
    SortBundles(session_, id, reclaim_, need, &bundles);
    return bundles;
  }

  // What the cluster has free or will have, in the dimensions of `need`. As in Volcano, tasks that wait for it already are not counted.
  Need Room(const Need& need) const {
    Need room = need;
    for (ResourceAmount& r : room) {
      r.amount = 0;
      for (uint32_t row = 0; row < store_.nodes.rows; row++)
        if (store_.nodes.present[row]) r.amount = SaturatingAdd(r.amount, store_.nodes.future[r.id.value][row]);
      for (const JobRow& job : store_.jobs) r.amount = SaturatingAdd(r.amount, job.pipelined[r.id]);
    }
    return room;
  }
  static void AddTo(Need* room, const std::vector<ResourceAmount>& request) {
    for (ResourceAmount& r : *room)
      for (const ResourceAmount& a : request)
        if (a.id == r.id) r.amount = SaturatingAdd(r.amount, a.amount);
  }
  const std::vector<ResourceAmount>& RequestOf(PodId t) const { return store_.classes[store_.pods[t.value].cls.value].request; }

  Session& session_;
  Store& store_;
  const ActionOption& option_;
  const EvictionAction action_;
  const bool reclaim_;
};

}  // namespace

void RunGangPreempt(Session& session, const ActionOption& option) { GangEvict(session, option, EvictionAction::kGangPreempt).Run(); }
void RunGangReclaim(Session& session, const ActionOption& option) { GangEvict(session, option, EvictionAction::kGangReclaim).Run(); }

}  // namespace basalt

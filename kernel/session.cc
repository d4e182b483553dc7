#include "kernel/session.h"

#include <algorithm>

#include "kernel/actions/catalogue.h"
#include "kernel/heap.h"
#include "kernel/policies/catalogue.h"
#include "kernel/spare_victims.h"

namespace basalt {

namespace {

/// The switch that turns a family of a plugin entry off; none where Volcano has none.
struct Gate { Family family; bool gated; Switch by; };
constexpr Gate kGates[] = {
    {Family::kJobOrder, true, Switch::kJobOrder},         {Family::kQueueOrder, true, Switch::kQueueOrder},
    {Family::kTaskOrder, true, Switch::kTaskOrder},       {Family::kJobValid, false, {}},
    {Family::kJobReady, true, Switch::kJobReady},         {Family::kJobPipelined, true, Switch::kJobPipelined},
    {Family::kJobEnqueueable, true, Switch::kJobEnqueued},{Family::kJobEnqueued, true, Switch::kJobEnqueued},
    {Family::kOverused, true, Switch::kOverused},         {Family::kAllocatable, true, Switch::kAllocatable},
    {Family::kEvents, false, {}},                         {Family::kClose, false, {}},
    {Family::kNodeFilter, true, Switch::kPredicate},      {Family::kNodeScore, true, Switch::kNodeOrder},
    {Family::kJobStarving, true, Switch::kJobStarving},   {Family::kPreemptive, true, Switch::kPreemptive},
    {Family::kPreemptable, true, Switch::kPreemptable},   {Family::kReclaimable, true, Switch::kReclaimable},
    {Family::kUnifiedEvictable, false, {}},               {Family::kVictimTasks, true, Switch::kVictim},
    {Family::kVictimQueueOrder, false, {}},               {Family::kExpendable, true, Switch::kVictim},
};

constexpr size_t kRulesHeld = 256;  ///< rules of policies that a session keeps; each has a few columns over the nodes

template <class T>
int Compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

PolicyTiers BuildPolicies(const Config& config, std::vector<scoring::ArgumentProblem>* problems) {
  PolicyTiers tiers;
  for (const auto& tier : config.tiers) {
    tiers.emplace_back();
    for (const PluginOption& option : tier) {
      const PolicyEntry* entry = FindPolicy(option.name);
      if (!entry || !entry->make) continue;  // a plugin with a scoring side only
      ActivePolicy active;
      scoring::ArgumentReader arguments(option.name, &option.arguments, problems);
      active.policy = entry->make(option, &arguments);
      active.catalogue_index = PolicyIndex(option.name);
      for (const Gate& g : kGates)
        if ((active.policy->Families() & FamilyBit(g.family)) && (!g.gated || option.On(g.by))) active.families |= FamilyBit(g.family);
      tiers.back().push_back(std::move(active));
    }
  }
  return tiers;
}

Session::Session(Store* s, const Config* c, PolicyTiers* tiers, ClassIndex* i, int64_t now, Plan* p, StageTimes* times)
    : store(*s), config(*c), index(*i), plan(*p), now_ns(now), tiers_(*tiers), times_(*times) {
  for (const auto& tier : tiers_) {
    for (auto& family : by_family_) family.emplace_back();
    for (const ActivePolicy& a : tier)
      for (int f = 0; f < kFamilyCount; f++)
        if (a.families & FamilyBit(static_cast<Family>(f))) by_family_[f].back().push_back(a.policy.get());
  }
  for (uint32_t j = 0; j < store.jobs.size(); j++) {
    const JobRow& job = store.jobs[j];
    if (job.in_use && job.has_group && QueueExists(job.queue)) jobs_.push_back(JobId{j});
  }
  std::sort(jobs_.begin(), jobs_.end(), [this](JobId a, JobId b) { return store.CompareKey(a, b) < 0; });
  fit_error_.assign(store.pods.size(), kNoFitError);
  last_.assign(store.pods.size(), {});
  nominated_.assign(store.pods.size(), 0);
  failed_roles_.resize(store.jobs.size());
  index.ForgetErrors();
  index.ForgetRules();
  FindNodePolicies();
}

template <class F>
void Session::ForEach(Family family, const F& f) {
  for (const auto& tier : by_family_[static_cast<int>(family)])
    for (Policy* p : tier)
      if (!f(p)) return;
}

bool Session::JobLess(JobId a, JobId b) {
  int order = JobOrderOfPolicies(a, b);
  if (!order) order = Compare(store.jobs[a.value].creation_seconds, store.jobs[b.value].creation_seconds);
  return (order ? order : store.CompareKey(a, b)) < 0;
}

bool Session::QueueLess(QueueId a, QueueId b) {
  int order = 0;
  ForEach(Family::kQueueOrder, [&](Policy* p) { return (order = p->QueueOrder(*this, a, b)) == 0; });
  if (!order) order = Compare(store.queues[a.value].creation_seconds, store.queues[b.value].creation_seconds);
  return (order ? order : store.CompareName(a, b)) < 0;
}

bool Session::TaskLess(PodId a, PodId b) {
  int order = 0;
  ForEach(Family::kTaskOrder, [&](Policy* p) { return (order = p->TaskOrder(*this, a, b)) == 0; });
  const PodRow& pa = store.pods[a.value];
  const PodRow& pb = store.pods[b.value];
  if (!order && pa.name_index >= 0 && pb.name_index >= 0) order = Compare(pa.name_index, pb.name_index);
  if (!order) order = Compare(pa.creation_seconds, pb.creation_seconds);
  return (order ? order : store.CompareUid(a, b)) < 0;
}

void Session::SortTasks(std::vector<PodId>* tasks, int heaps) {
  const auto less = [this](PodId a, PodId b) { return TaskLess(a, b); };
  const auto indexed = [this](PodId t) { return store.pods[t.value].name_index >= 0; };
  const auto with_index = std::count_if(tasks->begin(), tasks->end(), indexed);
  if (with_index == 0 || with_index == std::ssize(*tasks)) {  // a total order; pods mostly come in it
    if (!std::is_sorted(tasks->begin(), tasks->end(), less)) std::sort(tasks->begin(), tasks->end(), less);
    return;
  }
  std::sort(tasks->begin(), tasks->end(), [this](PodId a, PodId b) {
    const PodRow& pa = store.pods[a.value];
    const PodRow& pb = store.pods[b.value];
    return pa.name_index != pb.name_index ? pa.name_index < pb.name_index : store.CompareUid(a, b) < 0;
  });
  for (int h = 0; h < heaps; h++) {
    Heap<PodId> heap;
    for (const PodId t : *tasks) heap.Push(t, less);
    for (PodId& t : *tasks) t = heap.Pop(less);
  }
}

bool Session::JobValid(JobId job) {
  bool ok = true;
  ForEach(Family::kJobValid, [&](Policy* p) { return ok = p->JobValid(*this, job); });
  return ok;
}

bool Session::JobReady(JobId job) {
  bool ok = true;
  ForEach(Family::kJobReady, [&](Policy* p) { return ok = p->JobReady(*this, job); });
  return ok;
}

// A reject ends the vote; a tier with a permit ends it too; nobody at all permits.
bool Session::JobPipelined(JobId job) {
  for (const auto& tier : by_family_[static_cast<int>(Family::kJobPipelined)]) {
    bool permit = false;
    for (Policy* p : tier) {
      const Vote vote = p->JobPipelined(*this, job);
      if (vote == Vote::kReject) return false;
      permit = permit || vote == Vote::kPermit;
    }
    if (permit) return true;
  }
  return true;
}

bool Session::JobEnqueueable(JobId job) {
  for (size_t t = 0; t < tiers_.size(); t++) {
    bool permit = false;
    for (const ActivePolicy& a : tiers_[t]) {
      if (!(a.families & FamilyBit(Family::kJobEnqueueable))) continue;
      EnqueueRefusal refusal{job, a.catalogue_index, {}, {}, {}};
      const Vote vote = a.policy->JobEnqueueable(*this, job, &refusal);
      if (vote == Vote::kReject) {
        plan.refusals.push_back(std::move(refusal));
        return false;
      }
      permit = permit || vote == Vote::kPermit;
    }
    if (permit) return true;
  }
  return true;
}

void Session::JobEnqueued(JobId job) {
  ForEach(Family::kJobEnqueued, [&](Policy* p) { return p->JobEnqueued(*this, job), true; });
}

bool Session::Overused(QueueId queue) {
  bool overused = false;
  ForEach(Family::kOverused, [&](Policy* p) { return !(overused = p->Overused(*this, queue)); });
  return overused;
}

// The first tier in which anybody has an opinion decides, and all of them have to agree; nobody at all: the job is content.
bool Session::JobStarving(JobId job) {
  for (const auto& tier : by_family_[static_cast<int>(Family::kJobStarving)])
    if (!tier.empty()) return std::all_of(tier.begin(), tier.end(), [&](Policy* p) { return p->JobStarving(*this, job); });
  return false;
}

bool Session::Preemptive(QueueId queue, const std::vector<PodId>& tasks) {
  bool ok = true;
  ForEach(Family::kPreemptive, [&](Policy* p) { return ok = p->Preemptive(*this, queue, tasks); });
  return ok;
}

int Session::JobOrderOfPolicies(JobId a, JobId b) {
  int order = 0;
  ForEach(Family::kJobOrder, [&](Policy* p) { return (order = p->JobOrder(*this, a, b)) == 0; });
  return order;
}

bool Session::Allocatable(QueueId queue, PodId pod) {
  bool ok = true;
  ForEach(Family::kAllocatable, [&](Policy* p) { return ok = p->Allocatable(*this, queue, pod); });
  return ok;
}

void Session::Notify(PodId pod, int sign) {
  ForEach(Family::kEvents, [&](Policy* p) { return p->Changed(*this, pod, sign), true; });
}

void Session::Place(Statement* statement, PodId pod, TaskStatus status, NodeId node, bool nominated) {
  const PodRow& p = store.pods[pod.value];
  statement->log.push_back({pod, p.status, p.node, {}, {}, false});
  touched_.push_back(pod);
  nominated_[pod.value] = nominated;
  store.SetTask(pod, status, node);
  Notify(pod, 1);
}

void Session::Evict(Statement* statement, PodId pod, PodId by, EvictionAction action) {
  const PodRow& p = store.pods[pod.value];
  statement->log.push_back({pod, p.status, p.node, by, action, true});
  store.SetTask(pod, TaskStatus::kReleasing, p.node, /*evicted=*/true);
  Notify(pod, -1);
}

void Session::Undo(const Statement::Entry& entry) {
  if (!entry.eviction) {
    store.SetTask(entry.pod, entry.was_status, entry.was_node);
    Notify(entry.pod, -1);
    return;
  }
  // As in Volcano, whoever is not evicted after all is Running, though it was only Bound, until the session ends.
  if (entry.was_status != TaskStatus::kRunning) revived_.emplace_back(entry.pod, entry.was_status);
  store.SetTask(entry.pod, TaskStatus::kRunning, entry.was_node);
  Notify(entry.pod, 1);
}

void Session::Rewind(Statement* statement, size_t size) {
  while (statement->log.size() > size) {
    const Statement::Entry entry = statement->log.back();
    statement->log.pop_back();
    Undo(entry);
  }
}

void Session::Spare(const Eviction& eviction, bool evict) {
  store.SetTask(eviction.pod, evict ? TaskStatus::kReleasing : eviction.was, eviction.node, evict);
  Notify(eviction.pod, evict ? -1 : 1);
}

bool Session::StillAllocatable(PodId placed) {
  const PodRow& p = store.pods[placed.value];
  const TaskStatus status = p.status;
  const NodeId node = p.node;
  store.SetTask(placed, TaskStatus::kPending, {});
  Notify(placed, -1);
  const bool allocatable = Allocatable(store.jobs[p.job.value].queue, placed);
  store.SetTask(placed, status, node);
  Notify(placed, 1);
  return allocatable;
}

void Session::Commit(Statement* statement) {
  for (const auto& entry : statement->log) {
    const PodRow& p = store.pods[entry.pod.value];
    if (entry.eviction) {
      plan.evicted.push_back({entry.pod, entry.was_node, entry.by, entry.action, entry.was_status});
      continue;
    }
    if (p.status == TaskStatus::kAllocated) {
      plan.binds.push_back({entry.pod, p.node});
      store.SetTask(entry.pod, TaskStatus::kBinding, p.node);
    }
    last_[entry.pod.value].set = false;
  }
  statement->log.clear();
}

void Session::Discard(Statement* statement) {
  for (const auto& entry : statement->log) {
    const PodRow& p = store.pods[entry.pod.value];
    if (!entry.eviction) last_[entry.pod.value] = {p.status, p.node, true, nominated_[entry.pod.value] != 0};
  }
  Rewind(statement, 0);
}

void Session::AllocateNow(PodId pod, NodeId node) {
  const JobId job = store.pods[pod.value].job;
  touched_.push_back(pod);
  store.SetTask(pod, TaskStatus::kAllocated, node);
  Notify(pod, 1);
  if (!JobReady(job)) return;
  std::vector<PodId> ready;
  for (const PodId t : store.jobs[job.value].pods)
    if (store.pods[t.value].status == TaskStatus::kAllocated) ready.push_back(t);
  for (const PodId t : ready) {
    const NodeId on = store.pods[t.value].node;
    if (!Bindable(t, on)) continue;
    plan.binds.push_back({t, on});
    store.SetTask(t, TaskStatus::kBinding, on);
  }
}

// Volcano's bind path compares the request once more with what the node has free by its cache, which knows nothing of placements that were not
// sent: a node with a negative idle amount refuses even a task without requests.
bool Session::Bindable(PodId pod, NodeId node) const {
  for (const ResourceAmount& r : store.classes[store.pods[pod.value].cls.value].request) {
    int64_t idle = store.nodes.idle[r.id.value][node.value];
    for (const PodId t : store.node_pods[node.value]) {
      if (store.pods[t.value].status != TaskStatus::kAllocated) continue;
      for (const ResourceAmount& a : store.classes[store.pods[t.value].cls.value].request)
        if (a.id == r.id) idle = SaturatingAdd(idle, a.amount);
    }
    if (r.amount > idle) return false;
  }
  return true;
}

void Session::FindNodePolicies() {
  const uint16_t predicates = PredicatesIndex();
  bool before = true;
  if (store.shard.restricts) node_policies_.push_back({&node_shard_, true, false, true});
  for (size_t t = 0; t < tiers_.size(); t++)
    for (const ActivePolicy& a : tiers_[t]) {
      before = before && a.catalogue_index != predicates;
      const bool filters = a.families & FamilyBit(Family::kNodeFilter), scores = a.families & FamilyBit(Family::kNodeScore);
      if (filters || scores) node_policies_.push_back({a.policy.get(), filters, scores, before});
    }
}

ClassView Session::View(PodId pod) {
  const ClassId cls = store.pods[pod.value].cls;
  if (node_policies_.empty()) return cls;
  keys_.clear(), versions_.clear();
  bool any = false;
  for (const NodePolicy& p : node_policies_) {
    keys_.push_back(p.policy->NodeKey(*this, pod));
    versions_.push_back(keys_.back() ? p.policy->NodeVersion(*this, keys_.back(), store.ChangePosition()) : 0);
    any |= keys_.back() != 0;
  }
  if (!any) return cls;
  KnownRules& known = node_rules_[keys_];
  if (!known.id) known.id = node_rules_.size();
  if (known.rules && known.of_versions == versions_) return {cls, known.rules.get()};
  if (!known.rules && rules_held_ == kRulesHeld) {
    for (auto& [keys, k] : node_rules_) k.rules.reset();
    index.ForgetRules();
    rules_held_ = 0;
  }
  rules_held_ += !known.rules;
  known.rules = std::make_unique<NodeRules>();
  known.rules->id = known.id, known.rules->version = ++known.version;
  for (size_t i = 0; i < node_policies_.size(); i++) {
    if (!keys_[i]) continue;
    if (node_policies_[i].filters) node_policies_[i].policy->RefuseNodes(*this, keys_[i], node_policies_[i].before_predicates, known.rules.get());
    if (node_policies_[i].scores) node_policies_[i].policy->ScoreNodes(*this, keys_[i], known.rules.get());
  }
  known.of_versions = versions_;
  return {cls, known.rules.get()};
}

uint32_t Session::AddFitError(FitError error) {
  plan.fit_errors.push_back(std::move(error));
  return static_cast<uint32_t>(plan.fit_errors.size() - 1);
}

void Session::SetFitError(PodId pod, uint32_t fit_error) {
  fit_error_[pod.value] = fit_error;
  const PodRow& p = store.pods[pod.value];
  if (!p.job) return;
  auto& roles = failed_roles_[p.job.value];
  if (std::find(roles.begin(), roles.end(), p.role) == roles.end()) roles.push_back(p.role);
}

bool Session::RoleFailed(JobId job, StringId role) const {
  const auto& roles = failed_roles_[job.value];
  return role && std::find(roles.begin(), roles.end(), role) != roles.end();
}

StringId Session::Unsupported(PodId pod) const {
  const PodRow& p = store.pods[pod.value];
  if (p.unsupported) return store.classes[p.cls.value].unsupported;
  return p.job ? store.jobs[p.job.value].unsupported : StringId{};
}

void Session::Open() {
  for (const auto& tier : tiers_)
    for (const ActivePolicy& a : tier) times_.Measure(StageTime::kOpenPolicy, a.catalogue_index, [&] { a.policy->Open(*this); });
}

void Session::Run() {
  Open();
  for (const ActionOption& option : config.actions)
    if (const ActionEntry* entry = FindAction(option.name); entry && entry->run)
      times_.Measure(StageTime::kAction, static_cast<size_t>(&option - config.actions.data()), [&] { entry->run(*this, option); });
  times_.Measure(StageTime::kClose, 0, [&] { Close(); });
}

void Session::Close() {
  if (config.evictions == Evictions::kMinimal) SpareVictims(*this);
  for (const JobId job : jobs_) CloseJob(job);
  // What was evicted is leaving for everybody; what was Bound before a trial is so again.
  for (const Eviction& e : plan.evicted) store.SetTask(e.pod, TaskStatus::kReleasing, e.node);
  for (const auto& [pod, status] : revived_)
    if (store.pods[pod.value].status == TaskStatus::kRunning) store.SetTask(pod, status, store.pods[pod.value].node);
  // What was placed but not committed vanishes with the session.
  for (const PodId pod : touched_) {
    const PodRow& p = store.pods[pod.value];
    if (p.status == TaskStatus::kPipelined) plan.pipelined.push_back({pod, p.node});
    if (p.status == TaskStatus::kAllocated) plan.held.push_back({pod, p.node});
    if (p.status == TaskStatus::kPipelined || p.status == TaskStatus::kAllocated) store.SetTask(pod, TaskStatus::kPending, {});
  }
}

void Session::CloseJob(JobId id) {
  JobRow& job = store.jobs[id.value];
  GroupVerdict v;
  v.job = id;
  v.counts = job.counts;
  v.tasks = static_cast<int32_t>(job.pods.size());
  v.min_available = job.min_member;
  v.ready = job.Ready() + job.pending_best_effort >= job.min_member;
  v.running = job.Count(TaskStatus::kRunning), v.succeeded = job.Count(TaskStatus::kSucceeded), v.failed = job.Count(TaskStatus::kFailed);

  int32_t releasing_on_node = 0, nearly_allocated = 0;
  const bool waits = job.Count(TaskStatus::kPending) || job.Count(TaskStatus::kAllocated) || job.Count(TaskStatus::kPipelined);
  if (waits || job.Count(TaskStatus::kReleasing)) {
    for (const PodId t : job.pods) {
      const PodRow& p = store.pods[t.value];
      if (p.status == TaskStatus::kReleasing && p.node) releasing_on_node++;
      if (p.status != TaskStatus::kPending && p.status != TaskStatus::kAllocated && p.status != TaskStatus::kPipelined) continue;
      const LastTransaction& last = last_[t.value];
      const TaskStatus status = last.set ? last.status : p.status;
      const NodeId node = last.set ? last.node : p.node;
      TaskVerdict verdict{TaskVerdict::kGroup, t, {}, kNoFitError, false};
      if (status == TaskStatus::kAllocated) {
        verdict.kind = TaskVerdict::kSchedulable, verdict.node = node;
      } else if (status == TaskStatus::kPipelined) {
        verdict.kind = TaskVerdict::kPipelined, verdict.node = node;
        verdict.nominated = last.set ? last.nominated : nominated_[t.value] != 0;
      } else if (fit_error_[t.value] != kNoFitError) {
        verdict.kind = TaskVerdict::kFit, verdict.fit_error = fit_error_[t.value];
      }
      if (p.status == TaskStatus::kPending) {
        if (last.set && IsAllocated(last.status)) nearly_allocated++;
        (verdict.kind == TaskVerdict::kSchedulable ? v.pending_schedulable : v.pending_unschedulable)++;
      }
      if (fit_error_[t.value] != kNoFitError && (!v.origin || TaskLess(t, v.origin))) v.origin = t, v.origin_error = fit_error_[t.value];
      if (!p.gated) plan.waiting.push_back(verdict);
    }
  }
  v.unready_tasks = job.min_member - (job.Ready() + nearly_allocated);
  ForEach(Family::kClose, [&](Policy* p) { return p->Close(*this, id, &v), true; });

  // Volcano's phase at the end of a session (volcano-core, section 3.4).
  const int32_t completed = v.succeeded + v.failed;
  const int32_t scheduled = v.running + job.Count(TaskStatus::kBound) + completed + releasing_on_node;
  if (v.running > 0 && v.has_gang_condition && !v.gang_ready) job.phase = GroupPhase::kUnknown;
  else if (scheduled >= job.min_member) job.phase = scheduled == completed ? GroupPhase::kCompleted : GroupPhase::kRunning;
  else if (job.phase != GroupPhase::kInqueue) job.phase = GroupPhase::kPending;
  v.phase = job.phase;
  plan.groups.push_back(v);
}

}  // namespace basalt

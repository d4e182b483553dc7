// Limits of queues and admission, worked out in doubles as the reference has it (volcano-queues, sections 2 and 3; volcano-core, section 7.3).
#include <algorithm>
#include <cmath>
#include <limits>

#include "report/verify_cycle.h"
#include "report/verify_doubles.h"
#include "report/verify_queue_tree.h"
#include "report/verify_quotas.h"

namespace basalt::verify {
namespace {

// Rounding in the last digits must not refuse a plan.
bool ClearlyAbove(double x, double limit) { return x > limit + 1e-6 + 1e-9 * std::abs(limit); }
bool ClearlyWithin(double x, double limit) { return x < limit - 1e-6 - 1e-9 * std::abs(limit) || x == limit; }

struct Record {
  bool exists = false;  ///< a PodGroup of the session belongs to the queue
  Doubles allocated, placed, request, inqueue, inqueue_at_most, elastic, guarantee, real, deserved;
  explicit Record(int dims)
      : allocated(dims), placed(dims), request(dims), inqueue(dims), inqueue_at_most(dims), elastic(dims), guarantee(dims), real(dims), deserved(dims) {}
  /// Takes a group's part in.
  void Add(const Record& o) {
    exists = true;
    allocated.Add(o.allocated), placed.Add(o.placed), request.Add(o.request), elastic.Add(o.elastic);
    inqueue.Add(o.inqueue), inqueue_at_most.Add(o.inqueue_at_most);
  }
};

}  // namespace

struct Ceilings::Impl {
  const Cycle& c;
  const int dims;
  std::vector<Record> queues;
  QueuePlaces places;
  QuotaVotes quotas;
  std::vector<Record> subtrees;  ///< capacity with hierarchy: each queue with all below it
  Doubles total, overcommit_idle, overcommit_inqueue, overcommit_at_most;

  explicit Impl(const Cycle& cycle)
      : c(cycle), dims(cycle.cluster.dims.Count()), queues(cycle.cluster.queues.size(), Record(dims)), places(cycle.cluster.queues), quotas(cycle), total(dims), overcommit_idle(dims), overcommit_inqueue(dims), overcommit_at_most(dims) {
    for (const Node& n : c.cluster.nodes) total.Add(n.allocatable);
    if (c.settings.capacity_hierarchy) subtrees = queues;
    SumGroups();
    Limits();
    if (c.settings.capacity_hierarchy) TreeLimits();
    if (c.settings.proportion || c.settings.proportion_overused) Divide();
    Overcommit();
  }

  Record& At(int queue) { return queues[static_cast<size_t>(queue)]; }
  const Record& At(int queue) const { return queues[static_cast<size_t>(queue)]; }

  struct Job {
    Doubles allocated, gated;
    bool any_gated = false;
    explicit Job(int dims) : allocated(dims), gated(dims) {}
  };

  // Less what pods hold back that are gated by others than Volcano.
  Doubles Deduct(Doubles x, const Job& job) const {
    if (job.any_gated)
      for (int d = 0; d < dims; d++)
        if (x.Has(d) && job.gated.Has(d)) x.Set(d, std::max(x[d] - job.gated[d], 0.0));
    return x;
  }

  void SumGroups() {
    for (size_t i = 0; i < c.cluster.groups.size(); i++) {
      const auto g = static_cast<int>(i);
      const Group& group = c.GroupAt(g);
      if (!c.InSession(g)) continue;
      Record q(dims);  // what this group adds to its queue
      Job job(dims);
      for (const int p : group.members) {
        const Amounts& request = c.ClassOf(p).request;
        const Status before = c.Before(p), after = c.After(p);
        if (IsAllocated(before)) job.allocated.Add(request);
        if (IsAllocated(before) || before == Status::kPending) q.request.Add(request);
        if (IsAllocated(after) || after == Status::kPipelined) q.placed.Add(request);
        if (c.PodAt(p).gated && !c.PodAt(p).only_volcano_gate) job.gated.Add(request), job.any_gated = true;
      }
      q.allocated.Add(job.allocated);
      const Doubles min(dims, group.min_resources);
      q.elastic.Add(job.allocated.Excess(group.has_min_resources ? min : Doubles(dims)));
      if (group.has_min_resources) Reserve(g, group, min, job, &q);
      At(group.queue).Add(q);
      if (!subtrees.empty())
        for (int at = group.queue; at != kNone; at = places.above[static_cast<size_t>(at)]) subtrees[static_cast<size_t>(at)].Add(q);
    }
    overcommit_at_most.Add(overcommit_inqueue);
  }

  void Reserve(int g, const Group& group, const Doubles& min, const Job& job, Record* q) {
    const Tally t(c, g, c.before);
    const bool inqueue = c.PhaseBefore(g) == "Inqueue", runs = c.PhaseBefore(g) == "Running" && t.Allocated() >= group.min_member;
    Doubles rest(dims);
    for (const Amount& a : group.min_resources) rest.Set(a.dim, std::max(static_cast<double>(a.value) - job.allocated[a.dim], 0.0));
    if (inqueue || runs) q->inqueue.Add(Deduct(rest, job)), q->inqueue_at_most.Add(Deduct(rest, job));
    if (inqueue) overcommit_inqueue.Add(Deduct(min, job));  // here an Inqueue group reserves its whole minimum
    else if (runs) overcommit_inqueue.Add(Deduct(rest, job));
    // A group that is admitted in this cycle reserves; which came earlier is not known.
    if (c.PendingBefore(g) && c.PhaseAfter(g) != "Pending") q->inqueue_at_most.Add(Deduct(min, job)), overcommit_at_most.Add(Deduct(min, job));
  }

  void Limits() {
    Doubles guarantees(dims);
    for (const Queue& q : c.cluster.queues) guarantees.Add(Doubles(dims, q.guarantee));
    for (size_t i = 0; i < queues.size(); i++) {
      const Queue& object = c.cluster.queues[i];
      Record& q = queues[i];
      q.guarantee = Doubles(dims, object.guarantee);
      q.real = total.Excess(guarantees);
      q.real.Add(q.guarantee);
      if (object.capability.empty()) continue;
      Doubles capability(dims, object.capability);
      for (const int d : {kCpu, kMemory})
        if (capability[d] <= 0) capability.Set(d, std::numeric_limits<double>::max());
      q.real.Lower(capability, true);
    }
  }

  // Downwards from the root (volcano-queues, section 3.2): a queue inherits what its capability leaves out, and loses what its siblings are guaranteed.
  void TreeLimits() {
    std::vector<Doubles> capability(queues.size(), Doubles(dims)), guaranteed = capability;
    for (const int q : places.order) {
      const int above = places.above[static_cast<size_t>(q)];
      if (above != kNone) guaranteed[static_cast<size_t>(above)].Add(Doubles(dims, c.cluster.queues[static_cast<size_t>(q)].guarantee));
    }
    for (const int i : places.order) {
      const auto q = static_cast<size_t>(i);
      const int above = places.above[q];
      Doubles& own = capability[q];
      own = Doubles(dims, c.cluster.queues[q].capability);
      if (above == kNone) {
        if (own.Empty())
          for (int d = 0; d < dims; d++)
            if (d == kCpu || d == kMemory || total[d] > 0) own.Set(d, std::numeric_limits<double>::max());
        subtrees[q].real = own;
        continue;
      }
      const Doubles& inherited = capability[static_cast<size_t>(above)];
      for (int d = 0; d < dims; d++)
        if (inherited.Has(d) && (d == kCpu || d == kMemory ? own[d] <= 0 : !own.Has(d))) own.Set(d, inherited[d]);
      subtrees[q].real = subtrees[static_cast<size_t>(above)].real.Excess(guaranteed[static_cast<size_t>(above)]);
      subtrees[q].real.Add(Doubles(dims, c.cluster.queues[q].guarantee));
      subtrees[q].real.Lower(own, true);
    }
  }

  // proportion's loop: the remainder is handed out by weight, within limit, request and guarantee, until nothing moves.
  void Divide() {
    Doubles remaining = total;
    std::vector<uint8_t> met(queues.size());
    while (true) {
      int64_t weights = 0;
      for (size_t i = 0; i < queues.size(); i++)
        if (queues[i].exists && !met[i]) weights += c.cluster.queues[i].weight;
      if (weights == 0) return;
      const Doubles old = remaining;
      Doubles more(dims), less(dims);
      for (size_t i = 0; i < queues.size(); i++) {
        Record& q = queues[i];
        if (!q.exists || met[i]) continue;
        const Doubles before = q.deserved;
        q.deserved.Add(remaining, static_cast<double>(c.cluster.queues[i].weight) / static_cast<double>(weights));
        q.deserved.Lower(q.real, true);
        q.deserved.Lower(q.request, false);
        q.deserved.Raise(q.guarantee);
        met[i] = q.request.WithinAll(q.deserved) || q.deserved == before;
        more.Add(q.deserved.Excess(before)), less.Add(before.Excess(q.deserved));
      }
      remaining.Add(less);
      remaining = remaining.Excess(more);
      if (remaining.Empty() || remaining == old) return;
    }
  }

  void Overcommit() {
    for (int d = 0; d < dims; d++) {
      double used = 0;
      for (size_t n = 0; n < c.cluster.nodes.size(); n++) used -= static_cast<double>(c.start.Idle(static_cast<int>(n), d));
      used += total[d];
      overcommit_idle.Set(d, total[d] * c.settings.overcommit_factor - used);
    }
  }

  // What a queue's pods have with this plan, against a limit (if any) and against the capability that its object names.
  void CheckQueue(size_t i, const Record& q, const std::vector<uint8_t>& asked, const char* name, const Doubles* limit) const {
    const Queue& object = c.cluster.queues[i];
    for (int dim = 0; dim < dims; dim++) {
      if (!asked[static_cast<size_t>(dim)]) continue;
      const auto text = [&](double v) { return c.cluster.dims.Text(dim, static_cast<int64_t>(v)); };
      const auto capability = std::find_if(object.capability.begin(), object.capability.end(), [&](const Amount& a) { return a.dim == dim && a.value > 0; });
      // proportion never gives a queue less than its guarantee, even where that contradicts the capability.
      const double ceiling = capability == object.capability.end() ? 0 : std::max(static_cast<double>(capability->value), c.settings.proportion ? q.guarantee[dim] : 0);
      if (limit && ClearlyAbove(q.placed[dim], (*limit)[dim]))
        c.Report(FindingKind::kQueue, "queue " + object.name + ": its pods have " + text(q.placed[dim]) + " with this plan, it " + name + " " + text((*limit)[dim]));
      else if (capability != object.capability.end() && ClearlyAbove(q.placed[dim], ceiling))
        c.Report(FindingKind::kQueue, "queue " + object.name + ": its pods have " + text(q.placed[dim]) + " with this plan, its capability is " + c.cluster.dims.Text(dim, capability->value));
    }
  }

  // What the record's pods have with this plan, and what transactions that stand unsent hold in the queues that count.
  template <class Counts>
  Doubles Held(const Record& record, const Counts& counts) const {
    Doubles held = record.placed;
    for (const Tentative& t : c.tentative)
      if (c.After(t.pod) == Status::kPending && c.standing[static_cast<size_t>(c.PodAt(t.pod).group)] && counts(c.GroupAt(c.PodAt(t.pod).group).queue))
        held.Add(c.ClassOf(t.pod).request);
    return held;
  }

  // One plugin's vote on admission: `yes`: certainly for it, `no`: certainly against it.
  void Vote(Admission plugin, int g, bool* yes, bool* no) const {
    const Group& group = c.GroupAt(g);
    if (plugin == Admission::kOther) *yes = false;
    if (plugin == Admission::kQuota) quotas.Vote(g, yes, no);
    if (plugin == Admission::kOther || plugin == Admission::kQuota) return;
    if (plugin != Admission::kOvercommit && !c.cluster.queues[static_cast<size_t>(group.queue)].open) {
      *yes = false, *no = true;
      return;
    }
    if (plugin == Admission::kOvercommit) {
      for (const Amount& a : group.min_resources) {
        const auto min = static_cast<double>(a.value);
        Compare(a, overcommit_inqueue[a.dim] + min, overcommit_at_most[a.dim] + min, overcommit_idle[a.dim], yes, no);
      }
    } else if (plugin == Admission::kCapacity && c.settings.capacity_hierarchy) {
      if (!places.Works(group.queue)) *yes = false, *no = true;
      for (int at = group.queue; at != kNone; at = places.above[static_cast<size_t>(at)]) CompareQueue(subtrees[static_cast<size_t>(at)], group, yes, no);
    } else {
      CompareQueue(At(group.queue), group, yes, no);
    }
  }

  static void CompareQueue(const Record& q, const Group& group, bool* yes, bool* no) {
    for (const Amount& a : group.min_resources) {
      const double base = static_cast<double>(a.value) + q.allocated[a.dim] - q.elastic[a.dim];
      Compare(a, base + q.inqueue[a.dim], base + q.inqueue_at_most[a.dim], q.real[a.dim], yes, no);
    }
  }
  static void Compare(const Amount& asked, double least, double most, double limit, bool* yes, bool* no) {
    if (asked.value <= 0 || asked.dim == kPods) return;
    if (ClearlyAbove(least, limit)) *no = true;
    if (!ClearlyWithin(most, limit)) *yes = false;
  }
};

Ceilings::Ceilings(const Cycle& cycle) : impl_(std::make_unique<Impl>(cycle)) {}
Ceilings::~Ceilings() = default;

void Ceilings::Check() const {
  const Cycle& c = impl_->c;
  if (!c.settings.proportion && !c.settings.capacity) return;
  const bool hierarchy = c.settings.capacity && c.settings.capacity_hierarchy;
  const QueuePlaces& places = impl_->places;
  // Dimensions that were compared: in the pod's own queue, and in all above it.
  std::vector<std::vector<uint8_t>> asked(c.cluster.queues.size(), std::vector<uint8_t>(static_cast<size_t>(impl_->dims))), asked_below = asked;
  for (size_t p = 0; p < c.after.status.size(); p++) {
    const Status s = c.after.status[p];
    if (s == c.before.status[p] || s == Status::kReleasing) continue;
    const PodClass& pod = c.ClassOf(static_cast<int>(p));
    if (pod.best_effort) continue;  // backfill asks no queue
    const int queue = c.GroupAt(c.cluster.pods[p].group).queue;
    const Queue& object = c.cluster.queues[static_cast<size_t>(queue)];
    if (!object.open) c.Report(FindingKind::kQueue, "pod " + c.cluster.pods[p].key + " is placed though queue " + object.name + " is not open");
    if (hierarchy && !places.Works(queue))
      c.Report(FindingKind::kQueue, "pod " + c.cluster.pods[p].key + " is placed though queue " + object.name + " is no leaf of the queue tree");
    const auto mark = [&](std::vector<uint8_t>& dims) {
      for (const Amount& a : pod.request) dims[static_cast<size_t>(a.dim)] |= a.value > 0 && a.dim != kPods;
    };
    // reclaim asks the queue itself, if its plugin takes part there, and no ancestor.
    const bool reclaimed = s == Status::kPipelined && c.settings.Has("reclaim");
    if (reclaimed && !c.settings.preemptive) continue;
    mark(asked[static_cast<size_t>(queue)]);
    if (reclaimed) mark(asked_below[static_cast<size_t>(queue)]);
    else if (hierarchy)
      for (int at = queue; at != kNone; at = places.above[static_cast<size_t>(at)]) mark(asked_below[static_cast<size_t>(at)]);
  }
  for (size_t i = 0; i < asked.size(); i++) {
    impl_->CheckQueue(i, impl_->queues[i], asked[i], c.settings.proportion ? "deserves" : "may have",
                      c.settings.proportion ? &impl_->queues[i].deserved : hierarchy ? nullptr : &impl_->queues[i].real);
    if (hierarchy) impl_->CheckQueue(i, impl_->subtrees[i], asked_below[i], "may have", &impl_->subtrees[i].real);
  }
}

bool Ceilings::Takes(int queue, const PodClass& pod) const {
  const Cycle& c = impl_->c;
  if (!c.settings.proportion && !c.settings.proportion_overused && !c.settings.capacity) return true;
  if (!c.cluster.queues[static_cast<size_t>(queue)].open) return false;
  const Record& own = impl_->At(queue);
  const Doubles held = impl_->Held(own, [&](int q) { return q == queue; });
  if (c.settings.proportion_overused && own.deserved.WithinAll(held)) return false;
  const auto room = [&](const Doubles& has, const Doubles& limit) {
    return std::all_of(pod.request.begin(), pod.request.end(), [&](const Amount& a) {
      return a.value <= 0 || a.dim == kPods || ClearlyWithin(has[a.dim] + static_cast<double>(a.value), limit[a.dim]);
    });
  };
  if (c.settings.proportion && !room(held, own.deserved)) return false;
  if (!c.settings.capacity) return true;
  if (!c.settings.capacity_hierarchy) return room(held, own.real);
  if (!impl_->places.Works(queue)) return false;
  for (int at = queue; at != kNone; at = impl_->places.above[static_cast<size_t>(at)]) {
    const Record& q = impl_->subtrees[static_cast<size_t>(at)];
    if (!room(impl_->Held(q, [&](int below) { return impl_->places.IsBelow(below, at); }), q.real)) return false;
  }
  return true;
}

Admitted Ceilings::Judge(int g) const {
  const Cycle& c = impl_->c;
  const auto& actions = c.settings.actions;
  if (!c.settings.Has("enqueue")) return c.settings.Has("allocate") ? Admitted::kMust : Admitted::kCannot;
  if (!c.GroupAt(g).has_min_resources) return Admitted::kMust;
  // After another action, or the second time, enqueue sees sums that are not known here.
  const bool first = std::find_if(actions.begin(), actions.end(), [](const std::string& a) { return a == "enqueue" || a == "allocate" || a == "backfill"; }) ==
                     std::find(actions.begin(), actions.end(), "enqueue");
  if (!first || c.settings.Times("enqueue") != 1) return Admitted::kEither;
  bool may_pass = false;  // sla permits after a waiting time, which is not known here, else it abstains
  for (const auto& tier : c.settings.admission) {
    bool yes = true, no = false, decides = false;
    for (const Admission plugin : tier)
      if (plugin != Admission::kSla) impl_->Vote(plugin, g, &yes, &no), decides = true;
    // Nobody but sla abstains: the first tier with another plugin decides, if sla alone has not done so before.
    if (decides) return yes ? Admitted::kMust : no && !may_pass ? Admitted::kCannot : Admitted::kEither;
    may_pass |= !tier.empty();
  }
  return Admitted::kMust;
}

}  // namespace basalt::verify

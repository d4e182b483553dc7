// Limits of queues and admission, worked out in doubles as the reference has it (volcano-queues, sections 2 and 3; volcano-core, section 7.3).
#include <algorithm>
#include <cmath>
#include <limits>

#include "report/verify_cycle.h"

namespace basalt::verify {
namespace {

constexpr double kEpsilon = 0.1;

// Rounding in the last digits must not refuse a plan.
bool ClearlyAbove(double x, double limit) { return x > limit + 1e-6 + 1e-9 * std::abs(limit); }
bool ClearlyWithin(double x, double limit) { return x < limit - 1e-6 - 1e-9 * std::abs(limit) || x == limit; }

// cpu and memory always have a value; another resource may be absent.
class Doubles {
 public:
  explicit Doubles(int dims) : value_(static_cast<size_t>(dims)), has_(static_cast<size_t>(dims)) { has_[kCpu] = has_[kMemory] = 1; }
  Doubles(int dims, const Amounts& list) : Doubles(dims) {
    for (const Amount& a : list) Set(a.dim, static_cast<double>(a.value));
  }
  int Size() const { return static_cast<int>(value_.size()); }
  bool Has(int d) const { return has_[static_cast<size_t>(d)]; }
  double operator[](int d) const { return value_[static_cast<size_t>(d)]; }
  void Set(int d, double v) { value_[static_cast<size_t>(d)] = v, has_[static_cast<size_t>(d)] = 1; }
  void Add(const Doubles& o, double factor = 1) {
    for (int d = 0; d < Size(); d++)
      if (o.Has(d)) Set(d, (*this)[d] + o[d] * factor);
  }
  void Add(const Amounts& list) {
    for (const Amount& a : list) Set(a.dim, (*this)[a.dim] + static_cast<double>(a.value));
  }
  /// Down to o; what o does not name is kept (infinite) or becomes 0.
  void Lower(const Doubles& o, bool absent_is_infinite) {
    for (int d = 0; d < Size(); d++) {
      if (!Has(d)) continue;
      if (o.Has(d)) Set(d, std::min((*this)[d], o[d]));
      else if (!absent_is_infinite) Set(d, 0);
    }
  }
  void Raise(const Doubles& o) {
    for (int d = 0; d < Size(); d++)
      if (o.Has(d)) Set(d, Has(d) ? std::max((*this)[d], o[d]) : o[d]);
  }
  /// What exceeds o; resources that do not exceed it vanish.
  Doubles Excess(const Doubles& o) const {
    Doubles out(Size());
    for (int d = 0; d < Size(); d++)
      if (Has(d) && (*this)[d] > o[d]) out.Set(d, (*this)[d] - o[d]);
    return out;
  }
  bool WithinAll(const Doubles& o) const {
    for (int d = 0; d < Size(); d++)
      if (Has(d) && !((*this)[d] < o[d] || std::abs((*this)[d] - o[d]) < kEpsilon)) return false;
    return true;
  }
  bool Empty() const {
    for (int d = 0; d < Size(); d++)
      if (d != kPods && (*this)[d] >= kEpsilon) return false;
    return true;
  }
  bool operator==(const Doubles&) const = default;

 private:
  std::vector<double> value_;
  std::vector<uint8_t> has_;
};

struct Record {
  bool exists = false;  ///< a PodGroup of the session belongs to the queue
  Doubles allocated, placed, request, inqueue, inqueue_at_most, elastic, guarantee, real, deserved;
  explicit Record(int dims)
      : allocated(dims), placed(dims), request(dims), inqueue(dims), inqueue_at_most(dims), elastic(dims), guarantee(dims), real(dims), deserved(dims) {}
};

}  // namespace

struct Ceilings::Impl {
  const Cycle& c;
  const int dims;
  std::vector<Record> queues;
  Doubles total, overcommit_idle, overcommit_inqueue, overcommit_at_most;

  explicit Impl(const Cycle& cycle)
      : c(cycle), dims(cycle.cluster.dims.Count()), queues(cycle.cluster.queues.size(), Record(dims)), total(dims), overcommit_idle(dims), overcommit_inqueue(dims), overcommit_at_most(dims) {
    for (const Node& n : c.cluster.nodes) total.Add(n.allocatable);
    SumGroups();
    Limits();
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
      Record& q = At(group.queue);
      q.exists = true;
      Job job(dims);
      for (const int p : group.members) {
        const Amounts& request = c.ClassOf(p).request;
        const Status before = c.Before(p), after = c.After(p);
        if (IsAllocated(before)) job.allocated.Add(request);
        if (IsAllocated(before) || before == Status::kPending) q.request.Add(request);
        if (IsAllocated(before) || IsAllocated(after) || after == Status::kPipelined) q.placed.Add(request);
        if (c.PodAt(p).gated && !c.PodAt(p).only_volcano_gate) job.gated.Add(request), job.any_gated = true;
      }
      q.allocated.Add(job.allocated);
      const Doubles min(dims, group.min_resources);
      q.elastic.Add(job.allocated.Excess(group.has_min_resources ? min : Doubles(dims)));
      if (!group.has_min_resources) continue;
      const Tally t(c, g, c.before);
      const bool inqueue = c.PhaseBefore(g) == "Inqueue", runs = c.PhaseBefore(g) == "Running" && t.Allocated() >= group.min_member;
      Doubles rest(dims);
      for (const Amount& a : group.min_resources) rest.Set(a.dim, std::max(static_cast<double>(a.value) - job.allocated[a.dim], 0.0));
      if (inqueue || runs) q.inqueue.Add(Deduct(rest, job)), q.inqueue_at_most.Add(Deduct(rest, job));
      if (inqueue) overcommit_inqueue.Add(Deduct(min, job));  // here an Inqueue group reserves its whole minimum
      else if (runs) overcommit_inqueue.Add(Deduct(rest, job));
      // A group that is admitted in this cycle reserves; which came earlier is not known.
      if (c.PendingBefore(g) && c.PhaseAfter(g) != "Pending") q.inqueue_at_most.Add(Deduct(min, job)), overcommit_at_most.Add(Deduct(min, job));
    }
    overcommit_at_most.Add(overcommit_inqueue);
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

  // The limit that a queue's tasks may not pass, with a name for it; null where none is configured.
  const Doubles* Limit(int queue, const char** name) const {
    if (c.settings.proportion) return *name = "deserves", &At(queue).deserved;
    if (c.settings.capacity && !c.settings.capacity_hierarchy) return *name = "may have", &At(queue).real;
    return nullptr;
  }

  // One plugin's vote on admission: `yes`: certainly for it, `no`: certainly against it.
  void Vote(Admission plugin, int g, bool* yes, bool* no) const {
    const Group& group = c.GroupAt(g);
    if (plugin == Admission::kOther || (plugin == Admission::kCapacity && c.settings.capacity_hierarchy)) {
      *yes = false;
      return;
    }
    if (plugin != Admission::kOvercommit && !c.cluster.queues[static_cast<size_t>(group.queue)].open) {
      *yes = false, *no = true;
      return;
    }
    const Record& q = At(group.queue);
    for (const Amount& a : group.min_resources) {
      if (a.value <= 0 || a.dim == kPods) continue;
      const auto min = static_cast<double>(a.value);
      double least, most, limit;
      if (plugin == Admission::kOvercommit) {
        least = overcommit_inqueue[a.dim] + min, most = overcommit_at_most[a.dim] + min, limit = overcommit_idle[a.dim];
      } else {
        const double base = min + q.allocated[a.dim] - q.elastic[a.dim];
        least = base + q.inqueue[a.dim], most = base + q.inqueue_at_most[a.dim], limit = q.real[a.dim];
      }
      if (ClearlyAbove(least, limit)) *no = true;
      if (!ClearlyWithin(most, limit)) *yes = false;
    }
  }
};

Ceilings::Ceilings(const Cycle& cycle) : impl_(std::make_unique<Impl>(cycle)) {}
Ceilings::~Ceilings() = default;

void Ceilings::Check() const {
  const Cycle& c = impl_->c;
  if (!c.settings.proportion && !c.settings.capacity) return;
  std::vector<std::vector<uint8_t>> asked(c.cluster.queues.size());  // dimensions that were compared
  for (size_t p = 0; p < c.after.status.size(); p++) {
    const Status s = c.after.status[p];
    if (s == c.before.status[p] || s == Status::kReleasing) continue;
    const PodClass& pod = c.ClassOf(static_cast<int>(p));
    if (pod.best_effort) continue;  // backfill asks no queue
    const int queue = c.GroupAt(c.cluster.pods[p].group).queue;
    if (!c.cluster.queues[static_cast<size_t>(queue)].open)
      c.Report(FindingKind::kQueue, "pod " + c.cluster.pods[p].key + " is placed though queue " + c.cluster.queues[static_cast<size_t>(queue)].name + " is not open");
    auto& dims = asked[static_cast<size_t>(queue)];
    dims.resize(static_cast<size_t>(impl_->dims));
    for (const Amount& a : pod.request) dims[static_cast<size_t>(a.dim)] |= a.value > 0 && a.dim != kPods;
  }
  for (size_t i = 0; i < asked.size(); i++) {
    const Queue& object = c.cluster.queues[i];
    const Record& q = impl_->queues[i];
    const char* name = "";
    const Doubles* limit = impl_->Limit(static_cast<int>(i), &name);
    for (size_t d = 0; d < asked[i].size(); d++) {
      if (!asked[i][d]) continue;
      const auto dim = static_cast<int>(d);
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
}

bool Ceilings::Takes(int queue, const PodClass& pod) const {
  const Cycle& c = impl_->c;
  if (!c.settings.proportion && !c.settings.proportion_overused && !c.settings.capacity) return true;
  if (!c.cluster.queues[static_cast<size_t>(queue)].open || (c.settings.capacity && c.settings.capacity_hierarchy)) return false;
  Record q = impl_->At(queue);
  for (const Tentative& t : c.tentative)
    if (c.After(t.pod) == Status::kPending && c.standing[static_cast<size_t>(c.PodAt(t.pod).group)] && c.GroupAt(c.PodAt(t.pod).group).queue == queue)
      q.placed.Add(c.ClassOf(t.pod).request);
  if (c.settings.proportion_overused && q.deserved.WithinAll(q.placed)) return false;
  const auto room = [&](const Doubles& limit) {
    return std::all_of(pod.request.begin(), pod.request.end(), [&](const Amount& a) {
      return a.value <= 0 || a.dim == kPods || ClearlyWithin(q.placed[a.dim] + static_cast<double>(a.value), limit[a.dim]);
    });
  };
  return (!c.settings.proportion || room(q.deserved)) && (!c.settings.capacity || room(q.real));
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
  for (const auto& tier : c.settings.admission) {
    if (tier.empty()) continue;
    bool yes = true, no = false;
    for (const Admission plugin : tier) impl_->Vote(plugin, g, &yes, &no);
    return no ? Admitted::kCannot : yes ? Admitted::kMust : Admitted::kEither;  // nobody abstains: the first tier that is asked decides
  }
  return Admitted::kMust;
}

}  // namespace basalt::verify

// overcommit: jobs are admitted while their minimum fits the cluster times a factor, less what is used (volcano-core, section 7.3).
#include "kernel/policies/admission.h"
#include "kernel/policies/catalogue.h"
#include "kernel/session.h"
#include "kernel/vector.h"

namespace basalt {
namespace {

constexpr double kDefaultFactor = 1.2;

class Overcommit final : public Policy {
 public:
  explicit Overcommit(double factor) : factor_(factor) {}
  uint32_t Families() const override { return FamilyBit(Family::kJobEnqueueable) | FamilyBit(Family::kJobEnqueued); }

  void Open(Session&) override { opened_ = false; }

  Vote JobEnqueueable(Session& s, JobId id, EnqueueRefusal* refusal) override {
    const JobRow& job = s.store.jobs[id.value];
    if (!job.has_min_resources) return Vote::kPermit;
    Sum(s);
    // The check takes the whole minimum, the reservation later the one without gated tasks: Volcano does so.
    const Vector min(job.min_resources);
    const auto wanted = [&](ResourceId r) { return inqueue_[r] + min[r]; };
    const auto free = [&](ResourceId r) { return idle_[r]; };
    return FitsRequested(wanted, free, job.min_resources, &refusal->exceeded) ? Vote::kPermit : Vote::kReject;
  }

  void JobEnqueued(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    if (!job.has_min_resources) return;
    Sum(s);
    inqueue_.Add(Vector(DeductGated(job, job.min_resources)));
  }

 private:
  // Sums over nodes and jobs, made at the first question of a session: most cycles never ask.
  void Sum(Session& s) {
    if (opened_) return;
    opened_ = true;
    idle_ = inqueue_ = Vector();
    const NodeTable& nodes = s.store.nodes;
    for (uint32_t r = 0; r < s.store.ResourceCount(); r++) {
      const ResourceId id{r};
      double used = 0;
      for (size_t i = 0; i < nodes.rows; i++)
        if (nodes.present[i]) used += static_cast<double>(SaturatingSub(nodes.allocatable[r][i], nodes.idle[r][i]));
      idle_.Set(id, static_cast<double>(s.store.total_allocatable[id]) * factor_ - used);
    }
    for (const JobId j : s.jobs()) {
      const JobRow& job = s.store.jobs[j.value];
      // Unlike the queue policies, an Inqueue job reserves its whole minimum here.
      if (job.has_min_resources && job.phase == GroupPhase::kInqueue) inqueue_.Add(Vector(DeductGated(job, job.min_resources)));
      else inqueue_.Add(Vector(Reserved(job)));
    }
  }

  const double factor_;
  bool opened_ = false;
  Vector idle_, inqueue_;
};

}  // namespace

std::unique_ptr<Policy> MakeOvercommit(const PluginOption&, scoring::ArgumentReader* arguments) {
  return std::make_unique<Overcommit>(arguments->Number("overcommit-factor", kDefaultFactor, 1));
}

}  // namespace basalt

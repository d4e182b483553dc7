// tdm: nodes of a revocable zone take revocable pods, within the zone's hours (volcano-queues, section 6.2). The day begins at midnight UTC.
#include <charconv>
#include <map>
#include <optional>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"
#include "kernel/victims.h"

namespace basalt {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kDay = 86400;

/// Hours of a day, in seconds since midnight. An end that is not behind the start is the next day's.
struct Hours {
  std::string text;  ///< as configured
  int64_t start = 0, end = 0;
};

// "HH:MM", one digit of the hour will do.
std::optional<int64_t> ParseClock(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 2 || text.size() != colon + 3) return std::nullopt;
  int hour = 0, minute = 0;
  const auto number = [](std::string_view s, int* out) {
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *out);
    return error == std::errc() && end == s.data() + s.size() && *out >= 0;
  };
  if (!number(text.substr(0, colon), &hour) || !number(text.substr(colon + 1), &minute) || hour > 23 || minute > 59) return std::nullopt;
  return hour * 3600 + minute * 60;
}

std::optional<Hours> ParseHours(const std::string& text) {
  const size_t dash = text.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto start = ParseClock(std::string_view(text).substr(0, dash)), end = ParseClock(std::string_view(text).substr(dash + 1));
  if (!start || !end) return std::nullopt;
  return Hours{text, *start, *start < *end ? *end : *end + kDay};
}

class Tdm final : public Policy {
 public:
  Tdm(std::map<std::string, Hours> zones, int64_t period_ns) : zones_(std::move(zones)), period_ns_(period_ns) {}
  uint32_t Families() const override {
    return FamilyBit(Family::kNodeFilter) | FamilyBit(Family::kNodeScore) | FamilyBit(Family::kJobOrder) | FamilyBit(Family::kJobPipelined) |
           FamilyBit(Family::kJobStarving) | FamilyBit(Family::kPreemptable) | FamilyBit(Family::kVictimTasks);
  }

  void Open(Session& s) override {
    const NodeTable& nodes = s.store.nodes;
    const auto& label = nodes.labels[nodes.well_known.zone_column].value;
    zone_of_label_.clear();
    for (uint32_t row = 0; row < nodes.rows; row++) {
      const StringId zone{label[row]};
      if (nodes.present[row] && zone && zone != nodes.well_known.empty) zone_of_label_.try_emplace(zone, Judge(s, zone));
    }
    const int64_t midnight = s.now_ns / kSecond / kDay * kDay;
    for (const auto& [name, hours] : zones_)
      for (const int64_t at : {midnight + hours.start, midnight + hours.end + 1, midnight + kDay, midnight + kDay + hours.start})
        if (at * kSecond > s.now_ns) s.WakeAt(at * kSecond);
  }

  // Jobs that may not be preempted first.
  int JobOrder(Session& s, JobId a, JobId b) override { return int{s.store.jobs[a.value].preemptable} - int{s.store.jobs[b.value].preemptable}; }

  Vote JobPipelined(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return job.Waiting() + job.Ready() + job.pending_best_effort >= job.min_member ? Vote::kPermit : Vote::kReject;
  }

  bool JobStarving(Session& s, JobId id) override {
    const JobRow& job = s.store.jobs[id.value];
    return !job.preemptable && job.Count(TaskStatus::kPending) > 0;
  }

  // For pods that are neither preemptable nor revocable: a few revocable tasks of each job, on nodes that belong to no zone.
  bool Preemptable(Session& s, const VictimQuery& query, std::vector<PodId>* victims) override {
    const PodRow& evictor = s.store.pods[query.evictor.value];
    if (evictor.preemptable || evictor.revocable) return true;
    std::vector<PodId> candidates = query.candidates;
    const NodeTable& nodes = s.store.nodes;
    std::erase_if(candidates, [&](PodId t) {
      const PodRow& p = s.store.pods[t.value];
      const StringId zone{nodes.labels[nodes.well_known.zone_column].value[p.node.value]};
      return p.status != TaskStatus::kRunning || !p.preemptable || (zone && zone != nodes.well_known.empty);
    });
    WithinBudgets(s, candidates, victims);
    return true;
  }

  // Zones whose hours are over are cleared, a few tasks of each job at a time, once in a period.
  void VictimTasks(Session& s, const std::vector<PodId>&, std::vector<PodId>* victims) override {
    if (cleared_ns_ && s.now_ns - *cleared_ns_ < period_ns_) return;
    cleared_ns_ = s.now_ns;
    std::map<StringId, std::vector<PodId>> of_zone;
    ForEachZoneNode(s, [&](uint32_t row, const Zone& zone) {
      if (zone.reason != PolicyReason::kZoneInactive) return;
      for (const PodId t : s.store.node_pods[row])
        if (s.store.pods[t.value].status == TaskStatus::kRunning && s.store.pods[t.value].preemptable) of_zone[zone.name].push_back(t);
    });
    for (auto& [zone, tasks] : of_zone) {
      SortCandidates(s, {}, &tasks);
      WithinBudgets(s, tasks, victims);
    }
  }

  uint64_t NodeKey(Session& s, PodId pod) override { return zone_of_label_.empty() ? 0 : s.store.pods[pod.value].revocable ? kRevocable : kFixed; }

  void RefuseNodes(Session& s, uint64_t key, bool before_predicates, NodeRules* rules) override {
    ForEachZoneNode(s, [&](uint32_t row, const Zone& zone) {
      PolicyReason reason = zone.reason;
      if (reason == PolicyReason::kNone && key != kRevocable) reason = PolicyReason::kZoneNotAllowed;
      if (reason == PolicyReason::kNone) return;
      rules->refused.Resize(PaddedRows(s.store.nodes.rows));
      if (!rules->refused[row]) rules->refused[row] = rules->CodeOf(reason, reason == zone.reason ? zone.name : StringId{}, before_predicates);
    });
  }

  void ScoreNodes(Session& s, uint64_t key, NodeRules* rules) override {
    if (key != kRevocable) return;
    Column<double>& score = rules->score[static_cast<size_t>(scoring::PolicyScore::kTimeDivision)];
    ForEachZoneNode(s, [&](uint32_t row, const Zone& zone) {
      if (zone.reason != PolicyReason::kNone) return;
      score.Resize(PaddedRows(s.store.nodes.rows));
      score[row] = 100;
    });
  }

 private:
  // Of each job so many of the first tasks as its budget allows; one where it has no budget, or is below its minimum already.
  static void WithinBudgets(Session& s, const std::vector<PodId>& tasks, std::vector<PodId>* victims) {
    std::map<JobId, int64_t> left;
    for (const PodId t : tasks) {
      const JobId job = s.store.pods[t.value].job;
      if (!s.Takes(job)) continue;
      int64_t& n = left.try_emplace(job, Spare(s.store.jobs[job.value])).first->second;
      if (n-- > 0) victims->push_back(t);
    }
  }
  static int64_t Spare(const JobRow& job) {
    const int64_t tasks = static_cast<int64_t>(job.pods.size()), running = job.Count(TaskStatus::kRunning), budget = job.budget.Of(tasks);
    if (job.budget.kind == DisruptionBudget::kMaxUnavailable) {
      const int64_t unavailable = tasks - job.Count(TaskStatus::kSucceeded) - job.Count(TaskStatus::kFailed) - running;
      return std::max<int64_t>(budget - unavailable, 0);
    }
    return job.budget.kind == DisruptionBudget::kMinAvailable && running >= budget ? running - budget : 1;
  }

  static constexpr uint64_t kFixed = 1, kRevocable = 2;
  /// What a zone's label means in this session. name: what the refusal is about.
  struct Zone { PolicyReason reason; StringId name; };

  Zone Judge(Session& s, StringId zone) const {
    const std::string name(s.store.names.Text(zone));
    const auto at = zones_.find(name);
    if (at == zones_.end()) return {PolicyReason::kZoneUnknown, zone};
    const int64_t now = s.now_ns / kSecond % kDay;
    if (now >= at->second.start && now <= at->second.end) return {PolicyReason::kNone, {}};
    return {PolicyReason::kZoneInactive, s.store.names.Intern(name + ":" + at->second.text)};
  }

  template <class F>
  void ForEachZoneNode(Session& s, const F& f) const {
    const NodeTable& nodes = s.store.nodes;
    const auto& label = nodes.labels[nodes.well_known.zone_column].value;
    for (uint32_t row = 0; row < nodes.rows; row++) {
      if (!nodes.present[row]) continue;
      if (const auto zone = zone_of_label_.find(StringId{label[row]}); zone != zone_of_label_.end()) f(row, zone->second);
    }
  }

  const std::map<std::string, Hours> zones_;
  const int64_t period_ns_;
  std::optional<int64_t> cleared_ns_;  ///< when zones were last looked through
  std::map<StringId, Zone> zone_of_label_;
};

}  // namespace

std::unique_ptr<Policy> MakeTdm(const PluginOption&, scoring::ArgumentReader* arguments) {
  std::map<std::string, Hours> zones;
  constexpr std::string_view kZone = "tdm.revocable-zone.";
  for (const std::string& key : arguments->KeysWith(kZone)) {
    const std::string text = arguments->Text(key);
    if (text.empty()) continue;
    if (const auto hours = ParseHours(text)) zones.insert_or_assign(key.substr(key.find(kZone) + kZone.size()), *hours);
    else arguments->Problem(key, "\"" + text.substr(0, 64) + "\" where HH:MM-HH:MM is expected; the zone is left out");
  }
  return std::make_unique<Tdm>(std::move(zones), arguments->Duration("tdm.evict.period", 60 * kSecond));
}

}  // namespace basalt

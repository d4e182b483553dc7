#include "report/verifier.h"

#include <algorithm>

#include "report/thread_executor.h"
#include "report/verify_cycle.h"

namespace basalt {

using verify::kNone;
using verify::State;
using verify::Status;

struct Verifier::Impl {
  VerifierOptions options;
  verify::Cluster cluster;
  bool finished = false;
  size_t found = 0;

  explicit Impl(VerifierOptions o) : options(std::move(o)), cluster({options.scheduler_names, options.default_queue, options.implied_pod_groups}) {}

  State Begin() const {
    State s;
    for (const verify::Pod& p : cluster.pods) {
      // A finished pod holds nothing and stands nowhere; a removed one is as if finished without a group.
      const bool there = !p.key.empty() && !verify::IsFinished(p.status);
      s.status.push_back(p.key.empty() ? Status::kFailed : p.status);
      s.node.push_back(there ? p.node : kNone), s.named_node.push_back(there && !p.node_name.empty()), s.told.push_back(p.told);
      s.gone.push_back(0), s.terminates_in.push_back(-1);
    }
    for (const verify::Group& g : cluster.groups) s.phase.push_back(g.phase);
    return s;
  }

  // Between two cycles: what was bound runs, what was evicted is gone, what was only held or pipelined waits again; phases are carried on.
  static State Settle(const verify::Cycle& c, uint32_t termination_cycles) {
    State s = c.after;
    for (size_t p = 0; p < s.status.size(); p++) {
      if (s.status[p] == Status::kBinding) {
        s.status[p] = Status::kRunning, s.told[p] = 0;
        s.bound_in.insert(c.cluster.pods[p].key.substr(0, c.cluster.pods[p].key.find('/')));
      } else if (s.status[p] == Status::kReleasing && (c.before.status[p] != Status::kReleasing || s.terminates_in[p] >= 0)) {
        if (c.before.status[p] != Status::kReleasing) s.terminates_in[p] = static_cast<int64_t>(termination_cycles);
        if (s.terminates_in[p]-- > 0) continue;
        s.status[p] = Status::kFailed, s.node[p] = kNone, s.named_node[p] = 0, s.gone[p] = 1;
        s.bound_in.insert(c.cluster.pods[p].key.substr(0, c.cluster.pods[p].key.find('/')));
      } else if (s.status[p] != c.before.status[p]) {
        s.status[p] = c.before.status[p], s.node[p] = kNone, s.named_node[p] = 0;
      }
      if (c.told_now[p]) s.told[p] = 1;
    }
    return s;
  }
};

Verifier::Verifier(VerifierOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Verifier::~Verifier() = default;
size_t Verifier::finding_count() const { return impl_->found; }

bool Verifier::Read(std::string_view text, std::string_view name, TextFormat format, std::string* error) {
  const std::unique_ptr<Executor> executor = MakeExecutor(impl_->options.threads);
  std::vector<Diagnostic> diagnostics;
  ReadText(text, name, format, executor.get(), [&](const Decoded& d, std::string_view) { impl_->cluster.Add(d); }, &diagnostics);
  for (const Diagnostic& d : diagnostics)
    if (d.severity == Severity::kUnreadable) return *error = d.source + ": " + d.message, false;
  return true;
}

Verifier::Verdict Verifier::Check(const std::string_view* config, std::string_view plan_json, std::vector<Finding>* findings, std::string* error) {
  Impl& v = *impl_;
  verify::Cluster& cluster = v.cluster;
  if (!v.finished) cluster.Finish(), v.finished = true;
  findings->clear();

  verify::Settings settings;
  std::string why;
  const std::string text(config ? *config : cluster.has_config ? std::string_view(cluster.config) : verify::DefaultSettings());
  if (!verify::ReadSettings(text, &settings, &why)) return *error = "scheduler configuration: " + why, Verdict::kUnreadable;
  if (v.options.minimal_evictions) settings.minimal = *v.options.minimal_evictions;
  verify::PlanDocument plan;
  std::vector<std::string> problems;
  if (!verify::ReadPlan(plan_json, &plan, &problems, error)) return Verdict::kUnreadable;

  for (std::string& p : problems) findings->push_back({FindingKind::kForm, -1, std::move(p)});
  const auto same = [&](const char* kind, int64_t said, int64_t read) {
    if (said != read) findings->push_back({FindingKind::kInputs, -1, "the plan was made from " + std::to_string(said) + " " + kind + ", the input has " + std::to_string(read)});
  };
  same("nodes", plan.inputs.nodes, cluster.nodes_read), same("pods", plan.inputs.pods, cluster.pods_read);
  same("podgroups", plan.inputs.podgroups, cluster.groups_read), same("queues", plan.inputs.queues, cluster.queues_read);
  if (const std::string hash = verify::PlanHash(plan); hash != plan.hash)
    findings->push_back({FindingKind::kHash, -1, "plan_hash is " + plan.hash + ", the decisions make " + hash});

  State state = v.Begin();
  for (size_t i = 0; i < plan.cycles.size(); i++) {
    const verify::Room start(cluster, state.status, state.node);
    verify::Cycle c{cluster, settings, plan.cycles[i], static_cast<int>(i), state, state, std::vector<uint8_t>(cluster.pods.size()), {}, {}, start, start, findings};
    for (const verify::PlanGroup& g : c.plan.groups)
      if (const auto it = cluster.group_by_key.find(g.key); it != cluster.group_by_key.end()) c.after.phase[static_cast<size_t>(it->second)] = g.phase;
    TakePlacements(&c);
    FindTentative(&c);
    const verify::Ceilings ceilings(c);
    CheckNodes(c);
    CheckGangs(c);
    ceilings.Check();
    CheckEvictions(c, ceilings);
    CheckGroups(c, ceilings);
    CheckReasons(c, ceilings);
    state = Impl::Settle(c, v.options.termination_cycles);
  }
  v.found = findings->size();
  if (findings->size() > v.options.max_findings) findings->resize(v.options.max_findings);
  return v.found == 0 ? Verdict::kAccepted : Verdict::kRefused;
}

std::string_view FindingKindName(FindingKind kind) {
  switch (kind) {
    case FindingKind::kForm: return "form";
    case FindingKind::kInputs: return "inputs";
    case FindingKind::kHash: return "hash";
    case FindingKind::kUnknownName: return "unknown name";
    case FindingKind::kTwice: return "placed twice";
    case FindingKind::kNotOurs: return "not to be placed";
    case FindingKind::kCapacity: return "capacity";
    case FindingKind::kPodSlots: return "pod slots";
    case FindingKind::kNodeRule: return "node rule";
    case FindingKind::kPorts: return "host ports";
    case FindingKind::kGang: return "gang";
    case FindingKind::kQueue: return "queue";
    case FindingKind::kEviction: return "eviction";
    case FindingKind::kPhase: return "phase";
    case FindingKind::kGroups: return "podgroups";
    case FindingKind::kCondition: return "condition";
    case FindingKind::kReason: return "reason";
    case FindingKind::kUnexplained: return "no reason";
  }
  return "";
}

std::string FindingText(const Finding& finding) {
  const std::string kind(FindingKindName(finding.kind));
  return (finding.cycle < 0 ? kind : "cycle " + std::to_string(finding.cycle) + ": " + kind) + ": " + finding.text;
}

}  // namespace basalt

#include "kernel/kernel.h"

namespace basalt {

void Kernel::Configure(Config config, std::vector<scoring::ArgumentProblem>* problems) {
  session_.reset();
  times_.times.clear();  // they name actions by their place in the configuration
  config_ = std::move(config);
  tiers_ = BuildPolicies(config_, problems);
  profile_ = {};
  const scoring::ResourceLookup lookup = [this](std::string_view name) { return store_->Resource(name); };
  for (const auto& tier : config_.tiers)
    for (const PluginOption& option : tier)
      scoring::AddPlugin(option.name, &option.arguments, option.On(Switch::kPredicate), option.On(Switch::kNodeOrder), lookup, &profile_, problems);
  resources_resolved_ = 0;
  index_.Configure(backend_, &profile_);
  idle_ = false;
}

void Kernel::SetBackend(const scoring::Backend* backend) {
  backend_ = backend;
  index_.Configure(backend_, &profile_);
  idle_ = false;
}

bool Kernel::View(QueueId queue, QueueView* view, uint16_t* policy) const {
  for (const auto& tier : tiers_)
    for (const ActivePolicy& a : tier)
      if (a.policy->View(queue, view)) return *policy = a.catalogue_index, true;
  return false;
}

double Kernel::JobShare(JobId job) const {
  for (const auto& tier : tiers_)
    for (const ActivePolicy& a : tier)
      if (const double share = a.policy->JobShare(job); share >= 0) return share;
  return -1;
}

void Kernel::ResolveResources() {
  if (resources_resolved_ == store_->ResourceCount()) return;
  std::vector<std::string_view> names;
  for (uint32_t r = 0; r < store_->ResourceCount(); r++) names.push_back(store_->ResourceName(ResourceId{r}));
  scoring::ResolveResources(names, &profile_);
  resources_resolved_ = names.size();
}

void Kernel::Open(int64_t now_ns) {
  ResolveResources();
  looked_.Clear();
  session_ = std::make_unique<Session>(store_, &config_, &tiers_, &index_, now_ns, &looked_, &times_);
  session_->Open();
  session_generation_ = store_->generation;
}

ClassView Kernel::View(PodId pod) {
  if (!session_ || session_generation_ != store_->generation) return store_->pods[pod.value].cls;
  return session_->View(pod);
}

const Plan& Kernel::Cycle(int64_t now_ns) {
  // The same state gives the same decisions: after a cycle that changed nothing, only an event or a time rule can change the outcome.
  if (idle_ && store_->generation == idle_generation_ && (plan_.next_wakeup_ns == 0 || now_ns < plan_.next_wakeup_ns)) return plan_;
  ResolveResources();
  std::vector<GroupPhase> before(store_->jobs.size());
  for (size_t j = 0; j < before.size(); j++) before[j] = store_->jobs[j].phase;
  plan_.Clear();
  cycles_decided_++;
  times_.times.clear();
  session_ = std::make_unique<Session>(store_, &config_, &tiers_, &index_, now_ns, &plan_, &times_);
  session_->Run();
  session_generation_ = store_->generation;
  bool phases_same = true;
  for (size_t j = 0; j < before.size() && phases_same; j++) phases_same = before[j] == store_->jobs[j].phase;
  idle_ = plan_.binds.empty() && plan_.evicted.empty() && phases_same;
  idle_generation_ = store_->generation;
  return plan_;
}

}  // namespace basalt

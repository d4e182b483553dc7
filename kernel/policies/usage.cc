// usage: nodes by the load that is measured on them (volcano-queues, section 6.3). New pods do not show in it yet: for them there are estimates.
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "kernel/policies/catalogue.h"
#include "kernel/session.h"

namespace basalt {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kFresh = 300 * kSecond, kPercent = kWholeLoad / 100;
using Pair = std::array<int64_t, 2>;  ///< cpu milli, memory bytes

struct UsageArguments {
  int64_t weight = 5;
  std::array<int64_t, 2> weights{1, 1}, thresholds{80, 80};
  double request_ratio = 0.7, burst_ratio = 0, risk_threshold = 0.6, risk_factor = 1.2;
  Pair best_effort{250, 200 << 20};
};

class Usage final : public Policy {
 public:
  explicit Usage(const UsageArguments& arguments) : a_(arguments) {}
  uint32_t Families() const override { return FamilyBit(Family::kNodeFilter) | FamilyBit(Family::kNodeScore) | FamilyBit(Family::kEvents); }

  void Open(Session& s) override {
    const NodeTable& nodes = s.store.nodes;
    version_++;
    any_fresh_ = false;
    load_.assign(nodes.rows, {});
    shadow_.assign(nodes.rows, {});
    estimates_.clear();
    for (uint32_t row = 0; row < nodes.rows; row++) {
      if (!nodes.present[row]) continue;
      if (const auto load = s.store.loads.find(StringId{nodes.name[row]}); load != s.store.loads.end() && load->second.Known()) {
        const int64_t end = SaturatingAdd(SaturatingMul(load->second.Seconds(), kSecond), kFresh);
        load_[row] = {end >= s.now_ns, {load->second.of[0].part, load->second.of[1].part}};
        if (load_[row].fresh) any_fresh_ = true, s.WakeAt(SaturatingAdd(end, 1));
      }
      // What is added first decides whether the later ones count for more (G62).
      std::vector<PodId> tasks;
      for (const PodId t : s.store.node_pods[row])
        if (IsUnseen(s, s.store.pods[t.value])) tasks.push_back(t);
      std::sort(tasks.begin(), tasks.end(), [&](PodId a, PodId b) { return s.store.CompareUid(a, b) < 0; });
      for (const PodId t : tasks) Add(s, t);
    }
  }

  void Changed(Session& s, PodId pod, int sign) override {
    version_++;
    Drop(pod);
    if (sign > 0 && s.store.pods[pod.value].node) Add(s, pod);
  }

  uint64_t NodeKey(Session&, PodId) override { return any_fresh_; }
  uint64_t NodeVersion(Session&, uint64_t, uint64_t) override { return version_; }

  // By what is measured alone (G61).
  void RefuseNodes(Session& s, uint64_t, bool before_predicates, NodeRules* rules) override {
    for (uint32_t row = 0; row < load_.size(); row++) {
      if (!load_[row].fresh) continue;
      const bool cpu = load_[row].part[0] > a_.thresholds[0] * kPercent, memory = load_[row].part[1] > a_.thresholds[1] * kPercent;
      if (!cpu && !memory) continue;
      rules->refused.Resize(PaddedRows(s.store.nodes.rows));
      if (!rules->refused[row]) rules->refused[row] = rules->CodeOf(cpu ? PolicyReason::kCpuLoad : PolicyReason::kMemoryLoad, {}, before_predicates);
    }
  }

  void ScoreNodes(Session& s, uint64_t, NodeRules* rules) override {
    const double sum = static_cast<double>(a_.weights[0]) + static_cast<double>(a_.weights[1]);
    if (sum == 0) return;
    Column<double>& score = rules->score[static_cast<size_t>(scoring::PolicyScore::kUsage)];
    score.Resize(PaddedRows(s.store.nodes.rows));
    for (uint32_t row = 0; row < load_.size(); row++)
      if (load_[row].fresh)
        score[row] = ((1 - Used(s, row, 0)) * static_cast<double>(a_.weights[0]) + (1 - Used(s, row, 1)) * static_cast<double>(a_.weights[1])) / sum * 100 *
                     static_cast<double>(a_.weight);
  }

 private:
  struct Load {
    bool fresh = false;
    std::array<int64_t, 2> part{};
  };
  struct Estimate {
    uint32_t row;
    Pair amount;
  };

  // Too new to show in the measured load.
  static bool IsUnseen(Session& s, const PodRow& p) {
    if (p.status == TaskStatus::kAllocated || p.status == TaskStatus::kBinding || p.status == TaskStatus::kBound) return true;
    if (p.status != TaskStatus::kRunning) return false;
    const int64_t seen = SaturatingAdd(SaturatingMul(p.start_seconds, kSecond), s.config.load_interval_ns);
    if (p.start_seconds && seen > s.now_ns) s.WakeAt(seen);
    return !p.start_seconds || seen > s.now_ns;
  }

  double Used(Session& s, uint32_t row, int d) const {
    const int64_t capacity = s.store.nodes.capacity[d][row];
    const double extra = capacity > 0 ? static_cast<double>(shadow_[row][d]) / static_cast<double>(capacity) : 0;
    return std::clamp(static_cast<double>(load_[row].part[d]) / static_cast<double>(kWholeLoad) + extra, 0.0, 1.0);
  }

  void Add(Session& s, PodId pod) {
    const PodRow& p = s.store.pods[pod.value];
    const PodClass& cls = s.store.classes[p.cls.value];
    const uint32_t row = p.node.value;
    if (row >= shadow_.size()) return;
    const double w0 = static_cast<double>(a_.weights[0]), w1 = static_cast<double>(a_.weights[1]);
    const double all = w0 + w1 > 0 ? (Used(s, row, 0) * w0 + Used(s, row, 1) * w1) / (w0 + w1) : 0;
    const double factor = all >= a_.risk_threshold ? a_.risk_factor : 1;
    Estimate e{row, {}};
    for (int d = 0; d < 2; d++) {
      int64_t request = 0;
      for (const ResourceAmount& r : cls.request)
        if (r.id == (d == 0 ? kCpu : kMemory)) request = r.amount;
      const int64_t limit = p.limits[d] > 0 && p.limits[d] >= request ? p.limits[d] : request;
      const double plain = static_cast<double>(request) * a_.request_ratio + static_cast<double>(limit - request) * a_.burst_ratio;
      e.amount[d] = cls.best_effort ? Whole(static_cast<double>(a_.best_effort[d]) * factor) : std::clamp<int64_t>(Whole(plain * factor), 0, limit);
      shadow_[row][d] = SaturatingAdd(shadow_[row][d], e.amount[d]);
    }
    estimates_.insert_or_assign(pod, e);
  }
  void Drop(PodId pod) {
    const auto found = estimates_.find(pod);
    if (found == estimates_.end()) return;
    for (int d = 0; d < 2; d++) shadow_[found->second.row][d] = SaturatingSub(shadow_[found->second.row][d], found->second.amount[d]);
    estimates_.erase(found);
  }
  static int64_t Whole(double amount) { return amount < static_cast<double>(kAmountMax) ? static_cast<int64_t>(amount) : kAmountMax; }

  const UsageArguments a_;
  std::vector<Load> load_;    ///< by node row
  std::vector<Pair> shadow_;  ///< by node row: what the estimates add up to
  std::unordered_map<PodId, Estimate> estimates_;
  bool any_fresh_ = false;
  uint64_t version_ = 0;
};

double ReadRatio(scoring::ArgumentReader* arguments, std::string_view key, double fallback) {
  const double value = arguments->Number(key, fallback, 0);
  if (value <= 1) return value;
  arguments->Problem(key, "is above 1; the default is used");
  return fallback;
}

// A whole number in `unit`s, or a quantity.
int64_t ReadAmount(scoring::ArgumentReader* arguments, std::string_view key, int64_t unit, bool milli, int64_t fallback) {
  const ConfigValue* value = arguments->Value(key);
  if (!value) return fallback;
  std::optional<int64_t> amount;
  if (value->type == ConfigValue::Type::kInt) amount = SaturatingMul(value->integer, unit);
  if (value->type == ConfigValue::Type::kString)
    if (const auto quantity = Quantity::Parse(value->string)) amount = milli ? quantity->MilliValue() : quantity->Value();
  if (amount && *amount >= 0) return std::min(*amount, kAmountMax);
  arguments->Problem(key, "expected a whole number or a quantity, at least 0; the default is used");
  return fallback;
}

}  // namespace

std::unique_ptr<Policy> MakeUsage(const PluginOption&, scoring::ArgumentReader* arguments) {
  UsageArguments a;
  a.weight = arguments->Int("usage.weight", a.weight, 0);
  a.weights = {arguments->Int("cpu.weight", 1, 0), arguments->Int("memory.weight", 1, 0)};
  scoring::ArgumentReader thresholds(arguments, "thresholds");
  a.thresholds = {thresholds.Int("cpu", 80, 0, 100), thresholds.Int("mem", 80, 0, 100)};
  scoring::ArgumentReader estimator(arguments, "estimator");
  a.request_ratio = ReadRatio(&estimator, "request_ratio", a.request_ratio);
  a.burst_ratio = ReadRatio(&estimator, "burst_ratio", a.burst_ratio);
  a.risk_threshold = ReadRatio(&estimator, "risk_threshold", a.risk_threshold);
  a.risk_factor = estimator.Number("risk_factor", a.risk_factor, 1);
  a.best_effort = {ReadAmount(&estimator, "be_cpu", 1, true, a.best_effort[0]), ReadAmount(&estimator, "be_mem", 1 << 20, false, a.best_effort[1])};
  return std::make_unique<Usage>(a);
}

}  // namespace basalt

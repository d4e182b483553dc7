#include "report/verify_room.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace basalt::verify {
namespace {

using objects::Operator;
using objects::TaintEffect;
using objects::TolerationOperator;

std::optional<int64_t> Integer(std::string_view s) {
  if (s.starts_with('+')) s.remove_prefix(1);
  int64_t v = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  return !s.empty() && error == std::errc() && end == s.data() + s.size() ? std::optional(v) : std::nullopt;
}

bool OneOf(const std::vector<std::string>& values, std::string_view value) { return std::find(values.begin(), values.end(), value) != values.end(); }

// A requirement that Kubernetes' parser refuses makes its term match nothing.
bool WellFormed(const Requirement& r) {
  switch (r.op) {
    case Operator::kIn: case Operator::kNotIn: return !r.values.empty();
    case Operator::kExists: case Operator::kDoesNotExist: return r.values.empty();
    case Operator::kGt: case Operator::kLt: return r.values.size() == 1 && Integer(r.values[0]);
  }
  return false;
}

bool LabelMatches(const Requirement& r, const Node& node) {
  const auto it = node.labels.find(r.key);
  const bool has = it != node.labels.end();
  switch (r.op) {
    case Operator::kIn: return has && OneOf(r.values, it->second);
    case Operator::kNotIn: return !has || !OneOf(r.values, it->second);
    case Operator::kExists: return has;
    case Operator::kDoesNotExist: return !has;
    case Operator::kGt: case Operator::kLt: {
      const auto value = has ? Integer(it->second) : std::nullopt;
      if (!value) return false;
      return r.op == Operator::kGt ? *value > *Integer(r.values[0]) : *value < *Integer(r.values[0]);
    }
  }
  return false;
}

bool TermMatches(const Term& term, const Node& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  for (const Requirement& r : term.expressions)
    if (!WellFormed(r)) return false;
  for (const Requirement& r : term.fields)
    if (r.key != "metadata.name" || (r.op != Operator::kIn && r.op != Operator::kNotIn) || r.values.size() != 1) return false;
  for (const Requirement& r : term.expressions)
    if (!LabelMatches(r, node)) return false;
  for (const Requirement& r : term.fields)
    if ((r.values[0] == node.name) != (r.op == Operator::kIn)) return false;
  return true;
}

bool AffinityMatches(const PodClass& pod, const Node& node) {
  for (const auto& [key, value] : pod.selector) {
    const auto it = node.labels.find(key);
    if (it == node.labels.end() || it->second != value) return false;
  }
  return !pod.has_required || std::any_of(pod.required.begin(), pod.required.end(), [&](const Term& t) { return TermMatches(t, node); });
}

bool Tolerates(const Toleration& t, const Taint& taint) {
  if (t.effect != TaintEffect::kNone && t.effect != taint.effect) return false;
  if (!t.key.empty() && t.key != taint.key) return false;
  switch (t.op) {
    case TolerationOperator::kEqual: return t.value == taint.value;
    case TolerationOperator::kExists: return true;
    case TolerationOperator::kOther: return false;
  }
  return false;
}

bool Tolerated(const PodClass& pod, const Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [&](const Toleration& t) { return Tolerates(t, taint); });
}

}  // namespace

Static StaticRefusal(const Settings& settings, const PodClass& pod, const Node& node) {
  if (!settings.predicates) return Static::kNone;
  if (node.unschedulable && !Tolerated(pod, {"node.kubernetes.io/unschedulable", "", TaintEffect::kNoSchedule})) return Static::kUnschedulable;
  if (settings.node_affinity && !AffinityMatches(pod, node)) return Static::kAffinity;
  if (settings.taints)
    for (const Taint& t : node.taints)
      if ((t.effect == TaintEffect::kNoSchedule || t.effect == TaintEffect::kNoExecute) && !Tolerated(pod, t)) return Static::kTaint;
  return Static::kNone;
}

bool TermsConflict(const PodClass& pod) {
  for (const Term& term : pod.required) {
    std::optional<std::string> pin;
    bool conflict = false;
    for (const Requirement& r : term.fields) {
      if (r.key != "metadata.name" || r.op != Operator::kIn || r.values.size() != 1) continue;
      conflict |= pin && *pin != r.values[0];
      pin = r.values[0];
    }
    if (!conflict) return false;
  }
  return !pod.required.empty();
}

bool Clash(const Port& a, const Port& b) {
  return a.port == b.port && a.protocol == b.protocol && (a.ip.empty() || b.ip.empty() || a.ip == b.ip);
}

Room::Room(const Cluster& cluster, const std::vector<Status>& status, const std::vector<int>& node)
    : dims_(static_cast<size_t>(cluster.dims.Count())), idle_(cluster.nodes.size() * dims_), pods_(cluster.nodes.size()), ports_(cluster.nodes.size()) {
  for (size_t n = 0; n < cluster.nodes.size(); n++)
    for (const Amount& a : cluster.nodes[n].allocatable) idle_[At(static_cast<int>(n), a.dim)] = a.value;
  future_ = idle_;
  for (size_t p = 0; p < cluster.pods.size(); p++)
    if (node[p] != kNone && !IsFinished(status[p])) Hold(node[p], cluster.classes[static_cast<size_t>(cluster.pods[p].cls)], status[p]);
}

void Room::Hold(int node, const PodClass& pod, Status status) {
  for (const Amount& a : pod.request) {
    const size_t at = At(node, a.dim);
    if (status != Status::kPipelined) idle_[at] = SaturatingSub(idle_[at], a.value);
    if (status != Status::kReleasing) future_[at] = SaturatingSub(future_[at], a.value);
  }
  pods_[static_cast<size_t>(node)]++;
  auto& ports = ports_[static_cast<size_t>(node)];
  ports.insert(ports.end(), pod.ports.begin(), pod.ports.end());
}

void Room::Release(int node, const PodClass& pod) {
  for (const Amount& a : pod.request) future_[At(node, a.dim)] = SaturatingAdd(future_[At(node, a.dim)], a.value);
  pods_[static_cast<size_t>(node)]--;
  auto& ports = ports_[static_cast<size_t>(node)];
  for (const Port& p : pod.ports) {
    const auto same = std::find_if(ports.begin(), ports.end(), [&](const Port& x) { return x.port == p.port && x.protocol == p.protocol && x.ip == p.ip; });
    if (same != ports.end()) ports.erase(same);
  }
}

bool Room::PortsFree(int node, const PodClass& pod) const {
  for (const Port& want : pod.ports)
    for (const Port& used : ports_[static_cast<size_t>(node)])
      if (Clash(want, used)) return false;
  return true;
}

Room::Row Room::Save(int node) const {
  const auto begin = static_cast<ptrdiff_t>(At(node, 0)), end = begin + static_cast<ptrdiff_t>(dims_);
  return {node, {idle_.begin() + begin, idle_.begin() + end}, {future_.begin() + begin, future_.begin() + end}, PodCount(node), ports_[static_cast<size_t>(node)]};
}

void Room::Restore(Row row) {
  std::copy(row.idle.begin(), row.idle.end(), idle_.begin() + static_cast<ptrdiff_t>(At(row.node, 0)));
  std::copy(row.future.begin(), row.future.end(), future_.begin() + static_cast<ptrdiff_t>(At(row.node, 0)));
  pods_[static_cast<size_t>(row.node)] = row.pods;
  ports_[static_cast<size_t>(row.node)] = std::move(row.ports);
}

}  // namespace basalt::verify

// A small cluster written in a test, one short YAML flow map per part, and the cycles over it.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "report/engine.h"
#include "snapshot/time.h"

namespace basalt::test {

class Scenario {
 public:
  explicit Scenario(Evictions evictions = Evictions::kMinimal) : engine_(Options(evictions)) {}

  /// Any object as a YAML flow map.
  Scenario& Add(const std::string& object) { return text_.append(object).append("\n---\n"), *this; }
  /// allocatable, labels, annotations, spec: the inside of a flow map, as "cpu: 8, memory: 16Gi". The room for pods is 110.
  Scenario& Node(const std::string& name, const std::string& allocatable, const std::string& labels = "") {
    return Add("{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, status: {allocatable: {pods: 110, " + allocatable + "}}}");
  }
  Scenario& Queue(const std::string& name, const std::string& spec, const std::string& annotations = "", const std::string& state = "Open") {
    return Add("{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: " + name + ", annotations: {" + annotations + "}}, spec: {" + spec +
               "}, status: {state: " + state + "}}");
  }
  /// The groups are created one second after the other, from noon of 2026-01-01 on.
  Scenario& Group(const std::string& name, const std::string& spec, const std::string& phase = "", const std::string& annotations = "") {
    return Add("{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: " + name + ", namespace: ns, creationTimestamp: \"" + Next() +
               "\", annotations: {" + annotations + "}}, spec: {" + spec + "}, status: {phase: \"" + phase + "\"}}");
  }
  /// Pods GROUP-FIRST and on; node empty: they wait, else they run there. meta and spec are put into the pod's metadata and spec.
  Scenario& Pods(const std::string& group, int count, const std::string& requests, const std::string& node = "", int first = 0, const std::string& annotations = "",
                 const std::string& spec = "", const std::string& labels = "") {
    for (int i = first; i < first + count; i++) {
      const std::string name = group + "-" + std::to_string(i);
      Add("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ns, uid: uid-" + name + ", creationTimestamp: \"" + Next() + "\", labels: {" + labels +
          "}, annotations: {scheduling.k8s.io/group-name: " + group + (annotations.empty() ? "" : ", " + annotations) + "}}, spec: {schedulerName: volcano" +
          (node.empty() ? "" : ", nodeName: " + node) + (spec.empty() ? "" : ", " + spec) + ", containers: [{name: c, resources: {requests: {" + requests +
          "}}}]}, status: {phase: " + (node.empty() ? "Pending" : "Running") + "}}");
    }
    return *this;
  }

  /// Evicted pods live on for so many cycles.
  Scenario& Termination(uint32_t cycles) { return termination_ = cycles, *this; }

  /// Reads the input once, then decides cycle by cycle; what was bound runs in the next one.
  Scenario& Run(const std::string& config, int cycles = 1, int64_t now_seconds = kNoonSeconds + 3600) {
    if (!text_.empty()) {
      EXPECT_TRUE(engine_.ReadText(text_, "test", TextFormat::kYaml));
      text_.clear();
    }
    std::string_view conf = config;
    EXPECT_TRUE(engine_.Configure(&conf, "test"));
    for (const Diagnostic& d : engine_.diagnostics) EXPECT_TRUE(d.severity == Severity::kWarning || d.severity == Severity::kNote) << d.object << " " << d.message;
    engine_.CheckConsistency();
    for (int i = 0; i < cycles; i++) {
      if (ran_) engine_.Settle(termination_);
      ran_ = true;
      engine_.Cycle(now_seconds * 1'000'000'000 + i * int64_t{1'000'000'000}, false);
    }
    return *this;
  }

  // ---- what the last cycle decided ----
  std::map<std::string, std::string> Binds() { return Texts(engine_.kernel.plan().binds); }
  std::map<std::string, std::string> Pipelined() { return Texts(engine_.kernel.plan().pipelined); }
  std::vector<std::string> Evicted() {
    std::vector<std::string> out;
    for (const Eviction& e : engine_.kernel.plan().evicted) out.push_back(NameOf(e.pod));
    std::sort(out.begin(), out.end());
    return out;
  }
  /// Pods of the group that were bound in the last cycle.
  int Bound(const std::string& group) {
    int n = 0;
    for (const auto& [pod, node] : Binds()) n += pod.substr(0, pod.rfind('-')) == group;
    return n;
  }
  GroupPhase Phase(const std::string& group) { return engine_.store.jobs[engine_.store.FindJob("ns/" + group).value].phase; }
  Engine& engine() { return engine_; }
  bool Told(const std::string& object, const std::string& part) {
    return std::any_of(engine_.diagnostics.begin(), engine_.diagnostics.end(),
                       [&](const Diagnostic& d) { return d.object == object && d.message.find(part) != std::string::npos; });
  }

  static constexpr int64_t kNoonSeconds = 1767268800;  ///< 2026-01-01T12:00:00Z

 private:
  static EngineOptions Options(Evictions evictions) {
    EngineOptions o;
    o.has_evictions = true;
    o.evictions = evictions;
    return o;
  }
  std::string Next() { return FormatRfc3339(kNoonSeconds + made_++); }
  std::string NameOf(PodId p) { return std::string(engine_.store.pods[p.value].key.substr(3)); }
  std::map<std::string, std::string> Texts(const std::vector<Placement>& list) {
    std::map<std::string, std::string> out;
    for (const Placement& p : list) out[NameOf(p.pod)] = std::string(engine_.store.NodeName(p.node));
    return out;
  }

  Engine engine_;
  std::string text_;
  int64_t made_ = 0;
  bool ran_ = false;
  uint32_t termination_ = 0;
};

}  // namespace basalt::test

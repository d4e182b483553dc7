#include <algorithm>
#include <map>

#include "report/explain.h"

namespace basalt {

// A gang is explained by its first waiting pod, which speaks for what the gang lacks, beside the states of all.
Explanation ExplainPodGroup(Engine* engine, JobId id, const ObjectSource& source) {
  Store& store = engine->store;
  const std::string name(store.jobs[id.value].key);
  Explanation e;
  JsonWriter w(&e.json);
  std::string text, states;
  std::vector<std::string> waiting;
  {
    const JobRow& job = store.jobs[id.value];
    std::map<std::string_view, std::vector<std::string_view>> by_state;
    for (const PodId t : job.pods) by_state[StatusText(store.pods[t.value].status)].push_back(store.pods[t.value].key);
    for (auto& [state, pods] : by_state) std::sort(pods.begin(), pods.end());
    w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("PodGroupExplanation").Key("podGroup").String(name);
    w.Key("phase").String(job.has_group ? PhaseText(job.phase) : "").Key("queue").String(job.queue ? store.QueueName(job.queue) : "").Key("minMember").Integer(job.min_member);
    w.Key("ready").Integer(job.Ready()).Key("pods").Open('{');
    for (const auto& [state, pods] : by_state) {
      states += (states.empty() ? "" : ", ") + std::to_string(pods.size()) + " " + std::string(state);
      w.Key(state).Open('[');
      for (const std::string_view pod : pods) w.String(pod);
      w.Close(']');
    }
    w.Close('}');
    const char* verb = job.Ready() >= job.min_member ? " has its minimum" : " waits";
    text = name + verb + ": needs " + std::to_string(job.min_member) + ", ready " + std::to_string(job.Ready()) + "\n";
    text += "  queue     " + std::string(job.queue ? store.QueueName(job.queue) : "") + "\n  phase     " +
            std::string(!job.has_group ? "no PodGroup of this name, only pods that name it" : job.phase == GroupPhase::kEmpty ? "not admitted" : PhaseText(job.phase)) + "\n";
    if (job.has_min_resources) text += "  minimum   " + AmountsText(store, job.min_resources) + "\n";
    for (const auto& [role, min] : job.task_min) text += "  role      " + std::string(store.names.Text(role)) + ": at least " + std::to_string(min) + "\n";
    text += "  pods      " + (states.empty() ? "none" : states) + "\n";
    for (const GroupCondition& c : job.conditions)
      if (!c.message.empty()) text += "  condition " + c.type + ": " + c.message + "\n";
    for (const PodId t : job.pods)
      if (store.pods[t.value].status == TaskStatus::kPending) waiting.emplace_back(store.pods[t.value].key);
    std::sort(waiting.begin(), waiting.end());
  }
  if (!waiting.empty()) {
    if (const PodId first = store.FindPod(waiting.front())) {
      Explanation pod = ExplainPod(engine, first, source);
      text += "first waiting pod: " + pod.text;
      w.Key("firstWaiting").Raw(pod.json);
    }
  }
  w.Close('}');
  e.text = std::move(text);
  return e;
}

}  // namespace basalt

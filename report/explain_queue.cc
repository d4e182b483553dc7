#include <algorithm>

#include "report/explain.h"

namespace basalt {

Explanation ExplainQueue(Engine* engine, QueueId id) {
  const Store& store = engine->store;
  const QueueRow& row = store.queues[id.value];
  const std::string name(store.QueueName(id)), state = !row.present ? "not there" : row.open ? "Open" : std::string(store.names.Text(row.state));
  Explanation e;
  JsonWriter w(&e.json);
  w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("QueueExplanation").Key("queue").String(name).Key("state").String(state);
  w.Key("weight").Integer(row.weight).Key("priority").Integer(row.priority).Key("reclaimable").Bool(row.reclaimable);
  std::string text = name + " is " + state + ": weight " + std::to_string(row.weight) + (row.priority ? ", priority " + std::to_string(row.priority) : "") +
                     (row.reclaimable ? "" : ", not reclaimable") + "\n";
  const auto amounts = [&](const char* title, const char* key, const std::vector<ResourceAmount>& list) {
    if (list.empty()) return;
    std::string line = "  " + std::string(title);
    line.resize(14, ' ');
    text += line + AmountsText(store, list) + "\n";
    w.Key(key), WriteAmounts(store, list, &w);
  };
  amounts("capability", "capability", row.capability);
  amounts("guarantee", "guarantee", row.guarantee);
  amounts("asked for", "deservedSpec", row.deserved);
  QueueView view;
  uint16_t policy = 0;
  if (engine->kernel.View(id, &view, &policy)) {
    const auto line = [&](const char* title, const char* key, const Vector& v) {
      std::string start = "  " + std::string(title);
      start.resize(14, ' ');
      text += start + VectorText(store, v) + "\n";
      w.Key(key), WriteVector(store, v, &w);
    };
    line("deserved", "deserved", view.deserved);
    line("allocated", "allocated", view.allocated);
    line("inqueue", "inqueue", view.inqueue);
    line("may hold", "limit", view.limit);
    std::string share;
    JsonWriter(&share).Number(view.share);
    text += "  share       " + share + "\n";
    w.Key("share").Number(view.share);
  }
  std::vector<const JobRow*> jobs;
  for (const JobRow& job : store.jobs)
    if (job.in_use && job.has_group && job.queue == id) jobs.push_back(&job);
  std::sort(jobs.begin(), jobs.end(), [](const JobRow* a, const JobRow* b) { return a->key < b->key; });
  w.Key("podGroups").Open('{');
  text += "  podgroups   " + std::to_string(jobs.size()) + "\n";
  for (const JobRow* job : jobs) {
    const int32_t pending = job->Count(TaskStatus::kPending);
    w.Key(job->key).Open('{').Key("phase").String(PhaseText(job->phase)).Key("minMember").Integer(job->min_member).Key("ready").Integer(job->Ready()).Key("pending").Integer(pending).Close('}');
    std::string why;
    if (pending)
      for (const PodId t : job->pods) {
        const PodRow& p = store.pods[t.value];
        if (p.status == TaskStatus::kPending && p.condition_false && (why.empty() || p.condition_message < why)) why = p.condition_message;
      }
    text += "    " + std::string(job->key) + ": " + std::string(job->phase == GroupPhase::kEmpty ? "not admitted" : PhaseText(job->phase)) + ", needs " + std::to_string(job->min_member) + ", ready " +
            std::to_string(job->Ready()) + ", pending " + std::to_string(pending) + (why.empty() ? "" : ": " + why) + "\n";
  }
  w.Close('}').Close('}');
  e.text = std::move(text);
  return e;
}

}  // namespace basalt

// The C door to explanations.
#include "report/c_api_common.h"
#include "report/c_api_engine.h"
#include "report/explain.h"
#include "report/nearest.h"

using basalt::door::Give;
using basalt::door::Guard;
using basalt::door::Text;

namespace {

basalt_status NotThere(std::string_view what, std::string_view name, const std::vector<std::string_view>& names, basalt_buffer* out) {
  return Give(std::string(what) + " " + std::string(name) + " is not in the input" + basalt::DidYouMean(name, names), out, BASALT_NOT_FOUND);
}

}  // namespace

extern "C" basalt_status basalt_explain(basalt_engine* e, const basalt_explain_options* options, basalt_buffer* out) {
  if (!e || !options || options->size != sizeof *options || !options->what || !options->name || !options->format || !out || !e->engine.configured || e->engine.live())
    return BASALT_INVALID_ARGUMENT;
  const std::string_view what = options->what, name = options->name, format = options->format;
  if (format != "text" && format != "json") return BASALT_INVALID_ARGUMENT;
  return Guard([&] {
    basalt::Engine& engine = e->engine;
    const basalt::Store& store = engine.store;
    const basalt::ObjectSource source = [&](std::string_view kind, std::string_view key) {
      std::string json;
      const auto take = [](void* to, basalt_text text) { static_cast<std::string*>(to)->assign(text.data, text.size); };
      if (options->object) options->object(options->user, Text(kind), Text(key), take, &json);
      return json;
    };
    basalt::Explanation explanation;
    std::vector<std::string_view> names;
    if (what == "pod") {
      const basalt::PodId id = store.FindPod(name);
      for (const auto& p : store.pods)
        if (p.in_use && !id) names.push_back(p.key);
      if (!id) return NotThere(what, name, names, out);
      explanation = ExplainPod(&engine, id, source);
    } else if (what == "podgroup") {
      const basalt::JobId id = store.FindJob(name);
      for (const auto& j : store.jobs)
        if (j.in_use && !id) names.push_back(j.key);
      if (!id) return NotThere(what, name, names, out);
      explanation = ExplainPodGroup(&engine, id, source);
    } else if (what == "queue") {
      const basalt::QueueId id = store.FindQueue(name);
      for (uint32_t q = 0; q < store.queues.size(); q++)
        if (store.queues[q].present) names.push_back(store.QueueName(basalt::QueueId{q}));
      if (!id) return NotThere(what, name, names, out);
      explanation = ExplainQueue(&engine, id);
    } else if (what == "node") {
      const basalt::NodeId id = store.FindNode(name);
      for (uint32_t n = 0; n < store.nodes.rows; n++)
        if (store.nodes.present[n]) names.push_back(store.NodeName(basalt::NodeId{n}));
      if (!id || !store.nodes.present[id.value]) return NotThere(what, name, names, out);
      explanation = ExplainNode(&engine, id);
    } else {
      return BASALT_INVALID_ARGUMENT;
    }
    return Give(format == "json" ? explanation.json : explanation.text, out);
  });
}

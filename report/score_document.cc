#include "report/score_document.h"

#include <algorithm>

#include "report/json_writer.h"

namespace basalt {

bool ScoreJson(Engine* engine, std::string_view wanted, std::string* out) {
  Store& store = engine->store;
  store.Prepare();
  std::vector<PodId> pods;
  for (uint32_t i = 0; i < store.pods.size(); i++) {
    const PodRow& p = store.pods[i];
    if (p.in_use && p.ours && p.status == TaskStatus::kPending && (wanted.empty() || p.key == wanted)) pods.push_back(PodId{i});
  }
  if (pods.empty() && !wanted.empty()) return false;
  std::sort(pods.begin(), pods.end(), [&](PodId a, PodId b) { return store.pods[a.value].key < store.pods[b.value].key; });
  std::vector<uint32_t> rows;
  for (uint32_t r = 0; r < store.nodes.rows; r++)
    if (store.nodes.present[r]) rows.push_back(r);
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return store.nodes.rank[a] < store.nodes.rank[b]; });

  const scoring::Backend& backend = engine->kernel.index().backend();
  const scoring::Profile& profile = engine->kernel.profile();
  Column<uint8_t> mask;
  Column<double> key;
  mask.Resize(PaddedRows(store.nodes.rows)), key.Resize(PaddedRows(store.nodes.rows));
  JsonWriter w(out);
  w.Open('{').Key("pods").Open('{');
  for (const PodId id : pods) {
    const PodRow& p = store.pods[id.value];
    const PodClass& cls = store.classes[p.cls.value];
    const auto& fixed = engine->kernel.index().Fixed(store, p.cls);
    const auto room = cls.best_effort ? scoring::Room::kNone : scoring::Room::kIdle;
    if (store.nodes.rows) {
      backend.Feasible(store.nodes, cls, profile, fixed, room, 0, store.nodes.rows, mask.data());
      const auto norm = backend.Extremes(fixed, mask.data(), 0, store.nodes.rows);
      backend.Totals(store.nodes, cls, profile, fixed, norm, mask.data(), 0, store.nodes.rows, key.data());
    }
    const StringId field = p.unsupported ? cls.unsupported : p.job ? store.jobs[p.job.value].unsupported : StringId{};
    w.Key(p.key).Open('{').Key("nodes").Open('{');
    for (const uint32_t r : rows) {
      w.Key(store.NodeName(NodeId{r}));
      if (field) {
        w.String("not supported yet: " + std::string(store.names.Text(field)));
      } else if (mask[r]) {
        w.Number(key[r]);
      } else {
        const auto reason = scoring::ReasonOfRow(store.nodes, cls, profile, fixed, room, r);
        std::string text;
        for (int bit = 1; bit < 128; bit *= 2)
          if (reason.bits & bit) text += (text.empty() ? "" : ", ") + ReasonText(store, static_cast<uint8_t>(bit), reason.resource);
        w.String(text);
      }
    }
    w.Close('}').Close('}');
  }
  w.Close('}').Close('}');
  return true;
}

}  // namespace basalt

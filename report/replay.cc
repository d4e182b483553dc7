#include "report/replay.h"

#include <simdjson.h>

#include <algorithm>
#include <memory>

#include "kernel/include/basalt.h"
#include "report/c_api_common.h"
#include "report/cycle_lines.h"

namespace basalt {
namespace {

using simdjson::dom::element;

std::string_view TextOf(element e, const char* field) {
  std::string_view text;
  return e[field].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// `line` is {"NAME":VALUE}: the value's text.
bool Member(std::string_view line, std::string_view name, std::string_view* value) {
  std::string head = "{\"";
  head.append(name).append("\":");
  if (!line.starts_with(head) || !line.ends_with('}')) return false;
  *value = line.substr(head.size(), line.size() - head.size() - 1);
  return true;
}

class Player {
 public:
  explicit Player(const EngineOptions& options) : options_(options) {}

  /// One line. False: result_.error or result_.differs_line is set.
  bool Play(std::string_view line) {
    result_.lines++;
    std::string_view value;
    if (!engine_) return Head(line);
    if (Member(line, "put", &value)) return Record(BASALT_RECORD_UPSERT, value) || Fail("object: " + Finding());
    if (Member(line, "del", &value)) return Record(BASALT_RECORD_REMOVE, value) || Fail("object: " + Finding());
    if (Member(line, "result", &value)) return Record(BASALT_RECORD_RESULT, value) || Fail(Finding());
    if (Member(line, "shard", &value)) return Record(BASALT_RECORD_SHARD, value) || Fail(Finding());
    if (Member(line, "assumed", &value)) return Record(BASALT_RECORD_ASSUMED, value) || Fail(Finding());
    element root;
    if (const auto code = parser_.parse(line.data(), line.size()).get(root)) return Fail(simdjson::error_message(code));
    std::string_view text;
    if (root["begin"].get(text) == simdjson::SUCCESS) return engine_->live()->ListBegin(text) || Fail("no list of kind \"" + std::string(text) + "\" can begin");
    if (root["end"].get(text) == simdjson::SUCCESS) return engine_->live()->ListEnd(text) || Fail("no list of kind \"" + std::string(text) + "\" can end");
    if (root["config"].get(text) == simdjson::SUCCESS) {
      const std::string conf(text);
      const std::string_view view = conf;
      return engine_->Configure(conf.empty() ? nullptr : &view, "recording") || Fail("configuration: " + Finding());
    }
    if (root["cycle"].error() == simdjson::SUCCESS) return Cycle(root);
    return Fail("is none of put, del, begin, end, result, shard, assumed, config, cycle");
  }

  bool Fail(const std::string& why) { return result_.error = "line " + std::to_string(result_.lines) + ": " + why, false; }
  Replayed& result() { return result_; }

 private:
  bool Head(std::string_view line) {
    element root;
    int64_t version = 0;
    simdjson::dom::array names;
    if (parser_.parse(line.data(), line.size()).get(root) || root["recording"].get(version)) return Fail("is not the head of a recording");
    if (version != 1) return Fail("recording of version " + std::to_string(version) + "; this basalt reads version 1");
    EngineOptions o = options_;
    o.store = {};
    o.store.live = true, o.store.implied_pod_groups = false;
    if (root["schedulerNames"].get(names) != simdjson::SUCCESS) return Fail("the head has no schedulerNames");
    o.store.scheduler_names.clear();
    for (const element name : names) {
      std::string_view text;
      if (name.get(text) != simdjson::SUCCESS) return Fail("a scheduler name of the head is no text");
      o.store.scheduler_names.emplace_back(text);
    }
    if (const std::string_view queue = TextOf(root, "defaultQueue"); !queue.empty()) o.store.default_queue = queue;
    o.lenient = false;
    if (const std::string_view selector = TextOf(root, "nodeSelector"); !selector.empty() && !door::SplitPairs(selector, &o.store.node_selector))
      return Fail("nodeSelector of the head is no list of key:value");
    if (bool lenient = false; root["lenient"].get(lenient) == simdjson::SUCCESS) o.lenient = lenient;
    engine_ = std::make_unique<Engine>(std::move(o));
    return true;
  }

  bool Record(uint16_t type, std::string_view payload) {
    engine_->diagnostics.clear();
    return engine_->Take(type, payload, "recording");
  }

  bool Cycle(element root) {
    int64_t now_ns = 0;
    const std::string_view hash = TextOf(root, "hash");
    if (root["cycle"].get(now_ns) != simdjson::SUCCESS || hash.size() != 16) return Fail("a cycle has a time and a hash of 16 digits");
    if (!engine_->configured) return Fail("a cycle before any configuration");
    engine_->diagnostics.clear();
    const Plan& plan = engine_->Cycle(now_ns, false);
    engine_->live()->writes.pending.clear();
    if (PlanHashText(CycleHash(engine_->store, plan)) == hash) return result_.cycles++, true;
    result_.differs_line = result_.lines, result_.differs_now_ns = now_ns;
    return false;
  }

  std::string Finding() const {
    if (engine_->diagnostics.empty()) return "cannot be read";
    const Diagnostic& d = engine_->diagnostics.back();
    std::string text;
    for (const std::string* part : {&d.object, &d.field})
      if (!part->empty()) text.append(*part).append(": ");
    return text + d.message;
  }

  const EngineOptions options_;
  simdjson::dom::parser parser_;
  std::unique_ptr<Engine> engine_;
  Replayed result_;
};

}  // namespace

Replayed Replay(std::string_view recording, const EngineOptions& options) {
  Player player(options);
  for (size_t at = 0; at < recording.size();) {
    const size_t end = std::min(recording.find('\n', at), recording.size());
    if (!player.Play(recording.substr(at, end - at))) break;
    at = end + 1;
    // A line is written whole, with its end: one without was cut off, even where what is left of it can be read.
    if (end == recording.size()) player.Fail("the recording is cut off here");
  }
  Replayed& r = player.result();
  if (r.lines == 0) r.error = "the recording is empty";
  return std::move(r);
}

}  // namespace basalt

#include "cli/trace.h"

#include "cli/json.h"
#include "cli/log.h"

namespace basalt::cli {

void Trace::Add(const std::string& name, Clock::time_point start, Clock::time_point end) {
  const auto micros = [](Clock::duration d) { return std::chrono::duration_cast<std::chrono::microseconds>(d).count(); };
  events_.push_back({name, micros(start - begin_), micros(end - start)});
  Verbose(1, "{}: {:.1f} ms", name, std::chrono::duration<double, std::milli>(end - start).count());
}

std::string Trace::Json() const {
  std::string out;
  JsonWriter json(&out, 0);
  json.Object().Key("displayTimeUnit").Text("ms").Key("traceEvents").Array();
  for (const Event& event : events_) {
    json.Object().Key("name").Text(event.name).Key("ph").Text("X").Key("ts").Integer(event.start_us).Key("dur").Integer(event.duration_us);
    json.Key("pid").Integer(1).Key("tid").Integer(1).End();
  }
  json.End().End();
  return out += '\n';
}

}  // namespace basalt::cli

#include "snapshot/text/csv.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "snapshot/text/yaml_json.h"
#include "snapshot/time.h"

namespace basalt {
namespace {

constexpr int64_t kTraceStart = 1'764'500'000;  // 2025-11-30T10:53:20Z, second 0 of the trace's times

/// The fields of one line; a quoted field may hold commas and doubled quotes.
void SplitFields(std::string_view line, std::vector<std::string>* fields) {
  fields->clear();
  for (size_t at = 0; at <= line.size(); at++) {
    std::string field;
    if (at < line.size() && line[at] == '"') {
      for (at++; at < line.size(); at++) {
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') at++;
        field += line[at];
      }
      at = std::min(line.size(), at + 1);
    }
    const size_t comma = std::min(line.find(',', at), line.size());
    field += line.substr(at, comma - at);
    fields->push_back(std::move(field));
    at = comma;
  }
}

/// Takes the next line off the front, without its line end.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// A row by its columns' names. Remembers the first thing that is wrong.
class Row {
 public:
  Row(const std::vector<std::string>& header, size_t line) : header_(header) { error.line = line; }

  void Read(std::string_view line) {
    SplitFields(line, &fields_);
    error.column.clear();
    error.message.clear();
    if (fields_.size() > header_.size()) Fail("", std::to_string(fields_.size()) + " fields in " + std::to_string(header_.size()) + " columns");
  }

  std::string_view Text(std::string_view column) const {
    const auto found = size_t(std::find(header_.begin(), header_.end(), column) - header_.begin());
    return found < fields_.size() ? std::string_view(fields_[found]) : std::string_view();
  }

  std::string_view Required(std::string_view column) {
    const std::string_view text = Text(column);
    if (text.empty()) Fail(column, "must not be empty");
    return text;
  }

  /// A whole number of 0 or more; 0 where an optional one is absent.
  int64_t Number(std::string_view column, bool required) {
    const std::string_view text = required ? Required(column) : Text(column);
    if (text.empty()) return 0;
    int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 0) {
      Fail(column, "expected a whole number of 0 or more, got \"" + std::string(text) + '"');
    }
    return value;
  }

  int64_t Product(std::string_view column, int64_t a, int64_t b) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) Fail(column, "out of bounds: \"" + std::string(Text(column)) + '"');
    return product;
  }

  void Fail(std::string_view column, std::string message) {
    if (!Ok()) return;
    error.column = column;
    error.message = std::move(message);
  }
  bool Ok() const { return error.message.empty(); }

  CsvError error;

 private:
  const std::vector<std::string>& header_;
  std::vector<std::string> fields_;
};

std::string Quoted(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

std::string Amounts(int64_t cpu_milli, int64_t memory_mib, int64_t gpu_milli) {
  std::string json = R"("cpu":")" + std::to_string(cpu_milli) + R"(m","memory":")" + std::to_string(memory_mib) + R"(Mi")";
  if (gpu_milli > 0) json += R"(,"basalt.dev/gpu-milli":")" + std::to_string(gpu_milli) + '"';
  return json;
}

std::string NodeJson(Row& row) {
  const std::string name = Quoted(row.Required("sn"));
  const int64_t cpu_milli = row.Number("cpu_milli", true), memory_mib = row.Number("memory_mib", true), gpus = row.Number("gpu", false);
  const int64_t gpu_milli = row.Product("gpu", gpus, 1000);
  std::string json = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":)" + name + R"(,"uid":)" + name + R"(,"labels":{"kubernetes.io/hostname":)" + name;
  if (gpus > 0) json += R"(,"basalt.dev/gpu-model":)" + Quoted(row.Text("model"));
  return json + R"(}},"status":{"allocatable":{)" + Amounts(cpu_milli, memory_mib, gpu_milli) +
         R"(,"pods":"110"},"conditions":[{"type":"Ready","status":"True"}]}})";
}

/// Required node affinity to one of the models of "A|B".
std::string ModelAffinity(std::string_view gpu_spec) {
  std::string json = R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[)"
                     R"({"key":"basalt.dev/gpu-model","operator":"In","values":[)";
  for (size_t from = 0; from <= gpu_spec.size();) {
    const size_t bar = std::min(gpu_spec.find('|', from), gpu_spec.size());
    if (from > 0) json += ',';
    json += Quoted(gpu_spec.substr(from, bar - from));
    from = bar + 1;
  }
  return json + "]}]}]}}}";
}

/// "metadata":{...} of a pod or its PodGroup, without the closing brace.
std::string PodMeta(const std::string& name, int64_t created_s) {
  return R"("metadata":{"name":)" + name + R"(,"namespace":"default","uid":)" + name + R"(,"creationTimestamp":")" + FormatRfc3339(created_s) + '"';
}

std::string PodJson(Row& row, std::string* pod_group) {
  const std::string name = Quoted(row.Required("name"));
  const int64_t cpu_milli = row.Number("cpu_milli", true), memory_mib = row.Number("memory_mib", true);
  const int64_t gpu_milli = row.Product("gpu_milli", row.Number("num_gpu", true), row.Number("gpu_milli", true));
  const int64_t created_s = row.Number("creation_time", false);
  constexpr int64_t kLatest = 253'402'300'799 - kTraceStart;  // the end of year 9999
  if (created_s > kLatest) row.Fail("creation_time", "out of bounds: \"" + std::string(row.Text("creation_time")) + '"');
  const std::string meta = PodMeta(name, kTraceStart + std::min(created_s, kLatest));
  *pod_group = R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup",)" + meta +
               R"(},"spec":{"minMember":1,"queue":"default"},"status":{"phase":"Inqueue"}})";
  const std::string_view gpu_spec = row.Text("gpu_spec");
  return R"({"apiVersion":"v1","kind":"Pod",)" + meta + R"(,"annotations":{"scheduling.k8s.io/group-name":)" + name +
         R"(}},"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{)" + Amounts(cpu_milli, memory_mib, gpu_milli) +
         "}}}]" + (gpu_spec.empty() ? "" : ModelAffinity(gpu_spec)) + R"(},"status":{"phase":"Pending"}})";
}

enum class List : uint8_t { kNone, kNodes, kPods };

List ListOf(const std::vector<std::string>& header) {
  const auto has = [&](std::initializer_list<std::string_view> columns) {
    return std::all_of(columns.begin(), columns.end(), [&](std::string_view c) { return std::count(header.begin(), header.end(), c) == 1; });
  };
  if (has({"sn", "cpu_milli", "memory_mib", "gpu", "model"})) return List::kNodes;
  return has({"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"}) ? List::kPods : List::kNone;
}

}  // namespace

bool LooksLikeOpenbCsv(std::string_view text) {
  std::vector<std::string> header;
  SplitFields(TakeLine(&text).substr(0, 1000), &header);
  return ListOf(header) != List::kNone;
}

bool OpenbCsvToJson(std::string_view text, const std::function<void(std::string json, size_t line)>& object,
                    const std::function<void(const CsvError&)>& bad, CsvError* error) {
  std::vector<std::string> header;
  SplitFields(TakeLine(&text), &header);
  const List list = ListOf(header);
  if (list == List::kNone) {
    *error = {1, "", "neither the header of an openb node list (sn,cpu_milli,memory_mib,gpu,model) nor of a pod list "
                     "(name,cpu_milli,memory_mib,num_gpu,gpu_milli,...)"};
    return false;
  }
  Row row(header, 1);
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    row.error.line++;
    if (line.empty()) continue;
    row.Read(line);
    std::string pod_group;
    std::string json = list == List::kNodes ? NodeJson(row) : PodJson(row, &pod_group);
    if (!row.Ok()) {
      bad(row.error);
      continue;
    }
    object(std::move(json), row.error.line);
    if (!pod_group.empty()) object(std::move(pod_group), row.error.line);
  }
  return true;
}

}  // namespace basalt

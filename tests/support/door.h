// The C door for tests: an engine, records, and small objects.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernel/include/basalt.h"

namespace basalt::test {

inline std::string NodeJson(const std::string& name, const std::string& cpu) {
  return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"(","resourceVersion":"1"},"status":{"allocatable":{"cpu":")" + cpu +
         R"(","memory":"8Gi","pods":"110"}}})";
}
inline std::string QueueJson(const std::string& name) {
  return R"({"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1","metadata":{"name":")" + name + R"(","resourceVersion":"1"},"spec":{"weight":1}})";
}
inline std::string GroupJson(const std::string& name, int min, const std::string& phase = "Inqueue", int version = 2) {
  return R"({"kind":"PodGroup","apiVersion":"scheduling.volcano.sh/v1beta1","metadata":{"namespace":"n","name":")" + name + R"(","uid":"u-)" + name +
         R"(","resourceVersion":")" + std::to_string(version) + R"("},"spec":{"minMember":)" + std::to_string(min) + R"(},"status":{"phase":")" + phase + R"("}})";
}
inline std::string PodJson(const std::string& group, const std::string& name, const std::string& cpu, const std::string& node = "", int version = 3, const std::string& uid = "") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"n","name":")" + name + R"(","uid":")" + (uid.empty() ? "u-" + name : uid) + R"(","resourceVersion":")" +
         std::to_string(version) + R"(","annotations":{"scheduling.k8s.io/group-name":")" + group + R"("}},"spec":{"schedulerName":"volcano",)" +
         (node.empty() ? "" : R"("nodeName":")" + node + R"(",)") + R"("containers":[{"name":"c","resources":{"requests":{"cpu":")" + cpu +
         R"("}}}]},"status":{"phase":"Pending"}})";
}

class Door {
 public:
  explicit Door(bool live) {
    basalt_options options{};
    options.size = sizeof options;
    options.threads = 1;
    options.offline = !live;
    live_ = live;
    EXPECT_EQ(BASALT_OK, basalt_open(&options, &engine_, nullptr));
    EXPECT_EQ(BASALT_OK, basalt_configure(engine_, {nullptr, 0}, ""));
  }
  ~Door() { basalt_close(engine_); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  basalt_status Send(basalt_record type, const std::string& payload) {
    std::string record(8, '\0');
    const auto bytes = static_cast<uint32_t>(payload.size());
    const auto kind = static_cast<uint16_t>(type);
    std::memcpy(record.data(), &bytes, 4);
    std::memcpy(record.data() + 4, &kind, 2);
    record += payload;
    record.resize((record.size() + 7) / 8 * 8);
    const size_t size = record.size();
    record.resize(size + BASALT_PADDING_BYTES);
    return basalt_apply(engine_, record.data(), size);
  }
  void Upsert(const std::string& object) { ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_UPSERT, object)); }
  void Remove(const std::string& object) { ASSERT_EQ(BASALT_OK, Send(BASALT_RECORD_REMOVE, object)); }

  struct Write { uint32_t kind, urgent; std::string name, uid, group, node, body, event; };
  /// One cycle, a second after the last one, and what it wants written (live).
  std::vector<Write> Cycle() {
    EXPECT_EQ(BASALT_OK, basalt_cycle(engine_, now_ += 1'000'000'000, 0, nullptr));
    basalt_drop_diagnostics(engine_);
    return live_ ? Take() : std::vector<Write>();
  }
  std::vector<Write> Take() {
    const basalt_write* writes = nullptr;
    size_t count = 0;
    EXPECT_EQ(BASALT_OK, basalt_take_writes(engine_, &writes, &count));
    const auto text = [](basalt_text t) { return std::string(t.data, t.size); };
    std::vector<Write> seen;
    for (size_t i = 0; i < count; i++)
      seen.push_back({writes[i].kind, writes[i].urgent, text(writes[i].name), text(writes[i].uid), text(writes[i].group), text(writes[i].node), text(writes[i].body),
                      text(writes[i].event_type) + " " + text(writes[i].event_reason) + " " + text(writes[i].event_message)});
    return seen;
  }
  basalt_engine* engine() { return engine_; }

 private:
  basalt_engine* engine_ = nullptr;
  bool live_ = false;
  int64_t now_ = 1'800'000'000'000'000'000;
};

}  // namespace basalt::test

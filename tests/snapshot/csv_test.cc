#include "snapshot/text/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace basalt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Result {
  bool ok = false;
  std::vector<std::string> objects;
  std::vector<size_t> lines;
  std::vector<CsvError> bad;
  CsvError error;
};

Result Read(std::string_view text) {
  Result r;
  r.ok = OpenbCsvToJson(
      text, [&](std::string json, size_t line) { r.objects.push_back(std::move(json)), r.lines.push_back(line); },
      [&](const CsvError& e) { r.bad.push_back(e); }, &r.error);
  return r;
}

const std::string kNodes = "sn,cpu_milli,memory_mib,gpu,model\n";
const std::string kPods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";

TEST(CsvTest, Nodes) {
  const Result r = Read(kNodes + "n0,32000,262144,0,\nn1,96000,786432,8,V100M16\n");
  ASSERT_TRUE(r.ok);
  EXPECT_THAT(r.objects,
              ElementsAre(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n0","uid":"n0","labels":{"kubernetes.io/hostname":"n0"}},)"
                          R"("status":{"allocatable":{"cpu":"32000m","memory":"262144Mi","pods":"110"},"conditions":[{"type":"Ready","status":"True"}]}})",
                          R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"n1","labels":{"kubernetes.io/hostname":"n1","basalt.dev/gpu-model":"V100M16"}},)"
                          R"("status":{"allocatable":{"cpu":"96000m","memory":"786432Mi","basalt.dev/gpu-milli":"8000","pods":"110"},)"
                          R"("conditions":[{"type":"Ready","status":"True"}]}})"));
  EXPECT_THAT(r.lines, ElementsAre(2, 3));
}

TEST(CsvTest, PodsWithTheirPodGroups) {
  const Result r = Read(kPods + "p1,6000,12288,2,460,A10|V100,LS,Running,427061,12902960,427061\r\n");
  ASSERT_TRUE(r.ok);
  EXPECT_THAT(r.objects,
              ElementsAre(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p1","namespace":"default","uid":"p1","creationTimestamp":"2025-12-05T09:31:01Z",)"
                          R"("annotations":{"scheduling.k8s.io/group-name":"p1"}},"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":)"
                          R"({"requests":{"cpu":"6000m","memory":"12288Mi","basalt.dev/gpu-milli":"920"}}}],"affinity":{"nodeAffinity":)"
                          R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"basalt.dev/gpu-model","operator":"In",)"
                          R"("values":["A10","V100"]}]}]}}}},"status":{"phase":"Pending"}})",
                          R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":"p1","namespace":"default","uid":"p1",)"
                          R"("creationTimestamp":"2025-12-05T09:31:01Z"},"spec":{"minMember":1,"queue":"default"},"status":{"phase":"Inqueue"}})"));
}

TEST(CsvTest, PodsOfTheShortForm) {
  const Result r = Read("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,1,0,0\n");
  ASSERT_EQ(r.objects.size(), 2u);
  EXPECT_THAT(r.objects[0], HasSubstr("2025-11-30T10:53:20Z"));
  EXPECT_EQ(r.objects[0].find("gpu"), std::string::npos);
  EXPECT_EQ(r.objects[0].find("affinity"), std::string::npos);
}

TEST(CsvTest, ColumnsGoByName) {
  const Result r = Read("gpu,model,memory_mib,sn,cpu_milli,extra\n0,,5,n,7,x\n");
  ASSERT_EQ(r.objects.size(), 1u);
  EXPECT_THAT(r.objects[0], HasSubstr(R"("cpu":"7m","memory":"5Mi")"));
}

TEST(CsvTest, BadRowsAreToldAndLeftOut) {
  const Result r = Read(kNodes + "\nn1,x,1,0,\n,1,1,0,\nn2,1,,0,\nn3,1\nn4,1,1,0,,,\nn5,-1,1,0,\nn6,1,1,9223372036854775807,m\nn7,1,1.5,0,\nok,1,1,0,\nn8,99999999999999999999,1,0,\n");
  ASSERT_TRUE(r.ok);
  EXPECT_EQ(r.objects.size(), 1u);
  EXPECT_THAT(r.lines, ElementsAre(11));
  std::vector<std::string> bad;
  for (const CsvError& e : r.bad) bad.push_back(std::to_string(e.line) + " " + e.column + ": " + e.message);
  EXPECT_THAT(bad, ElementsAre("3 cpu_milli: expected a whole number of 0 or more, got \"x\"", "4 sn: must not be empty", "5 memory_mib: must not be empty",
                               "6 memory_mib: must not be empty", "7 : 7 fields in 5 columns", "8 cpu_milli: expected a whole number of 0 or more, got \"-1\"",
                               "9 gpu: out of bounds: \"9223372036854775807\"", "10 memory_mib: expected a whole number of 0 or more, got \"1.5\"",
                               "12 cpu_milli: expected a whole number of 0 or more, got \"99999999999999999999\""));
}

TEST(CsvTest, BadPods) {
  const Result r = Read(kPods + "p,1,1,4000000000,4000000000000,,,,,,\np,1,1,0,0,,,,9223372036854775807,,\n");
  ASSERT_EQ(r.bad.size(), 2u);
  EXPECT_EQ(r.bad[0].column, "gpu_milli");
  EXPECT_EQ(r.bad[1].column, "creation_time");
  EXPECT_THAT(r.objects, IsEmpty());
}

TEST(CsvTest, QuotedFields) {
  const Result r = Read("sn,cpu_milli,memory_mib,gpu,model\n\"a\"\"b\",\"1\",2,1,\"x,y\"\n");
  ASSERT_EQ(r.objects.size(), 1u);
  EXPECT_THAT(r.objects[0], HasSubstr(R"("name":"a\"b")"));
  EXPECT_THAT(r.objects[0], HasSubstr(R"("basalt.dev/gpu-model":"x,y")"));
}

TEST(CsvTest, OtherHeadersAreRefused) {
  for (const char* text : {"", "a,b\n1,2\n", "sn,cpu_milli\n", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_milli\n"}) {
    const Result r = Read(text);
    EXPECT_FALSE(r.ok) << text;
    EXPECT_EQ(r.error.line, 1u);
    EXPECT_FALSE(LooksLikeOpenbCsv(text));
  }
  EXPECT_TRUE(LooksLikeOpenbCsv(kNodes));
  EXPECT_TRUE(LooksLikeOpenbCsv("name,cpu_milli,memory_mib,num_gpu,gpu_milli\r\n"));
  EXPECT_FALSE(LooksLikeOpenbCsv("kind: Node\n"));
}

}  // namespace
}  // namespace basalt

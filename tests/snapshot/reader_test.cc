#include "snapshot/text/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace basalt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Many threads, whatever there is to do, in reverse order.
class WildExecutor final : public Executor {
 public:
  size_t Threads() const override { return 3; }
  void ParallelFor(size_t n, const std::function<void(size_t)>& body) override {
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 3; t++) {
      threads.emplace_back([&, t] {
        for (size_t i = n; i-- > 0;) {
          if (i % 3 == t) body(i);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

struct Result {
  ReadCounts counts;
  std::vector<std::string> objects;  ///< "Kind ns/name" in order; "!" in front of those set aside
  std::vector<std::string> raw;
  std::vector<Diagnostic> diagnostics;

  std::vector<std::string> Messages(Severity severity) const {
    std::vector<std::string> all;
    for (const Diagnostic& d : diagnostics) {
      EXPECT_EQ(d.source, "in");
      if (d.severity == severity) all.push_back(d.object + "|" + d.field + "|" + d.message);
    }
    return all;
  }
};

Result Read(const std::string& text, TextFormat format = TextFormat::kAuto, Executor* executor = nullptr, std::string_view name = "in") {
  std::string padded = text;
  padded.append(kJsonPaddingBytes, '}');
  InlineExecutor inline_executor;
  Result r;
  const ObjectSink sink = [&](const Decoded& d, std::string_view raw) {
    std::string id = d.set_aside ? "!" : "";
    id += d.kind_name;
    if (d.meta != nullptr) id.append(" ").append(d.meta->namespace_).append("/").append(d.meta->name);
    r.objects.push_back(id);
    r.raw.emplace_back(raw);
  };
  r.counts = ReadText({padded.data(), text.size()}, name, format, executor != nullptr ? executor : &inline_executor, sink, &r.diagnostics);
  EXPECT_EQ(r.counts.objects, r.objects.size());
  EXPECT_EQ(r.counts.objects, r.counts.used + r.counts.other_kinds + r.counts.set_aside);
  return r;
}

std::string Node(const std::string& name) { return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name + "\"}}"; }
std::string Pod(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":"d"},"spec":{"containers":[]},"status":{"phase":"Pending"}})";
}
std::string List(const std::string& items) { return R"({"apiVersion":"v1","items":[)" + items + R"(],"kind":"List","metadata":{"resourceVersion":""}})"; }

void ExpectUnreadable(const std::string& text, const std::string& message, TextFormat format = TextFormat::kAuto) {
  const Result r = Read(text, format);
  EXPECT_THAT(r.objects, IsEmpty()) << text;
  ASSERT_EQ(r.diagnostics.size(), 1u) << text;
  EXPECT_EQ(r.diagnostics[0].severity, Severity::kUnreadable);
  EXPECT_THAT(r.diagnostics[0].message, StartsWith(message)) << text;
}

// C066
TEST(ReaderTest, DocumentsListsAndTypedLists) {
  const Result yaml = Read("kind: Node\nmetadata: {name: n1}\n---\nkind: Node\nmetadata: {name: n2}\n---\n---\n# only a comment\n---\n"
                           "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\n");
  EXPECT_THAT(yaml.objects, ElementsAre("Node /n1", "Node /n2", "Queue /q"));
  EXPECT_THAT(yaml.diagnostics, IsEmpty());
  EXPECT_THAT(Read(List(Pod("a") + "," + Node("n") + ",\n" + Pod("b"))).objects, ElementsAre("Pod d/a", "Node /n", "Pod d/b"));
  EXPECT_THAT(Read(R"({"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"n3"}},{"metadata":{"name":"n4"}}]})").objects,
              ElementsAre("Node /n3", "Node /n4"));
  EXPECT_THAT(Read("kind: List\nitems:\n- kind: Node\n  metadata: {name: n1}\n- {kind: Secret}\n").objects, ElementsAre("Node /n1", "Secret"));
}

TEST(ReaderTest, ConcatenatedAndOneALine) {
  EXPECT_THAT(Read(Node("a") + Node("b") + "\n" + List(Pod("c")) + "\r\n" + Pod("d") + "\n").objects, ElementsAre("Node /a", "Node /b", "Pod d/c", "Pod d/d"));
  EXPECT_THAT(Read(Node("a")).raw, ElementsAre(Node("a")));
}

TEST(ReaderTest, ListsInLists) {
  const Result r = Read(List(Node("a") + "," + List(Pod("b") + "," + List("") + "," + List("null," + Pod("c"))) + "," + Node("d")));
  EXPECT_THAT(r.objects, ElementsAre("Node /a", "Pod d/b", "!", "Pod d/c", "Node /d"));
  EXPECT_THAT(r.Messages(Severity::kBadObject), ElementsAre("items[1].items[2].items[0]||expected an object, got null"));
  const Result twice = Read(List(R"({"items":[)" + Node("a") + R"(,{"kind":"Node","metadata":{"name":"b"},"spec":{},"spec":{}}],"kind":"List","apiVersion":"v1"})"));
  EXPECT_THAT(twice.objects, ElementsAre("Node /a", "!Node /b")) << "only the item with a key twice is bad";
  EXPECT_THAT(Read(List(R"({"kind":"AllowList","metadata":{"name":"x"}})")).objects, ElementsAre("AllowList"));
  std::string deep = Node("n");
  for (int i = 0; i < 100; i++) deep = List(deep);
  ASSERT_EQ(Read(deep).diagnostics.size(), 1u);
  EXPECT_THAT(Read(deep).diagnostics[0].message, HasSubstr("nested deeper"));
}

TEST(ReaderTest, TypedListsOfForeignGroupsAreNotOurs) {
  EXPECT_THAT(Read(R"({"kind":"NodeList","apiVersion":"longhorn.io/v1beta2","items":[{"metadata":{"name":"n"}}]})").objects, ElementsAre("longhorn.io/v1beta2/Node"));
  EXPECT_THAT(Read(R"({"kind":"QueueList","apiVersion":"scheduling.volcano.sh/v1beta1","items":[{"metadata":{"name":"q"}}]})").objects, ElementsAre("Queue /q"));
}

// C067
TEST(ReaderTest, MarksAndUtf16) {
  const std::string mark = "\xEF\xBB\xBF", first = "kind: Node\nmetadata: {name: a}\n---\n", second = "kind: Node\nmetadata: {name: b}\n";
  EXPECT_THAT(Read(mark + first + mark + second).objects, ElementsAre("Node /a", "Node /b"));
  EXPECT_THAT(Read(mark + Node("a") + mark + Node("b")).objects, ElementsAre("Node /a", "Node /b"));
  std::string wide = "\xFF\xFE";
  for (const char c : first + second) wide += c, wide += '\0';
  EXPECT_THAT(Read(wide).objects, ElementsAre("Node /a", "Node /b"));
  ExpectUnreadable(wide.substr(2), "byte 1: not UTF-8 (looks like UTF-16)");
  ExpectUnreadable("\x1F\x8B\x08\xFF", "byte 1: not UTF-8");
}

// C068
TEST(ReaderTest, KeysTwice) {
  ExpectUnreadable("apiVersion: v1\nkind: Service\nmetadata: {name: a}\napiVersion: apps/v1\nkind: Deployment\n", "line 4: duplicate key \"apiVersion\"");
  ExpectUnreadable(Node("a") + R"({"kind":"List","items":[],"kind":"List"})", "byte " + std::to_string(Node("a").size() + 26) + ": duplicate key \"kind\"");
  const Result r = Read(List(R"({"kind":"Pod","kind":"Node","metadata":{"name":"x"}},)" + Node("a")));
  EXPECT_EQ(r.counts.set_aside, 1u);
  EXPECT_THAT(r.Messages(Severity::kBadObject).at(0), HasSubstr("duplicate key"));
}

// C069
TEST(ReaderTest, NullAndAbsentItems) {
  for (const char* text : {R"({"kind":"PodList","items":null})", R"({"kind":"List","items":[]})", R"({"kind":"List"})", "kind: List\nitems:\n"}) {
    const Result r = Read(text);
    EXPECT_THAT(r.objects, IsEmpty()) << text;
    EXPECT_THAT(r.diagnostics, IsEmpty()) << text;
  }
}

TEST(ReaderTest, NamelessItemsBeyondAThousandAreCounted) {
  std::string items;
  for (int i = 0; i < 5000; i++) items += i % 2 ? "null," : R"({"kind":"Pod"},)";
  for (int i = 0; i < 5000; i++) items += R"({"kind":"Node","metadata":{"name":"n)" + std::to_string(i) + R"(","labels":1}},)";
  WildExecutor executor;
  const Result r = Read(List(items + Node("good")), TextFormat::kAuto, &executor);
  EXPECT_EQ(10'000u, r.counts.set_aside);
  EXPECT_EQ(1u, r.counts.used);
  const auto told = r.Messages(Severity::kBadObject);
  ASSERT_EQ(1000u + 5000 + 1, told.size()) << "whoever has a name is named";
  EXPECT_EQ("items[999]||expected an object, got null", told[999]);
  EXPECT_THAT(told[1000], StartsWith("Node n0|/metadata/labels|"));
  EXPECT_EQ("||4000 more items or rows of which no name can be read are set aside", told.back());
  EXPECT_EQ(told, Read(List(items + Node("good"))).Messages(Severity::kBadObject)) << "the same for any number of threads";

  std::string rows = "sn,cpu_milli,memory_mib,gpu,model\n";
  for (int i = 0; i < 3000; i++) rows += "n,many,1,0,\n";
  const Result csv = Read(rows, TextFormat::kCsv);
  EXPECT_EQ(3000u, csv.counts.set_aside);
  EXPECT_EQ("||2000 more items or rows of which no name can be read are set aside", csv.Messages(Severity::kBadObject).back());
}

TEST(ReaderTest, ItemsOfTheWrongType) {
  const Result r = Read(R"({"kind":"List","items":[null,[],[[]],"x",5,)" + Node("n") + "]}");
  EXPECT_EQ(r.counts.set_aside, 5u);
  EXPECT_EQ(r.objects.back(), "Node /n");
  EXPECT_THAT(r.Messages(Severity::kBadObject), ElementsAre("items[0]||expected an object, got null", "items[1]||expected an object, got an array",
                                                            "items[2]||expected an object, got an array", "items[3]||expected an object, got the string \"x\"",
                                                            "items[4]||expected an object, got the number 5"));
}

// C070
TEST(ReaderTest, CutTextsAreUnreadable) {
  const std::string json = List(Pod("a") + "," + Pod("b"));
  for (size_t size = 1; size < json.size(); size++) ExpectUnreadable(json.substr(0, size), "byte " + std::to_string(size) + ": unexpected end");
  ExpectUnreadable(Node("a") + ",", "byte " + std::to_string(Node("a").size()) + ": expected an object, got ','");
  const Result yaml = Read("kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - resources:\n");
  EXPECT_THAT(yaml.Messages(Severity::kWarning).at(0), HasSubstr("the file may be cut"));
}

TEST(ReaderTest, NoObjects) {
  ExpectUnreadable("", "byte 0: no object in it");
  ExpectUnreadable(" \r\n\t", "byte 0: no object in it");
  ExpectUnreadable("# nothing\n---\n", "no object in it");
  ExpectUnreadable("hello world", "line 1: expected an object, got \"hello world\"");
  ExpectUnreadable("ok: 1\n---\n- a\n", "line 3: expected an object, got [\"a\"]");
  ExpectUnreadable("[1,2]", "byte 0: expected an object, got '['");
  ExpectUnreadable("kind: Node\n", "byte 0: expected an object, got 'k'", TextFormat::kJson);
  ExpectUnreadable("a,b\n1,2\n", "line 1: neither the header", TextFormat::kCsv);
}

TEST(ReaderTest, MalformedItemsNamePlaceInTheWholeText) {
  const std::string before = R"({"kind":"List","items":[)" + Node("a") + ",";
  for (const std::string& head : {std::string(), std::string("\xEF\xBB\xBF")}) {
    const Result r = Read(head + before + R"({"kind":"Pod",}]})");
    ASSERT_EQ(r.Messages(Severity::kUnreadable).size(), 1u);
    EXPECT_THAT(r.Messages(Severity::kUnreadable)[0], StartsWith("items[1]||byte " + std::to_string(head.size() + before.size() + 14) + ": "));
  }
  ExpectUnreadable(R"({"kind":"List","metadata":{"a":tru},"items":[]})", "byte 31: ");
  ExpectUnreadable(R"({"kind":"List","items":[{}],"metadata":{"a":tru}})", "byte 44: ");
}

TEST(ReaderTest, FormatsByNameAndByBytes) {
  EXPECT_EQ(Read("kind: Node\nmetadata: {name: n}\n", TextFormat::kAuto, nullptr, "x.json.gz").diagnostics.at(0).severity, Severity::kUnreadable);
  EXPECT_EQ(Read("{kind: Node, metadata: {name: n}}\n", TextFormat::kAuto, nullptr, "x.yaml").objects.size(), 1u);
  EXPECT_EQ(Read(Node("a") + Node("b"), TextFormat::kAuto, nullptr, "x.yaml").objects.size(), 2u);
  EXPECT_EQ(Read("sn,cpu_milli,memory_mib,gpu,model\nn,1,1,0,\n", TextFormat::kAuto, nullptr, "-").objects.size(), 1u);
  EXPECT_EQ(Read("x,y\n", TextFormat::kAuto, nullptr, "x.csv.zst").diagnostics.at(0).severity, Severity::kUnreadable);
}

TEST(ReaderTest, RowsOfTheTrace) {
  const Result r = Read("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,1,0,0\nq,x,1,0,0\n");
  EXPECT_THAT(r.objects, ElementsAre("!", "Pod default/p", "PodGroup default/p"));
  EXPECT_THAT(r.Messages(Severity::kBadObject), ElementsAre("line 3|cpu_milli|expected a whole number of 0 or more, got \"x\""));
}

// The outcome does not depend on the executor, and windows keep the order.
TEST(ReaderTest, ManyItemsInParallel) {
  std::string items;
  std::vector<std::string> expected;
  for (int i = 0; i < 40'000; i++) {
    if (i > 0) items += ',';
    if (i % 1000 == 7) {
      items += "null";
      expected.push_back("!");
    } else {
      items += Pod("p" + std::to_string(i));
      expected.push_back("Pod d/p" + std::to_string(i));
    }
  }
  WildExecutor wild;
  const Result one = Read(List(items)), many = Read(List(items), TextFormat::kAuto, &wild);
  EXPECT_EQ(one.objects, expected);
  EXPECT_EQ(many.objects, expected);
  EXPECT_EQ(many.raw, one.raw);
  EXPECT_EQ(many.Messages(Severity::kBadObject), one.Messages(Severity::kBadObject));
  EXPECT_EQ(one.Messages(Severity::kBadObject).at(39), "items[39007]||expected an object, got null");
}

}  // namespace
}  // namespace basalt

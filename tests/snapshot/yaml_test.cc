#include "snapshot/text/yaml.h"

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
  std::vector<std::string> documents;
  std::vector<size_t> lines;
  YamlError error;
};

Result Read(std::string_view text) {
  Result r;
  const auto take = [&](std::string json, size_t line) { r.documents.push_back(std::move(json)), r.lines.push_back(line); };
  r.ok = YamlToJson(text, take, &r.error);
  return r;
}

/// The JSON of a text with one document.
std::string One(std::string_view text) {
  const Result r = Read(text);
  EXPECT_TRUE(r.ok) << text << ": line " << r.error.line << ": " << r.error.message;
  return r.ok && r.documents.size() == 1 ? r.documents[0] : "?";
}

void ExpectError(std::string_view text, size_t line, std::string_view message) {
  const Result r = Read(text);
  EXPECT_FALSE(r.ok) << text;
  EXPECT_EQ(r.error.line, line) << text << r.error.message;
  EXPECT_THAT(r.error.message, HasSubstr(message)) << text;
}

TEST(YamlTest, PlainScalarsAsKubectlReadsThem) {
  const struct {
    const char *yaml, *json;
  } cases[] = {
      {"text", "\"text\""}, {"true", "true"}, {"True", "true"}, {"TRUE", "true"}, {"tRUE", "\"tRUE\""}, {"yes", "true"}, {"Yes", "true"}, {"on", "true"},
      {"y", "true"}, {"Y", "true"}, {"no", "false"}, {"NO", "false"}, {"Off", "false"}, {"n", "false"}, {"N", "false"}, {"false", "false"},
      {"nO", "\"nO\""}, {"yess", "\"yess\""}, {"null", "null"}, {"Null", "null"}, {"~", "null"}, {"nULL", "\"nULL\""}, {"", "null"},
      {"1", "1"}, {"-1", "-1"}, {"+1", "1"}, {"0", "0"}, {"-0", "0"}, {"010", "8"}, {"08", "8"}, {"0o10", "8"}, {"0x1F", "31"}, {"-0x10", "-16"},
      {"0b101", "5"}, {"1_000", "1000"}, {"18446744073709551615", "18446744073709551615"}, {"-9223372036854775808", "-9223372036854775808"},
      {"1.5", "1.5"}, {"1.50", "1.50"}, {".5", "0.5"}, {"-.5", "-0.5"}, {"+1.5", "1.5"}, {"00.5", "0.5"}, {"1e+3", "1e+3"}, {"1.5E-3", "1.5E-3"},
      {"1e3", "\"1e3\""}, {"1.23e8", "\"1.23e8\""}, {"5.", "\"5.\""}, {"1.2.3", "\"1.2.3\""}, {"1Gi", "\"1Gi\""}, {"100m", "\"100m\""}, {"0x", "\"0x\""},
      {"-", "[null]"}, {"--", "\"--\""}, {"+", "\"+\""}, {"2025-11-30", "\"2025-11-30\""}, {"2025-11-30T10:53:20Z", "\"2025-11-30T10:53:20Z\""},
      {"12:30", "\"12:30\""}, {"1e+400", "\"1e+400\""}, {"\"1\"", "\"1\""}, {"'yes'", "\"yes\""}, {"\"\"", "\"\""}, {"!!str 5", "\"5\""}, {"!!int \"5\"", "5"},
  };
  for (const auto& c : cases) EXPECT_EQ(One("k: " + (c.yaml == std::string("-") ? std::string("\n- ") : std::string(c.yaml))), std::string("{\"k\":") + c.json + "}") << c.yaml;
}

TEST(YamlTest, NumbersThatJsonCannotHoldAreRefused) {
  for (const char* text : {".inf", "-.Inf", "+.INF", ".nan", ".NaN"}) ExpectError(std::string("a: 1\nk: ") + text, 2, "has no place in JSON");
}

TEST(YamlTest, KeysAreStringsWhateverTheyResolveTo) {
  EXPECT_EQ(One("1: a\non: b\n'2': c\n010: d\n1.5: e\n"), R"({"1":"a","true":"b","2":"c","8":"d","1.5":"e"})");
  ExpectError("a: 1\n~: x\n", 2, "key");
  ExpectError("? [a]\n: x\n", 1, "a key must be a scalar");
  EXPECT_EQ(One("? a\n: b\n"), R"({"a":"b"})");
}

TEST(YamlTest, TextsAndEscapes) {
  EXPECT_EQ(One("a: |\n  x \"q\"\n    y\n\n  z\nb: >-\n  one\n  two\n\n  three\nc: |+\n  k\n\n"), R"({"a":"x \"q\"\n  y\n\nz\n","b":"one two\nthree","c":"k\n\n"})");
  EXPECT_EQ(One(R"(a: "\t\u00e9\\\"\x01\L")"), "{\"a\":\"\\t\xC3\xA9\\\\\\\"\\u0001\xE2\x80\xA8\"}");
  EXPECT_EQ(One("a: 'it''s'\nb: \"x\n  y\"\nc: p\n  q\n"), R"({"a":"it's","b":"x y","c":"p q"})");
  EXPECT_EQ(One("a: \xF0\x9F\x98\x80 # c\n"), "{\"a\":\"\xF0\x9F\x98\x80\"}");
  EXPECT_EQ(One("a: http://x:80/y#z\n"), R"({"a":"http://x:80/y#z"})");
}

TEST(YamlTest, Collections) {
  EXPECT_EQ(One("a: []\nb: {}\nc: [x, {k: 1}, [z]]\nd:\n- 1\n- e: 2\n  f: 3\n-\n  - 4\n"), R"({"a":[],"b":{},"c":["x",{"k":1},["z"]],"d":[1,{"e":2,"f":3},[4]]})");
  EXPECT_EQ(One("[a, b: c, {d, e: }]"), R"(["a",{"b":"c"},{"d":null,"e":null}])");
  EXPECT_EQ(One("- a\n- b\n"), R"(["a","b"])");
  EXPECT_EQ(One("{\"a\": 1, \"b\": [true, null]}"), R"({"a":1,"b":[true,null]})");
}

TEST(YamlTest, DocumentsAndTheirLines) {
  const Result r = Read("# c\na: 1\n---\n---\n# only a comment\n---\n\nb: 2\n...\n# x\n---\nc: 3\n--- {d: 4}\n---\nnull\n---\n");
  EXPECT_TRUE(r.ok) << r.error.message;
  EXPECT_THAT(r.documents, ElementsAre("{\"a\":1}", "{\"b\":2}", "{\"c\":3}", "{\"d\":4}"));
  EXPECT_THAT(r.lines, ElementsAre(2, 8, 12, 13));
  EXPECT_THAT(Read("").documents, IsEmpty());
  EXPECT_THAT(Read("# nothing\n---\n\n").documents, IsEmpty());
  EXPECT_THAT(Read("a: |\n  ---\n  x\nb: ---x\n").documents, ElementsAre(R"({"a":"---\nx\n","b":"---x"})"));
  EXPECT_THAT(Read("%YAML 1.2\n---\na: 1\n").documents, ElementsAre("{\"a\":1}"));
}

TEST(YamlTest, CarriageReturns) {
  const Result r = Read("a: 1\r\nb: |\r\n  x\r\n  y\r\nc: \"p\r\n  q\"\r\n---\r\nd: [1,\r\n  2]\r\n");
  EXPECT_THAT(r.documents, ElementsAre(R"({"a":1,"b":"x\ny\n","c":"p q"})", R"({"d":[1,2]})"));
}

TEST(YamlTest, AnchorsAliasesAndMergeKeys) {
  EXPECT_EQ(One("a: &x {p: 1, q: [2]}\nb: *x\nc: &s text\nd: *s\n"), R"({"a":{"p":1,"q":[2]},"b":{"p":1,"q":[2]},"c":"text","d":"text"})");
  EXPECT_EQ(One("base: &b {p: 1, q: 2}\nc:\n  <<: *b\n  q: 3\n"), R"({"base":{"p":1,"q":2},"c":{"q":3,"p":1}})");
  EXPECT_EQ(One("l: [&a {p: 1}, &b {p: 2, r: 3}]\nc:\n  q: 0\n  <<: [*a, *b]\n"), R"({"l":[{"p":1},{"p":2,"r":3}],"c":{"q":0,"p":1,"r":3}})");
  EXPECT_EQ(One("'<<': 1\n"), R"({"<<":1})");
  EXPECT_EQ(One("&k a: 1\nb: *k\n"), R"({"a":1,"b":"a"})");
  ExpectError("a: 1\nb: *nope\n", 2, "unknown anchor 'nope'");
  ExpectError("a: &x [1, *x]\n", 1, "contains itself");
  ExpectError("a: 1\n<<: 5\n", 2, "merge key");
  ExpectError("a: 1\n---\nb: &x 1\n---\nc: *x\n", 5, "unknown anchor");  // anchors end with their document
}

TEST(YamlTest, DuplicateKeysNameKeyAndLine) {
  ExpectError("a: 1\nb: 2\na: 3\n", 3, "duplicate key \"a\"");
  ExpectError("x:\n- a: 1\n  b: 2\n  a: 3\n", 4, "duplicate key \"a\"");
  ExpectError("{a: 1, b: 2, a: 3}", 1, "duplicate key \"a\"");
  ExpectError("1: a\n'1': b\n", 2, "duplicate key \"1\"");
  ExpectError("ok: 1\n---\n\nx: 1\ny: 2\nx: 3\n", 6, "duplicate key \"x\"");
  EXPECT_EQ(One("a: {k: 1}\nb: {k: 1}\nk: 1\n"), R"({"a":{"k":1},"b":{"k":1},"k":1})");
  std::string many;
  for (int i = 0; i < 1000; i++) many += "key-" + std::to_string(i) + ": {a: 1, b: 2}\n";
  EXPECT_TRUE(Read(many).ok);
  ExpectError(many + "key-500: x\n", 1001, "duplicate key \"key-500\"");
}

TEST(YamlTest, MalformedTextsNameTheLine) {
  ExpectError("ok: 1\n---\na: [1,\nb: 2\n", 4, "");
  ExpectError("a: 1\nb: c: d\n", 2, "");
  ExpectError("a: \"open\n", 2, "");
  ExpectError("a:\n\t- b\n", 2, "");
  EXPECT_FALSE(Read("a: {\n").ok);
  ExpectError("a: 1\nb: \"\\ud83d\"\n", 2, "no character");
}

TEST(YamlTest, HostileNestingIsRefused) {
  const auto nested = [](size_t n, const std::string& piece) {
    std::string text;
    for (size_t i = 0; i < n; i++) text += piece;
    return text;
  };
  for (const std::string piece : {"[", "{a: ", "- ", "? ", "[{"}) EXPECT_FALSE(Read(nested(100'000, piece)).ok) << piece;
  EXPECT_TRUE(Read(nested(500, "[") + nested(500, "]")).ok);
  std::string steps;
  for (size_t i = 0; i < 3000; i++) steps += std::string(i, ' ') + "a:\n";
  const Result r = Read(steps);
  EXPECT_FALSE(r.ok);
  EXPECT_THAT(r.error.message, HasSubstr("nested deeper"));
}

TEST(YamlTest, ExpansionIsBounded) {
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 12; i++) {
    const std::string n = std::to_string(i), m = "*a" + std::to_string(i - 1);
    bomb += "a" + n + ": &a" + n + " [" + m;
    for (int k = 0; k < 9; k++) bomb += ", " + m;
    bomb += "]\n";
  }
  const Result r = Read(bomb);
  EXPECT_FALSE(r.ok);
  EXPECT_THAT(r.error.message, HasSubstr("expand"));
}

TEST(YamlTest, LongLinesAndManyItems) {
  std::string flow = "[";
  for (int i = 0; i < 50'000; i++) flow += "a: b, ";
  EXPECT_TRUE(Read(flow + "]").ok);
  std::string list;
  for (int i = 0; i < 50'000; i++) list += "- {name: x" + std::to_string(i) + "}\n";
  EXPECT_TRUE(Read(list).ok);
}

}  // namespace
}  // namespace basalt

#include "snapshot/text/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "snapshot/decode.h"
#include "snapshot/text/skip.h"

namespace basalt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A text with hostile bytes behind it.
struct Padded {
  explicit Padded(std::string text) : bytes(std::move(text)), size(bytes.size()) {
    while (bytes.size() < size + kJsonPaddingBytes) bytes += "}]\"\\"[bytes.size() % 4];
  }
  std::string_view view() const { return {bytes.data(), size}; }
  std::string bytes;
  size_t size;
};

struct Result {
  bool ok = false;
  SplitText split;
  SplitError error;
  std::vector<std::string> values;
};

Result Split(const std::string& json) {
  const Padded padded(json);
  Result r;
  r.ok = SplitJsonText(padded.view(), &r.split, &r.error);
  if (r.ok) {
    for (const TextRange v : r.split.values) r.values.emplace_back(json.substr(v.begin, v.end - v.begin));
  }
  return r;
}

void ExpectError(const std::string& json, size_t offset, const std::string& message) {
  const Result r = Split(json);
  EXPECT_FALSE(r.ok) << json;
  EXPECT_EQ(r.error.offset, offset) << json << ": " << r.error.message;
  EXPECT_EQ(r.error.message, message) << json;
}

/// SkipContainer as one would write it byte by byte.
size_t SkipSlowly(std::string_view text, size_t at) {
  size_t depth = 0;
  bool in_string = false, escaped = false;
  for (; at < text.size(); at++) {
    const char c = text[at];
    // A backslash outside of strings is malformed whatever follows; only quotes and backslashes can be escaped here.
    const bool skipped = escaped && (c == '"' || c == '\\');
    escaped = false;
    if (skipped) continue;
    if (c == '\\') escaped = true;
    else if (c == '"') in_string = !in_string;
    else if (in_string) continue;
    else if (c == '{' || c == '[') depth++;
    else if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

TEST(SkipTest, AgreesWithTheSlowWayOnRandomTexts) {
  std::mt19937 random(7);
  // Weights from few to many brackets, quotes and backslashes.
  const std::string alphabets[] = {"{}[]\"\\x", "{}x      ", "\"\\\\\\x{}", "[]\"          xxxxxxxxxx", "{}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\\"\"", "{{{[[}]xx"};
  for (int round = 0; round < 20'000; round++) {
    const std::string& alphabet = alphabets[size_t(round) % std::size(alphabets)];
    std::string text = random() % 2 ? "{" : "[";
    for (size_t n = random() % 400; n > 0; n--) text += alphabet[random() % alphabet.size()];
    const Padded padded(text);
    ASSERT_EQ(SkipContainer(padded.view(), 0), SkipSlowly(text, 0)) << text;
  }
}

TEST(SkipTest, Strings) {
  const auto skip = [](const std::string& text) { return SkipString(Padded(text).view(), 0); };
  EXPECT_EQ(skip(R"("")"), 2u);
  EXPECT_EQ(skip(R"("ab"c)"), 4u);
  EXPECT_EQ(skip(R"("a\"b")"), 6u);
  EXPECT_EQ(skip(R"("a\\"b")"), 5u);
  EXPECT_EQ(skip(R"("\\\"")"), 6u);
  EXPECT_EQ(skip(R"(")"), std::string_view::npos);
  EXPECT_EQ(skip(R"("a\")"), std::string_view::npos);
  EXPECT_EQ(skip('"' + std::string(100'001, '\\') + "\"\""), 100'004u);
}

TEST(SplitTest, ObjectsBackToBack) {
  EXPECT_THAT(Split(R"({"a":1})").values, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(Split("{}{} {}\n\r\n{\"a\": [{}, \"}\"]}\t").values, ElementsAre("{}", "{}", "{}", R"({"a": [{}, "}"]})"));
  EXPECT_THAT(Split("").values, IsEmpty());
  EXPECT_THAT(Split(" \n").split.groups, IsEmpty());
}

TEST(SplitTest, Lists) {
  const Result r = Split(R"({"apiVersion":"v1","items":[{"a":1}, {"b":[]} ],"kind":"List","metadata":{"resourceVersion":""}})");
  EXPECT_THAT(r.values, ElementsAre(R"({"a":1})", R"({"b":[]})"));
  ASSERT_EQ(r.split.groups.size(), 1u);
  EXPECT_TRUE(r.split.groups[0].is_list);
  EXPECT_EQ(Split(R"({"kind":"List","items":[{}]})").values.size(), 1u);
  const Result two = Split(R"({"kind":"PodList","items":[{},{},{}]} {"kind":"Pod"} {"kind":"List","items":[{}]})");
  ASSERT_EQ(two.split.groups.size(), 3u);
  EXPECT_EQ(two.split.groups[1].first, 3u);
  EXPECT_FALSE(two.split.groups[1].is_list);
  EXPECT_EQ(two.split.groups[2].first, 4u);
  EXPECT_EQ(two.values[3], R"({"kind":"Pod"})");
}

TEST(SplitTest, KindAndVersionOfAList) {
  const std::string json = R"({"items":[],"kind":"NodeList","apiVersion":"v1"})";
  const Padded padded(json);
  SplitText split;
  SplitError error;
  ASSERT_TRUE(SplitJsonText(padded.view(), &split, &error));
  EXPECT_EQ(split.groups[0].kind, "NodeList");
  EXPECT_EQ(split.groups[0].api_version, "v1");
  EXPECT_EQ(ListEnvelope(json, split.groups[0]), json);
}

TEST(SplitTest, EmptyLists) {
  for (const char* json : {R"({"kind":"PodList","items":null})", R"({"kind":"List","items":[]})", R"({"kind":"List","items":[ ]})", R"({"kind":"List"})", R"({"kind":"PodList"})"}) {
    const Result r = Split(json);
    EXPECT_TRUE(r.ok) << json;
    EXPECT_THAT(r.values, IsEmpty());
    ASSERT_EQ(r.split.groups.size(), 1u);
    EXPECT_TRUE(r.split.groups[0].is_list) << json;
  }
}

TEST(SplitTest, KindsThatOnlyLookLikeLists) {
  EXPECT_THAT(Split(R"({"kind":"AllowList"})").values, ElementsAre(R"({"kind":"AllowList"})"));
  EXPECT_THAT(Split(R"({"items":[1,2],"kind":"ConfigMap"}{})").values, ElementsAre(R"({"items":[1,2],"kind":"ConfigMap"})", "{}"));
  EXPECT_THAT(Split(R"({"items":[{}]})").values, ElementsAre(R"({"items":[{}]})"));
}

TEST(SplitTest, ItemsOfAnyTypeAreValues) {
  EXPECT_THAT(Split(R"({"kind":"List","items":[null,[[]],"]",1.5,true,{}]})").values, ElementsAre("null", "[[]]", R"("]")", "1.5", "true", "{}"));
}

TEST(SplitTest, EnvelopeOfAList) {
  const std::string json = R"( {"kind":"List","items":[{"a":1},2],"metadata":{"x":1}} )";
  const Padded padded(json);
  SplitText split;
  SplitError error;
  ASSERT_TRUE(SplitJsonText(padded.view(), &split, &error));
  EXPECT_EQ(ListEnvelope(padded.view(), split.groups[0]), R"({"kind":"List","items":[],"metadata":{"x":1}})");
}

TEST(SplitTest, CutAnywhereIsAnUnexpectedEnd) {
  const std::string json = R"({"apiVersion":"v1","items":[{"kind":"Pod","x":["a\"",{}]},null,"s",12],"kind":"List","metadata":{}})";
  for (size_t size = 1; size < json.size(); size++) ExpectError(json.substr(0, size), size, "unexpected end");
}

TEST(SplitTest, WhatDoesNotBelongThere) {
  ExpectError("{},", 2, "expected an object, got ','");
  ExpectError("{}]", 2, "expected an object, got ']'");
  ExpectError("{} x", 3, "expected an object, got 'x'");
  ExpectError("[{}]", 0, "expected an object, got '['");
  ExpectError("{}\x01", 2, "expected an object, got byte 0x01");
  ExpectError(R"({"a":1,})", 7, "unexpected '}' behind a comma");
  ExpectError(R"({"a" 1})", 5, "expected ':', got '1'");
  ExpectError(R"({a:1})", 1, "expected a key, got 'a'");
  ExpectError(R"({"a":})", 5, "expected a value, got '}'");
  ExpectError(R"({"a":1 "b":2})", 7, "expected ',' or '}', got '\"'");
  ExpectError(R"({"kind":"List","items":[{},]})", 27, "unexpected ']' behind a comma");
  ExpectError(R"({"kind":"List","items":[{} {}]})", 27, "expected ',' or ']', got '{'");
  ExpectError(R"({"kind":"List","items":[,{}]})", 24, "expected a value, got ','");
  ExpectError(R"({"kind":"List","items":{}})", 23, "items: expected a list, got '{'");
}

TEST(SplitTest, KeysTwiceInAList) {
  ExpectError(R"({"kind":"List","items":[{}],"items":[]})", 28, "duplicate key \"items\"");
  ExpectError(R"({"kind":"List","kind":"PodList","items":[]})", 15, "duplicate key \"kind\"");
  ExpectError(R"({"metadata":{},"kind":"List","items":[],"metadata":{}})", 40, "duplicate key \"metadata\"");
  ExpectError(R"({"kind":"List","\u0069tems":[{}]})", 0, "a list whose keys are written with escapes");
}

TEST(SplitTest, HostileTextsAreLinear) {
  const std::string deep = std::string(2'000'000, '[');
  ExpectError(R"({"kind":"List","items":)" + deep, 23 + deep.size(), "unexpected end");
  EXPECT_TRUE(Split(R"({"kind":"List","items":[)" + deep + std::string(2'000'000, ']') + "]}").ok);
  std::string keys = "{\"kind\":\"List\"";
  for (int i = 0; i < 300'000; i++) keys += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_TRUE(Split(keys + "}").ok);
  std::string items = R"({"kind":"List","items":[0)";
  for (int i = 0; i < 1'000'000; i++) items += ",0";
  EXPECT_EQ(Split(items + "]}").values.size(), 1'000'001u);
  std::string objects;
  for (int i = 0; i < 500'000; i++) objects += "{}";
  EXPECT_EQ(Split(objects).values.size(), 500'000u);
}

}  // namespace
}  // namespace basalt

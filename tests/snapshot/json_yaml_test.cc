// JSON as YAML: what it looks like, that it reads back, and what YAML has no place for.
#include "snapshot/text/json_yaml.h"

#include <gtest/gtest.h>

#include "snapshot/decode.h"
#include "snapshot/text/yaml.h"
#include "snapshot/text/yaml_events.h"
#include "snapshot/text/yaml_json.h"

namespace basalt {
namespace {

bool Append(std::string json, std::string* yaml, std::string* error) {
  const size_t size = json.size();
  json.append(kJsonPaddingBytes, '}');
  return AppendYaml(std::string_view(json).substr(0, size), yaml, error);
}

std::string Yaml(const std::string& json) {
  std::string yaml, error;
  EXPECT_TRUE(Append(json, &yaml, &error)) << error;
  return yaml;
}

std::string Refusal(const std::string& json) {
  std::string yaml = "before", error;
  EXPECT_FALSE(Append(json, &yaml, &error)) << yaml;
  EXPECT_EQ("before", yaml);
  return error;
}

std::string Back(const std::string& yaml) {
  std::string json;
  YamlError error;
  EXPECT_TRUE(YamlToJson(yaml, [&](std::string document, size_t) { json += document; }, &error)) << error.message << "\n" << yaml;
  return json;
}

TEST(JsonYaml, LooksAsKubectlPrintsIt) {
  EXPECT_EQ(
      "apiVersion: v1\n"
      "metadata:\n"
      "  labels: {}\n"
      "  name: a-1\n"
      "spec:\n"
      "  containers:\n"
      "  - args:\n"
      "    - \"-v\"\n"
      "    - - a\n"
      "      - b: 1\n"
      "        c: []\n"
      "    image: nginx:1.25\n"
      "  memory: 64Gi\n"
      "  text: |\n"
      "    first: line\n"
      "\n"
      "      second\n"
      "  nothing: null\n"
      "  no-end: |-\n"
      "    a\n"
      "    b\n",
      Yaml(R"({ "apiVersion": "v1", "metadata": {"labels": { }, "name": "a-1"}, "spec": {"containers": [{"args": ["-v", ["a", {"b": 1, "c": [ ]}]], "image": "nginx:1.25"}],
               "memory": "64Gi", "text": "first: line\n\n  second\n", "nothing": null, "no-end": "a\nb"}})"));
}

TEST(JsonYaml, WhatCouldBeSomethingElseIsQuoted) {
  for (const char* text : {"", " ", "yes", "No", "ON", "y", "null", "~", "true", "1", "0", "1e3", "1.5", "0x10", "0o7", "1_000", ".5", ".inf", "-", "- a", "-v", "a: b", "a #b", "#a", "*a", "&a",
                           "!a", "%a", "@a", "`a", "[a", "{a", "|", ">", "'", "a:", "? a", "2026-12-01", "12:30:45", "190:20:30", "=", "<<", "---", "...", "+1", "a ", "a: ", "4E", "10.0.0.1"})
    EXPECT_EQ("a: \"" + std::string(text) + "\"\n", Yaml("{\"a\":\"" + std::string(text) + "\"}"));
  for (const char* text : {"abc", "a b", "v1", "a.b/c", "/etc/x", "_a", "100m", "4Gi", "a:1", "docker://a@sha256:0f", "nan", "yesterday", "e1"})
    EXPECT_EQ("a: " + std::string(text) + "\n", Yaml("{\"a\":\"" + std::string(text) + "\"}"));
}

TEST(JsonYaml, EveryStringReadsBack) {
  using namespace std::string_literals;
  const std::string parts[] = {"a", " ", "\n", "\t", ":", "#", "-", "\"", "\\", "'", "\0"s, "\r", "\x7F", "\xC2\x85", "\xE2\x80\xA8", "\xEF\xBB\xBF", "\xEF\xBF\xBF", "\xC3\xA9", "\xF0\x9F\x98\x80", "}", "|", "0", ","};
  for (const std::string& a : parts)
    for (const std::string& b : parts)
      for (const std::string& c : parts) {
        std::string text;
        AppendJsonString(a + b + c, &text);
        const std::string json = "{\"k\":" + text + "," + text + ":[" + text + "]}";
        ASSERT_EQ(json, Back(Yaml(json)));
      }
  EXPECT_EQ("{\"a\":\"\\u0000\\u0001\x7F\xC2\x85\xE2\x80\xA8\\ufeff\xEF\xBF\xBF\xC3\xA9\"}", Back(Yaml(R"({"a":"\u0000\u0001\u007f\u0085\u2028\ufeff\uffffé"})")));
}

TEST(JsonYaml, NumbersKeepTheirDigits) {
  EXPECT_EQ(R"([1,-7,0.1,123456789012345678901234567890,1e+3,1E+5,1.5e-7,0,true,false,null])", Back(Yaml(R"([1,-7,0.1,123456789012345678901234567890,1e3,1E5,1.5e-7,-0,true,false,null])")));
}

TEST(JsonYaml, SaysWhatYamlHasNoPlaceFor) {
  EXPECT_EQ("/a/b: duplicate key \"b\"", Refusal(R"({"a":{"b":1,"b":2}})"));
  EXPECT_EQ("/a/0: the number 1e+999 has no form in YAML", Refusal(R"({"a":[1e999]})"));
  EXPECT_EQ("not JSON, byte 6: bad escape sequence in a string", Refusal(R"({"a":"\q"})"));
  EXPECT_EQ("not JSON, byte 4: unexpected end of the text", Refusal(R"({"a")"));
  EXPECT_EQ("not JSON, byte 2: unexpected text behind the object", Refusal("{}1"));
  for (const char* cut : {"", "[", "{", "[[", "[[[[[[[", "[1,", "{\"a\":", "{\"a\":[{"}) EXPECT_NE("", Refusal(cut));
}

TEST(JsonYaml, AsDeepAsYamlIsReadAndNoDeeper) {
  for (const std::string open : {"[", "{\"a\":"}) {
    const std::string close = open == "[" ? "]" : "}";
    size_t deepest = 0;
    for (size_t depth = kMaxYamlDepth - 3; depth <= kMaxYamlDepth + 3; depth++) {
      std::string json = "1", yaml, error;
      for (size_t i = 0; i < depth; i++) json = open + json + close;
      if (!Append(json, &yaml, &error)) continue;
      deepest = depth;
      EXPECT_EQ(json, Back(yaml)) << depth;
    }
    EXPECT_GE(deepest, kMaxYamlDepth - 3);
    EXPECT_LT(deepest, kMaxYamlDepth + 3);
  }
}

}  // namespace
}  // namespace basalt

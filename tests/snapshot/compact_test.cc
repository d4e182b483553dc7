#include "snapshot/text/compact.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

std::string Standalone(std::string_view json, std::string_view kind = {}, std::string_view api_version = {}) {
  std::string out = "|";
  AppendStandalone(json, kind, api_version, &out);
  return out.substr(1);
}

TEST(Compact, BlanksStandOnlyInStrings) {
  std::string out;
  AppendCompact("{ \"a b\" :\t[ 1 ,\r\n \"\\\" , \\\\\" , { } ] }\n", &out);
  EXPECT_EQ(R"({"a b":[1,"\" , \\",{}]})", out);
}

TEST(Compact, ManagedFieldsOfTheObjectItselfAreLeftOut) {
  EXPECT_EQ(R"({"kind":"Node","metadata":{"name":"a"},"spec":{}})", Standalone(R"({"kind":"Node","metadata":{"managedFields":[{"a":1}],"name":"a"},"spec":{}})"));
  EXPECT_EQ(R"({"metadata":{}})", Standalone(R"({"metadata":{"managedFields":null}})"));
  for (const char* same : {R"({"spec":{"managedFields":1,"metadata":{"managedFields":2}}})", R"({"managedFields":1})", R"({"metadata":"\"managedFields\":"})", "null", "[1]", "\"\"",
                           // A key that comes twice is a fault of the object, which is not mended here.
                           R"({"metadata":{"managedFields":1,"managedFields":1}})", R"({"metadata":{"managedFields":1},"metadata":{}})", R"({"metadata":1,"metadata":{"managedFields":1}})"})
    EXPECT_EQ(same, Standalone(same));
}

TEST(Compact, ItemsOfTypedListsGetWhatTheListSays) {
  EXPECT_EQ(R"({"apiVersion":"v1","kind":"Node","metadata":{}})", Standalone(R"({"metadata":{}})", "Node", "v1"));
  EXPECT_EQ(R"({"apiVersion":"v1","kind":"Node"})", Standalone("{}", "Node", "v1"));
  EXPECT_EQ(R"({"kind":"Node","a":1})", Standalone(R"({"a":1,"kind":""})", "Node", ""));
  EXPECT_EQ(R"({"apiVersion":"v1","kind":"Node","a":1,"b":2})", Standalone(R"({"a":1,"apiVersion":null,"kind":null,"b":2})", "Node", "v1"));
  EXPECT_EQ(R"({"kind":"Pod","apiVersion":"v2"})", Standalone(R"({"kind":"Pod","apiVersion":"v2"})", "Node", "v1"));
  EXPECT_EQ(R"({"k\u0069nd":"Pod"})", Standalone(R"({"k\u0069nd":"Pod"})", "Node", ""));
  EXPECT_EQ(R"({"kind":"Node","kin\n":1})", Standalone(R"({"kin\n":1,"\u006bind":null})", "Node", ""));
  EXPECT_EQ(R"({"kind":"Node","\u6b":1,"\u":2})", Standalone(R"({"\u6b":1,"\u":2})", "Node", ""));
  EXPECT_EQ(R"({"kind":5})", Standalone(R"({"kind":5})", "Node", ""));
  EXPECT_EQ(R"({"kind":"","kind":""})", Standalone(R"({"kind":"","kind":""})", "Node", ""));
  EXPECT_EQ("null", Standalone("null", "Node", "v1"));
}

}  // namespace
}  // namespace basalt

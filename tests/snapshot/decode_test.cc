#include "snapshot/decode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace basalt {
namespace {

using objects::Kind;

/// One decoded text with everything it points to.
struct Result {
  std::vector<char> bytes;
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  Decoded d;
  std::vector<Diagnostic> diagnostics;
  bool well_formed = false;
  size_t offset = 0;
  std::string message;
};

Result Read(std::string_view json, std::string_view default_kind = {}, std::string_view label = "items[3]", char padding = '}') {
  Result r;
  r.bytes.resize(json.size() + kJsonPaddingBytes, padding);
  std::memcpy(r.bytes.data(), json.data(), json.size());
  Decoder decoder;
  r.well_formed =
      decoder.Decode({r.bytes.data(), json.size()}, default_kind, label, r.arena.get(), &r.d, &r.diagnostics, &r.offset, &r.message);
  return r;
}

std::string PodText(std::string_view spec, std::string_view status = R"({"phase":"Pending"})") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns"},"spec":)" + std::string(spec) + R"(,"status":)" +
         std::string(status) + "}";
}

/// Expects that exactly one kBadObject was written.
void ExpectBad(const Result& r, std::string_view object, std::string_view field, std::string_view message) {
  ASSERT_TRUE(r.well_formed) << r.message << " at " << r.offset;
  ASSERT_EQ(r.diagnostics.size(), 1u);
  EXPECT_TRUE(r.d.set_aside);
  EXPECT_EQ(r.diagnostics[0].severity, Severity::kBadObject);
  EXPECT_EQ(r.diagnostics[0].object, object);
  EXPECT_EQ(r.diagnostics[0].field, field);
  EXPECT_EQ(r.diagnostics[0].message, message);
  EXPECT_EQ(r.diagnostics[0].source, "");
  EXPECT_EQ(r.d.pod, nullptr);
  EXPECT_EQ(r.d.node, nullptr);
}

void ExpectBadPod(std::string_view spec, std::string_view field, std::string_view message) {
  SCOPED_TRACE(spec);
  ExpectBad(Read(PodText(spec)), "Pod ns/a", field, message);
}

void ExpectMalformed(std::string_view json, size_t offset, std::string_view message) {
  SCOPED_TRACE(json.substr(0, 200));
  for (const char padding : {'}', '"', ' ', '0', ']', '\0'}) {
    const Result r = Read(json, {}, "x", padding);
    EXPECT_FALSE(r.well_formed);
    EXPECT_EQ(r.offset, offset);
    EXPECT_EQ(r.message, message);
    EXPECT_TRUE(r.diagnostics.empty());
    EXPECT_EQ(r.d.meta, nullptr);
  }
}

const objects::Resource* FindResource(objects::ResourceList list, std::string_view name) {
  for (const auto& r : list)
    if (r.name == name) return &r;
  return nullptr;
}
int64_t Milli(objects::ResourceList list, std::string_view name) {
  const auto* r = FindResource(list, name);
  return r ? r->amount.MilliValue() : -1;
}

// ---- kinds ----

TEST(Decode, KindOf) {
  EXPECT_EQ(KindOf("Node", "v1"), Kind::kNode);
  EXPECT_EQ(KindOf("Node", ""), Kind::kNode);
  EXPECT_EQ(KindOf("Node", "longhorn.io/v1beta2"), Kind::kOther);
  EXPECT_EQ(KindOf("PodGroup", "scheduling.volcano.sh/v1beta1"), Kind::kPodGroup);
  EXPECT_EQ(KindOf("PodGroup", ""), Kind::kPodGroup);
  EXPECT_EQ(KindOf("PodGroup", "scheduling.x-k8s.io/v1alpha1"), Kind::kOther);
  EXPECT_EQ(KindOf("Queue", "kueue.x-k8s.io/v1beta1"), Kind::kOther);
  EXPECT_EQ(KindOf("Queue", "scheduling.volcano.sh/v1beta1"), Kind::kQueue);
  EXPECT_EQ(KindOf("HyperNode", "topology.volcano.sh/v1alpha1"), Kind::kHyperNode);
  EXPECT_EQ(KindOf("HyperNode", "scheduling.volcano.sh/v1beta1"), Kind::kOther);
  EXPECT_EQ(KindOf("PriorityClass", "scheduling.k8s.io/v1"), Kind::kPriorityClass);
  EXPECT_EQ(KindOf("PodDisruptionBudget", "policy/v1"), Kind::kPodDisruptionBudget);
  EXPECT_EQ(KindOf("ResourceQuota", "v1"), Kind::kResourceQuota);
  EXPECT_EQ(KindOf("MetricValue", "custom.metrics.k8s.io/v1beta1"), Kind::kMetricValue);
  EXPECT_EQ(KindOf("Namespace", "v1"), Kind::kNamespace);
  EXPECT_EQ(KindOf("ConfigMap", "v1"), Kind::kConfigMap);
  EXPECT_EQ(KindOf("Deployment", "apps/v1"), Kind::kOther);
  EXPECT_EQ(KindOf("", ""), Kind::kOther);
}

TEST(Decode, KindNameIsTheInverse) {
  for (int k = 0; k < objects::kKindCount; k++) {
    const auto kind = static_cast<Kind>(k);
    EXPECT_EQ(KindOf(KindName(kind), ""), kind);
  }
  EXPECT_EQ(KindName(Kind::kOther), "");
}

TEST(Decode, OtherKindsAreNamedAndNothingElse) {
  const Result r = Read(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":7},"spec":{"containers":"no"}})");
  ASSERT_TRUE(r.well_formed);
  EXPECT_EQ(r.d.kind, Kind::kOther);
  EXPECT_EQ(r.d.kind_name, "Deployment");
  EXPECT_FALSE(r.d.set_aside);
  EXPECT_TRUE(r.diagnostics.empty());
}

TEST(Decode, OtherGroupsOfOurKindsAreOther) {
  const Result r = Read(R"({"apiVersion":"kueue.x-k8s.io/v1","kind":"Queue","metadata":{"name":"q"},"spec":{"weight":"x"}})");
  ASSERT_TRUE(r.well_formed);
  EXPECT_EQ(r.d.kind, Kind::kOther);
  EXPECT_EQ(r.d.kind_name, "Queue");
  EXPECT_TRUE(r.diagnostics.empty());
}

TEST(Decode, ItemsOfTypedListsTakeTheListsKind) {
  const Result r = Read(R"({"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4"}}})", "Node");
  ASSERT_TRUE(r.well_formed && r.d.node);
  EXPECT_EQ(r.d.kind_name, "Node");
  EXPECT_EQ(Milli(r.d.node->allocatable, "cpu"), 4000);
}

TEST(Decode, OwnKindWinsOverTheListsKindWhereverItStands) {
  for (const char* text : {R"({"kind":"Pod","metadata":{"name":"a"},"spec":{"taints":1},"status":{"phase":"Running"}})",
                           R"({"metadata":{"name":"a"},"spec":{"taints":1},"status":{"phase":"Running"},"kind":"Pod"})"}) {
    const Result r = Read(text, "Node");
    ASSERT_TRUE(r.well_formed && r.d.pod) << text;
    EXPECT_EQ(r.d.kind, Kind::kPod);
    EXPECT_EQ(r.d.kind_name, "Pod");
    EXPECT_EQ(r.d.meta, &r.d.pod->meta);
    EXPECT_EQ(r.d.node, nullptr);
    EXPECT_TRUE(r.diagnostics.empty());
  }
}

TEST(Decode, KindAndVersionMayComeLast) {
  const Result r = Read(R"({"spec":{"weight":3},"metadata":{"name":"q"},"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1"})");
  ASSERT_TRUE(r.d.queue);
  EXPECT_EQ(r.d.queue->weight, 3);
  const Result other = Read(R"({"kind":"Queue","spec":{"weight":"x"},"metadata":{"name":"q"},"apiVersion":"kueue.x-k8s.io/v1"})");
  ASSERT_TRUE(other.well_formed);
  EXPECT_EQ(other.d.kind, Kind::kOther);
  EXPECT_TRUE(other.diagnostics.empty());
  const Result sure = Read(R"({"kind":"Node","spec":{},"metadata":{"name":"q"},"apiVersion":"longhorn.io/v1"})");
  EXPECT_EQ(sure.d.kind, Kind::kOther);
  EXPECT_EQ(sure.d.node, nullptr);
}

TEST(Decode, MissingAndBadKind) {
  ExpectBad(Read(R"({"metadata":{"name":"a"}})"), "items[3]", "/kind", "missing kind");
  ExpectBad(Read(R"({"kind":null,"metadata":{"name":"a"}})"), "items[3]", "/kind", "missing kind");
  ExpectBad(Read("{}"), "items[3]", "/kind", "missing kind");
  ExpectBad(Read(R"({"kind":5,"metadata":{"name":"a"}})"), "items[3]", "/kind", "expected a string, got the number 5");
  ExpectBad(Read(R"({"kind":"Po\nd","metadata":{"name":"a"}})"), "items[3]", "/kind", "bad kind \"Po\\nd\"");
}

TEST(Decode, ItemsThatAreNoObjects) {
  const auto expect = [](std::string_view json, std::string_view message) {
    const Result r = Read(json, "Pod");
    ExpectBad(r, "items[3]", "", message);
    EXPECT_EQ(r.d.kind, Kind::kPod);
    EXPECT_EQ(r.d.meta, nullptr);
  };
  expect("null", "expected an object, got null");
  expect(" [] ", "expected an object, got an array");
  expect("[[1,{\"a\":[]}]]", "expected an object, got an array");
  expect("\"pod\"", "expected an object, got the string \"pod\"");
  expect("12", "expected an object, got the number 12");
  expect("true", "expected an object, got true");
}

// ---- metadata ----

TEST(Decode, Metadata) {
  const Result r = Read(R"({"apiVersion":"v1","kind":"Pod","metadata":{
    "annotations":{"a":"1","kubectl.kubernetes.io/last-applied-configuration":"{\"x\":1}","b/c":"\u00e4\n"},
    "creationTimestamp":"2025-11-30T10:53:23Z","deletionTimestamp":"2025-11-30T10:53:24Z","generateName":"x-",
    "labels":{"app":"web","empty":"","none":null},"managedFields":[{"f:metadata":{"f:x":{},"f:x":{}}}],
    "name":"web-1","namespace":"team","ownerReferences":[{"kind":"Job","uid":"u0","controller":null},{"uid":"u1","controller":false},
      {"apiVersion":"apps/v1","controller":true,"uid":"u2"},{"uid":"u3","controller":true}],
    "resourceVersion":"18446744073709551615","uid":"u-1"},"status":{"phase":"Running"}})");
  ASSERT_TRUE(r.d.pod) << r.message << (r.diagnostics.empty() ? "" : r.diagnostics[0].message);
  const objects::Meta& m = r.d.pod->meta;
  EXPECT_EQ(r.d.meta, &m);
  EXPECT_EQ(m.name, "web-1");
  EXPECT_EQ(m.namespace_, "team");
  EXPECT_EQ(m.uid, "u-1");
  EXPECT_EQ(m.resource_version, UINT64_MAX);
  EXPECT_EQ(m.creation_seconds, 1764500003);
  EXPECT_TRUE(m.deleting);
  EXPECT_EQ(m.controller_uid, "u2");
  ASSERT_EQ(m.labels.size(), 2u);
  EXPECT_EQ(m.labels[0].key, "app");
  EXPECT_EQ(m.labels[0].value, "web");
  EXPECT_EQ(m.labels[1].key, "empty");
  EXPECT_EQ(m.labels[1].value, "");
  ASSERT_EQ(m.annotations.size(), 2u);  // last-applied-configuration is left out
  EXPECT_EQ(m.annotations[1].key, "b/c");
  EXPECT_EQ(m.annotations[1].value, "\u00e4\n");
}

TEST(Decode, MetadataDefaultsAndNulls) {
  const Result r =
      Read(R"({"kind":"Pod","metadata":{"name":"a","namespace":null,"uid":null,"labels":null,"annotations":null,"creationTimestamp":null,
    "deletionTimestamp":null,"ownerReferences":null,"resourceVersion":"abc"},"spec":null,"status":{"phase":null}})");
  ASSERT_TRUE(r.d.pod);
  const objects::Meta& m = r.d.pod->meta;
  EXPECT_EQ(m.namespace_, "default");
  EXPECT_EQ(m.uid, "");
  EXPECT_EQ(m.resource_version, 0u);
  EXPECT_EQ(m.creation_seconds, 0);
  EXPECT_FALSE(m.deleting);
  EXPECT_TRUE(m.labels.empty() && m.annotations.empty());
  EXPECT_EQ(m.controller_uid, "");
}

TEST(Decode, NamespaceOnlyOfNamespacedKinds) {
  for (const char* kind : {"Pod", "PodGroup", "ResourceQuota", "ConfigMap", "PodDisruptionBudget"})
    EXPECT_EQ(Read(std::string(R"({"kind":")") + kind + R"(","metadata":{"name":"a"},"status":{"phase":"Running"}})").d.meta->namespace_,
              "default")
        << kind;
  for (const char* kind : {"Node", "Queue", "HyperNode", "PriorityClass", "Namespace"})
    EXPECT_EQ(Read(std::string(R"({"kind":")") + kind + R"(","metadata":{"name":"a","namespace":"x"}})").d.meta->namespace_, "") << kind;
}

TEST(Decode, BadNames) {
  ExpectBad(Read(R"({"kind":"Node","metadata":{}})"), "items[3]", "/metadata/name", "missing name");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":""}})"), "items[3]", "/metadata/name", "missing name");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":null}})"), "items[3]", "/metadata/name", "missing name");
  ExpectBad(Read(R"({"kind":"Node"})"), "items[3]", "/metadata", "missing metadata");
  ExpectBad(Read(R"({"kind":"Node","metadata":null})"), "items[3]", "/metadata", "missing metadata");
  ExpectBad(Read(R"({"kind":"Node","metadata":[]})"), "items[3]", "/metadata", "expected an object, got an array");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":12}})"), "items[3]", "/metadata/name", "expected a string, got the number 12");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":"a\u0000b"}})"), "items[3]", "/metadata/name", "bad name \"a\\u0000b\"");
  ExpectBad(Read(R"({"kind":"Pod","metadata":{"name":"a","namespace":"x\ty"}})"), "items[3]", "/metadata/namespace",
            "bad namespace \"x\\ty\"");
  const std::string longest(253, 'n'), longer(254, 'n');
  EXPECT_TRUE(Read(R"({"kind":"Node","metadata":{"name":")" + longest + "\"}}").d.node);
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":")" + longer + "\"}}"), "items[3]", "/metadata/name",
            "bad name \"" + std::string(77, 'n') + "...\"");
  EXPECT_TRUE(Read(R"({"kind":"Node","metadata":{"name":"Ünïcode/☃"}})").d.node);
}

TEST(Decode, BadMetadataFields) {
  const auto expect = [](std::string_view field, std::string_view pointer, std::string_view message) {
    ExpectBad(Read(R"({"kind":"Node","metadata":{"name":"n",)" + std::string(field) + "}}"), "Node n", pointer, message);
  };
  expect(R"("labels":["a"])", "/metadata/labels", "expected an object, got an array");
  expect(R"("labels":{"a/b~c":1})", "/metadata/labels/a~1b~0c", "expected a string, got the number 1");
  expect(R"("annotations":{"a":{}})", "/metadata/annotations/a", "expected a string, got an object");
  expect(R"("labels":{"a":"1","b":"2","a":"3"})", "/metadata/labels/a", "duplicate key \"a\"");
  expect(R"("labels":{"a":"1","\u0061":"3"})", "/metadata/labels/a", "duplicate key \"a\"");
  expect(R"("name":"n")", "/metadata/name", "duplicate key \"name\"");
  expect(R"("n\u0061me":"n")", "/metadata/name", "duplicate key \"name\"");
  expect(R"("zzz":1,"zzz":1)", "/metadata/zzz", "duplicate key \"zzz\"");
  expect(R"("":1,"":1)", "/metadata/", "duplicate key \"\"");
  expect(R"("generation":1,"generation":1)", "/metadata/generation", "duplicate key \"generation\"");
  expect(R"("uid":null,"uid":"x")", "/metadata/uid", "duplicate key \"uid\"");
  expect(R"("creationTimestamp":"yesterday")", "/metadata/creationTimestamp", "bad time \"yesterday\"");
  expect(R"("deletionTimestamp":"")", "/metadata/deletionTimestamp", "bad time \"\"");
  expect(R"("deletionTimestamp":5)", "/metadata/deletionTimestamp", "expected a string, got the number 5");
  expect(R"("ownerReferences":[{"controller":"true"}])", "/metadata/ownerReferences/0/controller",
         "expected true or false, got the string \"true\"");
  expect(R"("ownerReferences":[{},null])", "/metadata/ownerReferences/1", "expected an object, got null");
  expect(R"("resourceVersion":5)", "/metadata/resourceVersion", "expected a string, got the number 5");
}

TEST(Decode, ManyKeysAreCheckedForRepeatsToo) {
  std::string labels;
  for (int i = 0; i < 5000; i++) labels += "\"k" + std::to_string(i) + "\":\"v\",";
  const auto text = [&](const char* last) {
    return R"({"kind":"Node","metadata":{"name":"n","labels":{)" + labels + '"' + last + "\":\"v\"}}}";
  };
  const Result good = Read(text("k5000"));
  ASSERT_TRUE(good.d.node);
  EXPECT_EQ(good.d.node->meta.labels.size(), 5001u);
  ExpectBad(Read(text("k4711")), "Node n", "/metadata/labels/k4711", "duplicate key \"k4711\"");
  ExpectBad(Read(text("k3")), "Node n", "/metadata/labels/k3", "duplicate key \"k3\"");
  const std::string unknown = R"({"kind":"Node","metadata":{"name":"n",)" + labels;
  ASSERT_TRUE(Read(unknown + R"("k5000":1}})").d.node);
  ExpectBad(Read(unknown + R"("k4999":1}})"), "Node n", "/metadata/k4999", "duplicate key \"k4999\"");
}

TEST(Decode, KeysThatComeTwiceInWhatNoRuleReads) {
  const auto pod = [](std::string_view members) { return Read(R"({"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running"},)" + std::string(members) + "}"); };
  ExpectBad(pod(R"("spec":{"containers":[{"name":"c","env":[{"name":"A"},{"name":"B","value":"1","value":"2"}]}]})"), "Pod default/p",
            "/spec/containers/0/env/1/value", "duplicate key \"value\"");
  ExpectBad(pod(R"("x":{"a":{"c":1},"b":{"c":1},"d":[{"c":1},{"c":2},[{"e":{},"\u0065":{}}]]})"), "Pod default/p", "/x/d/2/0/e", "duplicate key \"e\"");
  ExpectBad(pod(R"("x":{"a":{"a":{"a":1}},"b":[],"a":1})"), "Pod default/p", "/x/a", "duplicate key \"a\"");
  ExpectBad(pod(R"("x":[{"":1,"":1}])"), "Pod default/p", "/x/0/", "duplicate key \"\"");
  EXPECT_TRUE(pod(R"("x":{"a":{"a":{"a":[{"a":1},{"a":1}]}},"b":{"a":{}}})").d.pod);
  EXPECT_FALSE(pod(R"("x":{"\q":1})").message.empty()) << "an escape sequence that is none";

  std::string many;
  for (int i = 0; i < 5000; i++) many += "\"k" + std::to_string(i) + "\":{\"k\":1},";
  EXPECT_TRUE(pod("\"x\":{" + many + R"("k5000":1})").d.pod);
  ExpectBad(pod("\"x\":{" + many + R"("k4999":1})"), "Pod default/p", "/x/k4999", "duplicate key \"k4999\"");

  ExpectBad(Read(R"({"kind":"Service","metadata":{"name":"s"},"spec":{"a":1,"a":1}})"), "Service s", "/spec/a", "duplicate key \"a\"");
  for (const char* kind : {"Pod", "Service"}) {  // also where the kind is known only at the end, so that the first walk reads no kind
    const std::string object = R"({"metadata":{"name":"s","managedFields":[{"a":1,"a":1}]},"status":{"phase":"Running"},"kind":")" + std::string(kind) + "\"}";
    EXPECT_FALSE(Read(object).d.set_aside) << "managedFields are passed over";
  }
}

TEST(Decode, TheNameIsFoundBehindWhatIsBad) {
  ExpectBad(Read(R"({"spec":{"taints":5},"status":{},"metadata":{"labels":{"a":"b"},"name":"n\u0031"},"kind":"Node"})"), "Node n1",
            "/spec/taints", "expected an array, got the number 5");
  ExpectBad(Read(R"({"kind":"Pod","spec":[],"metadata":{"namespace":"x","name":"p","name":"q"}})"), "Pod x/p", "/spec",
            "expected an object, got an array");
  ExpectBad(Read(R"({"kind":"Pod","spec":[],"metadata":{"name":"p"}})"), "Pod default/p", "/spec", "expected an object, got an array");
  ExpectBad(Read(R"({"spec":[],"metadata":{"name":"p"}})", "Pod"), "Pod default/p", "/spec", "expected an object, got an array");
  ExpectBad(Read(R"({"kind":"Pod","metadata":{"labels":5,"namespace":"x"}})"), "items[3]", "/metadata/labels",
            "expected an object, got the number 5");
}

TEST(Decode, SetAsideObjectsKeepTheirIdentity) {
  const Result r = Read(R"({"kind":"Pod","spec":[],"metadata":{"name":"p","namespace":"x","uid":"u"}})");
  ASSERT_TRUE(r.d.set_aside && r.d.meta);
  EXPECT_EQ(r.d.kind, Kind::kPod);
  EXPECT_EQ(r.d.kind_name, "Pod");
  EXPECT_EQ(r.d.meta->name, "p");
  EXPECT_EQ(r.d.meta->namespace_, "x");
  EXPECT_EQ(r.d.meta->uid, "u");
}

TEST(Decode, RepeatedTopLevelKeys) {  // user report C068: two objects joined without a separator
  ExpectBad(Read(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"apiVersion":"apps/v1","kind":"Deployment"})"), "Service s",
            "/apiVersion", "duplicate key \"apiVersion\"");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":"n"},"spec":{},"spec":{}})"), "Node n", "/spec", "duplicate key \"spec\"");
  ExpectBad(Read(R"({"kind":"Node","metadata":{"name":"n"},"metadata":{"name":"m"}})"), "Node n", "/metadata",
            "duplicate key \"metadata\"");
}

// ---- Node ----

TEST(Decode, Node) {
  const Result r = Read(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","labels":{"zone":"a"}},
    "spec":{"podCIDR":"10.0.0.0/24","unschedulable":true,"taints":[{"effect":"NoSchedule","key":"k","value":"v","timeAdded":null},
      {"key":"p","effect":"PreferNoSchedule"},{"key":"e","effect":"NoExecute","value":null}]},
    "status":{"allocatable":{"cpu":"7910m","memory":"8Gi","nvidia.com/gpu":8,"pods":"110"},"capacity":{"cpu":8,"memory":"1.23e8"},
      "images":[{"names":["a@sha256:1","a:1"],"sizeBytes":123456789012},{"names":null},{"sizeBytes":7}],"conditions":[{"type":"Ready"}]}})");
  ASSERT_TRUE(r.d.node);
  const objects::Node& n = *r.d.node;
  EXPECT_TRUE(n.unschedulable);
  ASSERT_EQ(n.taints.size(), 3u);
  EXPECT_EQ(n.taints[0].key, "k");
  EXPECT_EQ(n.taints[0].value, "v");
  EXPECT_EQ(n.taints[0].effect, objects::TaintEffect::kNoSchedule);
  EXPECT_EQ(n.taints[1].effect, objects::TaintEffect::kPreferNoSchedule);
  EXPECT_EQ(n.taints[2].effect, objects::TaintEffect::kNoExecute);
  EXPECT_EQ(n.taints[2].value, "");
  ASSERT_EQ(n.allocatable.size(), 4u);
  EXPECT_EQ(n.allocatable[0].name, "cpu");
  EXPECT_EQ(n.allocatable[0].amount.MilliValue(), 7910);
  EXPECT_EQ(n.allocatable[1].amount.Value(), 8ll << 30);
  EXPECT_EQ(n.allocatable[2].name, "nvidia.com/gpu");
  EXPECT_EQ(n.allocatable[2].amount.Value(), 8);
  ASSERT_EQ(n.capacity.size(), 2u);
  EXPECT_EQ(n.capacity[1].amount.Value(), 123000000);
  ASSERT_EQ(n.images.size(), 3u);
  ASSERT_EQ(n.images[0].names.size(), 2u);
  EXPECT_EQ(n.images[0].names[1], "a:1");
  EXPECT_EQ(n.images[0].size_bytes, 123456789012);
  EXPECT_TRUE(n.images[1].names.empty());
  EXPECT_EQ(n.images[2].size_bytes, 7);
  EXPECT_TRUE(r.diagnostics.empty());
}

TEST(Decode, BadNodes) {
  const auto expect = [](std::string_view rest, std::string_view pointer, std::string_view message) {
    ExpectBad(Read(R"({"kind":"Node","metadata":{"name":"n"},)" + std::string(rest) + "}"), "Node n", pointer, message);
  };
  expect(R"("spec":{"unschedulable":"true"})", "/spec/unschedulable", "expected true or false, got the string \"true\"");
  expect(R"("spec":{"taints":{}})", "/spec/taints", "expected an array, got an object");
  expect(R"("spec":{"taints":[{"key":"a","effect":"Never"}]})", "/spec/taints/0/effect", "unknown effect \"Never\"");
  expect(R"("spec":{"taints":[{"key":"a","effect":"NoSchedule"},{"key":"a"}]})", "/spec/taints/1/effect", "unknown effect \"\"");
  expect(R"("status":{"allocatable":{"cpu":"-1"}})", "/status/allocatable/cpu", "negative allocatable \"-1\"");
  expect(R"("status":{"allocatable":{"cpu":-0.5}})", "/status/allocatable/cpu", "negative allocatable -0.5");
  expect(R"("status":{"capacity":{"cpu":"-1"}})", "/status/capacity/cpu", "negative capacity \"-1\"");
  expect(R"("status":{"allocatable":{"cpu":"1","memory":"1","cpu":"2"}})", "/status/allocatable/cpu", "duplicate key \"cpu\"");
  expect(R"("status":{"images":[{"names":"a"}]})", "/status/images/0/names", "expected an array, got the string \"a\"");
  expect(R"("status":{"images":[{"names":["a",null]}]})", "/status/images/0/names/1", "expected a string, got null");
  expect(R"("status":{"images":[{"sizeBytes":9223372036854775808}]})", "/status/images/0/sizeBytes",
         "integer 9223372036854775808 is out of range");
}

// ---- Pod ----

TEST(Decode, PodScalars) {
  const Result r =
      Read(PodText(R"({"schedulerName":"volcano","nodeName":"n1","priorityClassName":"high","priority":-5,"preemptionPolicy":"Never",
      "schedulingGates":[{"name":"g1"},{"name":"g2"}],"nodeSelector":{"zone":"a","x":"y"},"overhead":{"cpu":"250m"},
      "resources":{"requests":{"cpu":"3"},"limits":{"cpu":"4"}},"hostNetwork":true,"dnsPolicy":"ClusterFirst"})",
                   R"({"phase":"Running","nominatedNodeName":"n2"})"));
  ASSERT_TRUE(r.d.pod);
  const objects::Pod& p = *r.d.pod;
  EXPECT_EQ(p.scheduler_name, "volcano");
  EXPECT_EQ(p.node_name, "n1");
  EXPECT_EQ(p.nominated_node_name, "n2");
  EXPECT_EQ(p.priority_class_name, "high");
  EXPECT_EQ(p.priority, -5);
  EXPECT_TRUE(p.preemption_never);
  EXPECT_EQ(p.phase, objects::PodPhase::kRunning);
  ASSERT_EQ(p.scheduling_gates.size(), 2u);
  EXPECT_EQ(p.scheduling_gates[1], "g2");
  EXPECT_TRUE(p.has_node_selector);
  ASSERT_EQ(p.node_selector.size(), 2u);
  EXPECT_EQ(p.node_selector[0].key, "zone");
  EXPECT_EQ(Milli(p.overhead, "cpu"), 250);
  ASSERT_EQ(p.pod_requests.size(), 1u);
  EXPECT_EQ(Milli(p.pod_requests, "cpu"), 3000);
  EXPECT_EQ(p.unsupported_field, "");
  EXPECT_FALSE(p.mirror);
}

TEST(Decode, PodDefaults) {
  const Result r = Read(PodText("{}"));
  ASSERT_TRUE(r.d.pod);
  const objects::Pod& p = *r.d.pod;
  EXPECT_EQ(p.scheduler_name, "");
  EXPECT_FALSE(p.priority.has_value());
  EXPECT_FALSE(p.preemption_never || p.has_node_selector || p.has_required_affinity || p.mirror || p.resize_infeasible);
  EXPECT_FALSE(p.scheduled_condition.has_value());
  EXPECT_EQ(p.phase, objects::PodPhase::kPending);
}

TEST(Decode, PodNullsReadAsAbsent) {  // user report C069
  const Result r =
      Read(R"({"kind":"Pod","metadata":{"name":"a","labels":null},"spec":{"containers":null,"initContainers":null,"nodeSelector":null,
    "tolerations":null,"affinity":null,"overhead":null,"priority":null,"resources":null,"schedulingGates":null,"nodeName":null,"volumes":null,
    "topologySpreadConstraints":null,"resourceClaims":null,"schedulerName":"volcano"},
    "status":{"phase":"Pending","conditions":null,"containerStatuses":null,"nominatedNodeName":null}})");
  ASSERT_TRUE(r.d.pod);
  EXPECT_TRUE(r.diagnostics.empty());
  EXPECT_TRUE(r.d.pod->containers.empty());
  EXPECT_FALSE(r.d.pod->has_node_selector);
  EXPECT_FALSE(r.d.pod->priority.has_value());
  EXPECT_EQ(r.d.pod->scheduler_name, "volcano");
  const Result inner =
      Read(PodText(R"({"containers":[{"name":null,"ports":null,"resources":{"requests":null,"limits":{"cpu":null,"memory":"1"}}},
    {"resources":null}],"affinity":{"nodeAffinity":null,"podAffinity":null}})"));
  ASSERT_TRUE(inner.d.pod);
  ASSERT_EQ(inner.d.pod->containers.size(), 2u);
  ASSERT_EQ(inner.d.pod->containers[0].requests.size(), 1u);
  EXPECT_EQ(inner.d.pod->containers[0].requests[0].name, "memory");
}

TEST(Decode, PodPhases) {
  const auto phase = [](const char* status) { return Read(PodText("{}", status)).d.pod->phase; };
  EXPECT_EQ(phase(R"({"phase":"Pending"})"), objects::PodPhase::kPending);
  EXPECT_EQ(phase(R"({"phase":"Running"})"), objects::PodPhase::kRunning);
  EXPECT_EQ(phase(R"({"phase":"Succeeded"})"), objects::PodPhase::kSucceeded);
  EXPECT_EQ(phase(R"({"phase":"Failed"})"), objects::PodPhase::kFailed);
  EXPECT_EQ(phase(R"({"phase":"Unknown"})"), objects::PodPhase::kUnknown);
  EXPECT_EQ(phase(R"({"phase":"Zombie"})"), objects::PodPhase::kUnknown);
  EXPECT_EQ(phase(R"({"phase":""})"), objects::PodPhase::kPending);
}

TEST(Decode, PodWithoutPhaseIsUsedAndNoted) {  // user report C070: YAML cut in the middle of a pod
  const Result r = Read(R"({"kind":"Pod","metadata":{"name":"p-6"},"spec":{"containers":[{"name":"main","resources":null}]}})");
  ASSERT_TRUE(r.d.pod);
  ASSERT_EQ(r.diagnostics.size(), 1u);
  EXPECT_EQ(r.diagnostics[0].severity, Severity::kWarning);
  EXPECT_EQ(r.diagnostics[0].object, "Pod default/p-6");
  EXPECT_EQ(r.diagnostics[0].field, "/status/phase");
  EXPECT_EQ(r.diagnostics[0].message, "no status.phase: read as Pending; the file may be cut");
}

TEST(Decode, Containers) {
  const Result r = Read(PodText(R"({"containers":[
      {"name":"main","image":"app:1","command":["a","\"b\""],"env":[{"name":"X","value":"y"}],
       "resources":{"limits":{"cpu":"2","memory":"1Gi","nvidia.com/gpu":"1"},"requests":{"memory":"512Mi","cpu":"500m"}},
       "ports":[{"containerPort":80},{"containerPort":81,"hostPort":0},{"containerPort":82,"hostPort":8082},
                {"hostPort":53,"hostIP":"10.0.0.1","protocol":"UDP"},{"hostPort":54,"protocol":"SCTP"},{"hostPort":65535,"protocol":"TCP"}]},
      {"name":"second","restartPolicy":"Never"}],
    "initContainers":[{"name":"side","restartPolicy":"Always","resources":{"limits":{"cpu":"1"}}},{"name":"once","restartPolicy":null}]})"));
  ASSERT_TRUE(r.d.pod) << r.diagnostics.at(0).message;
  const objects::Pod& p = *r.d.pod;
  ASSERT_EQ(p.containers.size(), 2u);
  const objects::Container& c = p.containers[0];
  EXPECT_EQ(c.name, "main");
  EXPECT_EQ(c.image, "app:1");
  ASSERT_EQ(c.limits.size(), 3u);
  ASSERT_EQ(c.requests.size(), 3u);
  EXPECT_EQ(c.requests[0].name, "memory");  // in the order of the input, defaulted ones behind
  EXPECT_EQ(c.requests[1].name, "cpu");
  EXPECT_EQ(c.requests[1].amount.MilliValue(), 500);
  EXPECT_EQ(c.requests[2].name, "nvidia.com/gpu");
  EXPECT_EQ(c.requests[2].amount.Value(), 1);
  ASSERT_EQ(c.host_ports.size(), 4u);
  EXPECT_EQ(c.host_ports[0].port, 8082);
  EXPECT_EQ(c.host_ports[0].protocol, objects::Protocol::kTcp);
  EXPECT_EQ(c.host_ports[0].ip, "");
  EXPECT_EQ(c.host_ports[1].port, 53);
  EXPECT_EQ(c.host_ports[1].ip, "10.0.0.1");
  EXPECT_EQ(c.host_ports[1].protocol, objects::Protocol::kUdp);
  EXPECT_EQ(c.host_ports[2].protocol, objects::Protocol::kSctp);
  EXPECT_EQ(c.host_ports[3].port, 65535);
  EXPECT_FALSE(p.containers[1].restart_always);
  EXPECT_TRUE(p.containers[1].requests.empty());
  ASSERT_EQ(p.init_containers.size(), 2u);
  EXPECT_TRUE(p.init_containers[0].restart_always);
  EXPECT_EQ(Milli(p.init_containers[0].requests, "cpu"), 1000);
  EXPECT_FALSE(p.init_containers[1].restart_always);
}

TEST(Decode, NodeAffinity) {
  const Result r = Read(PodText(R"({"affinity":{"nodeAffinity":{
    "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"a","operator":"In","values":["1","2"]},{"key":"b","operator":"NotIn","values":["x"]},{"key":"c","operator":"Exists"},
                           {"key":"d","operator":"DoesNotExist","values":null},{"key":"e","operator":"Gt","values":["5"]},{"key":"f","operator":"Lt","values":["7"]}],
       "matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]},{}]},
    "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":7,"preference":{"matchExpressions":[{"key":"z","operator":"Exists"}]}},{"weight":1}]}}})"));
  ASSERT_TRUE(r.d.pod) << r.diagnostics.at(0).message;
  const objects::Pod& p = *r.d.pod;
  EXPECT_TRUE(p.has_required_affinity);
  ASSERT_EQ(p.required_terms.size(), 2u);
  const auto& e = p.required_terms[0].expressions;
  ASSERT_EQ(e.size(), 6u);
  const objects::Operator operators[] = {objects::Operator::kIn,           objects::Operator::kNotIn, objects::Operator::kExists,
                                         objects::Operator::kDoesNotExist, objects::Operator::kGt,    objects::Operator::kLt};
  for (size_t i = 0; i < 6; i++) {
    EXPECT_EQ(e[i].key, std::string(1, static_cast<char>('a' + i)));
    EXPECT_EQ(e[i].op, operators[i]);
  }
  ASSERT_EQ(e[0].values.size(), 2u);
  EXPECT_EQ(e[0].values[1], "2");
  EXPECT_EQ(e[1].values[0], "x");
  EXPECT_TRUE(e[2].values.empty() && e[3].values.empty());
  EXPECT_EQ(e[4].values[0], "5");
  ASSERT_EQ(p.required_terms[0].fields.size(), 1u);
  EXPECT_EQ(p.required_terms[0].fields[0].key, "metadata.name");
  EXPECT_EQ(p.required_terms[0].fields[0].values[0], "n1");
  EXPECT_TRUE(p.required_terms[1].expressions.empty());
  ASSERT_EQ(p.preferred_terms.size(), 2u);
  EXPECT_EQ(p.preferred_terms[0].weight, 7);
  EXPECT_EQ(p.preferred_terms[0].term.expressions[0].key, "z");
  EXPECT_EQ(p.preferred_terms[1].weight, 1);
  EXPECT_EQ(p.unsupported_field, "");
}

TEST(Decode, RequiredAffinityPresentButEmpty) {
  for (const char* required : {"{}", R"({"nodeSelectorTerms":[]})", R"({"nodeSelectorTerms":null})"}) {
    const Result r =
        Read(PodText(std::string(R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)") + required + "}}}"));
    ASSERT_TRUE(r.d.pod);
    EXPECT_TRUE(r.d.pod->has_required_affinity);
    EXPECT_TRUE(r.d.pod->required_terms.empty());
  }
}

TEST(Decode, Tolerations) {
  const Result r = Read(PodText(R"({"tolerations":[{"key":"a","operator":"Equal","value":"v","effect":"NoSchedule"},{"operator":"Exists"},
    {"key":"b","effect":"NoExecute","operator":"Exists","tolerationSeconds":300},{"key":"c","operator":"Gt","value":"5"},{"key":"d","operator":"","effect":""},
    {"key":"e","operator":"Lt","effect":"PreferNoSchedule"}]})"));
  ASSERT_TRUE(r.d.pod);
  const auto& t = r.d.pod->tolerations;
  ASSERT_EQ(t.size(), 6u);
  EXPECT_EQ(t[0].key, "a");
  EXPECT_EQ(t[0].value, "v");
  EXPECT_EQ(t[0].op, objects::TolerationOperator::kEqual);
  EXPECT_EQ(t[0].effect, objects::TaintEffect::kNoSchedule);
  EXPECT_EQ(t[1].key, "");
  EXPECT_EQ(t[1].op, objects::TolerationOperator::kExists);
  EXPECT_EQ(t[1].effect, objects::TaintEffect::kNone);
  EXPECT_EQ(t[2].effect, objects::TaintEffect::kNoExecute);
  EXPECT_EQ(t[3].op, objects::TolerationOperator::kOther);
  EXPECT_EQ(t[4].op, objects::TolerationOperator::kEqual);
  EXPECT_EQ(t[4].effect, objects::TaintEffect::kNone);
  EXPECT_EQ(t[5].op, objects::TolerationOperator::kOther);
  EXPECT_EQ(t[5].effect, objects::TaintEffect::kPreferNoSchedule);
}

TEST(Decode, PodStatus) {
  const Result r = Read(PodText("{}", R"({"phase":"Running",
    "conditions":[{"type":"Ready","status":"True","message":5},
      {"message":"0/3 nodes \"fit\"","reason":"Unschedulable","status":"False","type":"PodScheduled","lastProbeTime":null},{"type":"PodScheduled","status":"True"},
      {"type":"PodResizePending","reason":"Infeasible"},{"type":"PodResizePending","reason":"Deferred"}],
    "containerStatuses":[{"name":"a","resources":{"requests":{"cpu":"2"},"limits":{"cpu":"x"}},"allocatedResources":{"cpu":"1"},"state":{"running":{}}},
      {"name":"b","allocatedResources":{"cpu":"1"}},{"name":"c","resources":{}},{"name":"d","resources":null}],
    "initContainerStatuses":[{"name":"i","resources":{"requests":{"cpu":"3"}}}]})"));
  ASSERT_TRUE(r.d.pod) << r.diagnostics.at(0).message;
  const objects::Pod& p = *r.d.pod;
  ASSERT_TRUE(p.scheduled_condition);
  EXPECT_EQ(p.scheduled_condition->type, "PodScheduled");
  EXPECT_EQ(p.scheduled_condition->status, "False");
  EXPECT_EQ(p.scheduled_condition->reason, "Unschedulable");
  EXPECT_EQ(p.scheduled_condition->message, "0/3 nodes \"fit\"");
  EXPECT_TRUE(p.resize_infeasible);
  ASSERT_EQ(p.resized.size(), 2u);
  EXPECT_EQ(p.resized[0].name, "a");
  EXPECT_EQ(Milli(p.resized[0].requests, "cpu"), 2000);
  EXPECT_EQ(Milli(p.resized[0].allocated, "cpu"), 1000);
  EXPECT_EQ(p.resized[1].name, "c");
  ASSERT_EQ(p.resized_init.size(), 1u);
  EXPECT_EQ(Milli(p.resized_init[0].requests, "cpu"), 3000);
  EXPECT_FALSE(Read(PodText("{}", R"({"phase":"Running","conditions":[{"type":"PodResizePending","reason":"Deferred"},
    {"type":"PodResizePending","reason":"Infeasible"}]})"))
                   .d.pod->resize_infeasible);  // the first one counts
  ExpectBad(Read(PodText("{}", R"({"phase":"Running","conditions":[{"type":"PodScheduled","status":"False","message":5}]})")), "Pod ns/a",
            "/status/conditions/0/message", "expected a string, got 5");
}

TEST(Decode, MirrorPods) {
  EXPECT_TRUE(
      Read(R"({"kind":"Pod","metadata":{"name":"a","annotations":{"kubernetes.io/config.mirror":"x"}},"status":{"phase":"Running"}})")
          .d.pod->mirror);
}

TEST(Decode, BadPods) {
  const auto in_requests = [](std::string_view resources) {
    return R"({"containers":[{},{"resources":{"requests":)" + std::string(resources) + "}}]}";
  };
  const std::string at = "/spec/containers/1/resources/requests";
  ExpectBadPod(in_requests(R"({"cpu":"1","memory":"10 Gi"})"), at + "/memory", "bad quantity \"10 Gi\"");
  ExpectBadPod(in_requests(R"({"a/b~c":"10GB"})"), at + "/a~1b~0c", "bad quantity \"10GB\"");
  ExpectBadPod(in_requests(R"({"cpu":-1})"), at + "/cpu", "negative request -1");
  ExpectBadPod(in_requests(R"({"cpu":"-1m"})"), at + "/cpu", "negative request \"-1m\"");
  ExpectBadPod(in_requests(R"({"cpu":true})"), at + "/cpu", "expected a quantity, got true");
  ExpectBadPod(in_requests(R"({"cpu":{}})"), at + "/cpu", "expected a quantity, got an object");
  ExpectBadPod(in_requests(R"({"cpu":["1"]})"), at + "/cpu", "expected a quantity, got an array");
  ExpectBadPod(in_requests(R"("1")"), at, "expected an object, got the string \"1\"");
  ExpectBadPod(in_requests("[]"), at, "expected an object, got an array");
  ExpectBadPod(in_requests(R"({"cpu":"1","cpu":"1"})"), at + "/cpu", "duplicate key \"cpu\"");
  ExpectBadPod(in_requests(R"({"cpu":")" + std::string(500, '9') + "x\"}"), at + "/cpu",
               "bad quantity \"" + std::string(77, '9') + "...\"");
  ExpectBadPod(R"({"containers":[{"resources":{"requests":{"cpu":"1"},"limits":{},"requests":{"cpu":"4"}}}]})",
               "/spec/containers/0/resources/requests", "duplicate key \"requests\"");
  ExpectBadPod(R"({"containers":[{"resources":{"limits":{"cpu":"-2"}}}]})", "/spec/containers/0/resources/limits/cpu",
               "negative limit \"-2\"");
  ExpectBadPod(R"({"initContainers":[{"resources":{"limits":{"cpu":"2x"}}}]})", "/spec/initContainers/0/resources/limits/cpu",
               "bad quantity \"2x\"");
  ExpectBadPod(R"({"overhead":{"cpu":"-2"}})", "/spec/overhead/cpu", "negative overhead \"-2\"");
  ExpectBadPod(R"({"resources":{"requests":{"cpu":"a"}}})", "/spec/resources/requests/cpu", "bad quantity \"a\"");
  ExpectBadPod(R"({"containers":{}})", "/spec/containers", "expected an array, got an object");
  ExpectBadPod(R"({"containers":[[]]})", "/spec/containers/0", "expected an object, got an array");
  ExpectBadPod(R"({"containers":[{},null]})", "/spec/containers/1", "expected an object, got null");
  ExpectBadPod(R"({"containers":[{"ports":[{"hostPort":70000}]}]})", "/spec/containers/0/ports/0/hostPort",
               "integer 70000 is out of range");
  ExpectBadPod(R"({"containers":[{"ports":[{"hostPort":-1}]}]})", "/spec/containers/0/ports/0/hostPort", "integer -1 is out of range");
  ExpectBadPod(R"({"containers":[{"ports":[{"protocol":"HTTP"}]}]})", "/spec/containers/0/ports/0/protocol", "unknown protocol \"HTTP\"");
  ExpectBadPod(R"({"priority":"1"})", "/spec/priority", "expected an integer, got the string \"1\"");
  ExpectBadPod(R"({"priority":1.0})", "/spec/priority", "expected an integer, got the number 1.0");
  ExpectBadPod(R"({"priority":1e3})", "/spec/priority", "expected an integer, got the number 1e3");
  ExpectBadPod(R"({"priority":2147483648})", "/spec/priority", "integer 2147483648 is out of range");
  ExpectBadPod(R"({"priority":99999999999999999999})", "/spec/priority", "integer 99999999999999999999 is out of range");
  ExpectBadPod(R"({"priority":false})", "/spec/priority", "expected an integer, got false");
  ExpectBadPod(R"({"nodeName":["n"]})", "/spec/nodeName", "expected a string, got an array");
  ExpectBadPod(R"({"nodeSelector":{"a":true}})", "/spec/nodeSelector/a", "expected a string, got true");
  ExpectBadPod(R"({"nodeSelector":{"a":"1","a":"2"}})", "/spec/nodeSelector/a", "duplicate key \"a\"");
  ExpectBadPod(R"({"tolerations":[{"operator":"Like"}]})", "/spec/tolerations/0/operator", "unknown operator \"Like\"");
  ExpectBadPod(R"({"tolerations":[{},{"effect":"Maybe"}]})", "/spec/tolerations/1/effect", "unknown effect \"Maybe\"");
  ExpectBadPod(R"({"schedulingGates":["a"]})", "/spec/schedulingGates/0", "expected an object, got the string \"a\"");
  const std::string required =
      R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[)";
  const std::string terms =
      "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0";
  ExpectBadPod(required + R"({"key":"a","operator":"in"}]}]}}}})", terms + "/operator", "unknown operator \"in\"");
  ExpectBadPod(required + R"({"key":"a"}]}]}}}})", terms + "/operator", "unknown operator \"\"");
  ExpectBadPod(required + R"({"key":"a","operator":"In","values":"x"}]}]}}}})", terms + "/values",
               "expected an array, got the string \"x\"");
  ExpectBadPod(required + R"({"key":"a","operator":"In","values":[1]}]}]}}}})", terms + "/values/0", "expected a string, got the number 1");
  ExpectBadPod(R"({"volumes":[{"name":"a","name":"b"}]})", "/spec/volumes/0/name", "duplicate key \"name\"");
  ExpectBadPod(R"({"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{}}}})",
               "/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution", "expected an array, got an object");
}

TEST(Decode, QuantitiesThatAreLegal) {  // user reports C072, C073
  const Result r = Read(PodText(
      R"({"containers":[{"resources":{"requests":{"a":4,"b":1.23e8,"c":0.1,"d":"+1","e":".5","f":"5.","g":"129e6","h":"128974848000m",
    "i":" 1Ki ","j":1E3,"k":0,"l":-0}}}]})"));
  ASSERT_TRUE(r.d.pod) << r.diagnostics.at(0).message;
  const auto& list = r.d.pod->containers[0].requests;
  EXPECT_EQ(Milli(list, "a"), 4000);
  EXPECT_EQ(Milli(list, "b"), 123000000000);
  EXPECT_EQ(Milli(list, "c"), 100);
  EXPECT_EQ(Milli(list, "d"), 1000);
  EXPECT_EQ(Milli(list, "e"), 500);
  EXPECT_EQ(Milli(list, "f"), 5000);
  EXPECT_EQ(Milli(list, "g"), 129000000000);
  EXPECT_EQ(Milli(list, "h"), 128974848000);
  EXPECT_EQ(Milli(list, "i"), 1024000);
  EXPECT_EQ(Milli(list, "j"), 1000000);
  EXPECT_EQ(Milli(list, "k"), 0);
  EXPECT_EQ(Milli(list, "l"), 0);
}

TEST(Decode, QuantitiesThatAreNot) {  // user reports C072 i and C073
  for (const char* text : {"10 Gi", "1.5.2", ".07893E985.90504", "10GB", "", "0x10", "1e3m", "\\u0031", "1\\n", "Gi", "--1", "∞"})
    ExpectBadPod(std::string(R"({"containers":[{"resources":{"requests":{"memory":")") + text + "\"}}}]}",
                 "/spec/containers/0/resources/requests/memory", std::string("bad quantity \"") + text + '"');
}

TEST(Decode, UnsupportedFields) {
  const auto field = [](const std::string& spec) {
    const Result r = Read(PodText(spec));
    return r.d.pod ? std::string(r.d.pod->unsupported_field) : r.diagnostics.at(0).message;
  };
  const std::string required = R"({"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"z"}]})";
  const std::string preferred = R"({"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1}]})";
  const std::string empty = R"({"requiredDuringSchedulingIgnoredDuringExecution":[],"preferredDuringSchedulingIgnoredDuringExecution":[]})";
  const std::string spread =
      R"("topologySpreadConstraints":[{"whenUnsatisfiable":"ScheduleAnyway"},{"maxSkew":1,"whenUnsatisfiable":"DoNotSchedule"}])";
  const std::string volume =
      R"("volumes":[{"name":"a","emptyDir":{}},{"name":"b","persistentVolumeClaim":{"claimName":"c"}},{"name":"c","ephemeral":{}}])";
  const std::string claims = R"("resourceClaims":[{"name":"c"}])";
  const auto gpu = [](const char* section, const char* name, const char* amount = "\"1\"") {
    return std::string(R"("containers":[{},{"resources":{")") + section + "\":{\"cpu\":1,\"" + name + "\":" + amount + "}}}]";
  };
  EXPECT_EQ(field(R"({"affinity":{"podAffinity":)" + required + "}}"), "/spec/affinity/podAffinity");
  EXPECT_EQ(field(R"({"affinity":{"podAffinity":)" + preferred + "}}"), "/spec/affinity/podAffinity");
  EXPECT_EQ(field(R"({"affinity":{"podAntiAffinity":)" + required + "}}"), "/spec/affinity/podAntiAffinity");
  EXPECT_EQ(field(R"({"affinity":{"podAntiAffinity":)" + preferred + ",\"podAffinity\":" + required + "}}"), "/spec/affinity/podAffinity");
  EXPECT_EQ(field(R"({"affinity":{"podAffinity":)" + empty + R"(,"podAntiAffinity":{}}})"), "");
  EXPECT_EQ(field(R"({"affinity":{}})"), "");
  EXPECT_EQ(field("{" + spread + "}"), "/spec/topologySpreadConstraints/1");
  EXPECT_EQ(field(R"({"topologySpreadConstraints":[{"whenUnsatisfiable":"ScheduleAnyway"}]})"), "");
  EXPECT_EQ(field("{" + volume + "}"), "/spec/volumes/1/persistentVolumeClaim");
  EXPECT_EQ(field(R"({"volumes":[{"ephemeral":{"volumeClaimTemplate":{}}}]})"), "/spec/volumes/0/ephemeral");
  EXPECT_EQ(field(R"({"volumes":[{"persistentVolumeClaim":null,"configMap":{"name":"x"}}]})"), "");
  EXPECT_EQ(field("{" + claims + "}"), "/spec/resourceClaims");
  EXPECT_EQ(field(R"({"resourceClaims":[]})"), "");
  for (const char* name : {"vgpu-number", "vgpu-memory", "vgpu-cores", "vgpu-memory-percentage", "gpu-memory", "gpu-number"}) {
    EXPECT_EQ(field("{" + gpu("limits", (std::string("volcano.sh/") + name).c_str()) + "}"),
              std::string("/spec/containers/1/resources/limits/volcano.sh~1") + name);
    EXPECT_EQ(field("{" + gpu("requests", (std::string("volcano.sh/") + name).c_str()) + "}"),
              std::string("/spec/containers/1/resources/requests/volcano.sh~1") + name);
  }
  EXPECT_EQ(field("{" + gpu("limits", "huawei.com/npu-core") + "}"), "/spec/containers/1/resources/limits/huawei.com~1npu-core");
  EXPECT_EQ(field(R"({"initContainers":[{"resources":{"limits":{"volcano.sh/vgpu-number":1}}}]})"),
            "/spec/initContainers/0/resources/limits/volcano.sh~1vgpu-number");
  EXPECT_EQ(field("{" + gpu("limits", "volcano.sh/vgpu-number", "0") + "}"), "");
  EXPECT_EQ(field("{" + gpu("limits", "volcano.sh/other") + "}"), "");
  EXPECT_EQ(field("{" + gpu("limits", "nvidia.com/gpu") + "}"), "");
  // The order of report does not depend on the order of the fields.
  EXPECT_EQ(field("{" + gpu("limits", "volcano.sh/vgpu-number") + "," + claims + "," + volume + "," + spread + "}"),
            "/spec/topologySpreadConstraints/1");
  EXPECT_EQ(field("{" + gpu("limits", "volcano.sh/vgpu-number") + "," + claims + "," + volume + "}"),
            "/spec/volumes/1/persistentVolumeClaim");
  EXPECT_EQ(field("{" + gpu("limits", "volcano.sh/vgpu-number") + "," + claims + "}"), "/spec/resourceClaims");
}

// ---- Volcano's kinds ----

TEST(Decode, PodGroup) {
  const Result r = Read(R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":"g","namespace":"x"},
    "spec":{"minMember":3,"queue":"q","priorityClassName":"high","minResources":{"cpu":"3"},"minTaskMember":{"ps":1,"worker":2}},
    "status":{"phase":"Inqueue","running":1,"succeeded":2,"failed":3,"conditions":[{"type":"Unschedulable","status":"True","reason":"NotEnoughResources",
      "message":"3/3","transitionID":"t1","lastTransitionTime":"2025-11-30T10:53:23Z"},{"type":"Scheduled"}]}})");
  ASSERT_TRUE(r.d.pod_group);
  const objects::PodGroup& g = *r.d.pod_group;
  EXPECT_EQ(g.min_member, 3);
  EXPECT_EQ(g.queue, "q");
  EXPECT_EQ(g.priority_class_name, "high");
  EXPECT_TRUE(g.has_min_resources);
  EXPECT_EQ(Milli(g.min_resources, "cpu"), 3000);
  ASSERT_EQ(g.min_task_member.size(), 2u);
  EXPECT_EQ(g.min_task_member[0].role, "ps");
  EXPECT_EQ(g.min_task_member[1].min, 2);
  EXPECT_EQ(g.phase, "Inqueue");
  EXPECT_EQ(g.running, 1);
  EXPECT_EQ(g.succeeded, 2);
  EXPECT_EQ(g.failed, 3);
  ASSERT_EQ(g.conditions.size(), 2u);
  EXPECT_EQ(g.conditions[0].type, "Unschedulable");
  EXPECT_EQ(g.conditions[0].status, "True");
  EXPECT_EQ(g.conditions[0].reason, "NotEnoughResources");
  EXPECT_EQ(g.conditions[0].message, "3/3");
  EXPECT_EQ(g.conditions[0].transition_id, "t1");
  EXPECT_EQ(g.conditions[0].transition_seconds, 1764500003);
  EXPECT_EQ(g.unsupported_field, "");
}

TEST(Decode, PodGroupUnsupportedFields) {
  const auto field = [](const char* spec) {
    return std::string(
        Read(std::string(R"({"kind":"PodGroup","metadata":{"name":"g"},"spec":)") + spec + "}").d.pod_group->unsupported_field);
  };
  EXPECT_EQ(field(R"({"networkTopology":{"mode":"hard"}})"), "/spec/networkTopology");
  EXPECT_EQ(field(R"({"subGroupPolicy":[{"name":"a"}],"networkTopology":{}})"), "/spec/networkTopology");
  EXPECT_EQ(field(R"({"networkTopology":null,"subGroupPolicy":[{"name":"a"}]})"), "/spec/subGroupPolicy");
  EXPECT_EQ(field(R"({"networkTopology":null,"subGroupPolicy":[]})"), "");
}

TEST(Decode, BadPodGroups) {
  const auto expect = [](std::string_view spec, std::string_view pointer, std::string_view message) {
    ExpectBad(Read(R"({"kind":"PodGroup","metadata":{"name":"g"},"spec":)" + std::string(spec) + "}"), "PodGroup default/g", pointer,
              message);
  };
  expect(R"({"minMember":"2"})", "/spec/minMember", "expected an integer, got the string \"2\"");
  expect(R"({"minMember":1.5})", "/spec/minMember", "expected an integer, got the number 1.5");
  expect(R"({"minMember":-2147483649})", "/spec/minMember", "integer -2147483649 is out of range");
  expect(R"({"minTaskMember":{"a":"1"}})", "/spec/minTaskMember/a", "expected an integer, got the string \"1\"");
  expect(R"({"minTaskMember":{"a":1,"a":2}})", "/spec/minTaskMember/a", "duplicate key \"a\"");
  expect(R"({"minResources":{"cpu":"-1"}})", "/spec/minResources/cpu", "negative minimum \"-1\"");
  expect(R"({"networkTopology":"hard"})", "/spec/networkTopology", "expected an object, got the string \"hard\"");
  expect(R"({"subGroupPolicy":{}})", "/spec/subGroupPolicy", "expected an array, got an object");
}

TEST(Decode, Queue) {
  const Result r = Read(
      R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{"name":"q"},"spec":{"weight":4,"priority":9,"reclaimable":false,
    "parent":"root","capability":{"cpu":"10"},"deserved":{"cpu":"5"},"guarantee":{"resource":{"cpu":"2"}}},"status":{"state":"Open","allocated":{"cpu":"x"}}})");
  ASSERT_TRUE(r.d.queue);
  const objects::Queue& q = *r.d.queue;
  EXPECT_EQ(q.weight, 4);
  EXPECT_EQ(q.priority, 9);
  EXPECT_FALSE(q.reclaimable);
  EXPECT_EQ(q.parent, "root");
  EXPECT_EQ(q.state, "Open");
  EXPECT_EQ(Milli(q.capability, "cpu"), 10000);
  EXPECT_EQ(Milli(q.deserved, "cpu"), 5000);
  EXPECT_EQ(Milli(q.guarantee, "cpu"), 2000);
  const Result bare = Read(R"({"kind":"Queue","metadata":{"name":"q"},"spec":{"weight":null,"reclaimable":null,"guarantee":{}}})");
  ASSERT_TRUE(bare.d.queue);
  EXPECT_EQ(bare.d.queue->weight, 1);
  EXPECT_EQ(bare.d.queue->priority, 0);
  EXPECT_TRUE(bare.d.queue->reclaimable);
  EXPECT_EQ(bare.d.queue->state, "");
  ExpectBad(Read(R"({"kind":"Queue","metadata":{"name":"q"},"spec":{"guarantee":{"resource":{"cpu":"-2"}}}})"), "Queue q",
            "/spec/guarantee/resource/cpu", "negative guarantee \"-2\"");
  ExpectBad(Read(R"({"kind":"Queue","metadata":{"name":"q"},"spec":{"weight":"2"}})"), "Queue q", "/spec/weight",
            "expected an integer, got the string \"2\"");
}

TEST(Decode, HyperNode) {
  const Result r = Read(
      R"({"apiVersion":"topology.volcano.sh/v1alpha1","kind":"HyperNode","metadata":{"name":"h"},"spec":{"tier":2,"tierName":"rack","members":[
    {"type":"Node","selector":{"exactMatch":{"name":"n1"}}},{"type":"HyperNode","selector":{"exactMatch":{"name":"h1"}}},
    {"type":"Node","selector":{"regexMatch":{"pattern":"^n\\d$"}}},{"type":"Node","selector":{"labelMatch":{"matchLabels":{"a":"b"}}}}]}})");
  ASSERT_TRUE(r.d.hyper_node);
  const objects::HyperNode& h = *r.d.hyper_node;
  EXPECT_EQ(h.tier, 2);
  EXPECT_EQ(h.tier_name, "rack");
  ASSERT_EQ(h.members.size(), 4u);
  EXPECT_FALSE(h.members[0].is_hypernode);
  EXPECT_EQ(h.members[0].exact_name, "n1");
  EXPECT_TRUE(h.members[1].is_hypernode);
  EXPECT_EQ(h.members[2].regex_pattern, "^n\\d$");
  EXPECT_FALSE(h.members[2].has_label_match);
  EXPECT_TRUE(h.members[3].has_label_match);
  ExpectBad(Read(R"({"kind":"HyperNode","metadata":{"name":"h"},"spec":{"members":[{"type":"Rack"}]}})"), "HyperNode h",
            "/spec/members/0/type", "unknown member type \"Rack\"");
}

// ---- the small kinds ----

TEST(Decode, SmallKinds) {
  const Result priority =
      Read(R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p"},"value":1000,"globalDefault":true,
    "preemptionPolicy":"Never","description":"d"})");
  ASSERT_TRUE(priority.d.priority_class);
  EXPECT_EQ(priority.d.priority_class->value, 1000);
  EXPECT_TRUE(priority.d.priority_class->global_default);
  EXPECT_TRUE(priority.d.priority_class->preemption_never);
  ExpectBad(Read(R"({"kind":"PriorityClass","metadata":{"name":"p"},"value":"1"})"), "PriorityClass p", "/value",
            "expected an integer, got the string \"1\"");

  const Result quota =
      Read(R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"r","namespace":"x"},"spec":{"hard":{"cpu":"1"}},
    "status":{"hard":{"cpu":"2","count/pods":"5"},"used":{"cpu":"1"}}})");
  ASSERT_TRUE(quota.d.resource_quota);
  EXPECT_EQ(quota.d.resource_quota->hard.size(), 2u);
  EXPECT_EQ(Milli(quota.d.resource_quota->hard, "cpu"), 2000);
  EXPECT_EQ(Milli(quota.d.resource_quota->used, "cpu"), 1000);

  const Result name_space = Read(
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})");
  ASSERT_TRUE(name_space.d.namespace_);
  EXPECT_EQ(name_space.d.namespace_->meta.name, "x");

  const Result config = Read(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"other":"x","volcano-scheduler.conf":"actions: \"a\"\n"}})");
  ASSERT_TRUE(config.d.config_map);
  EXPECT_TRUE(config.d.config_map->has_scheduler_conf);
  EXPECT_EQ(config.d.config_map->scheduler_conf, "actions: \"a\"\n");
  const Result plain = Read(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"b"}})");
  ASSERT_TRUE(plain.d.config_map);
  EXPECT_FALSE(plain.d.config_map->has_scheduler_conf);

  const Result budget = Read(
      R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"a":"b"},
    "matchExpressions":[{"key":"k","operator":"In","values":["x","y"]}]}},"status":{"disruptionsAllowed":2,"currentHealthy":3,"disruptedPods":{"p":null,"q":"2026-01-01T00:00:00Z"}}})");
  ASSERT_TRUE(budget.d.pod_disruption_budget);
  EXPECT_EQ(budget.d.pod_disruption_budget->disruptions_allowed, 2);
  EXPECT_EQ(budget.d.pod_disruption_budget->match_labels.size(), 1u);
  ASSERT_EQ(budget.d.pod_disruption_budget->expressions.size(), 1u);
  EXPECT_EQ(budget.d.pod_disruption_budget->expressions[0].values.size(), 2u);
  EXPECT_EQ(budget.d.pod_disruption_budget->disrupted_pods.size(), 2u);
  ExpectBad(Read(R"({"kind":"PodDisruptionBudget","metadata":{"name":"b"},"spec":{"selector":{"matchExpressions":[{"key":"k","operator":"Near"}]}}})"), "PodDisruptionBudget default/b",
            "/spec/selector/matchExpressions/0/operator", "unknown operator \"Near\"");
  ExpectBad(Read(R"({"kind":"PodDisruptionBudget","metadata":{"name":"b"},"status":{"disruptionsAllowed":"2"}})"), "PodDisruptionBudget default/b", "/status/disruptionsAllowed",
            "expected an integer, got the string \"2\"");
  ExpectBad(Read(R"({"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running","conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":"noon"}]}})"),
            "Pod default/p", "/status/conditions/0/lastTransitionTime", "bad time \"noon\"");
}

TEST(Decode, MetricValuesHaveNoMetadata) {
  const Result beta2 = Read(R"({"describedObject":{"kind":"Node","name":"n1","apiVersion":"/v1"},"metric":{"name":"node_cpu_usage_avg","selector":null},
    "timestamp":"2026-01-01T12:00:00Z","value":"450m"})", "MetricValue");
  ASSERT_TRUE(beta2.d.metric_value);
  EXPECT_EQ(beta2.d.metric_value->node, "n1");
  EXPECT_EQ(beta2.d.metric_value->metric, "node_cpu_usage_avg");
  EXPECT_EQ(beta2.d.metric_value->value.MilliValue(), 450);
  EXPECT_EQ(beta2.d.metric_value->seconds, 1767268800);
  EXPECT_EQ(beta2.d.meta->name, "n1/node_cpu_usage_avg");
  const Result beta1 = Read(R"({"kind":"MetricValue","apiVersion":"custom.metrics.k8s.io/v1beta1","describedObject":{"kind":"Pod","name":"p"},"metricName":"m","value":1})");
  ASSERT_TRUE(beta1.d.metric_value);
  EXPECT_EQ(beta1.d.metric_value->node, "");
  EXPECT_EQ(KindOf("MetricValue", "external.metrics.k8s.io/v1beta1"), Kind::kOther);
  const auto bad = [](const std::string& fields, const char* pointer, const char* message) {
    const Result r = Read("{\"kind\":\"MetricValue\"," + fields + "}");
    ASSERT_EQ(r.diagnostics.size(), 1u) << fields;
    EXPECT_TRUE(r.d.set_aside);
    EXPECT_EQ(r.diagnostics[0].field, pointer);
    EXPECT_EQ(r.diagnostics[0].message, message);
  };
  bad(R"("metric":{"name":"m"})", "/describedObject", "missing name");
  bad(R"("describedObject":{"kind":"Node","name":"n"})", "/metric", "missing name");
  bad(R"("describedObject":{"kind":"Node","name":"n"},"metricName":"m","value":"-1")", "/value", "negative value \"-1\"");
  bad(R"("describedObject":{"kind":"Node","name":"n"},"metricName":"m","timestamp":"now")", "/timestamp", "bad time \"now\"");
}

// ---- texts ----

TEST(Decode, Malformed) {
  ExpectMalformed("", 0, "unexpected end of the text");
  ExpectMalformed("   ", 3, "unexpected end of the text");
  ExpectMalformed("{", 1, "unexpected end of the text");
  ExpectMalformed("[", 1, "unexpected end of the text");
  ExpectMalformed("[1", 2, "unexpected end of the text");
  ExpectMalformed("[1,", 3, "unexpected end of the text");
  ExpectMalformed("[[", 2, "unexpected end of the text");
  ExpectMalformed("}", 0, "unexpected '}'");
  ExpectMalformed("nul", 0, "unexpected 'n'");
  ExpectMalformed("12x", 0, "unexpected '1'");
  ExpectMalformed("-", 0, "unexpected '-'");
  ExpectMalformed("{} {}", 3, "unexpected text behind the object");
  ExpectMalformed("null\"a\"", 0, "unexpected 'n'");
  ExpectMalformed("null,", 4, "unexpected text behind the object");
  const std::string head = R"({"kind":"Node","metadata":{"name":"n"})";
  ExpectMalformed(head, head.size(), "unexpected end of the text");
  const auto behind = [&](const char* rest, size_t offset, const char* message) {
    ExpectMalformed(head + rest, head.size() + offset, message);
  };
  behind(",", 1, "unexpected end of the text");
  behind(",}", 1, "unexpected '}'");
  behind(",\"spec\"", 7, "unexpected end of the text");
  behind(",\"spec\"}", 7, "unexpected '}'");
  behind(",\"spec\":", 8, "unexpected end of the text");
  behind(",\"spec\":}", 8, "unexpected '}'");
  behind(",\"spec\":{", 9, "unexpected end of the text");
  behind(",\"spec\":{}", 10, "unexpected end of the text");
  behind(",\"spec\":{}]", 10, "unexpected ']'");
  behind(",\"spec\":{\"unschedulable\":tru}}", 25, "unexpected 't'");
  behind(",\"spec\":{\"unschedulable\":nulL}}", 25, "unexpected 'n'");
  behind(",\"spec\":{\"taints\":[}}", 19, "unexpected '}'");
  behind(",\"spec\":{\"taints\":[,]}}", 19, "unexpected ','");
  behind(",\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"},]}}", 53, "unexpected ']'");
  behind(",\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"} {}]}}", 53, "unexpected '{'");
  behind(",\"status\":{\"allocatable\":{\"cpu\":01}}}", 32, "unexpected '0'");
  behind(",\"status\":{\"allocatable\":{\"cpu\":1 2}}}", 34, "unexpected '2'");
  behind(",\"status\":{\"allocatable\":{\"cpu\":\"1\" \"2\"}}}", 36, "unexpected string \"2\"");
  behind(",\"status\":{\"allocatable\":{\"cpu\"::\"1\"}}}", 32, "unexpected ':'");
  behind(",\"status\":{\"allocatable\":{\"cpu\",\"1\"}}}", 31, "unexpected ','");
  behind(",\"status\":{\"allocatable\":{cpu:1}}}", 26, "unexpected 'c'");
  behind(",\"status\":{'a':1}}", 11, "unexpected '''");
  behind(",\"spec\":{\"podCIDR\":\"abc}}", 25, "unexpected end of the text: a string is not closed");
  behind(",\"spec\":{\"podCIDR\":\"a\nb\"}}", 21, "control character in a string");
  behind(",\"spec\":{\"podCIDR\":\"a\xff\"}}", 21, "not valid UTF-8");
  behind(",\"spec\":{\"podCIDR\":\"\xc0\x80\"}}", 20, "not valid UTF-8");
  behind(",\"spec\":{\"podCIDR\":\"\xed\xa0\x80\"}}", 20, "not valid UTF-8");
  behind(",\"spec\":{\"taints\":[{\"key\":\"\\q\",\"effect\":\"NoSchedule\"}]}}", 27, "bad escape sequence in a string");
  behind(",\"spec\":{\"taints\":[{\"key\":\"\\u12g4\",\"effect\":\"NoSchedule\"}]}}", 27, "bad escape sequence in a string");
  behind(",\"spec\":{\"taints\":[{\"key\":\"\\u12\",\"effect\":\"NoSchedule\"}]}}", 27, "bad escape sequence in a string");
  behind(",\"sp\\xec\":{}}", 4, "bad escape sequence in a string");
  behind("\f}", 0, "unexpected character");
}

TEST(Decode, MalformedInSkippedParts) {
  const std::string head = R"({"kind":"Pod","metadata":{"name":"n"},"zzz":)";
  const auto in = [&](const char* rest, size_t offset, const char* message) {
    ExpectMalformed(head + rest, head.size() + offset, message);
  };
  in("[1,2}}", 4, "unexpected '}'");
  in("{\"a\":[1,{\"b\":2]}}", 14, "unexpected ']'");
  in("[1,]}", 3, "unexpected ']'");
  in("[,1]}", 1, "unexpected ','");
  in("{\"a\":1,}}", 7, "unexpected '}'");
  in("{\"a\" 1}}", 5, "unexpected '1'");
  in("{\"a\"}}", 4, "unexpected '}'");
  in("{1:2}}", 1, "unexpected '1'");
  in("[tru]}", 1, "unexpected 't'");
  in("[1.]}", 1, "unexpected '1'");
  in("[.5]}", 1, "unexpected '.'");
  in("[1e]}", 1, "unexpected '1'");
  in("[+1]}", 1, "unexpected '+'");
  in("[0x10]}", 1, "unexpected '0'");
  in("[NaN]}", 1, "unexpected 'N'");
  in("[\"a\" \"b\"]}", 5, "unexpected string \"b\"");
  in("[\"a\"b]}", 4, "unexpected 'b'");
  in("{\"a\":1:2}}", 6, "unexpected ':'");
  in("[{]}", 2, "unexpected ']'");
  in("[{\"a\":", 6, "unexpected end of the text");
  in("[[[[", 4, "unexpected end of the text");
}

TEST(Decode, SyntaxErrorsBeatBadObjects) {  // nothing of a cut text may be used, so its end decides
  ExpectMalformed(R"({"kind":"Node","metadata":{"name":5},"spec":{)", 45, "unexpected end of the text");
  ExpectMalformed(R"({"kind":"Node","metadata":{"name":"a"},"spec":[],"status":{]})", 59, "unexpected ']'");
}

TEST(Decode, EveryPrefixIsMalformed) {
  const std::string text =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"x":"y\n"}},"spec":{"priority":12,"containers":[{"name":"m",
    "resources":{"requests":{"cpu":"1","memory":1e9}},"env":[{"a":[true,false,null]}]}]},"status":{"phase":"Running"}} )";
  ASSERT_TRUE(Read(text).d.pod);
  for (size_t n = 0; n + 2 <= text.size(); n++)
    for (const char padding : {'}', '"', ' ', '1', ']'}) {
      const Result r = Read(std::string_view(text).substr(0, n), "Pod", "x", padding);
      EXPECT_FALSE(r.well_formed) << n;
      EXPECT_LE(r.offset, n);
    }
}

TEST(Decode, BlanksDoNotMatter) {
  std::string text =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"containers":[{"name":"m","resources":{"requests":{"cpu":1}}}]},"status":{"phase":"Running"}})";
  std::string spaced;
  bool string = false;
  for (const char c : text) {
    if (c == '"') string = !string;
    if (!string && std::string_view("{}[]:,").find(c) != std::string_view::npos) spaced += std::string(" \r\n\t") + c + "\n  \t \r\n";
    else spaced += c;
  }
  const Result r = Read(spaced);
  ASSERT_TRUE(r.d.pod) << r.message;
  EXPECT_EQ(r.d.pod->meta.labels[0].key, "x");
  EXPECT_EQ(Milli(r.d.pod->containers[0].requests, "cpu"), 1000);
}

TEST(Decode, Escapes) {
  const Result r = Read(
      R"({"kind":"Node","metadata":{"n\u0061me":"\u006e\"\\\/\u00fc","labels":{"\b\f\n\r\t":"\ud83d\ude00","half":"\ud83d!","low":"\ude00","plain":"ü☃😀"}}})");
  ASSERT_TRUE(r.d.node) << r.message;
  EXPECT_EQ(r.d.meta->name, "n\"\\/ü");
  EXPECT_EQ(r.d.meta->labels[0].key, "\b\f\n\r\t");
  EXPECT_EQ(r.d.meta->labels[0].value, "😀");
  EXPECT_EQ(r.d.meta->labels[1].value, "\uFFFD!");
  EXPECT_EQ(r.d.meta->labels[2].value, "\uFFFD");
  EXPECT_EQ(r.d.meta->labels[3].value, "ü☃😀");
}

TEST(Decode, PlainStringsAreNotCopied) {
  const Result r = Read(R"({"kind":"Node","metadata":{"name":"plain"}})");
  ASSERT_TRUE(r.d.node);
  EXPECT_GE(r.d.meta->name.data(), r.bytes.data());
  EXPECT_LT(r.d.meta->name.data(), r.bytes.data() + r.bytes.size());
}

TEST(Decode, DeepNesting) {
  const size_t depth = 1000000;
  const std::string open(depth, '['), close(depth, ']');
  const std::string head = R"({"kind":"Node","metadata":{"name":"n"},"deep":)";
  EXPECT_TRUE(Read(head + open + close + "}").d.node);
  const Result cut = Read(head + open);
  EXPECT_FALSE(cut.well_formed);
  EXPECT_EQ(cut.offset, head.size() + depth);
  std::string objects;
  for (size_t i = 0; i < depth; i++) objects += "{\"a\":";
  EXPECT_TRUE(Read(head + objects + "1" + std::string(depth, '}') + "}").d.node);
  ExpectBad(Read(R"({"kind":"Node","metadata":)" + open + close + "}"), "items[3]", "/metadata", "expected an object, got an array");
  ExpectBad(Read(open + close), "items[3]", "", "expected an object, got an array");
}

TEST(Decode, HugeStrings) {
  const std::string huge(5000000, 'x');
  const Result r = Read(R"({"kind":"Node","metadata":{"name":"n","annotations":{"a":")" + huge + R"(","b":"\n)" + huge + R"("}}})");
  ASSERT_TRUE(r.d.node);
  EXPECT_EQ(r.d.meta->annotations[0].value.size(), huge.size());
  EXPECT_EQ(r.d.meta->annotations[1].value.size(), huge.size() + 1);
  const Result bad = Read(R"({"kind":"Node","metadata":{"name":"n","labels":{")" + huge + R"(":")" + huge + R"(",")" + huge + R"(":1}}})");
  ASSERT_EQ(bad.diagnostics.size(), 1u);
  EXPECT_LT(bad.diagnostics[0].message.size(), 200u);
  EXPECT_LT(bad.diagnostics[0].field.size(), 200u);
}

TEST(Decode, OneDecoderServesManyTexts) {
  Decoder decoder;
  Arena arena;
  std::vector<Diagnostic> diagnostics;
  size_t offset;
  std::string message;
  Decoded d;
  const std::string padding(kJsonPaddingBytes, ' ');
  const std::string good = R"({"kind":"Node","metadata":{"name":"n"}})", bad = R"({"kind":"Node","metadata":{"name":"n"},"spec":5})",
                    cut = good.substr(0, 20);
  for (int i = 0; i < 3; i++) {
    for (const std::string* text : {&good, &cut, &bad}) {
      const std::string padded = *text + padding;
      const bool well_formed = decoder.Decode({padded.data(), text->size()}, {}, "x", &arena, &d, &diagnostics, &offset, &message);
      EXPECT_EQ(well_formed, text != &cut);
      EXPECT_EQ(d.node != nullptr, text == &good);
      EXPECT_EQ(d.set_aside, text == &bad);
      EXPECT_EQ(d.meta != nullptr, text != &cut);
    }
    arena.Clear();
  }
  EXPECT_EQ(diagnostics.size(), 3u);
  Decoder moved = std::move(decoder);
  const std::string padded = good + padding;
  EXPECT_TRUE(moved.Decode({padded.data(), good.size()}, {}, "x", &arena, &d, &diagnostics, &offset, &message));
  EXPECT_NE(d.node, nullptr);
}

}  // namespace
}  // namespace basalt

// The plan verifier: it accepts what Volcano decided and what the kernel decides, and refuses every kind of corrupted plan.
#include "report/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <simdjson.h>
#include <sstream>

#include "kernel/include/basalt.h"
#include "report/json_writer.h"
#include "report/verify_plan.h"

namespace basalt {
namespace {

using verify::PlanCycle;
using verify::PlanDocument;
using verify::PlanGroup;
using verify::PlanPlacement;
using verify::PlanPod;

// ---- documents ----

std::string Write(const PlanDocument& plan, bool rehash = true) {
  std::string json;
  JsonWriter w(&json);
  w.Open('{').Key("apiVersion").String("basalt.dev/v1alpha1").Key("kind").String("Schedule").Key("inputs").Open('{');
  w.Key("nodes").Integer(plan.inputs.nodes).Key("pods").Integer(plan.inputs.pods).Key("podgroups").Integer(plan.inputs.podgroups).Key("queues").Integer(plan.inputs.queues);
  w.Close('}').Key("diagnostics").Open('[').Close(']').Key("cycles").Open('[');
  for (const PlanCycle& c : plan.cycles) {
    w.Open('{');
    for (const auto& [name, list] : {std::pair("binds", &c.binds), std::pair("pipelined", &c.pipelined)}) {
      w.Key(name).Open('{');
      for (const PlanPlacement& p : *list) w.Key(p.pod).String(p.node + (p.held ? " (allocated, not dispatched)" : ""));
      w.Close('}');
    }
    w.Key("evicted").Open('[');
    for (const std::string& e : c.evicted) w.String(e);
    w.Close(']').Key("podgroups").Open('{');
    for (const PlanGroup& g : c.groups) {
      w.Key(g.key).Open('{').Key("phase").String(g.phase).Key("conditions").Open('[');
      for (const auto& x : g.conditions)
        w.Open('{').Key("type").String(x.type).Key("status").String(x.status).Key("reason").String(x.reason).Key("message").String(x.message).Close('}');
      w.Close(']').Close('}');
    }
    w.Close('}').Key("pods").Open('{');
    for (const PlanPod& p : c.pods) w.Key(p.key).Open('{').Key("reason").String(p.reason).Key("message").String(p.message).Close('}');
    w.Close('}').Close('}');
  }
  w.Close(']').Key("stats").Open('{').Key("decide_ms").Number(1).Key("plan_hash").String(rehash ? verify::PlanHash(plan) : plan.hash).Close('}').Close('}');
  return json;
}

std::string Padded(std::string text) {
  text.append(kJsonPaddingBytes, ' ');
  return text;
}
std::string_view Unpadded(const std::string& padded) { return std::string_view(padded).substr(0, padded.size() - kJsonPaddingBytes); }

std::vector<Finding> Verify(const std::string& cluster, const std::string& plan, bool compat = false) {
  VerifierOptions options;
  if (compat) options.minimal_evictions = false;
  Verifier verifier(options);
  std::string error;
  const std::string input = Padded(cluster), document = Padded(plan);
  EXPECT_TRUE(verifier.Read(Unpadded(input), "cluster.json", TextFormat::kJson, &error)) << error;
  std::vector<Finding> findings;
  EXPECT_NE(verifier.Check(nullptr, Unpadded(document), &findings, &error), Verifier::Verdict::kUnreadable) << error;
  return findings;
}

std::string Texts(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& f : findings) all += FindingText(f) + "\n";
  return all;
}

// The real engine's plan.
PlanDocument Schedule(const std::string& cluster, int cycles) {
  basalt_options options{sizeof(basalt_options), "scalar", 1, nullptr, nullptr, 1, 0, nullptr, nullptr};
  basalt_engine* engine = nullptr;
  EXPECT_EQ(basalt_open(&options, &engine, nullptr), BASALT_OK);
  const std::string input = Padded(cluster);
  EXPECT_EQ(basalt_read_text(engine, {input.data(), Unpadded(input).size()}, "cluster.json", BASALT_FORMAT_JSON), BASALT_OK);
  EXPECT_EQ(basalt_configure(engine, {nullptr, 0}, ""), BASALT_OK);
  for (int i = 0; i < cycles; i++) {
    EXPECT_EQ(basalt_cycle(engine, 0, 1, nullptr), BASALT_OK);
    EXPECT_EQ(basalt_settle(engine, 0), BASALT_OK);
  }
  basalt_buffer out{};
  EXPECT_EQ(basalt_plan_json(engine, &out), BASALT_OK);
  PlanDocument plan;
  std::vector<std::string> problems;
  std::string error;
  EXPECT_TRUE(verify::ReadPlan({out.data, out.size}, &plan, &problems, &error)) << error;
  EXPECT_THAT(problems, testing::IsEmpty());
  EXPECT_EQ(verify::PlanHash(plan), plan.hash);
  basalt_buffer_free(&out);
  basalt_close(engine);
  return plan;
}

// ---- what Volcano decided ----

struct GoldenCase {
  std::string name, cluster;
  PlanDocument plan;
  bool conditions_known = true, pods_known = true;  ///< texts that differed between the recordings are left out there
};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// expected.json of a golden case as a plan document.
std::optional<GoldenCase> ReadGolden(const std::filesystem::path& folder) {
  GoldenCase g{folder.filename().string(), ReadFile(folder / "cluster.json"), {}, true, true};
  simdjson::dom::parser parser, cluster_parser;
  simdjson::dom::element expected, cluster;
  const std::string text = ReadFile(folder / "expected.json");
  if (parser.parse(text).get(expected) || cluster_parser.parse(g.cluster).get(cluster)) return std::nullopt;
  simdjson::dom::array cycles, items, unstable;
  if (expected["cycles"].get(cycles) || cluster["items"].get(items)) return std::nullopt;
  for (const auto item : items) {
    const std::string_view kind = item["kind"];
    g.plan.inputs.nodes += kind == "Node", g.plan.inputs.pods += kind == "Pod", g.plan.inputs.podgroups += kind == "PodGroup", g.plan.inputs.queues += kind == "Queue";
  }
  if (!expected["unstable"].get(unstable))
    for (const std::string_view u : unstable) g.conditions_known &= u != "conditions", g.pods_known &= u != "podConditions";
  for (const auto cycle : cycles) {
    PlanCycle& c = g.plan.cycles.emplace_back();
    const auto placements = [&](const char* key, std::vector<PlanPlacement>* out) {
      for (const auto [pod, node] : simdjson::dom::object(cycle[key])) {
        constexpr std::string_view kHeld = " (allocated, not dispatched)";
        std::string_view name = node;
        const bool held = name.ends_with(kHeld);
        if (held) name.remove_suffix(kHeld.size());
        out->push_back({std::string(pod), std::string(name), held});
      }
    };
    placements("binds", &c.binds), placements("pipelined", &c.pipelined);
    for (const std::string_view evicted : simdjson::dom::array(cycle["evicted"])) c.evicted.emplace_back(evicted);
    for (const auto [key, phase] : simdjson::dom::object(cycle["phases"])) c.groups.push_back({std::string(key), std::string(std::string_view(phase)), {}});
    simdjson::dom::object list;
    if (!cycle["conditions"].get(list))
      for (const auto [key, texts] : list)
        for (const std::string_view t : simdjson::dom::array(texts)) {  // "Type=Status Reason: message"
          const size_t equals = t.find('='), space = t.find(' '), colon = t.find(':');
          const auto group = std::find_if(c.groups.begin(), c.groups.end(), [&](const PlanGroup& x) { return x.key == key; });
          group->conditions.push_back({std::string(t.substr(0, equals)), std::string(t.substr(equals + 1, space - equals - 1)),
                                       std::string(t.substr(space + 1, colon - space - 1)), std::string(t.substr(std::min(colon + 2, t.size())))});
        }
    if (!cycle["podConditions"].get(list))
      for (const auto [key, value] : list) {
        const std::string_view t = value;
        const size_t colon = t.find(": ");
        c.pods.push_back({std::string(key), std::string(t.substr(0, colon)), std::string(t.substr(colon + 2))});
      }
  }
  return g;
}

std::vector<std::filesystem::path> GoldenFolders() {
  std::vector<std::filesystem::path> folders;
  const std::filesystem::path root = std::filesystem::path(BASALT_SOURCE_DIR) / "tests" / "golden";
  if (std::filesystem::exists(root))
    for (const auto& entry : std::filesystem::directory_iterator(root))
      if (std::filesystem::exists(entry.path() / "expected.json")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Their second cycle lets run what was never bound (docs/differences.md).
bool KnownDifference(const std::string& name) {
  return name == "backfillprio-09" || name == "backfillprio-15" || name == "sla-05" || name == "sla-16";
}

TEST(Golden, WhatVolcanoDecidedIsAccepted) {
  size_t cases = 0;
  for (const auto& folder : GoldenFolders()) {
    const auto g = ReadGolden(folder);
    if (!g || KnownDifference(g->name)) continue;
    cases++;
    std::vector<Finding> findings = Verify(g->cluster, Write(g->plan), /*compat=*/true);
    std::erase_if(findings, [&](const Finding& f) {
      // Conditions of running groups are not recorded, nor are texts that differed between the recordings.
      if (f.kind == FindingKind::kUnexplained) return !g->pods_known;
      if (f.kind != FindingKind::kCondition) return false;
      const auto& groups = g->plan.cycles[static_cast<size_t>(f.cycle)].groups;
      return !g->conditions_known || std::any_of(groups.begin(), groups.end(), [&](const PlanGroup& x) {
        return x.phase == "Running" && f.text.find("PodGroup " + x.key + ":") != std::string::npos;
      });
    });
    EXPECT_THAT(findings, testing::IsEmpty()) << g->name << "\n" << Texts(findings);
  }
  EXPECT_GE(cases, 100u) << "the golden cases are not there";
}

TEST(Golden, WhatTheKernelDecidesIsAccepted) {
  for (const auto& folder : GoldenFolders()) {
    const std::string cluster = ReadFile(folder / "cluster.json");
    const std::vector<Finding> findings = Verify(cluster, Write(Schedule(cluster, 3)));
    EXPECT_THAT(findings, testing::IsEmpty()) << folder << "\n" << Texts(findings);
  }
}

// ---- clusters whose every corner is known ----

struct TestPod {
  std::string name{}, group{}, node{};
  int cpu = 0, port = 0;
  std::string zone{};
  bool gated = false, foreign = false, unsupported = false;
};

struct TestCluster {
  std::mt19937 random;
  std::map<std::string, int> node_cpu;  ///< ordinary nodes
  std::map<std::string, std::string> node_zone;
  std::vector<TestPod> pods;
  std::string json;
  int nodes = 0;

  explicit TestCluster(unsigned seed) : random(seed) { Build(); }
  int Between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

  void Item(const std::string& text) { json += (json.empty() ? "" : ",\n") + text; }
  void Node(const std::string& name, int cpu, int max_pods, const std::string& zone, const std::string& spec) {
    nodes++;
    Item("{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"" + name + "\", \"labels\": {\"zone\": \"" + zone + "\"}}, \"spec\": {" + spec +
         "}, \"status\": {\"allocatable\": {\"cpu\": \"" + std::to_string(cpu) + "\", \"memory\": \"64Gi\", \"pods\": \"" + std::to_string(max_pods) + "\"}}}");
  }
  void Queue(const std::string& name, const std::string& spec, const std::string& state) {
    Item("{\"kind\": \"Queue\", \"apiVersion\": \"scheduling.volcano.sh/v1beta1\", \"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"weight\": 1" + spec +
         "}, \"status\": {\"state\": \"" + state + "\"}}");
  }
  void Group(const std::string& name, const std::string& queue, int min, const std::string& phase) {
    Item("{\"kind\": \"PodGroup\", \"apiVersion\": \"scheduling.volcano.sh/v1beta1\", \"metadata\": {\"name\": \"" + name + "\", \"namespace\": \"default\"}, \"spec\": {\"minMember\": " +
         std::to_string(min) + ", \"queue\": \"" + queue + "\"}, \"status\": {\"phase\": \"" + phase + "\"}}");
  }
  void Pod(TestPod pod) {
    std::string spec = "\"schedulerName\": \"" + std::string(pod.foreign ? "other" : "volcano") + "\"";
    if (!pod.node.empty()) spec += ", \"nodeName\": \"" + pod.node + "\"";
    if (!pod.zone.empty()) spec += ", \"nodeSelector\": {\"zone\": \"" + pod.zone + "\"}";
    if (pod.gated) spec += ", \"schedulingGates\": [{\"name\": \"example.com/wait\"}]";
    if (pod.unsupported) spec += ", \"topologySpreadConstraints\": [{\"maxSkew\": 1, \"topologyKey\": \"zone\", \"whenUnsatisfiable\": \"DoNotSchedule\"}]";
    std::string container = "\"name\": \"c\"";
    if (pod.cpu) container += ", \"resources\": {\"requests\": {\"cpu\": \"" + std::to_string(pod.cpu) + "\"}}";
    if (pod.port) container += ", \"ports\": [{\"containerPort\": 80, \"hostPort\": " + std::to_string(pod.port) + "}]";
    Item("{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"" + pod.name + "\", \"namespace\": \"default\", \"uid\": \"" + pod.name + "\"" +
         (pod.group.empty() ? "" : ", \"annotations\": {\"scheduling.k8s.io/group-name\": \"" + pod.group + "\"}") + "}, \"spec\": {" + spec + ", \"containers\": [{" + container +
         "}]}, \"status\": {\"phase\": \"" + (pod.node.empty() ? "Pending" : "Running") + "\"}}");
    pods.push_back(std::move(pod));
  }

  void Build() {
    const int ordinary = Between(4, 7);
    for (int i = 0; i < ordinary; i++) {
      const std::string name = "node-" + std::to_string(i), zone = i % 2 ? "east" : "west";
      node_cpu[name] = Between(8, 16), node_zone[name] = zone;
      Node(name, node_cpu[name], 20, zone, "");
    }
    Node("full", 4, 20, "west", "");
    Node("tainted", 32, 20, "west", "\"taints\": [{\"key\": \"keep\", \"value\": \"out\", \"effect\": \"NoSchedule\"}]");
    Node("cordoned", 32, 20, "west", "\"unschedulable\": true");
    Node("crowded", 32, 1, "west", "");
    Queue("default", "", "Open");
    Queue("capped", ", \"capability\": {\"cpu\": \"3\"}", "Open");
    Queue("closed", "", "Closed");
    Group("old", "default", 1, "Running");
    Pod({.name = "old-full", .group = "old", .node = "full", .cpu = 4});
    Pod({.name = "old-crowded", .group = "old", .node = "crowded", .cpu = 1});
    Pod({.name = "old-port", .group = "old", .node = "node-0", .cpu = 1, .port = 9000});
    Pod({.name = "foreign", .cpu = 1, .foreign = true});
    Pod({.name = "foreign-placed", .node = "node-1", .cpu = 1, .foreign = true});
    const int gangs = Between(2, 4);
    for (int g = 0; g < gangs; g++) {
      const std::string name = "gang-" + std::to_string(g);
      const int size = Between(2, 4), cpu = Between(1, 2);
      Group(name, "default", size, "Inqueue");
      for (int i = 0; i < size; i++) Pod({.name = name + "-" + std::to_string(i), .group = name, .cpu = cpu});
    }
    const int singles = Between(2, 4);
    for (int i = 0; i < singles; i++) {
      const std::string name = "single-" + std::to_string(i);
      Group(name, "default", 1, "Inqueue");
      Pod({.name = name, .group = name, .cpu = 1, .zone = i % 2 ? "east" : "west"});
    }
    for (int i = 0; i < 2; i++) {
      const std::string name = "port-" + std::to_string(i);
      Group(name, "default", 1, "Inqueue");
      Pod({.name = name, .group = name, .cpu = 1, .port = 8080});
    }
    for (int i = 0; i < 4; i++) {
      const std::string name = "capped-" + std::to_string(i);
      Group(name, "capped", 1, "Inqueue");
      Pod({.name = name, .group = name, .cpu = 1});
    }
    Group("closed-0", "closed", 1, "Inqueue");
    Pod({.name = "closed-0", .group = "closed-0", .cpu = 1});
    Group("gated-0", "default", 1, "Inqueue");
    Pod({.name = "gated-0", .group = "gated-0", .cpu = 1, .gated = true});
    Group("huge-0", "default", 1, "Inqueue");
    Pod({.name = "huge-0", .group = "huge-0", .cpu = 100});
    Group("huge-gang", "default", 3, "Inqueue");
    for (int i = 0; i < 3; i++) Pod({.name = "huge-gang-" + std::to_string(i), .group = "huge-gang", .cpu = i == 2 ? 100 : 1});
    Group("spread-0", "default", 1, "Inqueue");
    Pod({.name = "spread-0", .group = "spread-0", .cpu = 1, .unsupported = true});
    Group("best-0", "default", 1, "Inqueue");
    Pod({.name = "best-0", .group = "best-0"});
    Pod({.name = "lonely", .cpu = 1});  // gets its PodGroup from the scheduler
    json = "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [" + json + "]}";
  }

  const TestPod& Find(const std::string& key) const {
    return *std::find_if(pods.begin(), pods.end(), [&](const TestPod& p) { return "default/" + p.name == key; });
  }
};

constexpr unsigned kSeeds = 40;

TEST(Plans, OfKnownClustersAreAcceptedOverThreeCycles) {
  for (unsigned seed = 0; seed < kSeeds; seed++) {
    const TestCluster cluster(seed);
    const PlanDocument plan = Schedule(cluster.json, 3);
    const std::vector<Finding> findings = Verify(cluster.json, Write(plan));
    EXPECT_THAT(findings, testing::IsEmpty()) << "seed " << seed << "\n" << Texts(findings);
    EXPECT_GE(plan.cycles[0].binds.size(), 10u) << "seed " << seed << ": a plan of nothing shows nothing";
  }
}

// ---- corruption ----

struct Corruption {
  const char* name;
  FindingKind expected;
  /// Changes the plan; false where this plan offers no place for it.
  std::function<bool(TestCluster*, PlanDocument*)> apply;
  bool rehash = true;
};

PlanPlacement* BindOf(PlanCycle* c, const std::string& key) {
  const auto it = std::find_if(c->binds.begin(), c->binds.end(), [&](const PlanPlacement& p) { return p.pod == key; });
  return it == c->binds.end() ? nullptr : &*it;
}

// A bound pod of those that `fits` takes, drawn by the seed.
PlanPlacement* AnyBind(TestCluster* t, PlanDocument* plan, const std::function<bool(const TestPod&)>& fits) {
  std::vector<PlanPlacement*> found;
  for (PlanPlacement& p : plan->cycles[0].binds)
    if (const auto it = std::find_if(t->pods.begin(), t->pods.end(), [&](const TestPod& x) { return "default/" + x.name == p.pod; }); it != t->pods.end() && fits(*it))
      found.push_back(&p);
  return found.empty() ? nullptr : found[static_cast<size_t>(t->Between(0, static_cast<int>(found.size()) - 1))];
}
bool Plain(const TestPod& p) { return p.cpu > 0 && p.zone.empty() && p.port == 0; }

bool Move(TestCluster* t, PlanDocument* plan, const std::string& node) {
  PlanPlacement* p = AnyBind(t, plan, Plain);
  if (p) p->node = node;
  return p;
}
void Unwait(PlanCycle* c, const std::string& key) { std::erase_if(c->pods, [&](const PlanPod& p) { return p.key == key; }); }
// Binds a pod that waits, and takes its reason away.
void BindWaiting(PlanDocument* plan, const std::string& key, const std::string& node) {
  plan->cycles[0].binds.push_back({key, node, false});
  Unwait(&plan->cycles[0], key);
}
PlanPod* Waiting(PlanDocument* plan, const std::string& key) {
  auto& pods = plan->cycles[0].pods;
  const auto it = std::find_if(pods.begin(), pods.end(), [&](const PlanPod& p) { return p.key == key; });
  return it == pods.end() ? nullptr : &*it;
}
PlanGroup* GroupOf(PlanDocument* plan, const std::string& key) {
  auto& groups = plan->cycles[0].groups;
  return &*std::find_if(groups.begin(), groups.end(), [&](const PlanGroup& g) { return g.key == key; });
}
// An ordinary node with the most cpu left by the plan.
std::string Emptiest(TestCluster* t, const PlanDocument& plan) {
  std::map<std::string, int> left = t->node_cpu;
  for (const TestPod& p : t->pods)
    if (left.count(p.node)) left[p.node] -= p.cpu;
  for (const PlanPlacement& b : plan.cycles[0].binds)
    if (left.count(b.node) && b.pod != "default/podgroup") left[b.node] -= t->Find(b.pod).cpu;
  return std::max_element(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
}

const std::vector<Corruption>& Corruptions() {
  static const std::vector<Corruption> kCorruptions = {
      {"bound to a full node", FindingKind::kCapacity, [](TestCluster* t, PlanDocument* p) { return Move(t, p, "full"); }},
      {"bound to a tainted node", FindingKind::kNodeRule, [](TestCluster* t, PlanDocument* p) { return Move(t, p, "tainted"); }},
      {"bound to an unschedulable node", FindingKind::kNodeRule, [](TestCluster* t, PlanDocument* p) { return Move(t, p, "cordoned"); }},
      {"bound to a node without a free slot", FindingKind::kPodSlots, [](TestCluster* t, PlanDocument* p) { return Move(t, p, "crowded"); }},
      {"bound to a node that the selector refuses", FindingKind::kNodeRule,
       [](TestCluster* t, PlanDocument* plan) {
         PlanPlacement* p = AnyBind(t, plan, [](const TestPod& x) { return !x.zone.empty(); });
         if (!p) return false;
         for (const auto& [node, zone] : t->node_zone)
           if (zone != t->Find(p->pod).zone) p->node = node;
         return true;
       }},
      {"bound to an unknown node", FindingKind::kUnknownName, [](TestCluster* t, PlanDocument* p) { return Move(t, p, "nowhere"); }},
      {"an unknown pod bound", FindingKind::kUnknownName, [](TestCluster*, PlanDocument* p) { return BindWaiting(p, "default/nobody", "node-0"), true; }},
      {"all pods on one node", FindingKind::kCapacity,
       [](TestCluster* t, PlanDocument* plan) {
         int sum = 0;
         for (PlanPlacement& p : plan->cycles[0].binds)
           if (Plain(t->Find(p.pod))) p.node = "node-0", sum += t->Find(p.pod).cpu;
         return sum > t->node_cpu["node-0"];
       }},
      {"a gang without one member", FindingKind::kGang,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, [](const TestPod& x) { return x.group.starts_with("gang-"); });
         if (!p) return false;
         const std::string key = p->pod;
         std::erase_if(plan->cycles[0].binds, [&](const PlanPlacement& x) { return x.pod == key; });
         plan->cycles[0].pods.push_back({key, "Unschedulable", "0/" + std::to_string(t->nodes) + " nodes are unavailable: " + std::to_string(t->nodes) + " Insufficient cpu."});
         return true;
       }},
      {"a pod bound twice", FindingKind::kTwice,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, Plain);
         if (!p) return false;
         const std::string key = p->pod;
         plan->cycles[0].binds.push_back({key, Emptiest(t, *plan), false});
         return true;
       }},
      {"a pod bound and pipelined", FindingKind::kTwice,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, Plain);
         if (p) plan->cycles[0].pipelined.push_back(*p);
         return p != nullptr;
       }},
      {"a pod bound again in the next cycle", FindingKind::kNotOurs,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, Plain);
         if (p) plan->cycles[1].binds.push_back(*p);
         return p != nullptr;
       }},
      {"a running pod bound", FindingKind::kNotOurs, [](TestCluster*, PlanDocument* p) { return BindWaiting(p, "default/old-full", "node-0"), true; }},
      {"a gated pod bound", FindingKind::kNotOurs, [](TestCluster* t, PlanDocument* p) { return BindWaiting(p, "default/gated-0", Emptiest(t, *p)), true; }},
      {"another scheduler's pod bound", FindingKind::kNotOurs, [](TestCluster* t, PlanDocument* p) { return BindWaiting(p, "default/foreign-placed", Emptiest(t, *p)), true; }},
      {"an unsupported rule ignored", FindingKind::kNotOurs, [](TestCluster* t, PlanDocument* p) { return BindWaiting(p, "default/spread-0", Emptiest(t, *p)), true; }},
      {"a host port given twice", FindingKind::kPorts,
       [](TestCluster*, PlanDocument* plan) {
         PlanPlacement *a = BindOf(&plan->cycles[0], "default/port-0"), *b = BindOf(&plan->cycles[0], "default/port-1");
         if (a && b) a->node = b->node;
         return a && b;
       }},
      {"a queue above its capability", FindingKind::kQueue,
       [](TestCluster* t, PlanDocument* plan) {
         for (int i = 0; i < 4; i++)
           if (const std::string key = "default/capped-" + std::to_string(i); !BindOf(&plan->cycles[0], key)) BindWaiting(plan, key, Emptiest(t, *plan));
         return true;
       }},
      {"a pod of a closed queue bound", FindingKind::kQueue, [](TestCluster* t, PlanDocument* p) { return BindWaiting(p, "default/closed-0", Emptiest(t, *p)), true; }},
      {"an invented eviction", FindingKind::kEviction, [](TestCluster*, PlanDocument* p) { return p->cycles[0].evicted.push_back("default/old-full"), true; }},
      {"a wrong phase", FindingKind::kPhase,
       [](TestCluster* t, PlanDocument* plan) {
         PlanGroup* g = GroupOf(plan, "default/huge-gang");
         static constexpr const char* kPhases[] = {"Running", "Pending", "Completed", "Unknown"};
         return g->phase = kPhases[t->Between(0, 3)], true;
       }},
      {"a missing PodGroup", FindingKind::kGroups,
       [](TestCluster* t, PlanDocument* plan) {
         auto& groups = plan->cycles[0].groups;
         return groups.erase(groups.begin() + t->Between(0, static_cast<int>(groups.size()) - 1)), true;
       }},
      {"a wrong condition", FindingKind::kCondition,
       [](TestCluster*, PlanDocument* plan) {
         for (auto& c : GroupOf(plan, "default/huge-gang")->conditions) c.type = "Scheduled", c.reason = "tasks in gang are ready to be scheduled";
         return true;
       }},
      {"a condition with a wrong count", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         for (auto& c : GroupOf(plan, "default/huge-gang")->conditions) c.message.insert(0, "1");
         return true;
       }},
      {"a wrong count in a reason", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         PlanPod* p = Waiting(plan, "default/huge-0");
         const std::string all = std::to_string(t->nodes);
         p->message = "0/" + all + " nodes are unavailable: " + std::to_string(t->nodes - 1) + " Insufficient cpu, 1 node(s) were unschedulable.";
         return true;
       }},
      {"a reason that no node gives", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         const std::string all = std::to_string(t->nodes);
         return Waiting(plan, "default/huge-0")->message = "0/" + all + " nodes are unavailable: " + all + " Insufficient memory.", true;
       }},
      {"a reason over too few nodes", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         const std::string less = std::to_string(t->nodes - 1);
         return Waiting(plan, "default/huge-0")->message = "0/" + less + " nodes are unavailable: " + less + " Insufficient cpu.", true;
       }},
      {"a pod that waits though a node is free", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, [](const TestPod& x) { return x.name.starts_with("single-"); });
         if (!p) return false;
         const std::string key = p->pod, all = std::to_string(t->nodes);
         std::erase_if(plan->cycles[0].binds, [&](const PlanPlacement& x) { return x.pod == key; });
         plan->cycles[0].pods.push_back({key, "Unschedulable", "0/" + all + " nodes are unavailable: " + all + " Insufficient cpu."});
         return true;
       }},
      {"a pod that was not tried", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, [](const TestPod& x) { return x.name.starts_with("single-"); });
         if (!p) return false;
         const std::string key = p->pod;
         std::erase_if(plan->cycles[0].binds, [&](const PlanPlacement& x) { return x.pod == key; });
         plan->cycles[0].pods.push_back({key, "Unschedulable", "pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable"});
         return true;
       }},
      {"a reason of a group with wrong numbers", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         return Waiting(plan, "default/closed-0")->message = "pod group is not ready, 2 Pending, 1 minAvailable; Pending: 2 Unschedulable", true;
       }},
      {"no reason", FindingKind::kUnexplained, [](TestCluster*, PlanDocument* p) { return Unwait(&p->cycles[0], "default/huge-0"), true; }},
      {"a reason for a bound pod", FindingKind::kReason,
       [](TestCluster* t, PlanDocument* plan) {
         const PlanPlacement* p = AnyBind(t, plan, Plain);
         if (p) plan->cycles[0].pods.push_back({p->pod, "Unschedulable", "not supported yet: /spec"});
         return p != nullptr;
       }},
      {"another input", FindingKind::kInputs, [](TestCluster*, PlanDocument* p) { return p->inputs.pods++, true; }},
      {"a stale hash", FindingKind::kHash,
       [](TestCluster* t, PlanDocument* plan) {
         PlanPlacement* p = AnyBind(t, plan, Plain);
         if (!p) return false;
         p->node = t->node_cpu.begin()->first == p->node ? t->node_cpu.rbegin()->first : t->node_cpu.begin()->first;
         return true;
       },
       false},
  };
  return kCorruptions;
}

TEST(Plans, EveryKindOfCorruptionIsRefused) {
  for (const Corruption& corruption : Corruptions()) {
    unsigned applied = 0;
    for (unsigned seed = 0; seed < kSeeds; seed++) {
      TestCluster cluster(seed);
      PlanDocument plan = Schedule(cluster.json, 2);
      if (!corruption.apply(&cluster, &plan)) continue;
      applied++;
      const std::vector<Finding> findings = Verify(cluster.json, Write(plan, corruption.rehash));
      EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == corruption.expected; }))
          << corruption.name << ", seed " << seed << ": no finding of kind " << FindingKindName(corruption.expected) << " but\n" << Texts(findings);
    }
    EXPECT_GE(applied, kSeeds / 2) << corruption.name;
  }
}

// Corruptions that need no knowledge of the cluster, on the kernel's plans for the golden inputs.
const std::vector<Corruption>& GeneralCorruptions() {
  static const std::vector<Corruption> kCorruptions = {
      {"a bind dropped", FindingKind::kUnexplained,
       [](TestCluster* t, PlanDocument* plan) {
         auto& binds = plan->cycles[0].binds;
         std::erase_if(binds, [](const PlanPlacement& p) { return p.held; });  // those have a reason
         if (binds.empty()) return false;
         return binds.erase(binds.begin() + t->Between(0, static_cast<int>(binds.size()) - 1)), true;
       }},
      {"a bind to nowhere", FindingKind::kUnknownName,
       [](TestCluster* t, PlanDocument* plan) {
         auto& binds = plan->cycles[0].binds;
         return !binds.empty() && (binds[static_cast<size_t>(t->Between(0, static_cast<int>(binds.size()) - 1))].node = "nowhere", true);
       }},
      {"a bind repeated", FindingKind::kTwice,
       [](TestCluster* t, PlanDocument* plan) {
         auto& binds = plan->cycles[0].binds;
         if (binds.empty()) return false;
         return binds.push_back(PlanPlacement(binds[static_cast<size_t>(t->Between(0, static_cast<int>(binds.size()) - 1))])), true;
       }},
      {"a missing PodGroup", FindingKind::kGroups,
       [](TestCluster* t, PlanDocument* plan) {
         auto& groups = plan->cycles[0].groups;
         return !groups.empty() && (groups.erase(groups.begin() + t->Between(0, static_cast<int>(groups.size()) - 1)), true);
       }},
      {"an unknown phase", FindingKind::kPhase,
       [](TestCluster* t, PlanDocument* plan) {
         auto& groups = plan->cycles[0].groups;
         return !groups.empty() && (groups[static_cast<size_t>(t->Between(0, static_cast<int>(groups.size()) - 1))].phase = "Happy", true);
       }},
      {"a waiting pod of 0/N nodes with another N", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         for (PlanPod& p : plan->cycles[0].pods)
           if (p.message.starts_with("0/")) return p.message.insert(2, "1"), true;
         return false;
       }},
      {"a waiting pod of 0/N nodes with a count more", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         for (PlanPod& p : plan->cycles[0].pods)
           if (const size_t at = p.message.find(": "); p.message.starts_with("0/") && at != std::string::npos) return p.message.insert(at + 2, "1"), true;
         return false;
       }},
      {"a reason nobody knows", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         auto& pods = plan->cycles[0].pods;
         return !pods.empty() && (pods[0].message = "it rains", true);
       }},
      {"a reason of the wrong kind", FindingKind::kReason,
       [](TestCluster*, PlanDocument* plan) {
         auto& pods = plan->cycles[0].pods;
         return !pods.empty() && (pods[0].reason = pods[0].reason == "Schedulable" ? "Unschedulable" : "Schedulable", true);
       }},
  };
  return kCorruptions;
}

TEST(Golden, CorruptedPlansAreRefused) {
  TestCluster draw(7);  // its generator draws the places
  std::map<std::string, unsigned> applied;
  for (const auto& folder : GoldenFolders()) {
    const std::string cluster = ReadFile(folder / "cluster.json");
    const PlanDocument good = Schedule(cluster, 2);
    for (const Corruption& corruption : GeneralCorruptions()) {
      PlanDocument plan = good;
      if (!corruption.apply(&draw, &plan)) continue;
      applied[corruption.name]++;
      const std::vector<Finding> findings = Verify(cluster, Write(plan, corruption.rehash));
      EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == corruption.expected; }))
          << corruption.name << ", " << folder << ": no finding of kind " << FindingKindName(corruption.expected) << " but\n" << Texts(findings);
    }
  }
  for (const Corruption& corruption : GeneralCorruptions()) EXPECT_GE(applied[corruption.name], 20u) << corruption.name;
}

// ---- hierarchical queues ----

TEST(Plans, HierarchicalLimitsAreAskedUpToTheRoot) {
  const auto object = [](const std::string& version, const std::string& kind, const std::string& meta, const std::string& rest) {
    return "{\"apiVersion\": \"" + version + "\", \"kind\": \"" + kind + "\", \"metadata\": {" + meta + "}, " + rest + "},";
  };
  const std::string volcano = "scheduling.volcano.sh/v1beta1";
  std::string items = object("v1", "Node", R"("name": "n")", R"("status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": 110}})");
  items += object(volcano, "Queue", R"("name": "d")", R"("spec": {"capability": {"cpu": 2}})");
  for (const char* leaf : {"d1", "d2"}) items += object(volcano, "Queue", std::string("\"name\": \"") + leaf + "\"", R"("spec": {"parent": "d"})");
  items += object(volcano, "Queue", R"("name": "lost")", R"("spec": {"parent": "nowhere"})");
  for (const char* queue : {"d1", "d2", "d", "lost"}) {
    const std::string q = queue, place = R"(", "namespace": "x")";
    items += object(volcano, "PodGroup", "\"name\": \"j-" + q + place, "\"spec\": {\"minMember\": 1, \"queue\": \"" + q + "\"}, \"status\": {\"phase\": \"Inqueue\"}");
    for (const char* i : {"-0", "-1"})
      items += object("v1", "Pod", "\"name\": \"" + q + i + place + ", \"annotations\": {\"scheduling.k8s.io/group-name\": \"j-" + q + "\"}",
                      R"("spec": {"schedulerName": "volcano", "containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}, "status": {"phase": "Pending"})");
  }
  items += object("v1", "ConfigMap", R"("name": "conf")",
                  R"("data": {"volcano-scheduler.conf": "actions: \"enqueue, allocate\"\ntiers:\n- plugins: [{name: gang}, {name: capacity, enableHierarchy: true}, {name: predicates}]\n"})");
  items.pop_back();
  const std::string cluster = R"({"apiVersion": "v1", "kind": "List", "items": [)" + items + "]}";
  const PlanDocument good = Schedule(cluster, 1);
  EXPECT_EQ(good.cycles[0].binds.size(), 2u);
  EXPECT_EQ(Texts(Verify(cluster, Write(good))), "");
  for (const auto& [pod, finding] : {std::pair("x/d2-1", "queue d: its pods have cpu 3"), std::pair("x/d-0", "queue d is no leaf"), std::pair("x/lost-0", "queue lost is no leaf")}) {
    PlanDocument plan = good;
    BindWaiting(&plan, pod, "n");
    EXPECT_THAT(Texts(Verify(cluster, Write(plan))), testing::HasSubstr(finding)) << pod;
  }
}

// ---- policies that refuse nodes ----

TEST(Plans, NodesThatPoliciesRefuseAreLookedAt) {
  const auto object = [](const std::string& version, const std::string& kind, const std::string& meta, const std::string& rest) {
    return "{\"apiVersion\": \"" + version + "\", \"kind\": \"" + kind + "\", \"metadata\": {" + meta + "}, " + rest + "},";
  };
  const std::string volcano = "scheduling.volcano.sh/v1beta1";
  const auto node = [&](const std::string& name, const std::string& labels) {
    return object("v1", "Node", "\"name\": \"" + name + "\", \"labels\": {" + labels + "}", R"("status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": 110}})");
  };
  std::string items = node("a", R"("volcano.sh/nodegroup-name": "a")") + node("b", R"("volcano.sh/nodegroup-name": "b")") +
                      node("night", R"("volcano.sh/nodegroup-name": "a", "volcano.sh/revocable-zone": "night")");
  items += object(volcano, "Queue", R"("name": "q", "annotations": {"volcano.sh/nodegroup-resource-limits": "{\"a\": {\"cpu\": 2}}"})",
                  R"("spec": {"affinity": {"nodeGroupAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": ["a"]}}})");
  items += object(volcano, "PodGroup", R"("name": "j", "namespace": "x")", R"("spec": {"minMember": 1, "queue": "q"}, "status": {"phase": "Inqueue"})");
  for (const char* i : {"0", "1", "2"})
    items += object("v1", "Pod", std::string(R"("name": "p)") + i + R"(", "namespace": "x", "annotations": {"scheduling.k8s.io/group-name": "j"})",
                    R"("spec": {"schedulerName": "volcano", "containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}, "status": {"phase": "Pending"})");
  items += object("v1", "ConfigMap", R"("name": "conf")",
                  R"("data": {"volcano-scheduler.conf": "actions: allocate\ntiers:\n- plugins: [{name: gang}, {name: predicates}, {name: nodegroup}, {name: tdm, arguments: {tdm.revocable-zone.night: '0:00-0:00'}}]\n"})");
  items.pop_back();
  const std::string cluster = R"({"apiVersion": "v1", "kind": "List", "items": [)" + items + "]}";
  const PlanDocument good = Schedule(cluster, 1);
  ASSERT_EQ(good.cycles[0].binds.size(), 2u);
  EXPECT_EQ(Texts(Verify(cluster, Write(good))), "");
  for (const auto& [to, finding] : {std::pair("b", "node does not satisfy the node group affinity"), std::pair("night", "not allow to dispatch to revocable node"),
                                    std::pair("a", "in node group a, its limit there is cpu 2")}) {
    PlanDocument plan = good;
    BindWaiting(&plan, "x/p2", to);
    EXPECT_THAT(Texts(Verify(cluster, Write(plan))), testing::HasSubstr(finding)) << to;
  }
}

// ---- independence ----

TEST(Independence, OnlyDecodedObjectsAreShared) {
  const std::set<std::string> allowed = {"snapshot/objects.h",     "snapshot/decode.h",       "snapshot/quantity.h",  "snapshot/diagnostic.h",
                                         "snapshot/text/reader.h", "snapshot/config_value.h", "report/thread_executor.h"};
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BASALT_SOURCE_DIR) / "report")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("verif")) continue;
    files++;
    std::istringstream lines(ReadFile(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#include \"")) continue;
      const std::string included = line.substr(10, line.rfind('"') - 10);
      EXPECT_TRUE(included.starts_with("report/verif") || allowed.count(included)) << name << " includes " << included;
    }
  }
  EXPECT_GE(files, 10u);
}

// ---- the document itself ----

TEST(Plans, AFindingNamesCycleObjectAndNumbers) {
  TestCluster cluster(1);
  PlanDocument plan = Schedule(cluster.json, 1);
  BindWaiting(&plan, "default/huge-0", "node-0");
  const std::string texts = Texts(Verify(cluster.json, Write(plan)));
  EXPECT_THAT(texts, testing::HasSubstr("cycle 0: capacity: node node-0: "));
  EXPECT_THAT(texts, testing::HasSubstr("idle cpu -"));
}

TEST(Plans, WrongFormIsRefusedAndNoJsonIsUnreadable) {
  const TestCluster cluster(1);
  const auto kinds = [&](const std::string& plan) {
    std::set<FindingKind> all;
    for (const Finding& f : Verify(cluster.json, plan)) all.insert(f.kind);
    return all;
  };
  EXPECT_THAT(kinds("{}"), testing::Contains(FindingKind::kForm));
  EXPECT_THAT(kinds("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"inputs\": {}, \"cycles\": [], \"stats\": {}}"), testing::Contains(FindingKind::kForm));
  EXPECT_THAT(kinds("{\"apiVersion\": \"basalt.dev/v1alpha1\", \"kind\": \"Schedule\", \"inputs\": [], \"cycles\": [1, null], \"stats\": \"x\"}"), testing::Contains(FindingKind::kForm));

  Verifier verifier({});
  std::string error;
  const std::string input = Padded(cluster.json), plan = Padded("{\"cycles\": ["), list = Padded("[]"), config = Padded("actions: [");
  ASSERT_TRUE(verifier.Read(Unpadded(input), "cluster.json", TextFormat::kJson, &error));
  std::vector<Finding> findings;
  EXPECT_EQ(verifier.Check(nullptr, Unpadded(plan), &findings, &error), Verifier::Verdict::kUnreadable);
  EXPECT_THAT(error, testing::HasSubstr("not JSON"));
  EXPECT_EQ(verifier.Check(nullptr, Unpadded(list), &findings, &error), Verifier::Verdict::kUnreadable);
  const std::string_view settings = Unpadded(config);
  EXPECT_EQ(verifier.Check(&settings, Unpadded(plan), &findings, &error), Verifier::Verdict::kUnreadable);
  EXPECT_THAT(error, testing::HasSubstr("configuration"));
}

TEST(Plans, FindingsAreBoundedAndCounted) {
  const TestCluster cluster(1);
  PlanDocument plan = Schedule(cluster.json, 1);
  for (int i = 0; i < 50; i++) plan.cycles[0].binds.push_back({"default/nobody-" + std::to_string(i), "node-0", false});
  VerifierOptions options;
  options.max_findings = 10;
  Verifier verifier(options);
  std::string error;
  const std::string input = Padded(cluster.json), document = Padded(Write(plan));
  ASSERT_TRUE(verifier.Read(Unpadded(input), "cluster.json", TextFormat::kJson, &error));
  std::vector<Finding> findings;
  EXPECT_EQ(verifier.Check(nullptr, Unpadded(document), &findings, &error), Verifier::Verdict::kRefused);
  EXPECT_EQ(findings.size(), 10u);
  EXPECT_EQ(verifier.finding_count(), 50u);
}

TEST(Plans, TheDoorGivesOneFindingPerLine) {
  const TestCluster cluster(2);
  PlanDocument plan = Schedule(cluster.json, 1);
  basalt_options options{sizeof(basalt_options), nullptr, 1, nullptr, nullptr, 1, 0, nullptr, nullptr};
  basalt_verifier* verifier = nullptr;
  ASSERT_EQ(basalt_verifier_open(&options, &verifier), BASALT_OK);
  const std::string input = Padded(cluster.json);
  ASSERT_EQ(basalt_verifier_read_text(verifier, {input.data(), Unpadded(input).size()}, "cluster.json", BASALT_FORMAT_JSON), BASALT_OK);
  const auto check = [&](const std::string& text, std::string* said) {
    const std::string document = Padded(text);
    basalt_buffer out{};
    const basalt_status status = basalt_verifier_check(verifier, {nullptr, 0}, {document.data(), Unpadded(document).size()}, &out);
    said->assign(out.data, out.size);
    basalt_buffer_free(&out);
    return status;
  };
  std::string said;
  EXPECT_EQ(check(Write(plan), &said), BASALT_OK) << said;
  plan.hash = "0123456789abcdef";
  EXPECT_EQ(check(Write(plan, false), &said), BASALT_REFUSED);
  EXPECT_THAT(said, testing::MatchesRegex("hash: plan_hash is 0123456789abcdef, the decisions make [0-9a-f]+\n"));
  EXPECT_EQ(check("{", &said), BASALT_BAD_INPUT);
  basalt_verifier_close(verifier);
}

}  // namespace
}  // namespace basalt

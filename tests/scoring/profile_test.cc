// Arguments with Volcano's typing: what counts, what is told, what never ends the process.
#include "scoring/profile.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace basalt::scoring {
namespace {

using Type = ConfigValue::Type;

ConfigValue Int(int64_t v) { return {.type = Type::kInt, .boolean = false, .integer = v, .number = static_cast<double>(v), .string = {}, .list = {}, .map = {}}; }
ConfigValue Float(double v) { return {.type = Type::kFloat, .boolean = false, .integer = 0, .number = v, .string = {}, .list = {}, .map = {}}; }
ConfigValue Bool(bool v) { return {.type = Type::kBool, .boolean = v, .integer = 0, .number = 0, .string = {}, .list = {}, .map = {}}; }
ConfigValue Text(std::string v) { return {.type = Type::kString, .boolean = false, .integer = 0, .number = 0, .string = std::move(v), .list = {}, .map = {}}; }
ConfigValue Map(std::vector<ConfigEntry> v) {
  return {.type = Type::kMap, .boolean = false, .integer = 0, .number = 0, .string = {}, .list = {}, .map = std::move(v)};
}
ConfigValue List(std::vector<ConfigValue> v) { return {.type = Type::kList, .boolean = false, .integer = 0, .number = 0, .string = {}, .list = std::move(v), .map = {}}; }

class ProfileTest : public ::testing::Test {
 protected:
  bool Add(std::string_view plugin, const ConfigValue& arguments = {}, bool predicate = true, bool order = true) {
    problems.clear();
    return AddPlugin(plugin, &arguments, predicate, order, lookup, &profile, &problems);
  }
  std::string Problems() const {
    std::string all;
    for (const auto& p : problems) all += p.plugin + "/" + p.key + (p.unknown_key ? "?" : "") + " ";
    return all;
  }
  ResourceId IdOf(const std::string& name) { return lookup(name); }
  std::map<std::string, uint32_t, std::less<>> ids{{"cpu", 0}, {"memory", 1}, {"pods", 2}};
  ResourceLookup lookup = [this](std::string_view name) { return ResourceId{ids.try_emplace(std::string(name), ids.size()).first->second}; };
  Profile profile;
  std::vector<ArgumentProblem> problems;
};

TEST_F(ProfileTest, Defaults) {
  EXPECT_TRUE(Add("predicates"));
  EXPECT_TRUE(Add("nodeorder"));
  EXPECT_TRUE(Add("binpack"));
  EXPECT_TRUE(Add("resource-strategy-fit"));
  EXPECT_FALSE(Add("gang"));
  EXPECT_TRUE(profile.predicates && profile.node_affinity && profile.node_ports && profile.taint_toleration);
  EXPECT_EQ(1, profile.least_requested);
  EXPECT_EQ(0, profile.most_requested);
  EXPECT_EQ(1, profile.balanced_resource);
  EXPECT_EQ(2, profile.node_affinity_weight);
  EXPECT_EQ(3, profile.taint_weight);
  ASSERT_EQ(3u, profile.order.size());
  EXPECT_EQ(OrderRule::kImageLocality, profile.order[0].kind);
  EXPECT_EQ(1, profile.order[0].weight);
  EXPECT_EQ(OrderRule::kBinpack, profile.order[1].kind);
  EXPECT_EQ(1, profile.order[1].binpack.weight);
  EXPECT_EQ((std::vector<std::pair<ResourceId, int64_t>>{{ResourceId{0}, 1}, {ResourceId{1}, 1}}), profile.order[1].binpack.resources);
  EXPECT_EQ(OrderRule::kStrategyFit, profile.order[2].kind);
  EXPECT_EQ(10, profile.order[2].strategy.weight);
  ResolveResources({"cpu", "memory", "pods"}, &profile);
  const auto& resolved = profile.order[2].strategy.resolved;
  EXPECT_TRUE(resolved[0].known && !resolved[0].most && resolved[0].weight == 1);
  EXPECT_TRUE(resolved[1].known);
  EXPECT_FALSE(resolved[2].known);
}

TEST_F(ProfileTest, SwitchesOfThePlugins) {
  Add("predicates", {}, false, true);
  EXPECT_FALSE(profile.predicates);
  Add("nodeorder", {}, true, false);
  EXPECT_EQ(0, profile.least_requested);
  EXPECT_TRUE(profile.order.empty());
  Add("resource-strategy-fit", Map({{"proportional", Map({{"enable", Bool(true)}, {"resources", Text("a/b")}})}}), false, true);
  EXPECT_TRUE(profile.proportional.empty());
  EXPECT_EQ(1u, profile.order.size());
}

TEST_F(ProfileTest, WholeNumbersHaveToBeWholeNumbers) {
  Add("nodeorder", Map({{"leastrequested.weight", Text("5")}, {"mostrequested.weight", Float(10.0)}, {"balancedresource.weight", Int(-4)}, {"nodeaffinity.weight", Bool(true)},
                        {"tainttoleration.weight", Int(int64_t{1} << 40)}, {"imagelocality.weight", Int(0)}, {"podaffinity.weight", Int(7)}, {"nope", Int(1)}}));
  EXPECT_EQ(1, profile.least_requested);
  EXPECT_EQ(0, profile.most_requested);
  EXPECT_EQ(-4, profile.balanced_resource) << "negative weights are accepted";
  EXPECT_EQ(2, profile.node_affinity_weight);
  EXPECT_EQ(3, profile.taint_weight) << "out of bounds: the default";
  EXPECT_TRUE(profile.order.empty()) << "image locality is off";
  EXPECT_EQ("nodeorder/leastrequested.weight nodeorder/mostrequested.weight nodeorder/nodeaffinity.weight nodeorder/tainttoleration.weight nodeorder/nope? ", [&] {
    std::string in_order;
    for (const char* key : {"leastrequested.weight", "mostrequested.weight", "nodeaffinity.weight", "tainttoleration.weight", "nope"})
      for (const auto& p : problems)
        if (p.key == key) in_order += p.plugin + "/" + p.key + (p.unknown_key ? "?" : "") + " ";
    return in_order;
  }());
  EXPECT_EQ(5u, problems.size()) << Problems();
}

TEST_F(ProfileTest, SwitchesAcceptWhatGoParses) {
  for (const char* no : {"0", "f", "F", "FALSE", "false", "False"}) {
    Add("predicates", Map({{"predicate.NodePortsEnable", Text(no)}}));
    EXPECT_FALSE(profile.node_ports) << no;
    EXPECT_EQ("", Problems());
  }
  for (const char* yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    Add("predicates", Map({{"predicate.NodePortsEnable", Text(yes)}}));
    EXPECT_TRUE(profile.node_ports) << yes;
  }
  Add("predicates", Map({{"predicate.NodePortsEnable", Text("no")}, {"predicate.TaintTolerationEnable", Int(0)}, {"predicate.CacheEnable", Bool(true)},
                         {"volumebinding.shape", List({})}}));
  EXPECT_TRUE(profile.node_ports && profile.taint_toleration);
  EXPECT_EQ("predicates/predicate.NodePortsEnable predicates/predicate.TaintTolerationEnable ", [&] {
    std::sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return Problems();
  }());
}

TEST_F(ProfileTest, Binpack) {
  Add("binpack", Map({{"binpack.weight", Int(10)}, {"binpack.cpu", Int(5)}, {"binpack.memory", Int(-3)}, {"binpack.resources", Text(" nvidia.com/gpu, ,example.com/foo,cpu")},
                      {"binpack.resources.nvidia.com/gpu", Int(2)}, {"binpack.resources.example.com/foo", Int(-1)}, {"binpack.resources.other", Int(9)}}));
  ASSERT_EQ(1u, profile.order.size());
  EXPECT_EQ(10, profile.order[0].binpack.weight);
  EXPECT_EQ((std::vector<std::pair<ResourceId, int64_t>>{{ResourceId{0}, 5}, {ResourceId{1}, 1}, {IdOf("nvidia.com/gpu"), 2}, {IdOf("example.com/foo"), 1}}),
            profile.order[0].binpack.resources)
      << "negative: 1; cpu's own key wins over the list";
  EXPECT_EQ("binpack/binpack.resources.other? ", Problems());
  profile = {};
  Add("binpack", Map({{"binpack.weight", Int(0)}}));
  EXPECT_TRUE(profile.order.empty());
  Add("binpack", Map({{"binpack.weight", Int(-2)}, {"binpack.resources", Int(5)}}));
  EXPECT_EQ(-2, profile.order.at(0).binpack.weight);
  EXPECT_EQ("binpack/binpack.resources ", Problems());
}

TEST_F(ProfileTest, StrategyFit) {
  Add("resource-strategy-fit",
      Map({{"resourceStrategyFitWeight", Int(-1)},
           {"resources", Map({{"nvidia.com/*", Map({{"Type", Text("MostAllocated")}, {"weight", Int(4)}})},
                              {"nvidia.com/gpu*", Map({{"type", Text("LeastAllocated")}, {"weight", Int(6)}})},
                              {"nvidia.com/gpu", Map({{"type", Text("MostAllocated")}, {"weight", Int(8)}})},
                              {"cpu", Map({{"type", Text("Unknown")}, {"weight", Int(-2)}})},
                              {"*", Map({{"type", Text("MostAllocated")}})},
                              {"a*b", Map({})}})},
           {"sra", Map({{"enable", Bool(true)}, {"resources", Text("x/a,x/b,x/a")}, {"weight", Int(3)}, {"resourceWeight", Map({{"x/a", Int(2)}, {"x/b", Int(-5)}})}})},
           {"proportional", Map({{"enable", Bool(true)}, {"resources", Text("x/a")}, {"resourceProportion", Map({{"x/a.cpu", Float(1.5)}, {"x/a.memory", Int(-1)}})}})}}));
  EXPECT_EQ("", Problems());
  ASSERT_EQ(1u, profile.order.size());
  const StrategyFitArgs& args = profile.order[0].strategy;
  EXPECT_EQ(10, args.weight);
  ResolveResources({"cpu", "memory", "pods", "nvidia.com/gpu", "nvidia.com/gpu-mem", "nvidia.com/other"}, &profile);
  const auto is = [&](size_t id, bool known, bool most, int64_t weight) {
    return args.resolved[id].known == known && (!known || (args.resolved[id].most == most && args.resolved[id].weight == weight));
  };
  EXPECT_TRUE(is(0, true, false, 1)) << "an unknown type counts as least, a weight below 1 as 1";
  EXPECT_TRUE(is(1, false, false, 0));
  EXPECT_TRUE(is(3, true, true, 8)) << "exact before prefix";
  EXPECT_TRUE(is(4, true, false, 6)) << "the longest prefix";
  EXPECT_TRUE(is(5, true, true, 4));
  EXPECT_EQ(3, args.sra_weight);
  EXPECT_EQ(5, args.sra_weight_sum) << "2 + 1 + 2: a name listed twice";
  EXPECT_EQ((std::vector<std::pair<ResourceId, int64_t>>{{IdOf("x/a"), 2}, {IdOf("x/b"), 1}}), args.sra_resources);
  ASSERT_EQ(1u, profile.proportional.size());
  EXPECT_TRUE(profile.proportional[0].before_predicates);
  EXPECT_EQ(1.5, profile.proportional[0].proportional[0].cpu);
  EXPECT_EQ(1, profile.proportional[0].proportional[0].memory);

  profile = {};
  Add("predicates");
  Add("resource-strategy-fit", Map({{"resourceStrategyFitWeight", Int(0)}, {"proportional", Map({{"enable", Bool(true)}})}}));
  EXPECT_TRUE(profile.order.empty()) << "both parts are off";
  EXPECT_FALSE(profile.proportional.at(0).before_predicates);
}

// The three inputs that end Volcano's process, and more of the kind.
TEST_F(ProfileTest, WhatEndsVolcanoGivesTheDefault) {
  Add("resource-strategy-fit", Map({{"resourceStrategyFitWeight", Text("ten")}}));
  EXPECT_EQ("resource-strategy-fit/resourceStrategyFitWeight ", Problems());
  EXPECT_EQ(10, profile.order.at(0).strategy.weight);
  Add("resource-strategy-fit", Map({{"resources", List({Text("cpu")})}}));
  EXPECT_EQ("resource-strategy-fit/resources ", Problems());
  EXPECT_EQ(2u, profile.order.at(1).strategy.resources.size());
  Add("resource-strategy-fit", Map({{"sra", Map({{"enable", Text("yes")}})}}));
  EXPECT_EQ("resource-strategy-fit/sra.enable ", Problems());
  Add("resource-strategy-fit", Map({{"sra", Map({{"enable", Text("true")}})}}));
  EXPECT_EQ("resource-strategy-fit/sra.enable ", Problems()) << "nested switches have to be bools";
  EXPECT_EQ(0, profile.order.at(2).strategy.sra_weight);
  Add("resource-strategy-fit", Map({{"sra", Int(5)}, {"proportional", List({})}, {"resources", Map({{"cpu", Text("most")}, {"memory", Map({{"weight", Text("1")}, {"type", Int(3)}})}})}}));
  EXPECT_EQ(5u, problems.size()) << Problems();
}

TEST_F(ProfileTest, EveryDocumentedArgumentIsKnown) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ArgumentSpec& spec : ArgumentSpecs()) {
    EXPECT_TRUE(seen.emplace(spec.plugin, spec.key).second) << spec.key << " stands twice";
    EXPECT_FALSE(spec.meaning.empty()) << spec.key;
    EXPECT_FALSE(spec.type.empty()) << spec.key;
    if (spec.key.find('<') != spec.key.npos || spec.key.starts_with("sra.") || spec.key.starts_with("proportional.")) continue;
    const ConfigValue value = spec.type == "int" ? Int(1) : spec.type == "bool" ? Bool(true) : spec.type == "string" ? Text("") : spec.type == "list" ? List({}) : Map({});
    Add(spec.plugin, Map({{std::string(spec.key), value}}));
    EXPECT_EQ("", Problems()) << spec.key << " is documented but not read";
  }
  EXPECT_GT(seen.size(), 30u);
}

}  // namespace
}  // namespace basalt::scoring

// pdb: how many pods may go, by PodDisruptionBudgets.
#include "tests/support/scenario.h"

namespace basalt {
namespace {

using test::Scenario;
using Names = std::vector<std::string>;

std::string Config(const std::string& actions = "allocate, preempt", const std::string& tiers = "- plugins: [{name: priority}, {name: pdb}, {name: predicates}, {name: nodeorder}]\n") {
  return "actions: \"" + actions + "\"\ntiers:\n" + tiers;
}
std::string Budget(const std::string& name, const std::string& selector, int allowed, const std::string& more = "", const std::string& namespace_ = "ns") {
  return "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: " + name + ", namespace: " + namespace_ + "}, spec: {selector: " + selector +
         "}, status: {disruptionsAllowed: " + std::to_string(allowed) + more + "}}";
}

// Three pods of `low` that run with a label, and `wanted` tasks that need as much room as one of them each.
void Fill(Scenario* s, int wanted, const std::string& labels = "app: web") {
  for (const auto& [name, value] : {std::pair("high", 1000), std::pair("low", 10)})
    s->Add(std::string("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ") + name + "}, value: " + std::to_string(value) + "}");
  s->Node("n1", "cpu: 3, memory: 8Gi").Queue("other", "weight: 1");
  s->Group("low", "queue: default, priorityClassName: low, minMember: 0", "Running").Pods("low", 3, "cpu: 1", "n1", 0, "", "", labels);
  s->Group("j", "queue: default, priorityClassName: high, minMember: 1", "Inqueue").Pods("j", wanted, "cpu: 1");
}
Names Preempted(const std::vector<std::string>& budgets, int wanted = 3, Evictions mode = Evictions::kMinimal, const std::string& labels = "app: web") {
  Scenario s(mode);
  for (const std::string& b : budgets) s.Add(b);
  Fill(&s, wanted, labels);
  return s.Run(Config()).Evicted();
}

TEST(Pdb, NoMoreThanAllowed) {
  EXPECT_EQ(Preempted({}).size(), 3u);
  EXPECT_EQ(Preempted({Budget("b", "{matchLabels: {app: web}}", 1)}), Names{"low-2"});
  EXPECT_TRUE(Preempted({Budget("b", "{matchLabels: {app: web}}", 0)}).empty());
  EXPECT_TRUE(Preempted({Budget("b", "{matchLabels: {app: web}}", -2147483647 - 1)}).empty());
}

TEST(Pdb, CompatSpendsABudgetAnewInEachCall) {  // as Volcano reads it; one task at a time
  EXPECT_EQ(Preempted({Budget("b", "{matchLabels: {app: web}}", 1)}, 3, Evictions::kCompat).size(), 3u);
  EXPECT_TRUE(Preempted({Budget("b", "{matchLabels: {app: web}}", 0)}, 3, Evictions::kCompat).empty());
}

TEST(Pdb, EveryBudgetThatMatchesCounts) {
  EXPECT_EQ(Preempted({Budget("a", "{matchLabels: {app: web}}", 2), Budget("b", "{matchExpressions: [{key: app, operator: Exists}]}", 1)}).size(), 1u);
  EXPECT_EQ(Preempted({Budget("b", "{matchLabels: {app: web}}", 0, "", "elsewhere")}).size(), 3u);
  EXPECT_EQ(Preempted({Budget("b", "{matchLabels: {app: web, tier: x}}", 0)}).size(), 3u);
}

TEST(Pdb, SelectorsAsKubernetesReadsThem) {
  const auto kept = [](const std::string& selector) { return 3 - static_cast<int>(Preempted({Budget("b", selector, 0)}).size()); };
  EXPECT_EQ(kept("{matchExpressions: [{key: app, operator: In, values: [db, web]}]}"), 3);
  EXPECT_EQ(kept("{matchExpressions: [{key: app, operator: In, values: [db]}]}"), 0);
  EXPECT_EQ(kept("{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}"), 0);
  EXPECT_EQ(kept("{matchExpressions: [{key: tier, operator: NotIn, values: [web]}]}"), 3);
  EXPECT_EQ(kept("{matchExpressions: [{key: tier, operator: DoesNotExist}]}"), 3);
  EXPECT_EQ(kept("{matchExpressions: [{key: app, operator: DoesNotExist}]}"), 0);
  EXPECT_EQ(kept("{matchLabels: {app: web}, matchExpressions: [{key: tier, operator: Exists}]}"), 0);
  EXPECT_EQ(kept("{}"), 0);  // an empty selector matches nothing in Volcano
}

TEST(Pdb, ASelectorThatKubernetesRefusesMatchesNothingAndIsTold) {
  for (const char* bad : {"{key: app, operator: In}", "{key: app, operator: Exists, values: [web]}", "{key: app, operator: Gt, values: ['1']}", "{operator: Exists}"}) {
    Scenario s;
    s.Add(Budget("b", std::string("{matchLabels: {app: web}, matchExpressions: [") + bad + "]}", 0));
    Fill(&s, 1);
    EXPECT_EQ(s.Run(Config()).Evicted().size(), 1u) << bad;
    EXPECT_TRUE(s.Told("PodDisruptionBudget ns/b", "not what a selector takes")) << bad;
  }
}

TEST(Pdb, APodThatIsDisruptedAlreadyCountsNoMore) {
  EXPECT_EQ(Preempted({Budget("b", "{matchLabels: {app: web}}", 0, ", disruptedPods: {low-1: '2026-01-01T12:00:00Z'}")}), Names{"low-1"});
}

TEST(Pdb, PodsWithoutLabelsAreNoVictims) {  // gotcha 44, also where there is no budget at all
  EXPECT_TRUE(Preempted({}, 1, Evictions::kMinimal, "").empty());
  EXPECT_TRUE(Preempted({}, 1, Evictions::kCompat, "").empty());
}

TEST(Pdb, ReclaimHeedsItToo) {
  for (const int allowed : {0, 1}) {
    Scenario s;
    s.Add(Budget("b", "{matchLabels: {app: web}}", allowed));
    Fill(&s, 0);
    s.Group("r", "queue: other, minMember: 1", "Inqueue").Pods("r", 1, "cpu: 1").Run(Config("reclaim", "- plugins: [{name: priority}, {name: pdb}, {name: proportion}, {name: predicates}]\n"));
    EXPECT_EQ(s.Evicted().size(), static_cast<size_t>(allowed));
  }
}

TEST(Pdb, GangsHeedItUnlessAsVolcano) {  // G5
  const auto run = [](Evictions mode, int allowed, const std::string& labels = "app: web") {
    Scenario s(mode);
    s.Add(Budget("b", "{matchLabels: {app: web}}", allowed));
    Fill(&s, 2, labels);
    return s.Run(Config("gangpreempt", "- plugins: [{name: gang}, {name: priority}, {name: pdb}, {name: predicates}]\n")).Evicted().size();
  };
  EXPECT_EQ(run(Evictions::kMinimal, 0), 0u);
  EXPECT_EQ(run(Evictions::kMinimal, 1), 0u);  // the gang wants two
  EXPECT_EQ(run(Evictions::kMinimal, 2), 2u);
  EXPECT_EQ(run(Evictions::kMinimal, 0, ""), 2u);
  EXPECT_GT(run(Evictions::kCompat, 0), 0u);
}

TEST(Pdb, ShuffleEvictsAllThatNoBudgetKeepsAsVolcanoDoes) {  // G52
  const auto run = [](Evictions mode) {
    Scenario s(mode);
    s.Add(Budget("b", "{matchLabels: {app: web}}", 1));
    Fill(&s, 0);
    return s.Run(Config("shuffle")).Evicted().size();
  };
  EXPECT_EQ(run(Evictions::kCompat), 1u);
  EXPECT_EQ(run(Evictions::kMinimal), 0u);
}

TEST(Pdb, ShuffleKeepsWithinBudgetsWhatOthersWantGone) {
  const auto run = [](Evictions mode, int allowed) {
    Scenario s(mode);
    s.Add(Budget("b", "{matchLabels: {app: web}}", allowed)).Node("n1", "cpu: 4, memory: 8Gi", "volcano.sh/revocable-zone: z");
    s.Group("r", "queue: default, minMember: 0", "Running", "volcano.sh/jdb-max-unavailable: '3'").Pods("r", 3, "cpu: 1", "n1", 0, "volcano.sh/preemptable: 'true'", "", "app: web");
    return s.Run(Config("shuffle", "- plugins: [{name: tdm, arguments: {tdm.revocable-zone.z: 01:00-02:00}}]\n- plugins: [{name: pdb}]\n")).Evicted().size();
  };
  EXPECT_EQ(run(Evictions::kMinimal, 2), 2u);
  EXPECT_EQ(run(Evictions::kMinimal, 0), 0u);
  EXPECT_EQ(run(Evictions::kCompat, 0), 3u);  // the first tier decides alone
}

TEST(Pdb, WhatIsSpentIsGoneInTheNextCycle) {
  Scenario s;
  s.Add(Budget("b", "{matchLabels: {app: web}}", 1));
  Fill(&s, 3);
  s.Run(Config(), 2);
  EXPECT_TRUE(s.Evicted().empty());
}

TEST(Pdb, TheOrderOfTheInputDoesNotMatter) {
  const std::string budget = Budget("b", "{matchLabels: {app: web}}", 1);
  Scenario before, behind;
  before.Add(budget);
  Fill(&before, 3);
  Fill(&behind, 3);
  behind.Add(budget);
  EXPECT_EQ(before.Run(Config()).Evicted(), behind.Run(Config()).Evicted());
}

TEST(Pdb, ABudgetThatIsTakenBackHoldsNoMore) {
  Scenario s;
  s.Add(Budget("b", "{matchLabels: {app: web}}", 0));
  Fill(&s, 1);
  EXPECT_TRUE(s.Run(Config()).Evicted().empty());
  EXPECT_EQ(s.engine().store.Keys(objects::Kind::kPodDisruptionBudget), Names{"ns/b"});
  s.engine().store.Remove(objects::Kind::kPodDisruptionBudget, "ns/b", "");
  EXPECT_EQ(s.Run(Config()).Evicted().size(), 1u);
}

TEST(Pdb, TakesNoArguments) {
  Scenario s;
  Fill(&s, 0);
  s.Run(Config("allocate", "- plugins: [{name: pdb, arguments: {x: 1}}]\n"));
  EXPECT_TRUE(s.Told("plugin pdb", "unknown argument"));
}

}  // namespace
}  // namespace basalt

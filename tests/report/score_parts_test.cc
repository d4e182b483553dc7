#include "report/score_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace basalt {
namespace {

using scoring::OrderRule;
using scoring::Profile;
using testing::ElementsAre;

Profile ProfileOf(const std::vector<OrderRule::Kind>& order, int64_t least = 0, int64_t balanced = 0) {
  Profile profile;
  for (const OrderRule::Kind kind : order) profile.order.emplace_back().kind = kind;
  profile.least_requested = least, profile.balanced_resource = balanced;
  return profile;
}

std::vector<std::string> NamesOf(ScoreBy by, const std::vector<Profile>& profiles) {
  ScoreColumns columns(by);
  for (const Profile& p : profiles) columns.Add(p);
  EXPECT_EQ(columns.size(), columns.Names().size());
  return columns.Names();
}

TEST(ScoreColumns, NameWhatAConfigurationHas) {
  const Profile p = ProfileOf({OrderRule::kImageLocality, OrderRule::kBinpack, OrderRule::kBinpack}, 1, 1);
  EXPECT_THAT(NamesOf(ScoreBy::kSum, {p}), ElementsAre());
  EXPECT_THAT(NamesOf(ScoreBy::kPlugin, {p}), ElementsAre("nodeorder.imagelocality", "binpack", "binpack#2", "nodeorder"));
  EXPECT_THAT(NamesOf(ScoreBy::kRule, {p}),
              ElementsAre("nodeorder.imagelocality", "binpack", "binpack#2", "nodeorder.leastrequested", "nodeorder.balancedresource"));
  EXPECT_THAT(NamesOf(ScoreBy::kPlugin, {ProfileOf({OrderRule::kBinpack})}), ElementsAre("binpack")) << "no batch, no column of it";
}

TEST(ScoreColumns, KeepEveryConfigurationsOrder) {
  const Profile a = ProfileOf({OrderRule::kBinpack, OrderRule::kStrategyFit}, 1), b = ProfileOf({OrderRule::kStrategyFit, OrderRule::kBinpack}, 0, 1);
  EXPECT_THAT(NamesOf(ScoreBy::kPlugin, {a, b}), ElementsAre("binpack", "resource-strategy-fit", "binpack#2", "nodeorder"));
  EXPECT_THAT(
      NamesOf(ScoreBy::kRule, {a, ProfileOf({OrderRule::kImageLocality}, 1), b}),
      ElementsAre("nodeorder.imagelocality", "binpack", "resource-strategy-fit", "binpack#2", "nodeorder.balancedresource", "nodeorder.leastrequested"));
}

// Whatever configurations are compared: the parts of each have places in the order in which they are added.
TEST(ScoreColumns, PlacesRise) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; round++) {
    std::vector<Profile> profiles;
    for (int i = 0; i < 4; i++) {
      std::vector<OrderRule::Kind> order(random() % 4);
      for (auto& kind : order) kind = std::vector{OrderRule::kImageLocality, OrderRule::kBinpack, OrderRule::kStrategyFit}[random() % 3];
      profiles.push_back(ProfileOf(order, random() % 2, random() % 2));
    }
    for (const ScoreBy by : {ScoreBy::kPlugin, ScoreBy::kRule}) {
      ScoreColumns columns(by);
      for (const Profile& p : profiles) columns.Add(p);
      for (const Profile& p : profiles) {
        const auto parts = scoring::ScoreParts(p);
        const auto places = columns.Places(p);
        ASSERT_EQ(parts.size(), places.size());
        for (size_t i = 0; i < places.size(); i++) {
          ASSERT_LT(places[i], columns.size());
          if (i == 0) continue;
          const bool one_column = by == ScoreBy::kPlugin && parts[i].batch && parts[i - 1].batch;
          ASSERT_EQ(one_column, places[i - 1] == places[i]);
          ASSERT_LE(places[i - 1], places[i]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace basalt

// The list of actions.
#include <gtest/gtest.h>

#include "kernel/actions/catalogue.h"

namespace basalt {
namespace {

TEST(Actions, ThoseThatEvictAreNamedByTheirPlace) {
  EXPECT_EQ("preempt", NameOf(EvictionAction::kPreempt));
  EXPECT_EQ("reclaim", NameOf(EvictionAction::kReclaim));
  EXPECT_EQ("gangpreempt", NameOf(EvictionAction::kGangPreempt));
  EXPECT_EQ("gangreclaim", NameOf(EvictionAction::kGangReclaim));
  EXPECT_EQ("shuffle", NameOf(EvictionAction::kShuffle));
  EXPECT_TRUE(FindAction(kEnqueueAction));
}

}  // namespace
}  // namespace basalt

#include "report/nearest.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

TEST(DidYouMean, NamesTheClosest) {
  EXPECT_EQ("; did you mean default/web-0?", DidYouMean("default/wbe-0", {"default/web-0", "default/database-7"}));
  EXPECT_EQ("; did you mean a/x-1, a/x-2, a/x-3?", DidYouMean("a/x-0", {"a/x-3", "a/x-2", "a/x-4", "a/x-1"})) << "three, in order";
  EXPECT_EQ("; did you mean production/web-0?", DidYouMean("default/web-0", {"production/web-0", "production/api-1"})) << "right but for the namespace";
  EXPECT_EQ("", DidYouMean("default/web-0", {"kube-system/coredns"}));
  EXPECT_EQ("", DidYouMean("default/web-0", {}));
  EXPECT_EQ("", DidYouMean(std::string(100'000, 'a'), {std::string_view("default/web-0")})) << "nothing is near a long text";
}

}  // namespace
}  // namespace basalt

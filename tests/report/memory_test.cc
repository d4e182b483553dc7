// Memory over ten thousand cycles, in a cluster where pods come and go under ever new names.
#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "kernel/include/basalt.h"
#include "tests/support/door.h"

namespace basalt {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

size_t InUse() { return mallinfo2().uordblks; }

TEST(Memory, DoesNotGrowOverTenThousandCycles) {
  for (const bool live : {false, true}) {
    test::Door door(live);
    for (int n = 0; n < 50; n++) door.Upsert(test::NodeJson("n" + std::to_string(n), "64"));
    door.Upsert(test::QueueJson("default"));
    door.Upsert(test::GroupJson("g", 1));
    for (int p = 0; p < 500; p++) door.Upsert(test::PodJson("g", "run-" + std::to_string(p), "1", "n" + std::to_string(p % 50)));
    size_t early = 0;
    for (int cycle = 0; cycle < 10'000; cycle++) {
      const std::string name = "come-and-go-" + std::to_string(cycle), group = "group-" + std::to_string(cycle);
      door.Upsert(test::GroupJson(group, 1));
      door.Upsert(test::PodJson(group, name, cycle % 3 ? "1" : "1000"));  // some never fit: conditions are written
      door.Cycle();
      if (!live) basalt_settle(door.engine(), 0);
      door.Cycle();  // nothing changed
      door.Remove(test::PodJson(group, name, "1"));
      door.Remove(test::GroupJson(group, 1));
      if (cycle == 2'000) early = InUse();
    }
    // Tables that double may have one more doubling to go, nothing more.
    EXPECT_LT(InUse(), early + early / 20 + 65'536) << (live ? "live" : "offline") << ", in use after 2,000 cycles: " << early;
  }
}

#endif

}  // namespace
}  // namespace basalt

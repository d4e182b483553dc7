// The tree of best rows against a plain loop: sizes around its fan-out, many equal keys, ranks in any order, every backend.
#include "kernel/best_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/scoring/agree.h"

namespace basalt {
namespace {

using scoring::kInfeasible;

class Rows {
 public:
  Rows(size_t rows, uint32_t seed, bool by_name) : random_(seed), rows_(rows), by_name_(by_name) {
    key.Resize(rows), rank.Resize(rows);
    std::vector<uint64_t> order(rows);
    std::iota(order.begin(), order.end(), 1);
    if (!by_name) std::shuffle(order.begin(), order.end(), random_);
    for (size_t i = 0; i < rows; i++) {
      rank[i] = order[i] * 1000, key[i] = Key();
      if (i && random_() % 9 == 0) rank[i] = UINT64_MAX, key[i] = kInfeasible;  // no node in this row
    }
  }
  const uint64_t* Ranks() const { return by_name_ ? nullptr : rank.data(); }
  void Draw(uint32_t row) {
    if (rank[row] != UINT64_MAX) key[row] = Key();
  }
  double Key() {
    const uint32_t draw = random_() % 8;
    return draw == 0 ? kInfeasible : draw < 6 ? 100.0 : static_cast<double>(random_() % 5) - 2.5;  // mostly equal ones
  }
  uint32_t Row() { return static_cast<uint32_t>(random_() % rows_); }
  uint32_t Plain() const {  // where nothing fits, any row will do
    uint32_t best = 0;
    for (uint32_t i = 1; i < rows_; i++)
      if (key[i] > key[best] || (key[i] == key[best] && rank[i] < rank[best])) best = i;
    return best;
  }
  Column<double> key{kInfeasible};
  Column<uint64_t> rank{UINT64_MAX};

 private:
  std::mt19937 random_;
  size_t rows_;
  bool by_name_;
};

TEST(BestTree, GivesWhatAPlainLoopGives) {
  for (const auto* backend : test::AllBackends()) {
    BestTree tree;  // one for all sizes: it grows and shrinks
    for (const bool by_name : {true, false})
      for (const size_t rows : {1u, 2u, 7u, 8u, 9u, 31u, 32u, 33u, 63u, 64u, 65u, 1023u, 1024u, 1025u, 33000u, 1u, 40u, 2000u}) {
        Rows r(rows, static_cast<uint32_t>(rows), by_name);
        tree.Build(*backend, r.key.data(), r.Ranks(), rows);
        const auto as_plain = [&] { return r.key[tree.Best()] == r.key[r.Plain()] && (r.key[r.Plain()] == kInfeasible || tree.Best() == r.Plain()); };
        ASSERT_TRUE(as_plain()) << backend->Name() << ", " << rows << " rows, built";
        for (int step = 0; step < 40; step++) {
          const uint32_t row = step % 2 ? tree.Best() : r.Row();
          r.Draw(row);
          tree.Update(*backend, r.key.data(), r.Ranks(), row);
          ASSERT_TRUE(as_plain()) << backend->Name() << ", " << rows << " rows, one changed";
          std::vector<uint32_t> changed;
          for (int n = 0; n < 5; n++) {
            const uint32_t one = r.Row();
            r.Draw(one);
            changed.push_back(static_cast<uint32_t>(one / kRowPad));
          }
          tree.Update(*backend, r.key.data(), r.Ranks(), changed);
          ASSERT_TRUE(as_plain()) << backend->Name() << ", " << rows << " rows, some changed";
        }
      }
  }
}

}  // namespace
}  // namespace basalt

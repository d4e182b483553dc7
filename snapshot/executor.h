// How a room without threads of its own runs work in parallel: the caller hands an executor in.
#pragma once
#include <cstddef>
#include <functional>

namespace basalt {

/// Runs `body(i)` for every i in [0, n), on any number of threads, and returns when all have ended. `body` must not throw.
/// Results must not depend on the order or the number of threads.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual size_t Threads() const = 0;
  virtual void ParallelFor(size_t n, const std::function<void(size_t)>& body) = 0;
};

/// Runs everything on the calling thread.
class InlineExecutor final : public Executor {
 public:
  size_t Threads() const override { return 1; }
  void ParallelFor(size_t n, const std::function<void(size_t)>& body) override {
    for (size_t i = 0; i < n; i++) body(i);
  }
};

}  // namespace basalt

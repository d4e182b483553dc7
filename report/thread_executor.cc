#include "report/thread_executor.h"

#include <thread>

#if defined(__SANITIZE_THREAD__)
#include <atomic>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace basalt {
namespace {

#if defined(__SANITIZE_THREAD__)

// oneTBB's library is not instrumented, so ThreadSanitizer cannot see how it orders its threads, and to silence it would silence what runs on them.
class ThreadsExecutor final : public Executor {
 public:
  explicit ThreadsExecutor(size_t threads) : threads_(threads) {}
  size_t Threads() const override { return threads_; }
  void ParallelFor(size_t n, const std::function<void(size_t)>& body) override {
    std::atomic<size_t> next{0};
    const auto work = [&] {
      for (size_t i; (i = next.fetch_add(1)) < n;) body(i);
    };
    std::vector<std::thread> others;
    for (size_t t = 1; t < threads_ && t < n; t++) others.emplace_back(work);
    work();
    for (std::thread& t : others) t.join();
  }

 private:
  const size_t threads_;
};
using PoolExecutor = ThreadsExecutor;

#else

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(size_t threads) : threads_(threads), arena_(static_cast<int>(threads)) {}
  size_t Threads() const override { return threads_; }
  void ParallelFor(size_t n, const std::function<void(size_t)>& body) override {
    arena_.execute([&] { tbb::parallel_for(size_t{0}, n, [&](size_t i) { body(i); }, tbb::simple_partitioner()); });
  }

 private:
  const size_t threads_;
  tbb::task_arena arena_;
};
using PoolExecutor = TbbExecutor;

#endif

}  // namespace

std::unique_ptr<Executor> MakeExecutor(size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 1) return std::make_unique<InlineExecutor>();
  return std::make_unique<PoolExecutor>(threads);
}

}  // namespace basalt

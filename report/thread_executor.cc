#include "report/thread_executor.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <thread>

namespace basalt {
namespace {

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

}  // namespace

std::unique_ptr<Executor> MakeExecutor(size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 1) return std::make_unique<InlineExecutor>();
  return std::make_unique<TbbExecutor>(threads);
}

}  // namespace basalt

// Where the time of a command went, as a file that chrome://tracing and Perfetto show.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace basalt::cli {

class Trace {
 public:
  /// Times a stage from here to the end of the scope.
  class Span {
   public:
    Span(Trace* trace, std::string name) : trace_(trace), name_(std::move(name)), start_(Clock::now()) {}
    ~Span() { trace_->Add(name_, start_, Clock::now()); }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

   private:
    Trace* trace_;
    std::string name_;
    std::chrono::steady_clock::time_point start_;
  };

  Span Stage(std::string name) { return Span(this, std::move(name)); }
  /// {"traceEvents": [...]} with complete events in microseconds since the trace was made.
  std::string Json() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Event {
    std::string name;
    int64_t start_us, duration_us;
  };
  void Add(const std::string& name, Clock::time_point start, Clock::time_point end);

  const Clock::time_point begin_ = Clock::now();
  std::vector<Event> events_;
};

}  // namespace basalt::cli

// What a basalt_engine handle is.
#pragma once
#include <vector>

#include "kernel/include/basalt.h"
#include "report/engine.h"

struct basalt_engine {
  explicit basalt_engine(basalt::EngineOptions o) : engine(std::move(o)) {}
  basalt::Engine engine;
  std::vector<basalt_placement> binds, pipelined;  // arrays that were handed out
  std::vector<uint32_t> evicted;
  std::vector<basalt::Write> taken;
  std::vector<basalt_write> writes;
  std::vector<basalt_stage_time> stages;
};

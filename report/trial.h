// What would the last cycle have decided on a changed input? Tried on the engine itself: the cycle is taken back, the objects are replaced, the cycle runs,
// and everything is put back.
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/change.h"
#include "report/engine.h"

namespace basalt {

class Trial {
 public:
  /// Precondition: one cycle has run since the input was read or settled.
  Trial(Engine* engine, ObjectSource source) : engine_(*engine), source_(std::move(source)) { engine_.Rewind(); }
  /// Leaves the engine as the cycle had left it.
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Decides on the input with these changes; the engine then shows the outcome, until Undo. False where an object to be changed is not in the input.
  bool Run(std::span<const Change> changes);
  void Undo();
  /// The same changes for somebody who has only the input: what is changed of an implied queue becomes a queue that is made.
  std::vector<Change> ForInput(std::vector<Change> changes);

 private:
  void Take(std::string_view json);
  const std::string& Original(const std::string& kind, const std::string& key);

  Engine& engine_;
  const ObjectSource source_;
  std::vector<std::pair<std::string, std::string>> originals_;  ///< kind and JSON of what was replaced
  std::vector<std::pair<std::string, std::string>> created_;    ///< kind and key
  std::map<std::pair<std::string, std::string>, std::string> seen_;  ///< texts of objects that were asked for
  bool run_ = false;
};

}  // namespace basalt

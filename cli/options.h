// Flags that several commands share.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace basalt::cli {

/// Flags of every command.
struct CommonOptions {
  std::string backend = "auto", now, color = "auto", progress = "auto";
  uint32_t threads = 0;
  uint64_t seed = 1;
  bool lenient = false;
  int verbosity = 0;
};

/// Where objects and configuration come from.
struct InputOptions {
  std::vector<std::string> paths;  ///< in the order of the command line
  std::vector<std::string> words;  ///< what stood alone and is no path, see AddInputs
  std::string config;
  std::vector<std::string> scheduler_names;
};

/// What a command adds itself to: the root of the command line, the common flags, and the place where the chosen command leaves its work.
struct Registry {
  CLI::App* root;
  CommonOptions* common;
  std::function<int()>* chosen;

  /// A subcommand with the common flags; `run` is called once the whole command line is understood.
  CLI::App* Add(const std::string& name, const std::string& description, std::function<int()> run) const;
};

void AddCommon(CLI::App* app, CommonOptions* common);

/// An option whose value is one of a few words; help and completion show them as a|b|c. The value before parsing is the default, if not empty.
CLI::Option* AddChoice(CLI::App* app, const std::string& flags, std::string* value, const std::vector<std::string>& words, const std::string& description);

/// -f in every use takes one path; further paths may stand alone, as in `-f *.json`, which a shell makes `-f a.json b.json`.
/// options->paths is complete once parsing is over.
void AddInputs(CLI::App* app, InputOptions* options, bool required);
/// For commands that take other words there too: words_at_end tells how many of the words that stand alone, counted from the last, are no
/// paths; they go to options->words.
void AddInputsAndWords(CLI::App* app, InputOptions* options, bool required, const std::string& name, const std::string& description,
                       std::function<size_t(const std::vector<std::string>&)> words_at_end);
void AddConfig(CLI::App* app, InputOptions* options);

std::string Join(const std::vector<std::string>& words, const std::string& between);

/// Prints "basalt: TEXT" and the hint where help is; returns kUsage.
int UsageError(const std::string& command, const std::string& text);
/// For what is agreed but not built; returns kUsage.
int NotSupportedYet(const std::string& what);

}  // namespace basalt::cli

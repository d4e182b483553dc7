// The configurations that `score --variants` compares.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/config_value.h"

namespace basalt {

struct ScoreVariant {
  std::string name;
  ConfigValue config;
};

/// Reads a YAML (or JSON) map of names. Each names a whole scheduler configuration (actions, tiers), or what differs from the one in force:
///   pack: {arguments: {binpack: {binpack.weight: 10}}}     {} is the one in force as it stands.
/// in_force: its tree. False and a sentence in *error where the text is refused.
bool ReadVariants(std::string_view text, const ConfigValue& in_force, std::vector<ScoreVariant>* variants, std::string* error);

}  // namespace basalt

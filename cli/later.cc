// Commands that the command line has agreed on and that are not built: they say so instead of doing half.
#include "cli/commands.h"

namespace basalt::cli {

void AddLater(const Registry& registry) {
  for (const auto& [name, what] : {std::pair("topology", "Print the network topology of a dump")}) {
    CLI::App* app = registry.Add(name, std::string(what) + " (not supported yet)", [name = std::string(name)] { return NotSupportedYet("`basalt " + name + "`"); });
    app->allow_extras();
  }
}

}  // namespace basalt::cli

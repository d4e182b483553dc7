// Every command adds itself to the command line; one file each.
#pragma once
#include "cli/options.h"

namespace basalt::cli {

void AddSchedule(const Registry& registry);
void AddScore(const Registry& registry);
void AddExplain(const Registry& registry);
void AddVerify(const Registry& registry);
void AddConvert(const Registry& registry);
void AddGenerate(const Registry& registry);
void AddConfigCommand(const Registry& registry);
void AddBench(const Registry& registry);
void AddVersion(const Registry& registry);
void AddCompletion(const Registry& registry);
/// Commands that are agreed and not built: they say so.
void AddLater(const Registry& registry);

/// {"version": ...} of the library as a text for people.
std::string VersionText();

}  // namespace basalt::cli

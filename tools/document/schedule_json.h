// Reads durability schedules: which runs a body lives through, how often, and over which distance.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "document/json.h"

namespace femflex::tools {

struct ScheduledRun {
  std::filesystem::path result;
  double weight = 0.0;  ///< passes of the run per unit of the schedule
};

struct Schedule {
  std::string unit;  ///< "km", "mi", "h", or "schedule" for one pass of all runs
  std::vector<ScheduledRun> runs;
  double rest = 0.0;             ///< share of the unit that no run covers; it does no damage
  std::optional<double> target;  ///< wanted life, in units
};

/// Reads a schedule, docs/formats/stress.md. Paths are relative to its folder.
/// @throws UsageError  no such file
/// @throws ParseError  a missing or unknown member, or shares of more than 1
Schedule read_schedule(const std::filesystem::path& path);

}  // namespace femflex::tools

// The content of any file that femflex reads as one JSON document, for `femflex info`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"

namespace femflex::tools {

/// An entry of a matrix to show, 1-based.
struct Sample {
  std::int64_t row = 0;
  std::int64_t col = 0;
};

/// The content of a file, as printed by `info --json`: any file of an FE code, FE model, body,
/// system or result.
/// @param samples  entries of the matrices to list
/// @param units    units of a file that gives none
/// @throws UsageError  no such file;  ParseError  a damaged file
Json describe(const std::filesystem::path& path,
              const std::vector<Sample>& samples,
              const std::optional<Units>& units,
              Diagnostics& diagnostics,
              Progress& progress);

}  // namespace femflex::tools

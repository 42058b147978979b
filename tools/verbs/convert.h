// convert(): the verb convert. Writes a body in another file format, or the motion of a result as a
// series of files for ParaView.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// Input of convert().
struct ConvertRequest {
  BodyInput body;
  std::optional<Units> units;  ///< units of a body file that gives none
  std::filesystem::path output;
  flexfile::WriteOptions options;
  std::vector<std::filesystem::path> flex;  ///< body files of a result; empty: those it names
  std::int64_t max_frames = 300;            ///< most instants of a motion
  bool mat73 = false;                       ///< .mat of level 7.3
};

/// Outcome of convert().
struct ConvertOutcome {
  FlexBody body;           ///< the body read; for a motion, the joined mesh without modes
  std::size_t frames = 0;  ///< number of instants of a motion; 0: a body was converted
};

/// Writes a body in another file format, or the motion of a result as a `.pvd`.
/// @throws UsageError  an unknown format, or one that cannot be written; see load()
ConvertOutcome convert(const ConvertRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

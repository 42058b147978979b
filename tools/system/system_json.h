// Reads a system file (bodies, joints, motions, forces, analyses, outputs) into a checked system.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/progress.h"
#include "femflex/provenance.h"

#include "document/document.h"
#include "system/run_page.h"

namespace femflex::tools {

/// One entry of "analyses".
struct Analysis {
  enum class Type : std::uint8_t { static_, modal, dynamic };
  Type type = Type::dynamic;
  mbd_solver::StaticOptions statics;
  mbd_solver::DynamicOptions dynamic;
  bool keep_states = false;        ///< dynamic: the result keeps the state of every row
  std::optional<double> up_to_hz;  ///< modal: list modes up to this frequency; absent: all
};

/// A system file, fully read and checked: the system and the analyses to run.
struct SystemDocument {
  mbd_solver::System system;
  std::vector<Analysis> analyses;
  RunPage page;                              ///< what reports show of the run
  std::vector<Provenance::Source> sources;   ///< the files read, with sha256
  std::vector<std::filesystem::path> files;  ///< their paths
  /// Body files of the flexible bodies. Results store them, and back-transformation finds them
  /// there.
  std::vector<std::pair<std::string, std::filesystem::path>> flex_files;
};

/// Reads a system (PRODUCT section 5, docs/formats/system.md). Paths in it are relative to its
/// folder; numbers are in its "units" and are converted to SI.
/// @throws UsageError  a file that it names does not exist
/// @throws ParseError  a value of the wrong kind or an unknown key, with line and column; the
/// message names the nearest key
/// @throws ModelError  parts that contradict each other
SystemDocument read_system(const DocumentInput& input,
                           const DocumentOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::tools

// read_system(): reads a system file (bodies, joints, motions, forces, analyses, outputs) into a
// checked System. The verbs that run systems call it.
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
  enum class Type : std::uint8_t { static_, modal, dynamic, kinematic, quasi_static };
  Type type = Type::dynamic;
  mbd_solver::StaticOptions statics;   ///< static; of each equilibrium of quasi_static
  mbd_solver::DynamicOptions dynamic;  ///< kinematic, quasi_static: start, end, output_step alone
  bool keep_states = false;            ///< dynamic: the result keeps the state of every row
  std::optional<double> up_to_hz;      ///< modal: list modes up to this frequency; absent: all
};

/// Whether an analysis sends a series of rows.
inline bool goes_over_time(const Analysis& analysis) {
  return analysis.type != Analysis::Type::static_ && analysis.type != Analysis::Type::modal;
}

/// A system file, fully read and checked: the system and the analyses to run.
struct SystemDocument {
  mbd_solver::System system;
  std::vector<Analysis> analyses;
  RunPage page;                              ///< figures and plots that reports show
  std::vector<Provenance::Source> sources;   ///< the files read, with sha256
  std::vector<std::filesystem::path> files;  ///< paths of the files read
  /// Body files of the flexible bodies. Results store these paths, so that back-transformation
  /// finds the files.
  std::vector<std::pair<std::string, std::filesystem::path>> flex_files;
};

/// Reads a system (docs/formats/system.md). Paths in it are relative to its folder. Numbers are in
/// its "units" and are converted to SI.
/// @throws UsageError  a file that it refers to does not exist
/// @throws ParseError  a value of a wrong type or an unknown key, with line and column; the message
/// suggests the most similar key
/// @throws ModelError  parts of the system contradict each other
SystemDocument read_system(const DocumentInput& input,
                           const DocumentOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::tools

// A smaller body whose shapes represent the motion of the body in given simulation results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

#include "results/results_file.h"

namespace femflex::tools {

/// A body with the shapes found by body_by_run().
struct RunModes {
  FlexBody body;
  std::vector<std::string> seen_in;  ///< bodies of the run whose motion was used
  /// Share of the mean square acceleration (mass norm) that the shapes represent.
  double kept_share = 0.0;
};

/// The few shapes that represent the motion of a body in given runs; each row of a run is a
/// snapshot, see modal::MotionSnapshots.
///
/// @param below_hz  motion above this frequency is filtered out; 0: no filter
/// @throws UsageError  no body of a run was made from `body_file`, no zeta_ddot in it, or more
/// modes requested than the body has or the runs excite
RunModes body_by_run(const FlexBody& body,
                     const std::filesystem::path& body_file,
                     const std::vector<std::filesystem::path>& runs,
                     Eigen::Index count,
                     double below_hz);

}  // namespace femflex::tools

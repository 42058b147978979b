// A smaller body whose shapes represent the motion of the body in given simulation results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

#include "results/results_file.h"

namespace femflex::tools {

/// Outcome of body_from_runs().
struct RunModes {
  FlexBody body;                     ///< the body with the new shapes
  std::vector<std::string> seen_in;  ///< names in the runs of the bodies whose motion was used
  /// Share of the mean square acceleration (mass norm) that the shapes represent, 0 to 1.
  double kept_share = 0.0;
};

/// Replaces the shapes of a body by `count` shapes that best represent its motion in given runs
/// (results of simulations); each row of a run is a snapshot, see modal::MotionSnapshots.
///
/// @param body_file  the file of `body`: a run names the files of its bodies, with their sha256
/// @param count      number of shapes
/// @param below_hz  motion above this frequency is filtered out; 0: no filter
/// @throws UsageError  no body of a run was made from `body_file`, a run has no zeta_ddot of it, or
/// more shapes are requested than the body has or the runs excite
RunModes body_from_runs(const FlexBody& body,
                        const std::filesystem::path& body_file,
                        const std::vector<std::filesystem::path>& runs,
                        Eigen::Index count,
                        double below_hz);

}  // namespace femflex::tools

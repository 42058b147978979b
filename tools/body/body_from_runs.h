// body_from_runs(): makes a smaller body whose shapes represent the motion of the body in given
// simulation results. The verb reduce uses it.
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
  std::vector<std::string> seen_in;  ///< names of the bodies in the runs whose motion was used
  /// Share of the mean square acceleration, in the mass norm, that the shapes represent; 0 to 1.
  double kept_share = 0.0;
};

/// Replaces the shapes of a body by `count` shapes that best represent its motion in given
/// simulation results. Each row of a run is a snapshot, see modal::MotionSnapshots.
///
/// @param body_file  the file of `body`; each run contains the names and SHA-256 of its body files
/// @param count      number of shapes
/// @param below_hz  motion above this frequency is filtered out; 0: no filter
/// @throws UsageError  no body of a run was made from `body_file`; a run contains no zeta_ddot of
/// the body; or there are more shapes than the body has or the runs excite
RunModes body_from_runs(const FlexBody& body,
                        const std::filesystem::path& body_file,
                        const std::vector<std::filesystem::path>& runs,
                        Eigen::Index count,
                        double below_hz);

}  // namespace femflex::tools

// Pictures of stresses for the verb stress: pages of `femflex view` with colours and hot spots, VTK
// files, and the data of the printable report.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/run_stress.h"

#include "results/stress_tables.h"
#include "verbs/stress.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {

/// A run whose stresses are shown.
struct RunSubject {
  const FeModel& model;
  const FlexBody& body;
  std::string name;  ///< name of the body in the run
  const ResultInput& result;
  const Eigen::VectorXd& time;
  const Eigen::MatrixXd& zeta;  ///< modal coordinates (instants x modes)
};

/// Writes `request.page` and `request.picture` of shapes.
/// @param largest  the largest von Mises stress of each shape
void picture_shapes(const StressRequest& request,
                    const durability::StressSource& source,
                    const ShapeSubject& subject,
                    const std::vector<tools::ShapeStress>& largest,
                    StressOutcome& out);

/// Writes `request.page` and `request.picture` of a run, and fills `out.page`.
/// @param spots  places to list, in order of decreasing severity
/// @throws UsageError  `request.page` is given, but the run is not stored in a file
void picture_run(const StressRequest& request,
                 const durability::StressSource& source,
                 const RunSubject& subject,
                 const durability::RunStress& run,
                 const std::vector<durability::LocationPeaks>& spots,
                 StressOutcome& out);

}  // namespace femflex::verbs

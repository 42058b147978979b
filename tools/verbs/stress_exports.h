// Exports from a run: modal coordinates for fatigue programs, and load cases at chosen instants for
// FE codes. The verb stress calls them.
#pragma once

#include <string>

#include <Eigen/Core>

#include "results/results_file.h"
#include "verbs/stress.h"

namespace femflex::verbs {

/// Checks the options of exports.
/// @throws UsageError  a file extension that is not supported; instants of load cases without a
/// file, or a file without instants
void check_exports(const StressRequest& request);

/// Writes the modal coordinates to the file `request.coordinates`, if that is set.
/// @param name  name of the body in the run
/// @param zeta  modal coordinates (instants x modes)
/// @throws UsageError  time steps of the rows are not equal
void export_coordinates(const StressRequest& request,
                        const std::string& name,
                        const Eigen::VectorXd& time,
                        const Eigen::MatrixXd& zeta,
                        StressOutcome& out);

/// Writes load cases at `request.loads_at` if it is not empty.
/// @throws UsageError  an instant outside the run
/// @throws ModelError  see tools::equivalent_loads()
void export_load_cases(const StressRequest& request,
                       const FeModel& model,
                       const FlexBody& body,
                       const Eigen::VectorXd& time,
                       const Eigen::MatrixXd& zeta,
                       StressOutcome& out);

}  // namespace femflex::verbs

// What a fatigue or FE code takes from a run: modal coordinates, load cases of chosen instants.
#pragma once

#include <string>

#include <Eigen/Core>

#include "results/results_file.h"
#include "verbs/stress.h"

namespace femflex::verbs {

/// @throws UsageError  files with endings that cannot be written, load cases without a file or the
/// other way round
void check_exports(const StressRequest& request);

/// Writes `request.coordinates` if it is given.
/// @param name  of the body in the run
/// @param zeta  (instants x modes)
/// @throws UsageError  rows at unequal steps
void export_coordinates(const StressRequest& request,
                        const std::string& name,
                        const Eigen::VectorXd& time,
                        const Eigen::MatrixXd& zeta,
                        StressOutcome& out);

/// Writes load cases at `request.loads_at`, if any.
/// @throws UsageError  an instant outside the run
/// @throws ModelError  see tools::equivalent_loads()
void export_load_cases(const StressRequest& request,
                       const FeModel& model,
                       const FlexBody& body,
                       const Eigen::VectorXd& time,
                       const Eigen::MatrixXd& zeta,
                       StressOutcome& out);

}  // namespace femflex::verbs

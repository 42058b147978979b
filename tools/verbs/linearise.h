#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "system/responses.h"

namespace femflex::verbs {

/// Input of linearise().
struct LineariseRequest {
  tools::DocumentInput system;  ///< or the file of a formatted DADS input
  tools::DocumentOptions document;
  bool about_equilibrium = true;   ///< false: about the assembled initial state
  std::optional<double> up_to_hz;  ///< modes listed; absent: all
  bool shapes = false;             ///< also the mode shapes in the outputs of the system

  std::vector<tools::ResponseRequest> responses;  ///< to a unit force or moment
  std::optional<Eigen::VectorXd> at_hz;           ///< their frequencies; absent: `points` of `band`
  std::optional<modal::FrequencyBand> band;
  std::int64_t points = 50;  ///< spaced evenly on a logarithmic axis
};

/// The state that the system was linearised about.
struct Equilibrium {
  std::int64_t iterations = 0;
  double residual = 0.0;
  bool is_stable = true;
  std::vector<std::pair<std::string, double>> values;  ///< of the system's outputs
};

struct LineariseOutcome {
  std::optional<Equilibrium> equilibrium;  ///< absent: about the assembled initial state
  Eigen::Index degrees_of_freedom = 0;     ///< without an equilibrium
  std::vector<mbd_solver::SystemMode> modes;
  tools::ModeShapes shapes;  ///< without rows where not requested
  std::vector<tools::Response> responses;
};

/// Equilibrium, frequencies, damping and responses of an assembled system.
/// @throws UsageError  responses without frequencies; see read_any_system(), responses_of()
/// @throws NumericalError  no equilibrium
LineariseOutcome linearise(const LineariseRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::verbs

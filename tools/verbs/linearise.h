// linearise(): the verb linearise. Computes equilibrium, modes and frequency responses of a system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "system/responses.h"

namespace femflex::verbs {

/// Input of linearise().
struct LineariseRequest {
  tools::DocumentInput system;  ///< a system, or a formatted DADS input file
  tools::DocumentOptions document;
  bool about_equilibrium = true;  ///< false: about the assembled initial state
  /// Result with the state to linearise about, for example of steady rolling; empty: none.
  std::filesystem::path about;
  std::optional<double> from;      ///< [s] time of that state; absent: the last one
  std::optional<double> up_to_hz;  ///< list modes up to this frequency; absent: all
  bool shapes = false;             ///< also compute the mode shapes at the outputs of the system

  std::vector<tools::ResponseRequest> responses;  ///< responses to a unit force or moment
  /// Frequencies of the responses; absent: from `band`.
  std::optional<Eigen::VectorXd> at_hz;
  std::optional<modal::FrequencyBand> band;
  /// Number of frequencies in `band`, evenly spaced on a logarithmic axis.
  std::int64_t points = 50;

  /// File for the state-space matrices A, B, C, D: .mat, .npz or .csv.
  std::optional<std::filesystem::path> state_space;
  bool mat73 = false;  ///< .mat of level 7.3
  /// Inputs of A, B, C, D: channels along which a unit force or moment acts, and names of blocks.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;   ///< outputs of A, B, C, D; empty: those of the system
  std::optional<double> sample_time;  ///< [s] sampling step of A and B; absent: continuous
  std::optional<std::int64_t> order;  ///< number of states kept by balanced truncation; absent: all
};

/// The state about which the system was linearised.
struct Equilibrium {
  std::int64_t iterations = 0;
  double residual = 0.0, unbalanced = 0.0;  ///< see mbd_solver::StaticSummary
  bool is_stable = true;
  std::int64_t idle_directions = 0;                    ///< number of directions without load and
                                                       ///< stiffness
  std::vector<std::pair<std::string, double>> values;  ///< values of the system's outputs
};

/// Outcome of linearise().
struct LineariseOutcome {
  std::optional<Equilibrium> equilibrium;  ///< absent: linearised about an initial or a stored
                                           ///< state
  std::optional<double> state_time;        ///< [s] of the stored state
  Eigen::Index degrees_of_freedom = 0;     ///< set only for the assembled initial state
  std::vector<mbd_solver::SystemMode> modes;
  tools::ModeShapes shapes;  ///< without rows if not requested
  std::vector<tools::Response> responses;
  std::optional<mbd_solver::LinearSystem> linear;  ///< A, B, C, D as written to the file
  double error_bound = 0.0;  ///< upper bound of the error in gain caused by truncation
};

/// Equilibrium, frequencies, damping and responses of an assembled system.
/// @throws UsageError  responses without frequencies; see read_any_system(), responses_of(),
/// read_state()
/// @throws ModelError  the stored state belongs to another model
/// @throws NumericalError  there is no equilibrium
LineariseOutcome linearise(const LineariseRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::verbs

// Derivatives of a run by parameters of its system, step by step along with the run:
// simulate_with_tangents().
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/progress.h"

namespace femflex::mbd_solver {

/// A system with another value of a parameter, and the state in which its run begins.
struct ChangedSystem {
  System system;
  std::optional<State> restart;  ///< as DynamicOptions::restart; present if the run has one
};

/// A parameter p of a system, whatever it stands for.
struct TangentParameter {
  std::string name;
  /// by how much p may change so that what follows from it is linear to eight digits: about 1e-4
  /// of its size. Shortened during the run if states turn out to be more sensitive.
  double change = 0.0;
  /// The system at p + change; called for changes of both signs. `restart` is wanted only if
  /// `is_first`.
  std::function<ChangedSystem(double change, bool is_first)> at;
};

/// Receives rows with their derivatives.
class TangentSink {
 public:
  TangentSink() = default;
  TangentSink(const TangentSink&) = delete;
  TangentSink& operator=(const TangentSink&) = delete;
  TangentSink(TangentSink&&) = delete;
  TangentSink& operator=(TangentSink&&) = delete;
  virtual ~TangentSink() = default;
  /// Called once, before the first row.
  virtual void begin(std::span<const Channel> channels) = 0;
  /// @param slopes  (channels x parameters) derivatives of the values; NaN beyond a break
  virtual void append(double t, std::span<const double> values, const Eigen::MatrixXd& slopes) = 0;
};

/// Where derivatives end, because the run does not depend smoothly on a parameter from there on.
struct TangentBreak {
  double time = 0.0;  ///< [s] rows up to here have derivatives
  std::string reason;
};

struct TangentSummary {
  SimulationSummary run;
  std::vector<std::optional<TangentBreak>> breaks;  ///< one per parameter
  double tangent_seconds = 0.0;     ///< processor time of the derivatives, within run.cpu_seconds
  std::int64_t iterations = 0;      ///< of all parameters
  std::int64_t factorisations = 0;  ///< of the derivatives, besides those of the run
};

/// As simulate(), and with each row its derivatives by the parameters: the derivatives of the steps
/// that generalised-alpha or Runge-Kutta takes, as exact as the steps. Each parameter costs about
/// as much as two runs. Warns where contacts open or close without a jump. docs/theory/multibody.md
/// section 10.
/// @throws UsageError  another integrator;  ModelError  a parameter changes what the system
/// consists of;  and as simulate()
TangentSummary simulate_with_tangents(const System& system,
                                      const std::vector<TangentParameter>& parameters,
                                      const DynamicOptions& options,
                                      TangentSink& sink,
                                      Diagnostics& diagnostics,
                                      Progress& progress);

}  // namespace femflex::mbd_solver

// simulate_with_tangents(): a run with the derivatives of its channels with respect to parameters
// of the system. tools/runs/ uses it for gradients.
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

/// The system at another value of a parameter, and the state in which its run begins.
struct ChangedSystem {
  System system;
  std::optional<State> restart;  ///< as DynamicOptions::restart; present if the run has one
};

/// A parameter p of a system.
struct TangentParameter {
  std::string name;
  /// step of p for differences, small enough that the response is linear to eight digits: about
  /// 1e-4 of p. Reduced during the run if states are more sensitive.
  double change = 0.0;
  /// Returns the system at p + change; called with changes of both signs. `restart` is needed only
  /// if `is_first`.
  std::function<ChangedSystem(double change, bool is_first)> at;
};

/// Receives rows of channels with their derivatives.
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
  /// @param slopes  (channels x parameters) derivatives of the values; NaN after a TangentBreak
  virtual void append(double t, std::span<const double> values, const Eigen::MatrixXd& slopes) = 0;
};

/// The time after which a parameter has no derivatives, because the run no longer depends smoothly
/// on it.
struct TangentBreak {
  double time = 0.0;  ///< [s] rows up to this time have derivatives
  std::string reason;
};

struct TangentSummary {
  SimulationSummary run;
  std::vector<std::optional<TangentBreak>> breaks;  ///< one per parameter
  double tangent_seconds = 0.0;     ///< processor time of the derivatives, within run.cpu_seconds
  std::int64_t iterations = 0;      ///< of all parameters
  std::int64_t factorisations = 0;  ///< of the derivatives, in addition to those of the run
};

/// As simulate(), with the derivatives of each row with respect to the parameters. They are the
/// derivatives of the steps that generalised-alpha or Runge-Kutta takes, as exact as the steps.
/// Each parameter costs about as much as two runs. Warns if contacts open or close without a jump
/// of the force. docs/theory/multibody.md section 10.
/// @throws UsageError  another integrator is chosen
/// @throws ModelError  a parameter changes the bodies, joints or forces that the system consists of
/// @throws  the exceptions of simulate()
TangentSummary simulate_with_tangents(const System& system,
                                      const std::vector<TangentParameter>& parameters,
                                      const DynamicOptions& options,
                                      TangentSink& sink,
                                      Diagnostics& diagnostics,
                                      Progress& progress);

}  // namespace femflex::mbd_solver

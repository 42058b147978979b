// RunWatch: warnings about results of a run that look plausible but may be wrong. simulate() uses
// it.
#pragma once

#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Gives each warning once.
class RunWatch {
 public:
  /// Warns about what is known before the run: steps too long for the active modes or the output
  /// rows, motions that jump, forces that jump with the state.
  RunWatch(const Model& model, const DynamicOptions& options, Diagnostics& diagnostics);
  /// Checks deformation and motions at a row. Call Engine::set_all() before.
  void check(const Engine& engine);
  /// Warns if the energy drifts although loads, dampers and motions account for all work.
  /// @param drift  largest error of the energy balance in the run [J]
  /// @param size   magnitude of the summed energies, whose round-off is not drift [J]
  void end(const SimulationSummary& summary, double drift, double size);
  /// A likely cause of a failed step; empty if there is none.
  const std::string& suspicion() const { return suspicion_; }

 private:
  struct WatchedBody {  // the nodes of a flexible body that move farthest, one per mode
    int body = 0;
    double size = 0.0;  // size of the body [m]
    std::vector<std::int64_t> nodes;
    Eigen::MatrixXd shapes;  // 3 rows per node
    bool is_reported = false;
  };
  void watch_body(int body);
  void check_modes();
  void check_rows();
  void check_motions();
  void check_jumps();
  void check_friction_forms();
  void check_histories();

  const Model& model_;
  const DynamicOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<WatchedBody> watched_;
  void check_wheels(const Workspace& ws);
  void check_bushings(const Workspace& ws);
  std::vector<char> has_left_road_;     // per force: 1 if a warning was given
  std::vector<char> has_wrapped_;       // per force: 1 if a warning was given
  std::vector<char> is_fast_reported_;  // per motion: 1 if a warning was given
  std::string suspicion_;
};

/// Names a force that jumps with the state and the place of the jump, for example "force rub jumps
/// where sign([x]) turns"; empty if there is none.
std::string jumping_force(const Model& model);

/// Names friction with bristles whose level, a formula, has fallen so low where a step failed that
/// no step can follow the bristles; empty if there is none.
std::string vanished_friction(const Model& model, const Workspace& ws);

/// Returns a warning if the deformation is too large for linear shapes, else an empty text.
std::string large_deformation_warning(const Model& model, const State& state);

}  // namespace femflex::mbd_solver

#pragma once

#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Warns, once each, of signs that a run which looks right is wrong.
class RunWatch {
 public:
  /// Warns of what is known before the run: steps too coarse for modes that act or for the
  /// rows, motions that jump, forces that jump with the state.
  RunWatch(const Model& model, const DynamicOptions& options, Diagnostics& diagnostics);
  /// Checks deformation and motions at a row, after set_all().
  void look(const Engine& engine);
  /// Checks for energy that nothing accounts for, and for rejected steps.
  /// @param size  [J] the largest energy that exceeds round-off
  void end(const SimulationSummary& summary, double drift, double size);
  /// A likely cause if a step cannot be made; empty if nothing is suspicious.
  const std::string& suspicion() const { return suspicion_; }

 private:
  struct Watched {  // the nodes of a flexible body that move farthest, one per mode
    int body = 0;
    double size = 0.0;  // [m] of the body
    std::vector<std::int64_t> nodes;
    Eigen::MatrixXd shapes;  // 3 rows per place
    bool is_told = false;
  };
  void watch_body(int body);
  void judge_modes();
  void judge_rows();
  void judge_motions();
  void judge_jumps();

  const Model& model_;
  const DynamicOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<Watched> watched_;
  std::vector<char> is_fast_told_;  // per motion
  std::string suspicion_;
};

/// A force that jumps with the state, and where it jumps: "force rub jumps where sign([x]) turns";
/// or empty.
std::string jumping_force(const Model& model);

/// A warning if the state is deformed beyond what linear shapes describe; or empty.
std::string too_far_bent(const Model& model, const State& state);

}  // namespace femflex::mbd_solver

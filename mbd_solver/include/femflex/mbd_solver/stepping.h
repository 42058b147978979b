// Stepping: a simulation that the caller advances, for live pages and FMUs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/simulate.h"

namespace femflex::mbd_solver {

/// The energies of a simulation; kinetic + potential - work is constant.
struct EnergyAccount {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< gravity, deformation and springs [J]
  double work = 0.0;       ///< of all forces without a potential, since the run began [J]
};

/// A simulation without a fixed end: the caller advances it and reads channels in between. The
/// steps are those of simulate().
class Stepping {
 public:
  /// [s] Beyond this time, round-off of the time is no longer small against a step.
  static constexpr double kForever = 1e9;

  /// @param options  `end` and `output_step` have no effect
  /// @param window  [s] length of the intervals in which switches of formulas are searched, counted
  /// from the start. If it equals the length of a run of simulate(), the steps are the same.
  Stepping(const System& system,
           const DynamicOptions& options,
           Diagnostics& diagnostics,
           double window = kForever);
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  Stepping(Stepping&&) = delete;
  Stepping& operator=(Stepping&&) = delete;
  ~Stepping();

  /// Moves the state to `time` [s]. Returns false if a step fails; the state is then the last good
  /// one, and failure() gives the reason.
  bool advance(double time);
  const std::string& failure() const;

  double time() const;  ///< [s]
  /// [s] The next time, within the present window, at which a load, a motion or a block has a jump
  /// or a kink that depends on time alone; infinite if there is none.
  double next_switch() const;
  /// The state from which DynamicOptions::restart continues.
  State state() const;
  const std::vector<Channel>& channels() const;
  /// The values of the channels.
  const std::vector<double>& row();
  EnergyAccount energy();
  /// Replaces the values of the system's inputs from time() on.
  /// @param paths  one per input
  void set_inputs(const std::vector<InputPath>& paths);
  /// The values given by set_inputs(), or else the system's own values at time().
  std::vector<InputPath> inputs() const;
  /// Whether a motion follows the input, which must then not jump.
  bool is_followed_by_motion(std::size_t input) const;
  /// Discards the memory of earlier steps: the next step starts from accelerations computed for the
  /// present loads.
  void forget_steps();
  /// Returns to an earlier state of this simulation; the steps that follow repeat bit for bit.
  /// @param paths  the result of inputs() at that state
  /// @throws ModelError  the state belongs to another system
  void restore(const State& state, const std::vector<InputPath>& paths);
  /// Derivatives of the channels by the inputs (channels x inputs) at fixed present positions and
  /// velocities. They are zero except for channels that depend on accelerations, forces or
  /// reactions.
  /// @param held  values of the inputs, one polynomial per input
  /// @throws NumericalError, ModelError  the accelerations cannot be computed
  Eigen::MatrixXd input_derivatives(const std::vector<InputPath>& held) const;

  /// Moves end b of a spring-damper that lies on a marker of the ground.
  /// @param p_WP  its new place [m]
  /// @throws UsageError  there is no such spring, or its end b is not on the ground
  void move_end_b(std::string_view force, const Eigen::Vector3d& p_WP);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::mbd_solver

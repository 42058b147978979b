// Time integration of a multibody system step by step under control of the caller, for models that
// are watched live.
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

/// A simulation without an end, for models that somebody watches: the caller advances it, reads
/// channels, and goes on. The steps are those of simulate().
class Stepping {
 public:
  /// Any further than this, and times lose their last digits of a step [s].
  static constexpr double kForever = 1e9;

  /// @param options  `end` and `output_step` have no effect
  /// @param window  switches of formulas are looked for over this long at a time, from the start
  /// on; as long as a run of simulate(), it gives the steps of that run [s]
  /// @throws as simulate()
  Stepping(const System& system,
           const DynamicOptions& options,
           Diagnostics& diagnostics,
           double window = kForever);
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  Stepping(Stepping&&) = delete;
  Stepping& operator=(Stepping&&) = delete;
  ~Stepping();

  /// Moves the state to `time` [s]. If a step fails, false: the state is the last good one, and
  /// failure() says why.
  bool advance(double time);
  const std::string& failure() const;

  double time() const;  ///< [s]
  /// The next time at which a load, a motion or a block jumps or kinks as a function of time alone,
  /// within the present window; infinite if there is none [s].
  double next_switch() const;
  /// All that DynamicOptions::restart needs to continue from here.
  State state() const;
  const std::vector<Channel>& channels() const;
  /// The values of the channels.
  const std::vector<double>& row();
  EnergyAccount energy();
  /// Gives the inputs of the system other values than their own from time() on.
  /// @param paths  one per input
  void set_inputs(const std::vector<InputPath>& paths);
  /// The values that set_inputs() gave, or those of the system as they are at time().
  std::vector<InputPath> inputs() const;
  /// Whether a motion follows an input, which must then not jump.
  bool is_followed_by_motion(std::size_t input) const;
  /// Begins the next step afresh, from the accelerations that belong to the present loads.
  void forget_steps();
  /// Goes to a state of this system. The steps from there are those that were taken after it.
  /// @param paths  of inputs(), then
  /// @throws ModelError  the state belongs to another system
  void restore(const State& state, const std::vector<InputPath>& paths);
  /// Derivatives of the channels by the inputs (channels x inputs) at the present positions and
  /// velocities, which do not change at once: those of accelerations, forces and reactions.
  /// @param held  values of the inputs, one each
  /// @throws NumericalError, ModelError  there are no accelerations
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

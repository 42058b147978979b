// Probe: a number that can be read from a moving system. Signal: a Value whose variables are
// probes. The compiler makes them from channel names and formulas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "femflex/mbd_solver/value.h"

namespace femflex::mbd_solver {

struct Probe {
  enum class What : std::uint8_t {
    time,
    // of a marker
    position,
    orientation,
    velocity,
    angular_velocity,
    acceleration,
    angular_acceleration,
    // of a node of a flexible body, in its frame
    displacement,
    rotation,
    // of a flexible body
    xi,
    xi_dot,
    xi_ddot,
    zeta,
    zeta_dot,
    zeta_ddot,
    eta,
    eta_dot,
    sensor,  // component: row of BodyModel::sensors
    // of Workspace::left_out, known only at output rows
    left_out,       // displacement of a node; index is a marker on a node
    left_out_zeta,  // index is a flexible body, also for the next two
    left_out_energy,
    left_out_share,
    joint_angle,
    joint_displacement,
    joint_angle_rate,
    joint_displacement_rate,
    joint_angle_acceleration,
    joint_displacement_acceleration,
    reaction_force,
    reaction_torque,  // reactions: on b, in W
    motion_multiplier,
    force_value,
    force_length,
    force_vector,
    force_state,
    block_output,
    block_state,
    wheel,  // component is RollingTyreLaw::Shown
    kinetic_energy,
    potential_energy,
    strain_energy,
    input_work,
    total_energy,
    constraint_violation,
    input,
  };
  What what = What::time;
  bool is_known_at_rows_only() const {
    return what == What::left_out || what == What::left_out_zeta || what == What::left_out_energy ||
           what == What::left_out_share;
  }
  /// Whether it follows from accelerations, which are known after the forces only. Reactions, which
  /// friction reads from the last solution, are not among them.
  bool is_acceleration() const {
    return what == What::acceleration || what == What::angular_acceleration ||
           what == What::xi_ddot || what == What::zeta_ddot ||
           what == What::joint_angle_acceleration || what == What::joint_displacement_acceleration;
  }
  int index = 0;      // of a marker, body, joint, motion, force, block, input or output of a block
  int component = 0;  // x y z, mode, ...
};

/// A Value with the probes of its variables, ready to be evaluated.
struct Signal {
  double number = 0.0;            // the value if it never changes
  std::optional<Value> function;  // absent: the value is `number`
  std::vector<Probe> probes;      // one per variable of the function; the first is t
  bool is_constant() const { return !function; }
  bool only_time() const { return probes.size() <= 1; }
  /// Whether it depends on anything else than time and inputs.
  bool follows_motion() const {
    return std::any_of(probes.begin(), probes.end(), [](const Probe& probe) {
      return probe.what != Probe::What::time && probe.what != Probe::What::input;
    });
  }
};

}  // namespace femflex::mbd_solver

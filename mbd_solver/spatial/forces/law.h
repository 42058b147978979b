// LawBase: the common members of all compiled force laws, and the optional functions that a law may
// define. PairLoad: the load that a law returns. Every law in spatial/forces/ includes this file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "spatial/signal.h"

namespace femflex::mbd_solver {

class Compiler;
struct MarkerKinematics;
struct Model;
struct Spread;
struct Workspace;

/// Mode of set-valued friction; unknown before generalised-alpha chooses one.
enum class Grip : std::uint8_t { unknown, sticking, sliding, open };
/// The mode stored in State::events at the entry of a law. The entries after it hold the
/// coordinates while the force sticks, and the direction of sliding while it slides.
inline Grip grip_of(const Eigen::VectorXd& events, int entry) {
  return static_cast<Grip>(static_cast<int>(events(entry)));
}

/// The quantities that decide whether set-valued friction sticks or slides, for one or two
/// coordinates.
struct GripSense {
  int count = 1;
  Eigen::Vector2d rate = Eigen::Vector2d::Zero();  // of sliding [m/s], [rad/s]
  Eigen::Vector2d held = Eigen::Vector2d::Zero();  // coordinates [m], [rad]
  double limit = 0.0;                              // largest force in the mode sticking [N], [N m]
  double normal = 1.0;  // normal force of a contact [N]; without contact: -stiffness * gap
};

/// Force and torque in W on b and on a. Most laws set force_a = -force_b.
struct PairLoad {
  Eigen::Vector3d force_b = Eigen::Vector3d::Zero(), torque_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d force_a = Eigen::Vector3d::Zero(), torque_a = Eigen::Vector3d::Zero();
  double value = 0.0;        // force [N], or moment [N m] if the law is rotational
  double length = 0.0;       // length [m], or angle [rad] if the law is rotational
  double potential = 0.0;    // stored energy [J]
  double power_input = 0.0;  // power of the part without potential [W]
};

/// Largest number of states of one force.
constexpr int kMaxForceStates = 24;

/// States of one force and their rates.
struct ForceStates {
  std::array<double, kMaxForceStates> z{};
  std::array<double, kMaxForceStates> rates{};
};

/// The rule z = constants + gain z'(z) that the states of one force fulfil.
struct StateRule {
  const double* constants = nullptr;
  double gain = 0.0;
};

/// Common members of all compiled force laws, with defaults for those that a law may redefine.
///
/// A law derives from this struct and is of one of four kinds:
/// 1. It acts on two markers, or only on b. Its Jacobian is computed by differences.
///   PairLoad load(const Model&, const Workspace&, const MarkerKinematics& a,
///                 const MarkerKinematics& b) const;
///     evaluates the law at the two markers or at slightly moved copies of them; if the law has no
///     marker a, then b is passed twice
///   PairLoad load(const Model&, const Workspace&, a, b, const double* states, double* rates)
///   const;
///     instead, for a law with first-order states (state_count of them): also computes their rates.
///     Integrators call the law through load_between() in spatial/forces/states.h
///   PairLoad load(const Model&, const Workspace&, a, b, const StateRule&, ForceStates&) const;
///     instead, for a law that computes itself the states that fulfil the rule of a step
///   bool slopes(const Workspace&, a, b, Matrix3d& by_position, Matrix3d& by_velocity) const;
///     optional, if the force depends only on the vector from a to b and its rate: computes minus
///     the derivatives of force_b, or returns false so that differences are used
/// 2. It acts on two lines between four markers, `ends`.
///   PairLoad load(const Model&, const Workspace&) const;
///   void add(const Model&, Workspace&, const PairLoad&) const;
///     subtracts the load from Workspace::force
///   Matrix6d line_slope(const Workspace&, double velocity, double position) const;
///     minus the derivatives of (force_a, force_b) by the lines and by their rates, each times its
///     weight
/// 3. It acts between two points that are carried by up to four markers: load() and add() as in 2,
/// and
///   Spread spread(const Workspace&) const;
///     the markers and the slopes of the force, see spatial/forces/path.h
/// 4. It acts in another way and has no Jacobian: load() and add() as in 2.
///
/// Each law has
///   bool may_switch() const;
///     whether its force may have knots, gaps or jumps: a linearisation then looks for them
///   bool can_let_go() const;
///     whether its force is exactly zero on one side of a limit: derivatives of a run watch for it
///
/// Each law may redefine any member below, and may add
/// GripSense sense(const Model&, const Workspace&) const;
///     only for a law with set-valued friction (grip is not -1)
///   double angle(const Workspace&) const;
///     the angle of the law, counted over whole turns in State::joint_angles[turn]
///   bool occurs(const Model&, const Workspace&) const;
///     whether the event of State::events[event] occurs at this state
///   bool remember(const Workspace&, Eigen::VectorXd& events) const;
///     for a law that stores numbers in State::events: updates them after each accepted step, and
///     returns whether the slope of its force jumps
struct LawBase {
  int a = -1, b = -1;          // markers at the ends of the law; laws that act on one body have
                               // only b
  bool is_stiff = false;       // true: the iteration matrix must contain its Jacobian
  bool is_rotational = false;  // true: its value is a torque and its length an angle
  bool shows_angle = false;    // true: the channel with the bare name of the force includes the
                               // angle
  int turn = -1;               // index in State::joint_angles of the angle that the law counts
  double first_angle = 0.0;    // initial value of the angle counted at `turn` [rad]
  int event = -1;              // index in State::events; -1: the law has no event
  int grip = -1;  // index in State::events of the mode of set-valued friction; -1: not set-valued
  int grip_joint = -1;      // joint of the model whose rows hold the coordinates while it sticks
  int state_count = 0;      // number of first-order states z of the law
  int state0 = 0;           // index of its first state in State::force_states
  double state_unit = 1.0;  // typical size of a state, for tolerances and differences
  std::vector<double> first_states;  // initial values; empty: zeros

  /// Markers whose bodies are coupled by the Jacobian.
  std::vector<int> markers() const {
    std::vector<int> list;
    for (const int marker : {a, b})
      if (marker >= 0) list.push_back(marker);
    return list;
  }
  /// Calls visit(signal) for each Signal whose formula may switch with time or jump.
  template <typename Visit>
  void for_each_signal(const Visit& /*visit*/) const {}
  /// Whether potential and power_input together represent all work of the law.
  bool has_energy_balance() const { return true; }
  /// Whether the law is a constant force on one body; its potential is -force times position.
  bool is_dead_load() const { return false; }
};

}  // namespace femflex::mbd_solver

// The equations of motion of a Model as functions: kinematics, constraints Phi with Jacobian G,
// forces, and the KKT matrix [M G'; G 0] of a step. Workspace holds the values at one state. All
// integrators and analyses use them. Equations: docs/theory/multibody.md.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/laws/hinge_angle.h"

#include "linear/block_factor.h"
#include "spatial/model.h"
#include "spatial/spin.h"
#include "spatial/state_newton.h"

namespace femflex::mbd_solver {

using RowMajorBlock =
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// Position and velocity of a body.
struct BodyKinematics {
  // computed by position_kinematics()
  Eigen::Matrix3d R;  // R_WB
  Eigen::Vector3d p;  // position of the reference point in W [m]
  // computed by velocity_kinematics()
  Eigen::Vector3d v;    // velocity of the reference point in W
  Eigen::Vector3d w;    // w_WB_B
  Eigen::Vector3d w_W;  // w_WB in W
};

/// Position, velocity and Jacobian of a marker.
struct MarkerKinematics {
  // computed by position_kinematics()
  Eigen::Vector3d r;       // position relative to the body's reference point, in B
  Eigen::Vector3d p;       // given in W
  Eigen::Matrix3d R;       // R_WM
  Eigen::Matrix3Xd J_t;    // node markers: d(velocity in B)/d(xi_dot) (3 x n)
  Eigen::Matrix3Xd J_r;    // node markers: d(angular velocity in B)/d(xi_dot)
  Eigen::Vector3d theta;   // node markers: Psi xi
  Eigen::Vector3d offset;  // node markers: offset in B
  // computed by velocity_kinematics()
  Eigen::Vector3d v, w;  // given in W
  // computed by marker_bias()
  // acceleration of the marker in W if the accelerations of its body are zero
  Eigen::Vector3d bias_v, bias_w;
};

/// What the disabled modes of a flexible body would add at a row, see integrators/left_out.h.
struct LeftOutValues {
  Eigen::VectorXd zeta;  // change of all modes of the body, enabled and disabled
  double energy = 0.0;   // [J] energy of the static response to the loads that no enabled mode
                         // represents
  double share = 0.0;    // ratio of these loads to all loads, measured by the square root of that
                         // energy
};

/// Values at one state, and scratch. Allocated once per run.
struct Workspace {
  explicit Workspace(const Model& model);
  /// Copies the counted angles, events and force states from a state.
  void set_memory(const State& state) {
    joint_angles = state.joint_angles;
    events = state.events;
    state_constants = state.force_states;
  }

  double t = 0.0;
  Eigen::VectorXd q, v, joint_angles,
      events;  // the state at which the kinematics below are computed
  std::vector<BodyKinematics> bodies;
  std::vector<MarkerKinematics> markers;
  std::vector<FlexInertia> flexes;
  std::vector<LeftOutValues> left_out;  // per flexible body, from the last row; zero before the
                                        // first row
  // number of markers to compute: only those with loads, or all if outputs are read
  std::size_t marker_count = 0;
  bool at_rest = false;  // v and a are zero; residual() omits terms with them
  // roads that move under a vehicle are stopped, for statics and for linearisation about rest
  bool roads_stand = false;
  // set by statics: a hinge in space whose moment has no direction, because its lines are parallel,
  // pushes them to one side instead of not at all
  bool picks_sides = false;
  Eigen::Vector3d gravity;
  // computed by constraints()
  Eigen::VectorXd phi;    // Phi(q, t)
  std::vector<double> g;  // Jacobian blocks of all legs, one after the other
  // computed by constraint_rates()
  Eigen::VectorXd phi_t;  // dPhi/dt at fixed q
  Eigen::VectorXd bias;   // Phi'' at zero accelerations, eq. (14)
  // computed by residual()
  Eigen::VectorXd force;  // M a + gyroscopic + elastic - Q + G' lambda
  std::vector<PairLoad> loads;
  Eigen::VectorXd states, state_rates;  // force states z and their rates z'
  // computed by evaluate_blocks()
  Eigen::VectorXd block_inputs, block_outputs;
  Eigen::VectorXd block_push;  // added to the outputs; nonzero only while derivatives by outputs
                               // are computed
  StateNewtonScratch<> block_scratch;  // of evaluate_blocks()
  // external generalised forces, one per velocity coordinate; empty except while derivatives are
  // computed
  Eigen::VectorXd push;
  // set by the integrator: the rule z = state_constants + state_gain z'(z) that the force states
  // fulfil at every evaluation, see spatial/forces/states.h; with gain 0 the states are given
  Eigen::VectorXd state_constants;
  double state_gain = 0.0;
  // set by the integrator: true if set-valued friction sticks and slides by its modes, false if it
  // is regularised
  bool grips = false;
  // set by the caller of a run: values that replace those of the model, one per input
  std::vector<std::optional<InputPath>> inputs;
  mutable std::vector<RoadHint> road_hints;  // one per rolling tyre; they only speed up searches
  // accelerations and multipliers of the last evaluation, for probes
  Eigen::VectorXd a, multipliers;
  double work = 0.0;  // work of all forces without a potential, integrated by the run
  double power = 0.0;
  // scratch
  Eigen::VectorXd modal;  // as long as the largest number of modes of a body
  std::vector<double> rows;
  double values[16] = {};
};

// --- kinematics ---------------------------------------------------------------------------------
void position_kinematics(const Model& model, Workspace& ws);
void velocity_kinematics(const Model& model, Workspace& ws);
/// The parts of the two above that follow from the kinematics of bodies.
void marker_positions(const Model& model, Workspace& ws);
void marker_velocities(const Model& model, Workspace& ws);
void marker_bias(const Model& model, Workspace& ws);
/// q := q0 moved by dq; rotations are composed, other coordinates are added. eq. (3)
void move(const Model& model,
          const Eigen::VectorXd& q0,
          const Eigen::VectorXd& dq,
          Eigen::VectorXd& q);
/// Acceleration of a marker in W (linear, angular) from ws.a; needs marker_bias().
Vector6d marker_acceleration(const Model& model, const Workspace& ws, int marker);

// --- constraints --------------------------------------------------------------------------------
/// Whether the rows of a joint act. The rows of set-valued friction act only while the force
/// sticks.
bool acts(const Workspace& ws, const JointModel& joint);
/// Computes phi and G at ws.q, ws.t.
void constraints(const Model& model, Workspace& ws);
/// Computes phi_t and the acceleration bias at ws.v; needs constraints() and marker_bias().
void constraint_rates(const Model& model, Workspace& ws, bool with_bias = true);
/// y += G x
void add_jacobian_times(const Model& model,
                        const Workspace& ws,
                        const Eigen::VectorXd& x,
                        Eigen::VectorXd& y);
/// y += G' x
void add_jacobian_transposed_times(const Model& model,
                                   const Workspace& ws,
                                   const Eigen::VectorXd& x,
                                   Eigen::VectorXd& y);
using laws::nearest_turn;
/// Computes the continuous angles at ws.q nearest to those in ws.joint_angles.
void update_joint_angles(const Model& model, const Workspace& ws, Eigen::VectorXd& angles);
/// Records the events of forces at ws.q: a spring breaks beyond its limits, rubber friction
/// reverses. Returns whether an event occurred.
bool update_events(const Model& model, const Workspace& ws, Eigen::VectorXd& events);
/// Angle from the x axis of a to that of b about the z axis of a, -pi .. pi.
double angle_of(const MarkerKinematics& a, const MarkerKinematics& b);
/// Force and torque of a joint on one of its legs, in W, at the leg's marker.
Vector6d leg_load(const Model& model, const Workspace& ws, int joint, int leg);

// --- forces and inertia -------------------------------------------------------------------------
/// ws.force := M a + gyroscopic + elastic - Q(q, v, t). Adds G' lambda if lambda is given.
void residual(const Model& model,
              Workspace& ws,
              const Eigen::VectorXd& a,
              const Eigen::VectorXd* lambda);
/// Computes the load of a force and subtracts it from ws.force.
void subtract_force(const Model& model, Workspace& ws, std::size_t force);
PairLoad load_of(const Model& model,
                 const Workspace& ws,
                 const ForceModel& force,
                 const MarkerKinematics& a,
                 const MarkerKinematics& b);
/// ws.force += sign times a force and a torque in W at a marker.
void add_marker_load(const Model& model,
                     Workspace& ws,
                     int marker,
                     const Eigen::Vector3d& force,
                     const Eigen::Vector3d& torque,
                     double sign);
/// The value of a probe at the state for which ws was computed.
double read(const Model& model, const Workspace& ws, const Probe& probe);
/// The values of all outputs of the model, in the order of their channels.
void read_row(const Model& model, const Workspace& ws, std::span<double> row);
Eigen::VectorXd read_row(const Model& model, const Workspace& ws);
/// Value of a probe or signal at the state for which ws was computed.
double value_of(const Model& model, const Workspace& ws, const Signal& signal);
/// The value of an input at ws.t and its first two derivatives.
std::array<double, 3> input_jet(const Model& model, const Workspace& ws, int input);
/// The value of a motion at ws.t and its first two derivatives.
std::array<double, 3> motion_jet(const Model& model,
                                 const Workspace& ws,
                                 const MotionModel& motion);
struct Energy {
  double kinetic = 0.0, gravity = 0.0, strain = 0.0, stored = 0.0;
  double total() const { return kinetic + gravity + strain + stored; }
};
Energy energy(const Model& model, const Workspace& ws);
/// Power of all forces without a potential: damping, loads, motions.
double input_power(const Model& model, const Workspace& ws);

// --- KKT matrix ---------------------------------------------------------------------------------
/// KKT matrix [M + velocity * C + position * K, G'; G, -eps] with blocks for bodies and joints. eq.
/// (26-29)
class KktMatrix {
 public:
  explicit KktMatrix(const Model& model);
  static constexpr double kRegularisation = 1e-10;
  /// eps for projections and the index-1 form. Near a singular position they amplify round-off of
  /// Phi by 1 / eps. Iterative refinement removes the error due to eps.
  static constexpr double kProjection = 1e-9;
  /// Sets eps for the next factorisations, relative to G M^-1 G' of each row. eq. (28)
  void regularise(double relative) { regularisation_ = relative; }
  /// Sets the share of the reference mass that massless bodies get in the next factorisations.
  /// Projections and first accelerations need it if only springs position a massless body.
  void set_substitute_mass(double share) { substitute_mass_ = share; }
  /// Omits rows of Phi in the next factorisations; their multipliers are zero. One flag per row;
  /// empty: all rows are used.
  void leave_out(std::span<const char> rows) { left_out_.assign(rows.begin(), rows.end()); }
  /// Assembles and factors the matrix at ws. Returns false if a massless body moves freely or rows
  /// of a joint cannot be solved; failure() then names the body or joint, and solve() must not be
  /// called.
  /// @param step  [s] step of an integrator that expresses spinning bodies in axes that do not
  /// spin: solve() turns the rows of these bodies, so that the matrix stays valid while they spin.
  /// 0: all bodies are expressed in their own axes
  bool factor(
      const Model& model, Workspace& ws, double velocity, double position, double step = 0.0);
  /// Solves for x and y with the right-hand sides f (dynamic rows) and c (constraint rows), without
  /// iterative refinement.
  void solve(const Model& model,
             const Workspace& ws,
             const Eigen::VectorXd& f,
             const Eigen::VectorXd& c,
             Eigen::VectorXd& x,
             Eigen::VectorXd& y);
  /// The reason why the last factor() failed; empty if it succeeded.
  const std::string& failure() const { return failure_; }
  /// Name of the joint of each redundant row, that is, each row whose pivot vanished.
  std::vector<std::string> redundant_rows(const Model& model) const;
  /// Indices of the redundant rows of Phi at the last factorisation.
  std::vector<int> repeated_rows(const Model& model) const;
  /// Whether all pivots of constraint rows were large in the last factorisation, so that no row is
  /// nearly redundant.
  bool is_regular(const Model& model) const;
  /// Smallest pivot of the rows in use, divided by the row's scale. It is small if G is close to
  /// losing rank.
  double weakest_row(const Model& model) const;
  int factorisations() const { return factorisations_; }

 private:
  bool is_used(int row) const {
    const auto index = static_cast<std::size_t>(row);
    return (left_out_.empty() || left_out_[index] == 0) && (idle_.empty() || idle_[index] == 0);
  }
  void add_inertia(const Model& model, const Workspace& ws, double velocity, double position);
  void find_mobilities(const Model& model);
  /// Finds the bodies that spin at ws and the rows expressed in their axes.
  void find_spins(const Workspace& ws, double step);
  /// Converts the entries of spinning bodies and their rows in x_ from the axes at ws to the axes
  /// at the factorisation, or back.
  void turn_spins(const Model& model, const Workspace& ws, bool back);
  void add_augmentation(const Model& model, const Workspace& ws, const JointModel& joint);
  void add_force(const Model& model,
                 const Workspace& ws,
                 const ForceModel& force,
                 double velocity,
                 double position);
  /// Fills slope_ with the derivatives of a law's load.
  template <typename Law>
  void find_slopes(
      const Model& model, const Workspace& ws, const Law& law, double velocity, double position);
  /// Adds slope_ of a force between markers a and b.
  void add_slopes(const Model& model, const Workspace& ws, const std::array<int, 2>& markers);
  /// Adds the derivatives of a force between two points, each carried by several markers.
  void add_spread(const Model& model,
                  const Workspace& ws,
                  const Spread& spread,
                  const Eigen::Matrix3d& slope);
  /// Adds the derivatives of forces along two lines, between ends 0 and 1 and between ends 2 and 3.
  void add_lines(const Model& model,
                 const Workspace& ws,
                 std::span<const int> ends,
                 const Matrix6d& slope);
  void add_pair(const Model& model,
                int a,
                int b,
                const Matrix6d& stiffness,
                const double* left,
                const double* right);
  BlockFactor factor_;
  std::vector<int> order_v_;  // position of each velocity coordinate in the block order
  std::vector<int> order_l_;
  std::vector<double> scale_;     // G M^-1 G' of each multiplier's row
  std::vector<double> mobility_;  // six inverse masses per body
  double regularisation_ = kRegularisation;
  double substitute_mass_ = 0.0;
  std::vector<double> x_;
  std::vector<double> jacobian_[4];  // Jacobians of a force's markers (6 x width)
  Matrix6d slope_[2][2];             // minus d(load at a, b) / d(motion of a, b)
  std::vector<bool> augmented_;      // true for each joint that gets the augmentation of eq. (29)
  std::vector<char> left_out_;       // 1 for each multiplier that is left out; empty: none
  std::vector<char> idle_;           // 1 for each row of sliding friction; empty: there is none
  /// Up to three rows of a joint along the axes of its marker a, which turn with the body of a.
  struct RowAxes {
    int body = 0;
    std::array<int, 3> rows{};  // multipliers of the rows along x, y, z; -1: there is none
    Eigen::Matrix3d R;          // R_BM of the marker
  };
  void find_row_axes(const Model& model);
  SpinAxes spin_axes_;
  std::vector<RowAxes> row_axes_;
  std::vector<Spin> spins_;                         // bodies that spun at the last factorisation
  std::vector<Eigen::Quaterniond> spin_attitudes_;  // R_WB of these bodies at that factorisation
  bool rows_turn_ = false;                          // true: row_axes_ turn with the bodies
  MarkerKinematics moved_;
  std::string failure_;
  int factorisations_ = 0;
};

}  // namespace femflex::mbd_solver

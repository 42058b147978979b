// Model: a System compiled for computation; bodies, markers, joints and forces refer to each other
// by index. All analyses compute with it. B is the frame of a body, W the world, xi are modal
// coordinates of a flexible body. Equations: docs/theory/multibody.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/block_model.h"
#include "spatial/flexible_inertia.h"
#include "spatial/forces/laws.h"
#include "spatial/signal.h"

namespace femflex::mbd_solver {

using Vector6d = Eigen::Matrix<double, 6, 1>;

struct BodyModel {
  enum class Kind : std::uint8_t { rigid, point, flexible, ground };
  std::string name;
  Kind kind = Kind::rigid;
  int nr = 0;                // number of free DOFs of the six
  std::array<int, 6> dof{};  // for each free DOF: which of vx vy vz wx wy wz it is
  int n = 0;                 // number of modal coordinates
  int v0 = 0, q0 = 0;        // offsets in State::velocity and ::position
  double mass = 0.0;
  // position of the reference point relative to the frame origin, in B
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // rigid: about the mass centre
  int flex = -1;                                      // index in Model::flexes
  // amplitude of each mode that carries as much mass as the whole body when it moves by 1 m:
  // sqrt(mass / m_jj), independent of the scale of the mode
  Eigen::VectorXd modal_unit;
  Eigen::MatrixXd sensors;  // (rows of all sensors x n): values by xi
  // block node of the rigid part in the KKT matrix; that of the modes is node + 1
  int node = 0;
  bool massless = false;  // the body has no inertia in at least one direction
  // massless, or light compared with the bodies to which joints connect it: eq. (29)
  bool augmented = false;
  double reference_mass = 1.0;  // [kg] mass of the body for scaling rows, eq. (28)
  double reference_arm = 1.0;   // [m] radius of gyration for scaling rows
  bool dense_modes = false;
  // true: the body's energy contains all acting terms, because no invariant is switched off
  bool keeps_energy = true;
};

/// The six rigid components (along x, y, z, then about them) of velocity coordinates of a body, or
/// of changes of them; 0 where the body is not free. `from` is the first coordinate of the body.
inline Vector6d rigid_components(const BodyModel& b, const double* from) {
  Vector6d out = Vector6d::Zero();
  for (int c = 0; c < b.nr; ++c)
    out(b.dof[static_cast<std::size_t>(c)]) = from[c];
  return out;
}
/// Sets the rigid coordinates of a body to those of its six components that are free.
inline void set_rigid_components(const BodyModel& b, const Vector6d& from, double* to) {
  for (int c = 0; c < b.nr; ++c)
    to[c] = from(b.dof[static_cast<std::size_t>(c)]);
}

/// A frame on a body.
struct MarkerModel {
  int body = 0;
  // vector from the reference point to the (undeformed) node, in B
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  // offset from the node, in node axes
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();   // R_BM, or R_NM on a node
  Eigen::Index node = -1;                            // index in FlexBody::nodes; -1: not on a node
  bool on_node = false;                              // on a node that a mode moves
  bool has_rotation = false;                         // rotation shapes are not zero
  Eigen::Matrix3Xd Phi, Psi;  // displacement and rotation shapes of the node in xi (3 x n)
};

/// One term of a coordinate row: the angle about the z axis of marker a, or the displacement along
/// that axis.
struct CoordinateTerm {
  bool angle = false;
  int a = 0, b = 0;  // legs of the joint
  double factor = 1.0;
  int turn = -1;  // index in State::joint_angles
};

/// One scalar equation of a joint. eq. (12-16)
struct RowModel {
  enum class Kind : std::uint8_t { along, dot, distance, coordinate };
  Kind kind = Kind::along;
  Eigen::Vector3d ea = Eigen::Vector3d::Zero();  // along: direction in the axes of marker a
  struct Dot {
    Eigen::Vector3d a, b;
    double factor = 1.0;
  };
  std::array<Dot, 2> dots{};
  int dot_count = 0;
  double length = 0.0;
  std::vector<CoordinateTerm> terms;
  double constant = 0.0;
  int motion = -1;  // index in Model::motions of the motion f(t) that is subtracted; -1: none
};

struct JointModel {
  std::string name;
  bool is_motion = false;
  JointType type = JointType::fixed;
  std::vector<int> legs;  // markers: a, b, and for gears two more
  std::vector<RowModel> rows;
  int m = 0;           // number of constraint rows
  int l0 = 0;          // offset in the multipliers
  int node = 0;        // index of the block node
  std::vector<int> g;  // offset of each leg's G block (m x (nr + n), row-major)
  int turn = -1;       // index in State::joint_angles of the joint's own angle
  // index in State::events of the mode of set-valued friction; the rows act only while it sticks,
  // and keep the coordinates stored after the mode; -1: the rows always act
  int grip = -1;
};

struct MotionModel {
  std::string name;
  Signal value;
  int input = -1;         // index in Model::inputs of the input that it follows
  int block_output = -1;  // output of a block that it follows; if both are -1, a function of t
  int joint = 0;          // the JointModel that contains the motion's row
};

/// An external input, and the function of t that gives its value unless a caller sets it.
struct InputModel {
  std::string name, unit;
  Signal value;
  bool moves = false;     // a motion follows it
  bool stiffens = false;  // a law with a Jacobian depends on it
};

/// The chosen initial value of a joint coordinate, its chosen initial rate, or both.
struct ChosenStart {
  int joint = 0;
  bool angle = false;                 // true for the angle, false for the displacement
  std::optional<double> value, rate;  // [rad, rad/s] or [m, m/s]
};

/// Channels and the probes that read them.
struct OutputPlan {
  std::vector<Channel> channels;
  std::vector<Probe> probes;
};

struct Model {
  std::vector<BodyModel> bodies;  // the last one is the ground
  std::vector<FlexModel> flexes;
  std::vector<MarkerModel> markers;
  // number of markers of joints, forces and formulas; these come first, the others serve outputs
  // only
  std::size_t acting_markers = 0;
  std::vector<JointModel> joints;
  std::vector<MotionModel> motions;
  std::vector<ChosenStart> starts;
  std::vector<ForceModel> forces;
  BlockNetwork network;
  std::vector<InputModel> inputs;
  std::array<Signal, 3> gravity;
  bool planar = false;
  int nq = 0, nv = 0, nl = 0;            // sizes of State::position, ::velocity, ::multipliers
  int angle_count = 0, event_count = 0;  // sizes of State::joint_angles, ::events
  int state_count = 0;                   // size of State::force_states
  int grip_count = 0;                    // number of forces with set-valued friction
  int hint_count = 0;                    // number of rolling tyres that have a RoadHint
  Eigen::VectorXd state_unit;            // typical size of each force state, for tolerances
  std::size_t g_size = 0;
  // [m] largest distance from the origin of W or of a body's frame: the scale of round-off
  double length_scale = 1.0;
  // [m] size of the system, for steps of differences and for tolerances: length_scale, but
  // independent of the place of a system that is far from the origin of W
  double local_length = 1.0;
  // smallest velocity over which a friction force changes its slope [m/s, rad/s]
  double velocity_scale = std::numeric_limits<double>::infinity();
  State initial;
  OutputPlan outputs;
  std::vector<std::shared_ptr<const FlexBody>> keep;

  /// Whether a State contains counted angles, events or force states in addition to the motion.
  bool has_memory() const { return watches_steps() || state_count > 0; }
  /// Whether angles must be counted or events detected at every step.
  bool watches_steps() const { return angle_count > 0 || event_count > 0; }
  int ground() const { return static_cast<int>(bodies.size()) - 1; }
  /// Unit for changes of velocity coordinate c of a body: the system's length [m], 1 rad, or the
  /// amplitude of a mode that carries as much mass as the whole body moved by that length.
  double unit_of(const BodyModel& b, int c) const {
    if (c >= b.nr) return local_length * b.modal_unit(c - b.nr);
    return b.dof[static_cast<std::size_t>(c)] < 3 ? local_length : 1.0;
  }
  /// Largest coordinate of a place to which an error may be relative [m]: any, unless the system
  /// began far from the origin of W.
  double largest_coordinate() const {
    return local_length < length_scale ? local_length : std::numeric_limits<double>::infinity();
  }
  /// Factor by which the distance from the origin of W raises the round-off of positions relative
  /// to unit_of(). At least 1.
  double distance_noise() const { return length_scale / local_length; }
};

/// The body in which a marker is fixed.
inline const BodyModel& body_of(const Model& model, int marker) {
  return model
      .bodies[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(marker)].body)];
}

/// Assigns the block node, multipliers and blocks of G to the joint that is added to the model
/// next.
void number_joint(Model& model, JointModel& joint, int node);

/// Checks and compiles a system; reports all its errors.
/// @throws ModelError  the system definition is inconsistent
Model compile(const System& system, Diagnostics& diagnostics);

}  // namespace femflex::mbd_solver

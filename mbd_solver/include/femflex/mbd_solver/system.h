// The description of a multibody system: bodies, markers, joints, motions, forces, inputs and
// outputs. All quantities are in SI units. W is the world frame, B a body frame, P a marker.
// tools/system/ fills it from a file; all analyses take it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/laws/damper.h"
#include "femflex/laws/formula.h"
#include "femflex/laws/friction.h"
#include "femflex/mbd_solver/blocks.h"
#include "femflex/mbd_solver/value.h"
#include "femflex/mbd_solver/wheel.h"

namespace femflex::mbd_solver {

/// A curve through points; constant slope beyond its ends.
struct Table {
  using Interpolation = laws::Curve::Kind;
  std::vector<double> x;  ///< in ascending order
  std::vector<double> y;
  Interpolation interpolation = Interpolation::linear;
};

/// A frame fixed in a body, where a joint or force acts.
struct Marker {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();         ///< p_BP [m]
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();  ///< R_BP
  /// flexible bodies: the marker moves with this node, and `position` is the offset from it
  std::optional<std::int64_t> node;
  /// false: a point without axes of its own, as a node on a body that is taken as rigid; joints and
  /// bushings then take their axes from elsewhere
  bool has_axes = true;
};

/// A rigid body's mass and inertia.
struct RigidInertia {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< mass centre in the body frame [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the mass centre, body axes, tensor
                                                      ///< signs [kg m^2]
};

/// A body that does not rotate.
struct PointMass {
  double mass = 0.0;  ///< [kg]
};

/// Which of the nine inertia invariants a flexible body uses.
struct InvariantSet {
  std::array<bool, 9> on = {true, true, true, true, true, true, true, true, true};
  static InvariantSet full() { return {}; }
  /// Without 5 and 9: inertia and coupling to first order in the modal coordinates.
  static InvariantSet partial() {
    return {{true, true, true, true, false, true, true, true, false}};
  }
  /// Inertia and coupling of the undeformed body: 3 and 4 act as couplings; 5, 8, 9 are off.
  static InvariantSet constant() {
    return {{true, true, true, true, false, true, true, false, false}};
  }
  /// Only 1, 2, 6, 7: the motion of the frame does not deform the body.
  static InvariantSet off() {
    return {{true, true, false, false, false, true, true, false, false}};
  }
};

/// Where the modal damping matrix b of a flexible body comes from; m and k are its modal mass and
/// stiffness.
struct Damping {
  enum class Kind : std::uint8_t {
    body,  ///< FlexBody::damping; if absent, the damping ratios of its modes; if absent, zero
    none,
    ratios,      ///< b_ii = 2 ratio_i sqrt(k_ii m_ii); b is diagonal even if m and k are not
    true_modes,  ///< the ratios act on the eigenmodes of (k, m): b = m V diag(2 ratio omega) V' m
    adams,       ///< 1 % below 100 Hz, 10 % below 1 kHz, critical above
    rayleigh,    ///< b = a m + c k
    matrix,
  };
  Kind kind = Kind::body;
  std::vector<double> ratios;       ///< one per mode; the last one applies to all further ones
  double rayleigh_mass = 0.0;       ///< a [1/s]
  double rayleigh_stiffness = 0.0;  ///< c [s]
  Eigen::MatrixXd matrix;           ///< [N s/m]
};

/// A flexible body, how its modes act, and its initial deformation.
struct Flexible {
  std::shared_ptr<const FlexBody> body;
  std::optional<std::vector<bool>> enabled;  ///< which modes act; default: BodyMode::enabled
  InvariantSet invariants;
  Damping damping;
  bool geometric_stiffness = true;  ///< use FlexBody::geometric if the body has it
  /// initial modal coordinates; default: FlexBody::initial_zeta
  std::optional<Eigen::VectorXd> zeta;
  std::optional<Eigen::VectorXd> zeta_dot;
};

/// Which modes of the body act, one flag per mode.
std::vector<bool> acting_modes(const Flexible& flexible);
/// How many modes act; 0 for a body that is not flexible.
struct Body;
Eigen::Index acting_mode_count(const Body& body);

/// Numbers that depend linearly on the modal coordinates of a flexible body, rows * zeta, for
/// example the strains of a gauge. Their channels are BODY/name/quantity/1, 2, ... If a rigid body
/// replaces the flexible one, the channels remain with the value zero.
struct BodySensor {
  std::string name;      ///< without '/'
  std::string quantity;  ///< "strain"
  std::string unit;
  Eigen::MatrixXd rows;  ///< (components x modes); (components x 0) for a rigid body
};

/// A body in its initial state.
struct Body {
  std::string name;  ///< may contain one '/': "net/12" is node 12 of the lattice "net"
  std::variant<RigidInertia, PointMass, Flexible> kind;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();         ///< p_WB [m], initial
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();  ///< R_WB, initial
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< velocity of the frame origin, in W [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< w_WB, in W [rad/s]
  bool initial_fixed = false;  ///< if true, assembly must not move the body
  std::map<std::string, Marker> markers;
  std::vector<BodySensor> sensors;
};

/// Types of joints between a place on body a and a place on body b.
enum class JointType : std::uint8_t {
  fixed,
  revolute,
  cylindrical,
  prismatic,
  universal,
  constant_velocity,
  spherical,
  planar,
  point_on_line,   ///< a point of b on a line of a
  point_on_plane,  ///< a point of b on a plane of a
  distance,
  parallel_axes,
  perpendicular_axes,
  orientation,  ///< b may move but not rotate relative to a
  gear,
  screw,
};
/// "fixed", "constant-velocity", ...
std::string_view name_of(JointType type);
/// @throws ModelError  no such type; the message lists all
JointType parse_joint_type(std::string_view name);

/// Coordinates and rates of a joint at the start of the run. Absent ones follow from the positions
/// and velocities of the bodies.
struct JointStart {
  /// angle of b relative to a about the axis, may exceed one turn [rad]; revolute, cylindrical,
  /// screw
  std::optional<double> angle;
  std::optional<double> angle_rate;  ///< [rad/s]
  /// displacement of b relative to a along the axis [m]; prismatic, cylindrical, screw
  std::optional<double> displacement;
  std::optional<double> displacement_rate;  ///< [m/s]
};

/// A constraint between a place on body a and a place on body b. A place is "body", "body/marker"
/// or "body/12" with a node number; "ground" is the world, "ground/name" a marker on it.
struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string a, b;
  /// joint point in W in the initial state [m]; default: the position of each place; a bare body
  /// name takes the position of the other place
  std::optional<Eigen::Vector3d> at;
  /// joint axis in W in the initial state; default: the z axis of place a
  std::optional<Eigen::Vector3d> axis;
  std::optional<Eigen::Vector3d> axis_b;  ///< z axis of place b if it differs from that of place a
  std::optional<double> length;  ///< prescribed distance [m]; default: the initial distance
  double pitch = 0.0;            ///< screw: advance per turn [m]
  std::string joint_a, joint_b;  ///< gear: two revolute or prismatic joints
  double ratio = 1.0;            ///< gear: angle_a + ratio * angle_b stays constant
  /// gear of three joints, as a differential: angle_a + ratio * angle_b + ratio_c * angle_c stays
  /// constant
  std::string joint_c;
  double ratio_c = 0.0;
  JointStart initial;
};

/// Prescribes a coordinate as a function of time.
struct Motion {
  enum class Coordinate : std::uint8_t {
    angle,  ///< angle of a revolute, cylindrical or screw joint [rad]
    /// displacement of b relative to a along the axis of a prismatic or cylindrical joint [m]
    displacement,
    x,
    y,
    z,  ///< x, y, z: coordinate of a place in W [m]
  };
  std::string name;
  Coordinate coordinate = Coordinate::angle;
  std::string joint;  ///< the joint, for angle and displacement
  std::string on;     ///< the place, for x, y, z
  /// a formula in t, which is differentiated twice, or the name of an input or of a linear block
  Value value;
};

// --- forces; members() ties all members of a law, for those that store systems (FMUs)

/// A force at a point.
struct PointForce {
  std::string on;
  Value3 value;  ///< [N]
  bool in_body_frame = false;
  std::string reaction_on;  ///< body that takes the opposite force at the same point; empty: none
  auto members() { return std::tie(on, value, in_body_frame, reaction_on); }
};
/// A torque on a body.
struct PointTorque {
  std::string on;
  Value3 value;  ///< [N m]
  bool in_body_frame = false;
  std::string reaction_on;
  auto members() { return std::tie(on, value, in_body_frame, reaction_on); }
};
using laws::DampingGrowth;  ///< growth(v) = 1 + by_speed |v| + by_square v^2, a factor on c

/// A spring and damper along the line between places a and b. With l the distance, F > 0 pulls the
/// ends together:
/// F = stiffness e + 2 quartic (l^2 - length^2) l + curve(e) + law(e, l, length) + force
///    + damping l' growth(l') + damper_curve(l'),  e = l - length
/// If F without its damper terms exceeds break_force, or e exceeds break_elongation, the spring
/// breaks and has no force any more.
struct SpringDamper {
  std::string a, b;
  Value stiffness;            ///< [N/m]
  double quartic = 0.0;       ///< [N/m^3] in V = quartic/2 (l^2 - length^2)^2
  bool tension_only = false;  ///< if true, stiffness, quartic, curve and law give no push
  /// additional pull, a formula in e, L = l and d = length, in this order [N]
  std::optional<laws::Formula> law;
  Value damping;  ///< [N s/m]
  DampingGrowth growth;
  std::optional<double> length;       ///< free length [m]; default: the initial one
  Value force;                        ///< additional pull, a function of t and channels [N]
  std::optional<Table> curve;         ///< pull as a function of elongation [N]
  std::optional<Table> damper_curve;  ///< pull as a function of elongation rate [N]
  double break_force = std::numeric_limits<double>::infinity();  ///< limit of the pull or push [N]
  double break_elongation = std::numeric_limits<double>::infinity();  ///< limit of e [m]
  auto members() {
    return std::tie(a,
                    b,
                    stiffness,
                    quartic,
                    tension_only,
                    law,
                    damping,
                    growth,
                    length,
                    force,
                    curve,
                    damper_curve,
                    break_force,
                    break_elongation);
  }
};
/// Torsional spring of a revolute or cylindrical joint: torque on b = -(stiffness (angle -
/// free_angle) + damping angle') + torque, about the joint axis.
struct TorsionalSpring {
  std::string joint;
  Value stiffness;  ///< [N m/rad]
  Value damping;    ///< [N m s/rad]
  double free_angle = 0.0;
  Value torque;  ///< additional torque on b along the axis [N m]
  auto members() { return std::tie(joint, stiffness, damping, free_angle, torque); }
};
/// Rotational spring between two lines, from ends[0] to ends[1] and from ends[2] to ends[3], which
/// may share a place. phi is the angle between them, e = phi - free_angle, moment = stiffness e +
/// damping phi' growth(phi') + curve(e) + moment(e).
struct Hinge {
  std::array<std::string, 4> ends;
  /// axis in W. If given, phi is counted about it over any number of turns; if absent, phi is the
  /// angle in space, between 0 and pi
  std::optional<Eigen::Vector3d> axis;
  int turns = 0;           ///< whole turns already made in the initial state
  double stiffness = 0.0;  ///< [N m/rad]
  double damping = 0.0;    ///< [N m s/rad]
  DampingGrowth growth;
  std::optional<double> free_angle;  ///< default: the initial one [rad]
  std::optional<Table> curve;        ///< additional moment as a function of phi - free_angle [N m]
  std::optional<laws::Formula> moment;  ///< additional moment, a formula in e [N m]
  auto members() {
    return std::tie(ends, axis, turns, stiffness, damping, growth, free_angle, curve, moment);
  }
};
/// Damper against the velocity v of a point relative to W: force = -damping growth(|v|) v
struct Drag {
  std::string on;
  double damping = 0.0;  ///< [N s/m]
  DampingGrowth growth;
  auto members() { return std::tie(on, damping, growth); }
};
/// Maxwell element: a spring in series with a damper for each component. Its force relaxes.
struct MaxwellArm {
  Eigen::Matrix<double, 6, 1> stiffness =
      Eigen::Matrix<double, 6, 1>::Zero();  ///< [N/m], [N m/rad]
  double time = 0.0;                        ///< relaxation time: damping over stiffness [s]
  auto members() { return std::tie(stiffness, time); }
};
/// Bushing: force and torque on b, in axes that move with a, as functions of the displacement and
/// the rotation vector of b relative to a, measured from the undeformed state.
struct Bushing {
  std::string a, b;
  std::optional<Eigen::Vector3d> at;
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 6> damping = Eigen::Matrix<double, 6, 6>::Zero();
  /// force and torque on b in the undeformed state
  Eigen::Matrix<double, 6, 1> preload = Eigen::Matrix<double, 6, 1>::Zero();
  /// given in W in the initial state; default: those of marker a if the user gave it, otherwise W
  std::optional<Eigen::Matrix3d> axes;
  /// frequency-dependent part; without force in the initial state
  std::vector<MaxwellArm> arms;
  /// additional force or torque against each component, as a function of that component [N], [N m]
  std::array<std::optional<Table>, 6> curves;
  std::array<laws::RubberFriction, 6> friction;  ///< dry friction against each component
  auto members() {
    return std::tie(a, b, at, stiffness, damping, preload, axes, arms, curves, friction);
  }
};
/// Names of the components of a bushing, in their order.
inline constexpr std::array<const char*, 6> kBushingAxes = {"x", "y", "z", "rx", "ry", "rz"};
/// Acts while a coordinate is outside [min, max]. The coordinate is the distance of a and b, or the
/// angle or the displacement of a joint.
struct BumpStop {
  std::string a, b;
  std::string joint;                      ///< instead of a and b; revolute: its angle
  bool about = false;                     ///< cylindrical joint: true for its angle, false for its
                                          ///< displacement
  double min = 0.0;                       ///< [m], [rad]
  double max = 1e300;                     ///< [m], [rad]
  double stiffness = 0.0, damping = 0.0;  ///< [N/m], [N s/m]; [N m/rad], [N m s/rad]
  std::optional<Table> curve;             ///< additional force as a function of the penetration [N]
  auto members() { return std::tie(a, b, joint, about, min, max, stiffness, damping, curve); }
};
/// Friction of a contact, relative to its normal force.
struct ContactFriction {
  laws::FrictionModel model = laws::FrictionModel::regularised;  ///< any except dahl
  laws::FrictionLevel level;          ///< coefficients of friction; viscous in [s/m]
  double transition_velocity = 1e-3;  ///< regularised [m/s]
  laws::Bristles bristles;            ///< lugre; stiffness [1/m], damping [s/m]
  auto members() { return std::tie(model, level, transition_velocity, bristles); }
};
/// Contact of a point of `on`, or of a sphere about it, with a plane, a cylinder or another sphere:
/// a force along the contact normal while they overlap.
struct Contact {
  std::string on;
  double radius = 0.0;           ///< of a sphere about `on`; 0: a point [m]
  std::string sphere;            ///< centre of another sphere, instead of the plane
  double sphere_radius = 0.0;    ///< [m]
  std::string cylinder;          ///< place on the axis of an endless cylinder, instead of the plane
  double cylinder_radius = 0.0;  ///< [m]
  bool is_inside = false;        ///< true: the contact is on the inner side of the cylinder, as in
                                 ///< a bore
  /// axis of the cylinder, in W in the initial state; default: the z axis of the place
  std::optional<Eigen::Vector3d> axis;
  std::string plane = "ground";  ///< place whose z axis is the normal unless `normal` is given
  std::optional<Eigen::Vector3d> normal;  ///< given in W in the initial state
  double stiffness = 0.0, damping = 0.0;
  /// normal force = stiffness depth^exponent (1 + damping/stiffness rate), never below 0
  double exponent = 1.0;
  std::optional<ContactFriction> friction;
  auto members() {
    return std::tie(on,
                    radius,
                    sphere,
                    sphere_radius,
                    cylinder,
                    cylinder_radius,
                    is_inside,
                    axis,
                    plane,
                    normal,
                    stiffness,
                    damping,
                    exponent,
                    friction);
  }
};
/// Contact of a point of `on`, or of a sphere about it, with a line or surface that moves and
/// deforms. The line or surface passes through the present positions of places, such as nodes of a
/// flexible body.
struct FollowContact {
  std::string on;
  double radius = 0.0;  ///< of a sphere about `on`; 0: a point [m]
  /// A line through at least two places: cubic between neighbours, with tangents that turn with the
  /// places; straight at a node without rotations. There is no contact beyond its ends.
  std::vector<std::string> path;
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();  ///< free side of the path, in W at the start
  /// Instead of a path: triangles with their corners counter-clockwise seen from the free side.
  std::vector<std::array<std::string, 3>> faces;
  double thickness = 0.0;  ///< of faces: a point deeper than this is not in contact; 0: no limit
                           ///< [m]
  double stiffness = 0.0, damping = 0.0;
  double exponent = 1.0;                    ///< as in Contact
  std::optional<ContactFriction> friction;  ///< regularised
  auto members() {
    return std::tie(on, radius, path, up, faces, thickness, stiffness, damping, exponent, friction);
  }
};
/// A force that moves along a line through places; the line is as in FollowContact.
struct MovingLoad {
  std::vector<std::string> path;
  /// distance along the line from its first place, measured in the initial state [m]; there is no
  /// force beyond the ends
  Value position;
  Value3 value;  ///< in W [N]
  auto members() { return std::tie(path, position, value); }
};
/// Dry friction that opposes the rate of one coordinate: the angle or the displacement of a joint,
/// or the distance between two places.
struct Friction {
  std::string joint;   ///< revolute: its angle; prismatic: its displacement
  std::string a, b;    ///< without a joint: their distance
  bool about = false;  ///< cylindrical joint: true for its angle, false for its displacement
  laws::FrictionModel model = laws::FrictionModel::regularised;
  Value sliding;                   ///< friction while sliding; may depend on a reaction [N], [N m]
  double sticking_ratio = 1.0;     ///< ratio of the friction at which sliding begins to `sliding`
  double stribeck_velocity = 0.0;  ///< [m/s], [rad/s]
  double viscous = 0.0;            ///< [N s/m], [N m s/rad]
  double transition_velocity = 1e-3;  ///< regularised [m/s], [rad/s]
  laws::Bristles bristles;            ///< lugre and dahl
  auto members() {
    return std::tie(joint,
                    a,
                    b,
                    about,
                    model,
                    sliding,
                    sticking_ratio,
                    stribeck_velocity,
                    viscous,
                    transition_velocity,
                    bristles);
  }
};
/// Leaf spring between two places with friction of its leaves [Fancher 1980]: the push F follows
/// dF/d(delta) = (E - F) / beta with E = `loading` while the compression delta grows, and
/// dF/d(delta) = (F - E) / beta with E = `unloading` while it falls.
struct LeafSpring {
  std::string a, b;
  Table loading, unloading;           ///< envelopes: push [N] as functions of the compression [m]
  double decay = 0.0;                 ///< beta [m]
  std::optional<double> length;       ///< distance without compression; default: the initial one
  std::optional<double> first_force;  ///< push at the start [N]; default: between the envelopes
  auto members() { return std::tie(a, b, loading, unloading, decay, length, first_force); }
};
/// Gas in a bellows between two places. The absolute pressure p follows p V^exponent = constant;
/// push = area (p - ambient), V = volume + area (distance - length).
struct AirSpring {
  std::string a, b;
  double area = 0.0;             ///< effective area [m^2]
  double volume = 0.0;           ///< gas volume at `length`, including any auxiliary volume [m^3]
  double pressure = 0.0;         ///< absolute, at `length` [Pa]
  double exponent = 1.4;         ///< polytropic
  double ambient = 101325.0;     ///< [Pa]
  std::optional<double> length;  ///< default: the initial one [m]
  auto members() { return std::tie(a, b, area, volume, pressure, exponent, ambient, length); }
};
/// Damper with an elastic mount in series, along the line between two places.
struct MountedDamper {
  std::string a, b;
  double stiffness = 0.0;        ///< of the mount; of two mounts, their stiffness in series [N/m]
  double damping = 0.0;          ///< of the damper, if there is no curve [N s/m]
  std::optional<Table> curve;    ///< pull of the damper as an increasing function of the elongation
                                 ///< rate [N]
  std::optional<double> length;  ///< distance without force; default: the initial one
  auto members() { return std::tie(a, b, stiffness, damping, curve, length); }
};
/// Spring and damper against a change of the difference of two distances: the line that became
/// longer is pulled together, the other is pushed apart, each with stiffness times the change of
/// the difference.
struct AntiRollBar {
  std::array<std::string, 4> ends;  ///< places of the left line, then of the right line
  double stiffness = 0.0;           ///< [N/m]
  double damping = 0.0;             ///< [N s/m]
  auto members() { return std::tie(ends, stiffness, damping); }
};
/// Height of the road under a wheel, in W.
struct Road {
  enum class Kind : std::uint8_t { plane, profile, iso8608 };
  Kind kind = Kind::plane;
  Value height;          ///< plane: may be a function of t [m]
  Table profile;         ///< profile: height as a function of the travelled distance x [m]
  char iso_class = 'C';  ///< generated road: roughness class A..H
  std::uint64_t seed = 1;
  double length = 1000.0;  ///< length of the generated road [m]
};
/// Vertical spring and damper between a wheel centre and the road; the tyre may lift off.
struct Tyre {
  std::string on;
  double radius = 0.0;     ///< unloaded [m]
  double stiffness = 0.0;  ///< [N/m]
  double damping = 0.0;    ///< [N s/m]
  bool lifts_off = true;
  Road road;
  double speed = 0.0;  ///< speed of the road under a vehicle that is at rest in W [m/s]
  auto members() { return std::tie(on, radius, stiffness, damping, lifts_off, road, speed); }
};
/// A tyre that rolls on a road, with normal force, forces due to slip, and moments. The wheel spins
/// about the y axis of `on`, or about `axis`. docs/theory/multibody.md section 9.
struct RollingTyre {
  std::string on;                       ///< place on the spinning wheel, in its centre
  std::optional<Eigen::Vector3d> axis;  ///< spin axis, pointing to the left, in W in the initial
                                        ///< state
  std::shared_ptr<const TyreCharacteristic> tyre;
  std::shared_ptr<const RoadSurface> road;
};
/// Generalised forces value * load on the modal coordinates zeta.
struct ModalForce {
  std::string body;
  Eigen::VectorXd load;  ///< (n)
  Value value = 1.0;
  auto members() { return std::tie(body, load, value); }
};
/// Any force law. mbd_solver/spatial/forces/ has a compiled law for each alternative.
using ForceLaw = std::variant<PointForce,
                              PointTorque,
                              SpringDamper,
                              TorsionalSpring,
                              Hinge,
                              Drag,
                              Bushing,
                              BumpStop,
                              Contact,
                              Tyre,
                              ModalForce,
                              Friction,
                              LeafSpring,
                              AirSpring,
                              RollingTyre,
                              FollowContact,
                              MovingLoad,
                              MountedDamper,
                              AntiRollBar>;
/// A force law and its name.
struct Force {
  std::string name;
  ForceLaw law;
};

/// An external input: a number that a caller may set during a simulation. Formulas read it by its
/// name, and a motion may follow it. simulate() uses `value`; Stepping::set_inputs() replaces it.
struct Input {
  std::string name;
  std::string unit;  ///< for callers that set it, such as "N"; empty: not known
  std::string description;
  Value value;                     ///< value unless a caller sets it: a number, a formula in t, or
                                   ///< a curve over t
  bool is_parameter = false;       ///< true: a constant of the model that may be tuned
  std::optional<double> min, max;  ///< for callers that set it; not enforced here
};

/// A multibody system of bodies, joints, motions and forces, in SI units. An analysis never changes
/// it.
struct System {
  std::string name;
  bool planar = false;  ///< if true, everything moves in the plane z = const of W
  Value3 gravity = {Value(0.0), Value(0.0), Value(0.0)};  ///< [m/s^2]
  std::vector<Body> bodies;
  std::map<std::string, Marker> ground_markers;
  std::vector<Joint> joints;
  std::vector<Motion> motions;
  std::vector<Force> forces;
  std::vector<Block> blocks;  ///< blocks of control
  std::vector<Input> inputs;
  std::vector<std::string> outputs;  ///< channels to record; empty: those of default_outputs()

  const Body* find_body(std::string_view body_name) const;
};

}  // namespace femflex::mbd_solver

// Compiler: turns a System (names, places, texts) into a Model (indices, frames, constraint rows).
// compile() of model.h runs it; the force laws use its services while they are compiled.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "femflex/errors.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// A frame in the initial state: its origin and axes in the world frame W.
struct WorldFrame {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// One side of a joint: a marker, and whether it is one that the body or ground defines. Its axes
/// are then given: those of the body unless it has others.
struct JointPlace {
  int marker = -1;
  bool is_defined = false;
};

/// R with its z axis along `axis` and, if possible, its y axis near Z of W. The rows of a planar
/// system then lie in its plane.
Eigen::Matrix3d frame_about(const Eigen::Vector3d& axis);

/// Whether a direction, or one of several, leaves the x-y plane by more than round-off.
inline bool is_off_plane(const Eigen::Matrix3Xd& directions) {
  constexpr double kOff = 1e-9;  // that round-off of a direction may leave
  return (directions.row(2).cwiseAbs().array() > kOff * directions.colwise().norm().array()).any();
}

/// The names in a map from names, for suggestions.
std::vector<std::string> keys_of(const auto& map) {
  std::vector<std::string> out;
  for (const auto& entry : map)
    out.push_back(entry.first);
  return out;
}

class Compiler {
 public:
  Compiler(const System& system, Diagnostics& diagnostics);
  Model compile();

  // --- services for the compilation of force laws; `user` names the force in messages ------------
  const Model& model() const { return model_; }
  void warn(const char* code, const std::string& text) { diagnostics_.warn(code, text); }
  int body_index(std::string_view name, const std::string& user) const;
  int joint_index(const std::string& name, const std::string& user) const;
  /// Marker of "body", "body/marker" or "body/12"; sets `is_defined` in the second case, a marker
  /// with axes.
  int place(const std::string& text, const std::string& user, bool* is_defined = nullptr);
  WorldFrame initial_frame(int marker) const;
  /// Distance of two markers in the initial state, the length of a line that names none [m].
  double initial_distance(int a, int b) const {
    return (initial_frame(b).p - initial_frame(a).p).norm();
  }
  /// Adds a marker that moves with `base` and is at `frame` in the initial state.
  int marker_at(int base, const WorldFrame& frame);
  Signal signal(const Value& value, const std::string& user);
  /// Height profile of the road; tyres on the same generated road share it.
  std::shared_ptr<const laws::Curve> profile(const Road& road, const std::string& user);
  /// Index of the joint's angle in State::joint_angles; reserves it on the first call.
  int track_angle(int joint, const std::string& user);
  /// Reserves an entry in State::joint_angles or State::events; returns its index.
  int add_angle() { return model_.angle_count++; }
  int add_event() { return model_.event_count++; }
  /// Gives set-valued friction its entries in State::events, and the rows between markers a and b
  /// that hold the contact while it sticks.
  void add_grip(LawBase& law, std::vector<RowModel> rows, const std::string& user);
  /// Row of the angle or the displacement of a joint.
  RowModel coordinate_row(int joint, bool angle, const std::string& user);
  /// Notes the velocity over which a friction force changes sign [m/s, rad/s]; the smallest counts.
  void note_velocity_scale(double velocity) {
    model_.velocity_scale = std::min(model_.velocity_scale, velocity);
  }
  /// Reserves a RoadHint of the workspace and returns its index.
  int add_hint() { return model_.hint_count++; }
  /// @throws ModelError  the system is planar, and `direction` is not in its plane
  void require_in_plane(const Eigen::Vector3d& direction,
                        const std::string& what,
                        const std::string& remedy) const;
  /// Warns if the system is planar and a component of a load, which acts out of its plane, is not
  /// zero.
  void warn_out_of_plane(std::initializer_list<const Signal*> components, const std::string& what);
  /// @throws ModelError  the place is on a point mass; `what` acts on its rotation
  void require_rotation(int marker, const std::string& what) const;

 private:
  /// Refuses names that a channel or a formula could not tell from another: reserved ones (t,
  /// ground, energy, constraint_violation), those of another object, and those with a '/' at a
  /// place where it divides the parts of a channel.
  /// @param kind  of the object: "input", "body", "joint", "motion", "force", "block"
  /// @throws ModelError
  void check_name(const std::string& name, const std::string& kind) const;
  void add_inputs();
  void find_stiffening_inputs();
  void add_bodies();
  void add_body(const Body& body);
  void set_rigid(const RigidInertia& rigid, BodyModel& b);
  void set_flexible(const Flexible& flexible, BodyModel& b);
  void set_sensors(const Body& body, BodyModel& b) const;
  void set_initial(const Body& body, const BodyModel& b);
  /// Refuses a body whose z axis is not that of W, and warns of velocities out of the plane.
  void check_start_in_plane(const Body& body);
  void name_joint(const std::string& name);
  void add_joint(const Joint& joint);
  std::array<WorldFrame, 2> joint_frames(const Joint& joint,
                                         const std::array<JointPlace, 2>& places,
                                         const std::string& user) const;
  void add_gear(const Joint& joint);
  void add_motion(const Motion& motion);
  /// Index of the input that a motion follows.
  int followed_input(const Signal& value, const std::string& user);
  void add_starts(const Joint& joint);
  void add_force(const Force& force);
  /// @throws ModelError  a formula of the force reads what is known after the forces only
  static void check_force_probes(const ForceModel& force, const std::string& user);
  // Blocks are declared before joints, motions and forces, which may read them. Inputs of blocks
  // are compiled afterwards, because they may read joints, motions and forces.
  void declare_blocks();
  void compile_blocks();
  void check_block_probe(const Probe& probe, const std::string& channel, const std::string& user);
  void order_blocks();
  void check_repeats() const;
  void set_first_blocks();
  /// Lets a motion follow the block that its value names.
  /// @throws ModelError  the value is not just the name of a block, or the block's output has no
  /// second derivative
  void follow_block(MotionModel& motion, const std::string& user);
  void add_outputs();
  void finish();

  int add_marker(int body, const Marker& marker, const std::string& user);
  CoordinateTerm coordinate_term(int joint, bool angle, const std::string& user);
  Probe probe(const std::string& name, const std::string& user);

  /// Adds the channels that a text names.
  /// @throws ModelError there is no such channel
  void expand(const std::string& text, OutputPlan& plan);
  /// expand(), with `user` at the start of its messages.
  void expand_for(const std::string& user, const std::string& text, OutputPlan& plan);
  struct ChannelSpec;
  /// The error for a text that names no channel, with the nearest name or the known ones.
  ModelError unknown_channel(const ChannelSpec& spec) const;
  static std::string whole_name(const ChannelSpec& spec,
                                std::size_t wrong,
                                const std::vector<std::string>& names);
  std::vector<std::string> names_of_objects() const;
  std::vector<std::string> names_of_quantities(const std::string& object) const;
  /// True if the place is a marker of the body, or the number of a node.
  bool is_place_of(const std::string& object, const std::string& place) const;
  const char* unit_of_input(int index) const {
    return model_.inputs[static_cast<std::size_t>(index)].unit.c_str();
  }
  bool expand_energy(const ChannelSpec& spec, OutputPlan& plan) const;
  bool expand_joint(const ChannelSpec& spec, int index, OutputPlan& plan);
  /// Adds the coordinates of a joint and their rates.
  void add_joint_coordinates(const ChannelSpec& spec, int index, OutputPlan& plan);
  bool expand_force(const ChannelSpec& spec, int index, OutputPlan& plan) const;
  bool expand_block(const ChannelSpec& spec, int index, OutputPlan& plan) const;
  bool expand_body(const ChannelSpec& spec, int index, OutputPlan& plan);
  bool expand_modes(const ChannelSpec& spec, int index, OutputPlan& plan) const;
  bool expand_sensors(const ChannelSpec& spec, int index, OutputPlan& plan) const;
  bool expand_place(const ChannelSpec& spec, const BodyModel& body, OutputPlan& plan);

  const System& system_;
  Diagnostics& diagnostics_;
  Model model_;
  std::map<std::string, int, std::less<>> bodies_, joints_, forces_, motions_, blocks_, inputs_;
  bool reads_blocks_ = false;  // true if a channel of a block was resolved since the flag was
                               // cleared
  std::map<std::string, int, std::less<>> places_;
  std::map<std::tuple<char, std::uint64_t, double>, std::shared_ptr<const laws::Curve>> made_roads_;
};

/// @throws ModelError  `what` of `user` is not finite
void check_number(double value, const std::string& user, const char* what);

/// @throws ModelError  `what` is not finite
void check_finite(const Eigen::MatrixXd& value, const std::string& what);

/// @throws ModelError  x is not in ascending order, sizes differ, or a number is not finite
laws::Curve curve_of(const Table& table, const std::string& user);

}  // namespace femflex::mbd_solver

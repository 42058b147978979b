// Compiler: turns a System (names, places, texts) into a Model (indices, frames, constraint rows),
// and serves the force laws while they are compiled.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// A frame in the initial state: its origin and axes in the world frame W.
struct WorldFrame {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// One side of a joint: a marker, and whether the user gave its axes.
struct JointPlace {
  int marker = -1;
  bool has_axes = false;
};

/// R with its z axis along `axis` and, if possible, its y axis near Z of W; planar systems then get
/// rows that lie in their plane.
Eigen::Matrix3d frame_about(const Eigen::Vector3d& axis);

/// Compiles a System into a Model: resolves names, places markers, writes joints as rows.
class Compiler {
 public:
  Compiler(const System& system, Diagnostics& diagnostics);
  Model compile();

  // --- services for the compilation of force laws; `user` names the force in messages ------------
  const Model& model() const { return model_; }
  int body_index(std::string_view name, const std::string& user) const;
  int joint_index(const std::string& name, const std::string& user) const;
  /// Marker of "body", "body/marker", "body/node"; `named` is set if the user gave its axes.
  int place(const std::string& text, const std::string& user, bool* named = nullptr);
  WorldFrame initial_frame(int marker) const;
  /// A marker that moves with `base` and is at `frame` in the initial state.
  int marker_at(int base, const WorldFrame& frame);
  Signal signal(const Value& value, const std::string& user);
  /// Height profile of the road; tyres on the same generated road share it.
  std::shared_ptr<const laws::Curve> profile(const Road& road, const std::string& user);
  /// Index of the joint's angle in State::joint_angles; adds it if it is not counted yet.
  int track_angle(int joint, const std::string& user);
  /// Reserve an entry in State::joint_angles or State::events and return its index.
  int add_angle() { return model_.angle_count++; }
  int add_event() { return model_.event_count++; }
  /// Gives set-valued friction its entries in State::events and the rows that hold it while it
  /// sticks, between markers a and b.
  void add_grip(LawBase& law, std::vector<RowModel> rows, const std::string& user);
  /// Row of the angle or the displacement of a joint.
  RowModel coordinate_row(int joint, bool angle, const std::string& user);
  /// Reserves a RoadHint of the workspace and returns its index.
  int add_hint() { return model_.hint_count++; }

 private:
  void add_inputs();
  void find_stiffening_inputs();
  void add_bodies();
  void add_body(const Body& body);
  void set_rigid(const RigidInertia& rigid, BodyModel& b);
  void set_flexible(const Flexible& flexible, BodyModel& b);
  void set_sensors(const Body& body, BodyModel& b) const;
  void set_initial(const Body& body, const BodyModel& b);
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
  // Blocks are declared before joints, motions and forces, which may read them. Their inputs are
  // compiled after these, because inputs may read them in turn.
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
  // each adds the channels of one kind of object and returns false if the object has no such
  // channel
  struct ChannelSpec;
  const char* unit_of_input(int index) const {
    return model_.inputs[static_cast<std::size_t>(index)].unit.c_str();
  }
  bool expand_energy(const ChannelSpec& spec, OutputPlan& plan) const;
  bool expand_joint(const ChannelSpec& spec, int index, OutputPlan& plan);
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
  bool reads_blocks_ = false;  // a channel of a block was resolved since this was cleared
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

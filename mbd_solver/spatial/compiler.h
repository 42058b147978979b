#pragma once

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

/// A frame in W in the initial state.
struct WorldFrame {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// R with its z axis along `axis` and, where it can, its y axis near Z of W: planar systems then
/// get rows that lie in their plane.
Eigen::Matrix3d frame_about(const Eigen::Vector3d& axis);

/// Turns a System into a Model: looks up names, places markers, writes joints as rows.
class Compiler {
 public:
  Compiler(const System& system, Diagnostics& diagnostics);
  Model compile();

 private:
  void add_bodies();
  void add_body(const Body& body);
  void add_joint(const Joint& joint);
  void add_gear(const Joint& joint);
  void add_motion(const Motion& motion);
  void add_force(const Force& force);
  /// Each writes its own part of the force; `user` names it in messages.
  void add_law(const PointForce& law, const std::string& user, ForceModel& f);
  void add_law(const PointTorque& law, const std::string& user, ForceModel& f);
  void add_law(const SpringDamper& law, const std::string& user, ForceModel& f);
  void add_law(const TorsionalSpring& law, const std::string& user, ForceModel& f);
  void add_law(const Hinge& law, const std::string& user, ForceModel& f);
  void add_law(const Bushing& law, const std::string& user, ForceModel& f);
  void add_law(const BumpStop& law, const std::string& user, ForceModel& f);
  void add_law(const Contact& law, const std::string& user, ForceModel& f);
  void add_law(const Tyre& law, const std::string& user, ForceModel& f);
  void add_law(const ModalForce& law, const std::string& user, ForceModel& f);
  /// What PointForce and PointTorque share.
  template <typename PointLoad>
  void add_point_load(const PointLoad& law, const std::string& user, ForceModel& f);
  /// Markers a and b, and how far they are from each other in the initial state.
  double add_ends(const std::string& a,
                  const std::string& b,
                  const std::string& user,
                  ForceModel& f);
  void keep_limits(const SpringDamper& law, const std::string& user, ForceModel& f);
  void couple_modes(const ForceModel& f);
  void add_outputs();
  void finish();

  int body_index(std::string_view name, const std::string& user) const;
  /// Marker of "body", "body/marker", "body/node"; `named` tells whether its axes are the user's.
  int place(const std::string& text, const std::string& user, bool* named = nullptr);
  int add_marker(int body, const Marker& marker, const std::string& user);
  WorldFrame initial_frame(int marker) const;
  /// A marker that moves with `base` and stands at `frame` in the initial state.
  int marker_at(int base, const WorldFrame& frame);
  int joint_index(const std::string& name, const std::string& user) const;
  int track_angle(int joint, const std::string& user);
  CoordinateTerm coordinate_term(int joint, bool angle, const std::string& user);
  Signal signal(const Value& value, const std::string& user);
  Probe probe(const std::string& name, const std::string& user);
  void expand(const std::string& spec, std::vector<Channel>& channels, std::vector<Probe>& probes);
  /// The road's profile; tyres on the same made road share it.
  std::shared_ptr<const laws::Curve> profile(const Road& road, const std::string& user);
  void check_finite(const Eigen::MatrixXd& value, const std::string& what) const;

  const System& system_;
  Diagnostics& diagnostics_;
  Model model_;
  std::map<std::string, int, std::less<>> bodies_, joints_, forces_, motions_;
  std::map<std::string, int, std::less<>> places_;
  std::map<std::tuple<char, std::uint64_t, double>, std::shared_ptr<const laws::Curve>> made_roads_;
};

/// @throws ModelError  `what` of `user` is not finite
void check_number(double value, const std::string& user, const char* what);

/// @throws ModelError  x does not rise, sizes differ, a number is not finite
laws::Curve curve_of(const Table& table, const std::string& user);

}  // namespace femflex::mbd_solver

// FollowContactLaw: the compiled force law FollowContact, of a point or sphere against a line or
// surface through markers that move.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"
#include "spatial/forces/path.h"

namespace femflex::mbd_solver {

struct FollowContactLaw : LawBase {
  std::optional<Path> path;
  std::vector<Triangle> faces;  // instead of a path
  double radius = 0.0, thickness = 0.0;
  double stiffness = 0.0, damping = 0.0, exponent = 1.0;
  std::optional<ContactFriction> friction;

  PairLoad load(const Model& model, const Workspace& ws) const;
  void add(const Model& model, Workspace& ws, const PairLoad& load) const;
  Spread spread(const Workspace& ws) const;
  std::vector<int> markers() const;
  bool may_switch() const { return true; }
  bool can_let_go() const { return true; }

 private:
  /// The contact of the point or sphere at b: its place, normal force and friction.
  struct Touch {
    CarriedPoint at;
    Eigen::Vector3d arm_b = Eigen::Vector3d::Zero();        // from b to the contact point [m]
    Eigen::Vector3d sliding = Eigen::Vector3d::Zero();      // [m/s]
    Eigen::Vector3d coefficient = Eigen::Vector3d::Zero();  // friction coefficient times direction
                                                            // of sliding
    double gap = 0.0, rate = 0.0;                           // gap [m]; rate of the contact depth
                                                            // [m/s]
    double elastic = 0.0, force = 0.0;                      // elastic part and total normal force
                                                            // [N]; force 0: no contact
    double by_depth = 0.0, by_rate = 0.0;                   // derivatives of the force
  };
  CarriedPoint closest(const Workspace& ws, const Eigen::Vector3d& p) const;
  Touch touch(const Workspace& ws) const;
};

FollowContactLaw compile_law(const FollowContact& contact,
                             const std::string& user,
                             Compiler& compiler);

}  // namespace femflex::mbd_solver

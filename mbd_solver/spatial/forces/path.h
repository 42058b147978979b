// A line or a triangle through places, and a point of it: which markers carry the point and by how
// much, so that a force on it reaches them with the same power.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::mbd_solver {

class Compiler;
struct Model;
struct Workspace;

/// A force between two points: how its displacement follows the markers that carry them, and minus
/// the derivatives of the force on the first by that displacement and its rate.
struct Spread {
  static constexpr std::size_t kMaxLegs = 4;
  struct Leg {
    int marker = -1;
    double weight = 0.0;  // of the marker's motion
    Eigen::Vector3d lever =
        Eigen::Vector3d::Zero();  // [m] its turn moves the point by turn x lever
  };
  std::array<Leg, kMaxLegs> legs;
  std::size_t count = 0;
  Eigen::Matrix3d by_position = Eigen::Matrix3d::Zero();  // [N/m]
  Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero();  // [N s/m]
};

/// A point that markers carry, in W.
struct CarriedPoint {
  std::array<Spread::Leg, 3> legs;
  std::size_t count = 0;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();   // [m]
  Eigen::Vector3d n = Eigen::Vector3d::UnitZ();  // the free side
  bool is_on = false;  // else it is beyond an end of the line, or beside the surface
};
/// Velocity of a carried point in W.
Eigen::Vector3d velocity_of(const Workspace& ws, const CarriedPoint& point);
/// Subtracts a force in W at a carried point from ws.force.
void add_carried_load(const Model& model,
                      Workspace& ws,
                      const CarriedPoint& point,
                      const Eigen::Vector3d& force);

/// A line through markers: a cubic whose tangents turn with the markers, or straight pieces.
struct Path {
  std::vector<int> markers;
  std::vector<Eigen::Vector3d> tangents;  // unit vectors in the axes of the markers
  std::vector<Eigen::Vector3d> ups;       // the free side, normal to them, in the same axes
  std::vector<double> at;                 // way from the first marker in the initial state [m]
  bool is_cubic = true;

  /// The point at a way from the first marker.
  CarriedPoint point_at(const Workspace& ws, double way) const;
  /// The point that is closest to p.
  CarriedPoint closest(const Workspace& ws, const Eigen::Vector3d& p) const;

 private:
  struct Curve {
    Eigen::Vector3d p, slope, bend;  // and derivatives by the share of the piece
  };
  Curve curve(const Workspace& ws, std::size_t piece, double share) const;
  CarriedPoint carried(const Workspace& ws, std::size_t piece, double share) const;
};

/// Looks the places of a path up.
/// @throws ModelError  fewer than two places, two neighbours at one place, a path along `up`
Path compile_path(const std::vector<std::string>& places,
                  const Eigen::Vector3d& up,
                  const std::string& user,
                  Compiler& compiler);

/// A triangle of markers.
struct Triangle {
  std::array<int, 3> corners{};
  std::array<bool, 3> is_border{};  // whether the surface ends at the edge opposite to a corner
};
/// The point of a triangle that is closest to p; n is its normal, or points from its edge to p
/// where that is closest.
CarriedPoint closest_of_triangle(const Workspace& ws,
                                 const Triangle& triangle,
                                 const Eigen::Vector3d& p);

}  // namespace femflex::mbd_solver

// Path and Triangle: a line or triangle through places, and a point on it. A CarriedPoint says
// which markers carry the point and with which weights, so that a force on the point and its loads
// on the markers have the same power. Used by FollowContact and MovingLoad.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::mbd_solver {

class Compiler;
struct Model;
struct Workspace;

/// A force between two points. `legs`: how the relative displacement of the points depends on the
/// markers. by_position, by_velocity: minus the derivatives of the force on the first point by this
/// displacement and its rate.
struct Spread {
  static constexpr std::size_t kMaxLegs = 4;
  struct Leg {
    int marker = -1;
    double weight = 0.0;                              // of the marker's motion
    Eigen::Vector3d lever = Eigen::Vector3d::Zero();  // [m] a rotation of the marker moves the
                                                      // point by rotation x lever
  };
  std::array<Leg, kMaxLegs> legs;
  std::size_t count = 0;
  Eigen::Matrix3d by_position = Eigen::Matrix3d::Zero();  // [N/m]
  Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero();  // [N s/m]
};

/// A point carried by markers, in W.
struct CarriedPoint {
  std::array<Spread::Leg, 3> legs;
  std::size_t count = 0;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();   // [m]
  Eigen::Vector3d n = Eigen::Vector3d::UnitZ();  // normal on the free side
  bool is_on = false;  // false: the point is beyond an end of the line, or outside the surface
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
  std::vector<Eigen::Vector3d> ups;       // normals on the free side, perpendicular to the
                                          // tangents, in the same axes
  std::vector<double> at;                 // distance along the line from the first marker, in the
                                          // initial state [m]
  bool is_cubic = true;

  /// The point at distance `way` along the line from the first marker.
  CarriedPoint point_at(const Workspace& ws, double way) const;
  /// The point closest to p.
  CarriedPoint closest(const Workspace& ws, const Eigen::Vector3d& p) const;

 private:
  struct Curve {
    Eigen::Vector3d p, slope, bend;  // point, first and second derivative by the share (0 to 1) of
                                     // the piece
  };
  Curve curve(const Workspace& ws, std::size_t piece, double share) const;
  CarriedPoint carried(const Workspace& ws, std::size_t piece, double share) const;
};

/// Compiles a path.
/// @param up  direction to the free side; absent if that has no effect: any direction across the
///            path, turned with it
/// @throws ModelError  fewer than two places, two neighbours at one position, a path that turns
///                     back or runs along `up`
Path compile_path(const std::vector<std::string>& places,
                  const std::optional<Eigen::Vector3d>& up,
                  const std::string& user,
                  Compiler& compiler);

/// A triangle of markers.
struct Triangle {
  std::array<int, 3> corners{};
  std::array<bool, 3> is_border{};  // whether the edge opposite each corner is a border of the
                                    // surface
};
/// The point of a triangle closest to p. n is the triangle's normal; if p is closest to an edge, n
/// points from the edge to p.
CarriedPoint closest_of_triangle(const Workspace& ws,
                                 const Triangle& triangle,
                                 const Eigen::Vector3d& p);

}  // namespace femflex::mbd_solver

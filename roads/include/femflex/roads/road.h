// Road: the sum of layers (plane, tables, random tracks, obstacles, at most one OpenCRG surface),
// with friction that patches may change. Heights z(x, y) [m]. Evaluation allocates nothing.
// tools/system/wheels.cpp adapts it to the solver.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/roads/crg.h"
#include "femflex/roads/road_point.h"
#include "femflex/roads/shapes.h"
#include "femflex/roads/tables.h"

namespace femflex::roads {

/// A rectangle with its own friction. It starts at the placement and is centred across it.
struct FrictionPatch {
  Placement at;
  double length = 0.0, width = 0.0;  ///< [m]
  double friction = 1.0;
};

using Layer = std::variant<Plane, Tracks, Grid, Bump, Wave, CrgRoad>;

/// A piece of a line on the ground: the points at -reach < s < reach, s along a unit vector.
struct RoadLine {
  double x = 0.0, y = 0.0;  ///< [m] its middle
  double forward_x = 1.0, forward_y = 0.0;
  double reach = 0.0;  ///< [m]
};

class Road {
 public:
  /// A plane at z = 0.
  Road() = default;
  /// @param friction  friction outside all patches
  /// @throws ModelError  there are two OpenCRG layers (a cursor follows one line only), or a size
  /// or a friction is negative or not finite
  Road(std::vector<Layer> layers, double friction, const std::vector<FrictionPatch>& patches);

  /// Height, slopes and friction at a place. The cursor speeds up the next evaluation nearby.
  RoadPoint at(double x, double y, RoadCursor& cursor) const;
  /// Whether the place is within all tables and grids. Outside, tables have the heights of their
  /// edges, and OpenCRG surfaces follow their border rules.
  bool covers(double x, double y) const;
  double height(double x, double y) const;
  /// Places s of a line at which the surface has kinks: the edges of bumps, the ends of waves, and
  /// points of tables above the line between their neighbours, in any order. OpenCRG surfaces have
  /// none.
  /// @returns  how many were put into `out`; those that do not fit are left out
  std::size_t edges(const RoadLine& line, std::span<double> out) const;
  Eigen::Vector3d normal(double x, double y) const;
  /// Friction of the last patch that contains the place, else that of the road.
  double friction(double x, double y) const;

  // what the road was made of
  const std::vector<Layer>& layers() const { return layers_; }
  double friction_outside() const { return friction_; }
  std::vector<FrictionPatch> patches() const;

 private:
  struct Patch {
    LocalAxes axes;
    double length = 0.0, half_width = 0.0, friction = 1.0;
  };
  std::vector<Layer> layers_;
  std::vector<Patch> patches_;
  double friction_ = 1.0;
};

}  // namespace femflex::roads

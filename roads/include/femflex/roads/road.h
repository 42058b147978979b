// A road: the sum of its layers (plane, tables, random tracks, obstacles, one OpenCRG surface),
// with friction that patches change. Heights z(x, y) [m]; evaluating allocates nothing.
#pragma once

#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/roads/crg.h"
#include "femflex/roads/road_point.h"
#include "femflex/roads/shapes.h"
#include "femflex/roads/tables.h"

namespace femflex::roads {

/// A rectangle with its own friction, which begins at the placement and is centred across it.
struct FrictionPatch {
  Placement at;
  double length = 0.0, width = 0.0;  ///< [m]
  double friction = 1.0;
};

using Layer = std::variant<Plane, Tracks, Grid, Bump, Wave, CrgRoad>;

class Road {
 public:
  /// A plane at z = 0.
  Road() = default;
  /// @param friction  outside of all patches
  /// @throws ModelError  two OpenCRG layers (a cursor follows one line), a size or a friction that
  /// is negative or not finite
  Road(std::vector<Layer> layers, double friction, const std::vector<FrictionPatch>& patches);

  /// Height, slopes and friction at a place; the cursor speeds up the next evaluation nearby.
  RoadPoint at(double x, double y, RoadCursor& cursor) const;
  /// Whether the place is within all tables and grids. Outside, tables hold the heights of their
  /// edges, and OpenCRG surfaces follow their border rules.
  bool covers(double x, double y) const;
  double height(double x, double y) const;
  Eigen::Vector3d normal(double x, double y) const;
  /// Friction of the last patch that covers the place, else that of the road.
  double friction(double x, double y) const;

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

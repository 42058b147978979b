// CrgRoad: OpenCRG surfaces, which are heights on a grid along a curved reference line. read_crg()
// reads them from .crg bytes in every published encoding [OpenCRG 1.2]. Coordinates: u along the
// line, v to its left, z upwards [m].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/roads/road_point.h"

namespace femflex::roads {

/// How heights continue beyond the grid: OpenCRG's BORDER_MODE_U and BORDER_MODE_V.
enum class Border : std::uint8_t { none, zero, hold, repeat, mirror };

/// Border options for one direction, u or v.
struct BorderRule {
  Border mode = Border::hold;
  double offset = 0.0;  ///< [m] added beyond the border (modes zero and hold)
};

/// The content of a .crg file after its modifiers are applied.
struct CrgData {
  double u_start = 0.0;                                ///< [m]
  double u_increment = 0.0;                            ///< [m] between cross sections
  double x_start = 0.0, y_start = 0.0, z_start = 0.0;  ///< [m] start of the reference line
  std::optional<double> x_end, y_end, z_end;           ///< [m] end of the reference line, if the
                                                       ///< file contains it
  std::vector<double> v;                               ///< [m] v of the long sections, in ascending
                                                       ///< order
  std::vector<double> heading;                         ///< [rad] one per segment, or one for all
  std::vector<double> slope;                           ///< dz/du, one per segment, or one for all
  std::vector<double> banking;  ///< dz/dv, one per cross section, or one for all
  std::vector<double> z;        ///< [m] z[i * v.size() + j] for cross section i and long section j;
                                ///< NaN: no value
  BorderRule u_border, v_border;
  double smooth_start = 0.0, smooth_end = 0.0;  ///< [m] length over which heights fade to the
                                                ///< reference line

  std::size_t sections() const { return v.empty() ? 0 : z.size() / v.size(); }
};

/// A place in grid coordinates: u along the reference line, v to its left.
struct LinePoint {
  double u = 0.0, v = 0.0;  ///< [m]
};

/// Reads the bytes of a .crg file; opens no other file.
/// @throws ParseError  the bytes violate the format or are truncated
/// @throws ModelError  the numbers contradict each other, or the file needs an unsupported feature
CrgData read_crg(std::string_view bytes, const std::string& file, Diagnostics& diagnostics);

/// A surface ready for evaluation.
class CrgRoad {
 public:
  /// @throws ModelError  sizes do not match, an increment is not positive, v is not ascending, or a
  /// number of the reference line is not finite
  explicit CrgRoad(CrgData data);

  Elevation at(double x, double y, RoadCursor& cursor) const;
  /// Whether the place is within the grid, or within its repeated or mirrored continuation.
  bool covers(double x, double y) const;
  /// (x, y) of a place in grid coordinates.
  Eigen::Vector2d position(const LinePoint& at) const;
  LinePoint project(double x, double y, RoadCursor& cursor) const;
  /// Height at a place in grid coordinates. It needs no search.
  double height_at(const LinePoint& at) const;
  double u_end() const { return u_end_; }  ///< [m]
  const CrgData& data() const { return data_; }

 private:
  struct Node {
    double x, y;    // [m]
    double nx, ny;  // direction of the line from the previous to the next node, not normalised
  };
  struct Block {
    double x, y, radius;  // [m] a circle that contains kBlock nodes
  };
  /// u and v of a point, and their gradients with respect to x and y.
  struct Projection {
    LinePoint at;
    double ux, uy, vx, vy;
  };
  struct GridHeight {
    double z, z_u, z_v;
  };

  void integrate_line();
  void make_blocks();
  std::uint32_t nearest_segment(double x, double y) const;
  std::uint32_t walk(double x, double y, std::uint32_t from) const;
  Projection locate(double x, double y, RoadCursor& cursor) const;
  GridHeight grid_height(double u, double v) const;
  std::size_t column_of(double v) const;

  CrgData data_;
  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<double> line_z_;  // [m] height of the reference line at the nodes
  double u_end_ = 0.0;
  double per_increment_ = 0.0;  // 1 / u_increment
  double per_width_ = 0.0;      // 1 / spacing of v if the spacing is even, else 0
};

}  // namespace femflex::roads

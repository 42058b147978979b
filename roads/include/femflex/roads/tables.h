// Roads given by tables: one profile or two along x, or heights on a grid. Also read from CSV text.
// Units: metres. Format of the CSV text: docs/formats/roads.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "femflex/laws/curve.h"
#include "femflex/roads/road_point.h"

namespace femflex::roads {

/// Heights along x on a left track (y = +track/2) and a right one (y = -track/2); linear between
/// them, held beyond them and before and after the table.
class Tracks {
 public:
  /// One profile across the whole road.
  explicit Tracks(laws::Curve profile);
  /// @throws ModelError  the track is not positive
  Tracks(laws::Curve left, laws::Curve right, double track);

  Elevation at(double x, double y) const;
  /// Whether x lies within the table.
  bool covers(double x) const {
    return x >= left_.first() && x <= left_.last() && x >= right_.first() && x <= right_.last();
  }
  double track() const { return track_; }  ///< [m]; 0 for one profile

 private:
  laws::Curve left_, right_;
  double track_ = 0.0;
};

/// Heights z(x_i, y_j) on a rectangular grid, bilinear; held beyond its edges.
class Grid {
 public:
  /// @param z  heights by rows: z[i * y.size() + j]
  /// @throws ModelError  sizes differ, x or y does not rise, a number is not finite
  Grid(std::vector<double> x, std::vector<double> y, std::vector<double> z);

  Elevation at(double x, double y) const;
  /// Whether the place is within the edges.
  bool covers(double x, double y) const {
    return x >= x_.front() && x <= x_.back() && y >= y_.front() && y <= y_.back();
  }

 private:
  std::vector<double> x_, y_, z_;
};

/// CSV of two columns (x, z) or three (x, left, right). A first line of words and lines that begin
/// with # are skipped. `track` is needed with three columns [m].
/// @throws ParseError  a cell is not a number, or the lines differ in their number of columns;
///   ModelError see Curve
Tracks read_tracks(std::string_view csv, const std::string& file, double track);

/// CSV of a grid: the first line has a word or an empty cell, followed by all y; every further line
/// has x and its heights.
/// @throws ParseError, ModelError  as read_tracks
Grid read_grid(std::string_view csv, const std::string& file);

}  // namespace femflex::roads

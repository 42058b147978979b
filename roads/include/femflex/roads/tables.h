// Tracks, Grid: road layers given by tables, as one or two profiles along x, or as heights on a
// grid. Also reads them from CSV text in the format of docs/formats/roads.md. Lengths in metres.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "femflex/laws/curve.h"
#include "femflex/roads/road_point.h"

namespace femflex::roads {

/// Heights along x on a left track (y = +track/2) and a right one (y = -track/2). Linear between
/// the tracks, constant beyond them and beyond the ends of the table.
class Tracks {
 public:
  /// One profile across the whole road.
  explicit Tracks(laws::Curve profile);
  /// @throws ModelError  the distance of the tracks is not positive
  Tracks(laws::Curve left, laws::Curve right, double track);

  Elevation at(double x, double y) const;
  /// Whether x is within the table.
  bool covers(double x) const {
    return x >= left_.first() && x <= left_.last() && x >= right_.first() && x <= right_.last();
  }
  const laws::Curve& left() const { return left_; }
  const laws::Curve& right() const { return right_; }
  double track() const { return track_; }  ///< [m]; 0 for one profile

 private:
  laws::Curve left_, right_;
  double track_ = 0.0;
};

/// Heights z(x_i, y_j) on a rectangular grid, bilinear; constant beyond the edges.
class Grid {
 public:
  /// @param z  heights by rows: z[i * y.size() + j]
  /// @throws ModelError  sizes differ, x or y is not ascending, or a number is not finite
  Grid(std::vector<double> x, std::vector<double> y, std::vector<double> z);

  Elevation at(double x, double y) const;
  /// Whether the place is within the edges.
  bool covers(double x, double y) const {
    return x >= x_.front() && x <= x_.back() && y >= y_.front() && y <= y_.back();
  }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& z() const { return z_; }  ///< by rows

 private:
  std::vector<double> x_, y_, z_;
};

/// Reads CSV with two columns (x, z) or three (x, left, right). A first line of words, and lines
/// that begin with #, are skipped. `track` [m] is needed for three columns.
/// @throws ParseError  a cell is not a number, or lines have different numbers of columns
/// @throws ModelError  see laws::Curve
Tracks read_tracks(std::string_view csv, const std::string& file, double track);

/// Reads a grid from CSV. The first line has a word or an empty cell, followed by all y; every
/// further line has x and its heights.
/// @throws ParseError, ModelError  see read_tracks()
Grid read_grid(std::string_view csv, const std::string& file);

}  // namespace femflex::roads

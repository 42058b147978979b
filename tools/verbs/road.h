// road(): the verb road. Evaluates heights, normals and friction of a road file at places.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

namespace femflex::verbs {

/// Input of road().
struct RoadRequest {
  std::filesystem::path
      file;            ///< .crg, CSV with profiles or a grid, or a system file with a "road"
  double track = 2.0;  ///< [m] distance between the tracks of a CSV with three columns
  std::vector<std::string> at;  ///< places "x,y" [m]
  std::vector<std::string> uv;  ///< places "u,v" [m] along and across the reference line of a .crg
                                ///< file
  /// CSV with a head line and columns x, y or u, v; empty: none
  std::filesystem::path table;
  std::optional<double> along;  ///< [m] distance between further places on the reference line of a
                                ///< .crg file, at v = 0
  std::filesystem::path csv;    ///< table of the results; empty: not written
};

/// The road at one place.
struct RoadRow {
  double x = 0.0, y = 0.0;
  std::optional<double> u, v;  ///< [m] along and across the reference line of a .crg file
  double height = 0.0;         ///< [m] NaN where the road has no data
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  double friction = 1.0;
};

struct RoadOutcome {
  bool has_line = false;              ///< the road is a .crg file and has a reference line
  double u_start = 0.0, u_end = 0.0;  ///< [m] ends of the reference line
  double v_start = 0.0, v_end = 0.0;
  std::vector<RoadRow> rows;
};

/// Evaluates a road at places.
/// @throws UsageError  a place is not two numbers, (u, v) is given for a road without a line, or
/// there are no places
/// @throws ParseError, ModelError  the file cannot be read
RoadOutcome road(const RoadRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

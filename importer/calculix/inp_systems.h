// Where the coordinates of *NODE lines are: in the local system of *SYSTEM, Cartesian or
// cylindrical.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"

namespace femflex::importer {

/// Reads these keywords of Abaqus; the system places the nodes of all *NODE lines below it, up to
/// the next one, or to the end of the part or instance:
///
///   *SYSTEM                   a, b: origin, and a point on axis 1; b may be missing
///                             c: in the plane of axes 1 and 2, on the side of axis 2; without c,
///                             axis 3 is Z. Without any line: the global system
///   *NODE, SYSTEM=C           radius, angle [degrees], height
class InpNodeSystems {
 public:
  /// Takes any keyword line. @throws ParseError  the system above has no axes, SYSTEM=S
  void begin(const std::string& keyword, const InpParameters& parameters, const Where& where);
  /// Takes a data line below *SYSTEM.
  void data(const std::vector<std::string_view>& fields, const Where& where);
  /// Turns the coordinates of a *NODE line into global ones.
  void place(RawGrid& grid) const;

 private:
  void close();

  std::vector<Eigen::Vector3d> points_;  // of the *SYSTEM that is being read
  bool is_open_ = false;
  Where where_;
  bool is_cylindrical_ = false;
  Eigen::Isometry3d system_ = Eigen::Isometry3d::Identity();
};

}  // namespace femflex::importer

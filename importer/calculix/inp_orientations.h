// The axes of materials that *ORIENTATION of a CalculiX or Abaqus deck defines by points and an
// angle.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "calculix/inp_dialect.h"
#include "calculix/inp_keyword.h"

namespace femflex::importer {

/// Reads these lines; a blank coordinate is 0, as in both programs:
///
///   *ORIENTATION, NAME=, SYSTEM=RECTANGULAR
///   a, b, c         three coordinates each: a on axis 1, b in the plane of axes 1 and 2, and in
///                   Abaqus the origin c, which CalculiX does not read
///   axis, angle     [degrees]; a blank axis is the first one in Abaqus, none in CalculiX
class InpOrientations {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::string& keyword, const InpParameters& parameters);
  /// Takes a data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// Sets the axes (columns) of an orientation.
  /// @param for_shell  axes 1 and 2 are then projected on the surface
  /// @return why it has no axes; empty if it has axes
  std::string axes_of(const std::string& name,
                      const InpDialect& dialect,
                      bool for_shell,
                      Eigen::Matrix3d& axes) const;

 private:
  struct Orientation {
    bool is_rectangular = true;
    std::array<double, 9> points{};  ///< a, b, c; NaN for a field that is not a number
    int axis = 0;                    ///< 0: blank
    double angle = 0.0;              ///< [degrees]; NaN for a field that is not a number
  };
  static std::string turn(const Orientation& from,
                          const InpDialect& dialect,
                          bool for_shell,
                          Eigen::Matrix3d& axes);

  std::map<std::string, Orientation> all_;
  Orientation* open_ = nullptr;  ///< takes the data lines
  int lines_ = 0;
};

}  // namespace femflex::importer

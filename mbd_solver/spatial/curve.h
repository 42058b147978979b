#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// A Table ready to be evaluated: cubic pieces, straight beyond the ends.
class Curve {
 public:
  Curve() = default;
  /// @throws ModelError  x does not rise, sizes differ, a number is not finite
  Curve(const Table& table, const std::string& name);
  double operator()(double x) const { return value(x, nullptr); }
  double slope(double x) const {
    double s = 0.0;
    value(x, &s);
    return s;
  }

 private:
  double value(double x, double* slope) const;
  std::size_t piece(double x) const;
  std::vector<double> x_, y_, slope_;
  double per_step_ = 0.0;  // 1 / spacing where the abscissae are evenly spaced
  bool cubic_ = false;
};

/// Heights of a road of an ISO 8608 class: harmonic sum of the class's mean displacement spectrum,
/// wave numbers 0.01 to 10 cycles per metre, phases from `seed`.
Table iso8608_profile(char iso_class, std::uint64_t seed, double length);

}  // namespace femflex::mbd_solver

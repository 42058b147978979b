// Road layers given by formulas: planes, cleats, potholes, kerbs, sines, twist tracks. Each layer
// has a height and a gradient at (x, y). Local axes: a along the heading, c across it, to the left
// [m].
#pragma once

#include <cmath>
#include <limits>

#include "femflex/roads/road_point.h"

namespace femflex::roads {

/// Origin and direction of a shape.
struct Placement {
  double x = 0.0, y = 0.0;  ///< [m] origin of the local axes
  double heading = 0.0;     ///< [rad] from x towards y
};

/// The local axes of a placement.
class LocalAxes {
 public:
  LocalAxes() = default;
  /// @throws ModelError  a number is not finite
  explicit LocalAxes(const Placement& at);

  const Placement& placement() const { return at_; }

  double along(double x, double y) const { return cos_ * (x - at_.x) + sin_ * (y - at_.y); }
  double across(double x, double y) const { return cos_ * (y - at_.y) - sin_ * (x - at_.x); }
  /// Height h with slopes h_a, h_c in local axes, turned to x and y.
  Elevation turned(double h, double h_a, double h_c) const {
    return {h, cos_ * h_a - sin_ * h_c, sin_ * h_a + cos_ * h_c};
  }

 private:
  Placement at_;
  double cos_ = 1.0, sin_ = 0.0;
};

/// z = height + slope_x x + slope_y y
struct Plane {
  double height = 0.0, slope_x = 0.0, slope_y = 0.0;

  Elevation at(double x, double y) const {
    return {height + slope_x * x + slope_y * y, slope_x, slope_y};
  }
};

/// Increases from 0 to 1 over a ramp that ends at s = 0, is 1 up to `length`, and decreases over a
/// ramp that starts there. At a kink the slope is that of the following piece.
struct Trapezoid {
  double length = std::numeric_limits<double>::infinity();  ///< [m]
  double ramp = 0.01;                                       ///< [m]

  double value(double s) const {
    if (s < -ramp || s >= length + ramp) return 0.0;
    if (s < 0.0) return 1.0 + s / ramp;
    return s < length ? 1.0 : 1.0 - (s - length) / ramp;
  }
  double slope(double s) const {
    if (s < -ramp || s >= length + ramp) return 0.0;
    if (s < 0.0) return 1.0 / ramp;
    return s < length ? 0.0 : -1.0 / ramp;
  }
};

/// A block on the road (cleat, kerb) or a hole in it: height * along(a) * across(c).
class Bump {
 public:
  /// Size of a bump. `height` is negative for a hole. Infinite lengths are allowed.
  struct Size {
    double height = 0.0;                                     ///< [m]
    double length = 0.0;                                     ///< [m] length at full height
    double width = std::numeric_limits<double>::infinity();  ///< [m] width at full height
    double ramp = 0.01;                                      ///< [m] length of the ramp on each
                                                             ///< side
  };
  /// The full height starts at the placement; the bump is centred across it.
  /// @throws ModelError  a length is negative or not a number, or a ramp is not positive
  Bump(const Placement& at, const Size& size);

  const Placement& placement() const { return axes_.placement(); }
  const LocalAxes& axes() const { return axes_; }
  const Size& size() const { return size_; }

  Elevation at(double x, double y) const {
    const double a = axes_.along(x, y);
    const double c = axes_.across(x, y) + half_width_;
    const double f = along_.value(a);
    const double g = is_endless_ ? 1.0 : across_.value(c);
    const double g_c = is_endless_ ? 0.0 : across_.slope(c);
    return axes_.turned(height_ * f * g, height_ * along_.slope(a) * g, height_ * f * g_c);
  }

 private:
  LocalAxes axes_;
  Size size_;
  Trapezoid along_, across_;
  double height_ = 0.0, half_width_ = 0.0;
  bool is_endless_ = true;  // true: infinite width
};

/// Sine, swept sine or twist track, from a = 0 to `length`, flat outside. The tracks are at c =
/// +track/2 (left) and c = -track/2 (right); heights are interpolated between them and constant
/// beyond them:
/// left amplitude sin(phi), right amplitude sin(phi + shift),
/// phi(a) = 2 pi (n_0 a + (n_1 - n_0) a^2 / (2 length)).
/// Only waves with a whole number of half periods start and end at z = 0; jump() returns the height
/// of others.
class Wave {
 public:
  struct Shape {
    double amplitude = 0.0;         ///< [m]
    double first_wavelength = 1.0;  ///< [m] 1/n_0, at the start
    double last_wavelength = 1.0;   ///< [m] 1/n_1, at the end; equal for a plain sine
    double length = 1.0;            ///< [m]
    double track = 2.0;             ///< [m] distance between the tracks
    double shift = 0.0;             ///< [rad] phase of the right track relative to the left one;
                                    ///< pi: twist
  };
  /// @throws ModelError  a length is not positive and finite, or another number is not finite
  Wave(const Placement& at, const Shape& shape);

  const Placement& placement() const { return axes_.placement(); }
  const LocalAxes& axes() const { return axes_; }
  const Shape& shape() const { return shape_; }

  Elevation at(double x, double y) const {
    const double a = axes_.along(x, y);
    if (a < 0.0 || a > shape_.length) return {};
    const double c = axes_.across(x, y);
    const double share = 0.5 - c / shape_.track;
    const bool is_between = share > 0.0 && share < 1.0;
    const double right = share < 0.0 ? 0.0 : (share > 1.0 ? 1.0 : share);
    const double phi = (wave_number_ + 0.5 * sweep_ * a) * a;
    const double z_left = shape_.amplitude * std::sin(phi);
    const double z_right = shape_.amplitude * std::sin(phi + shape_.shift);
    const double rate = shape_.amplitude * (wave_number_ + sweep_ * a);
    const double left_a = rate * std::cos(phi);
    const double right_a = rate * std::cos(phi + shape_.shift);
    return axes_.turned(z_left + right * (z_right - z_left),
                        left_a + right * (right_a - left_a),
                        is_between ? (z_left - z_right) / shape_.track : 0.0);
  }
  /// Largest height [m] at which the wave starts or ends: 0 if it is continuous with the flat road.
  double jump() const;

 private:
  LocalAxes axes_;
  Shape shape_;
  double wave_number_ = 0.0, sweep_ = 0.0;  // 2 pi n_0 [rad/m]; 2 pi (n_1 - n_0)/length [rad/m^2]
};

}  // namespace femflex::roads

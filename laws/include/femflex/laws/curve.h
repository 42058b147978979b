// Curves through given points, used for force tables, time histories and road profiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "femflex/laws/value_and_derivative.h"

namespace femflex::laws {

/// A curve y(x) through two or more points.
class Curve {
 public:
  enum class Kind : std::uint8_t {
    /// straight lines between points; the derivative at a point is the slope of the following line
    linear,
    akima  ///< cubic pieces with continuous derivative and little overshoot: H. Akima, J. ACM 17
           ///< (1970) 589
  };
  /// Treatment of x before the first or after the last point.
  enum class Beyond : std::uint8_t {
    extrapolate,  ///< continues with the derivative at the end point
    hold          ///< keeps the value of the end point
  };

  Curve() = default;
  /// @param name  name of the owner of the table, for messages
  /// @throws ModelError  x does not ascend, the sizes differ, there are fewer than two points, or a
  /// number is not finite
  Curve(std::vector<double> x,
        std::vector<double> y,
        Kind kind,
        Beyond beyond,
        const std::string& name);

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  Kind kind() const { return kind_; }
  Beyond beyond() const { return beyond_; }
  double first() const { return x_.front(); }  ///< x of the first point
  double last() const { return x_.back(); }    ///< x of the last point
  double operator()(double x) const { return at(x).value; }
  double slope(double x) const { return at(x).derivative; }
  ValueAndDerivative at(double x) const;
  /// Second derivative d^2 y / dx^2.
  double second_derivative(double x) const;
  /// The points in (start, end] at which one piece ends and the next begins. Empty if there are so
  /// many that an integrator should not stop at each of them (see Formula::switch_times).
  std::vector<double> switches(double start, double end) const;
  /// Integral of y from the first point to x.
  double integral(double x) const;

 private:
  std::size_t piece(double x) const;  // index of the piece that contains x
  void set_slopes();                  // fills slope_
  double integral_from(double start, std::size_t k, double d) const;

  std::vector<double> x_, y_;
  std::vector<double> slope_;  // akima: dy/dx at the points
  std::vector<double> area_;   // integral from the first point to each point
  double per_step_ = 0.0;      // 1 / spacing if the abscissae are evenly spaced, else 0
  Kind kind_ = Kind::linear;
  Beyond beyond_ = Beyond::extrapolate;
};

}  // namespace femflex::laws

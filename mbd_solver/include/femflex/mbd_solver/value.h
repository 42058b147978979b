// Value: a constant, formula or curve for a load, a stiffness or a motion. Used throughout System.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/laws/value_and_derivative.h"

namespace femflex::mbd_solver {

/// A number that may change with time: offset + factor f, where f is a number, a formula in t and
/// channels, or a curve over t. f is 0 before `from` and from `until` on.
struct Value {
  /// the first variable of a formula is t (laws::Formula::of_time)
  std::variant<double, laws::Formula, laws::Curve> f = 0.0;
  double factor = 1.0;
  double offset = 0.0;
  /// name of a measured history, for a warning if a run leaves its time range; empty: no warning
  std::string source;
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]

  Value() = default;
  Value(double number) : f(number) {}                      // NOLINT(google-explicit-constructor)
  Value(laws::Formula formula) : f(std::move(formula)) {}  // NOLINT(google-explicit-constructor)
  Value(laws::Curve curve) : f(std::move(curve)) {}        // NOLINT(google-explicit-constructor)
  /// A formula in t and channel names.
  /// @throws ModelError  the text is not a formula
  Value(const std::string& text);  // NOLINT(google-explicit-constructor)
  Value(const char* text);         // NOLINT(google-explicit-constructor)

  /// Whether the value never changes.
  bool is_number() const;
  /// The constant value, if is_number().
  double number() const;
  /// The variables of the formula, t first; a number or a curve has only t.
  std::vector<std::string> variables() const;

  /// The value at the given values of variables().
  double at(std::span<const double> values) const;
  /// The value and its rate [1/s], for a value that depends on t alone.
  laws::ValueAndDerivative with_rate(double t) const;
  /// The value and its first two derivatives by t, for a value that depends on t alone.
  std::array<double, 3> time_derivatives(double t) const;
  /// Times in (start, end] at which the value switches as a function of time alone, not sorted. See
  /// laws::Formula::switch_times.
  std::vector<double> switch_times(double start, double end) const;
  /// First and last time of a curve's points; -infinity and infinity for other values [s].
  std::array<double, 2> range() const;
  /// See laws::Formula::state_jump.
  std::string state_jump() const;

  /// The value as text, for messages and to compare values.
  std::string text() const;

 private:
  bool acts(double t) const { return t >= from && t < until; }
  double scaled(double f_now) const;
};
using Value3 = std::array<Value, 3>;

/// An input as a cubic polynomial of time: c[0] + c[1] s + c[2] s^2 + c[3] s^3, s = t - start.
struct InputPath {
  double start = 0.0;  ///< [s]
  std::array<double, 4> c{};

  /// The value and its first two derivatives.
  std::array<double, 3> at(double t) const {
    const double s = t - start;
    return {c[0] + s * (c[1] + s * (c[2] + s * c[3])),
            c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]),
            2.0 * c[2] + 6.0 * c[3] * s};
  }
  friend bool operator==(const InputPath&, const InputPath&) = default;
};

}  // namespace femflex::mbd_solver

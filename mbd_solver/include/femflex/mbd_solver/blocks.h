// Blocks of control as the user gives them: transfer functions, PID, lags, delays, tables,
// hysteresis, sampling, paths, and guests. Each has inputs, which read channels and other blocks,
// and outputs, which formulas of forces and motions read by the block's name. Numbers are in SI
// units.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/guest.h"
#include "femflex/mbd_solver/value.h"

namespace femflex::mbd_solver {

/// x' = A x + B u, y = C x + D u. Without states it is a gain.
struct LinearBlock {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd initial;  ///< x at the start; empty: zero
};
/// y = factor u. It gives a name to the value of a formula or of a measured history.
LinearBlock gain(double factor = 1.0);
/// Numerator over denominator, coefficients of s in falling powers. The states are those of the
/// companion form in a time unit in which its coefficients are of similar size.
/// @throws ModelError  the denominator is zero, or the numerator has a higher power
LinearBlock transfer_function(std::vector<double> numerator, std::vector<double> denominator);
/// gain / (time s + 1) from an output `initial`
/// @throws ModelError  the time is not above 0
LinearBlock first_order_lag(double time, double gain = 1.0, double initial = 0.0);
/// gain w^2 / (s^2 + 2 ratio w s + w^2) from an output `initial` at rest, w = 2 pi frequency_hz
/// @throws ModelError  the frequency is not above 0
LinearBlock second_order_lag(double frequency_hz,
                             double damping_ratio,
                             double gain = 1.0,
                             double initial = 0.0);
/// Padé approximant of e^(-time s) with `order` poles and one zero less, so that the output does
/// not follow the input at once; the states are Legendre coefficients of the delayed window
/// [Voelker 2018].
/// @param initial  the input before the start
/// @throws ModelError  the time is not above 0, or the order is not 1 to 50
LinearBlock delay(double time, int order = 8, double initial = 0.0);

/// y = clamp(v), v = proportional e + I + derivative e', I' = integral e + (y - v) / tracking_time,
/// e the first input. e' is the second input if there is one, else the derivative of
/// e / (filter s + 1).
struct PidBlock {
  double proportional = 0.0, integral = 0.0, derivative = 0.0;
  double filter = 0.0;  ///< [s]
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// [s] time in which the integral returns while the output is at a limit; 0: the integral time,
  /// or its geometric mean with the derivative time [Astrom 2006]
  double tracking_time = 0.0;
  double initial = 0.0;  ///< I at the start
};

/// y(u) through points.
struct TableBlock {
  laws::Curve curve;
};
/// y(u1, u2) on a grid, bilinear between its points, constant beyond them.
struct SurfaceBlock {
  std::vector<double> x, y;  ///< ascending: grid of the first and of the second input
  Eigen::MatrixXd z;         ///< values, one row for each x
};

/// Switches to `high` where the input is `on` or more, to `low` where it is `off` or less, and
/// keeps its output between the two.
struct RelayBlock {
  double on = 0.0, off = 0.0;  ///< off < on
  double low = 0.0, high = 1.0;
  bool is_high = false;  ///< at the start
};
/// Play (backlash): the output stays while the input moves within `width`, and follows it at a
/// distance of half the width.
struct PlayBlock {
  double width = 0.0;
  double initial = 0.0;
};
/// Holds the value that the input had just before the last of the times offset + k period.
struct SampleBlock {
  double period = 0.0;   ///< [s]
  double offset = 0.0;   ///< [s]
  int delay = 0;         ///< periods after which a sample appears in the output
  double initial = 0.0;  ///< output before the first sample appears
};

/// Where a vehicle is beside a path in the plane: inputs are x and y [m], the heading [rad] and the
/// preview [m], by which the point looked at lies ahead. Outputs of the place of the path that is
/// nearest to that point:
///   1 how far it lies to the left [m]   2 the path's direction against the heading [rad]
///   3 curvature, > 0 to the left [1/m]  4 way along the path [m]
/// Directions at the points are those from neighbour to neighbour, and turn evenly between; an open
/// path goes on straight beyond its ends.
struct PathBlock {
  std::vector<double> x, y;  ///< [m]
  bool is_closed = false;    ///< the last point leads to the first
  std::vector<double> way;   ///< [m] up to each point; filled in where it is compiled
};

/// A block and its name, which is the name of its output; of several outputs "name/1", "name/2", or
/// "name/OUTPUT" if they have names.
struct Block {
  std::string name;
  std::string unit;           ///< of the output, for channels
  std::vector<Value> inputs;  ///< formulas in t, channels and blocks
  std::variant<LinearBlock,
               PidBlock,
               TableBlock,
               SurfaceBlock,
               RelayBlock,
               PlayBlock,
               SampleBlock,
               GuestBlock,
               PathBlock>
      law;
  std::vector<std::string> output_names, output_units;  ///< one per output, or none
};
/// Number of continuous states of a block.
int state_count(const Block& block);
/// Number of outputs of a block.
int output_count(const Block& block);

}  // namespace femflex::mbd_solver

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
/// y = factor u, for example to name the value of a formula or of a measured history.
LinearBlock gain(double factor = 1.0);
/// Numerator over denominator, coefficients of s in falling powers. The states are those of the
/// companion form in a time unit in which its coefficients are of similar size.
/// @throws ModelError  the denominator is zero, or the numerator has a higher power
LinearBlock transfer_function(std::vector<double> numerator, std::vector<double> denominator);
/// Transfer function gain / (time s + 1). The output starts at `initial`.
/// @throws ModelError  the time is not above 0
LinearBlock first_order_lag(double time, double gain = 1.0, double initial = 0.0);
/// Transfer function gain w^2 / (s^2 + 2 damping_ratio w s + w^2), w = 2 pi frequency_hz. The
/// output starts at rest at `initial`.
/// @throws ModelError  the frequency is not above 0
LinearBlock second_order_lag(double frequency_hz,
                             double damping_ratio,
                             double gain = 1.0,
                             double initial = 0.0);
/// Padé approximant of e^(-time s) with `order` poles and `order` - 1 zeros, so that the output
/// does not jump with the input. The states are Legendre coefficients of the input over the last
/// `time` seconds [Voelker 2018].
/// @param initial  the input before the start
/// @throws ModelError  the time is not above 0, or the order is not 1 to 50
LinearBlock delay(double time, int order = 8, double initial = 0.0);

/// PID controller with limited output: y = clamp(v), v = proportional e + I + derivative e', I' =
/// integral e + (y - v) / tracking_time. e is the first input. e' is the second input; without one
/// it is the derivative of e / (filter s + 1).
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

/// y(u), interpolated between points.
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

/// Position of a vehicle relative to a path in the plane. Inputs: x and y [m], heading [rad],
/// preview distance [m]. The preview point lies that distance ahead of the vehicle. Outputs, at the
/// path point nearest to the preview point:
/// 1 offset of the path point from the preview point, > 0 to the left [m]
/// 2 direction of the path minus heading [rad]
/// 3 curvature, > 0 to the left [1/m]
/// 4 distance along the path [m]
/// The direction at an inner point is that of the line between its neighbours, and varies linearly
/// in between. An open path continues straight beyond its ends.
struct PathBlock {
  std::vector<double> x, y;  ///< [m]
  bool is_closed = false;    ///< the last point leads to the first, or repeats it
  std::vector<double> way;   ///< [m] distance along the path to each point; computed by the
                             ///< compiler
};
/// Whether the last point of a path repeats the first, so that it is meant as a ring.
bool ends_meet(const PathBlock& path);

/// A named block. The block's name is the name of its only output; several outputs are named
/// "name/1", "name/2", ..., or "name/OUTPUT" with the texts of `output_names`.
struct Block {
  std::string name;
  std::string unit;           ///< of the output, for its channel
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

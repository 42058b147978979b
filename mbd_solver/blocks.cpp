// Control blocks in state-space form, made from transfer functions, lags and delays; numbers of
// states and outputs of blocks.
#include "femflex/mbd_solver/blocks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A linear block with one input, one output and zero matrices for the given number of states.
LinearBlock single(Index states) {
  LinearBlock out;
  out.A.setZero(states, states);
  out.B.setZero(states, 1);
  out.C.setZero(1, states);
  out.D.setZero(1, 1);
  return out;
}

void need_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw ModelError("block", fmt::format("{} is {}; expected a number above 0", what, value));
}

/// Removes leading zeros.
void trim(std::vector<double>& coefficients, const char* what) {
  for (const double c : coefficients)
    if (!std::isfinite(c)) throw ModelError("block", fmt::format("the {} is not finite", what));
  const auto first =
      std::find_if(coefficients.begin(), coefficients.end(), [](double c) { return c != 0.0; });
  coefficients.erase(coefficients.begin(), first);
}

}  // namespace

LinearBlock gain(double factor) {
  LinearBlock out = single(0);
  out.D(0, 0) = factor;
  return out;
}

LinearBlock transfer_function(std::vector<double> numerator, std::vector<double> denominator) {
  trim(numerator, "numerator");
  trim(denominator, "denominator");
  if (denominator.empty()) throw ModelError("block", "the denominator is zero");
  if (numerator.size() > denominator.size())
    throw ModelError("block",
                     fmt::format("the numerator has the power {} of s, the denominator {}: such a "
                                 "block differentiates its input",
                                 numerator.size() - 1,
                                 denominator.size() - 1),
                     {},
                     "add a lag to the denominator");
  const auto n = static_cast<Index>(denominator.size()) - 1;
  const auto power = [&](const std::vector<double>& c, Index k) {  // coefficient of s^k
    const auto at = static_cast<Index>(c.size()) - 1 - k;
    return at < 0 ? 0.0 : c[static_cast<std::size_t>(at)];
  };
  // w is chosen so that, with s = w p, no coefficient of p in the denominator exceeds the leading
  // one
  double w = 0.0;
  for (Index k = 0; k < n; ++k)
    w = std::max(w,
                 std::pow(std::abs(power(denominator, k) / denominator.front()),
                          1.0 / static_cast<double>(n - k)));
  if (w == 0.0) w = 1.0;  // the block contains only integrators
  LinearBlock out = single(n);
  out.D(0, 0) = power(numerator, n) / denominator.front();
  for (Index k = 0; k < n; ++k) {
    const double scale = std::pow(w, static_cast<double>(k - n)) / denominator.front();
    const double alpha = power(denominator, k) * scale;
    out.A(n - 1, k) = -w * alpha;
    out.C(0, k) = power(numerator, k) * scale - out.D(0, 0) * alpha;
    if (k + 1 < n) out.A(k, k + 1) = w;
  }
  if (n > 0) out.B(n - 1, 0) = w;
  return out;
}

LinearBlock first_order_lag(double time, double gain, double initial) {
  need_positive(time, "the time of a lag");
  LinearBlock out = single(1);
  out.A(0, 0) = -1.0 / time;
  out.B(0, 0) = gain / time;
  out.C(0, 0) = 1.0;
  out.initial = VectorXd::Constant(1, initial);
  return out;
}

LinearBlock second_order_lag(double frequency_hz,
                             double damping_ratio,
                             double gain,
                             double initial) {
  need_positive(frequency_hz, "the frequency of a lag");
  const double w = 2.0 * std::numbers::pi * frequency_hz;
  LinearBlock out = single(2);
  out.A << 0.0, w, -w, -2.0 * damping_ratio * w;
  out.B << 0.0, w * gain;
  out.C << 1.0, 0.0;
  out.initial = Eigen::Vector2d(initial, 0.0);
  return out;
}

// [Voelker 2018] eq. (4-6): m' = A m + B u. u(t - time) is the sum of m, because every shifted
// Legendre polynomial is 1 at the oldest end of the window.
LinearBlock delay(double time, int order, double initial) {
  need_positive(time, "the time of a delay");
  constexpr int kMaxOrder = 50;
  if (order < 1 || order > kMaxOrder)
    throw ModelError("block",
                     fmt::format("the order of a delay is {}; expected 1 to {}", order, kMaxOrder));
  LinearBlock out = single(order);
  for (Index i = 0; i < order; ++i) {
    const double rate = static_cast<double>(2 * i + 1) / time;
    out.B(i, 0) = i % 2 == 0 ? rate : -rate;
    for (Index j = 0; j < order; ++j)
      out.A(i, j) = i < j || (i - j) % 2 == 0 ? -rate : rate;
  }
  out.C.setOnes();
  out.initial = initial * VectorXd::Unit(order, 0);
  return out;
}

int state_count(const Block& block) {
  if (const auto* linear = std::get_if<LinearBlock>(&block.law))
    return static_cast<int>(linear->A.rows());
  if (const auto* pid = std::get_if<PidBlock>(&block.law))
    return (pid->integral != 0.0 ? 1 : 0) +
           (pid->derivative != 0.0 && block.inputs.size() < 2 ? 1 : 0);
  return 0;
}

bool ends_meet(const PathBlock& path) {
  constexpr std::size_t kFewest = 4;  // three corners and the first again
  constexpr double kRoundOff = 1e-9;  // of the coordinates of one point in a file
  if (path.x.size() < kFewest || path.x.size() != path.y.size()) return false;
  double size = 0.0;
  for (std::size_t k = 1; k < path.x.size(); ++k)
    size = std::max(size, std::hypot(path.x[k] - path.x[0], path.y[k] - path.y[0]));
  return std::hypot(path.x.back() - path.x[0], path.y.back() - path.y[0]) <= kRoundOff * size;
}

int output_count(const Block& block) {
  if (const auto* guest = std::get_if<GuestBlock>(&block.law))
    return static_cast<int>(guest->initial.size());
  constexpr int kPathOutputs = 4;
  if (std::holds_alternative<PathBlock>(block.law)) return kPathOutputs;
  const auto* linear = std::get_if<LinearBlock>(&block.law);
  return linear == nullptr ? 1 : static_cast<int>(linear->D.rows());
}

}  // namespace femflex::mbd_solver

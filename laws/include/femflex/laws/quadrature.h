// Numerical integration, for the energy of force laws without a closed form. Called by spring.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace femflex::laws {

/// The integral of a function over an interval by the Gauss-Lobatto rule with 10 points, which is
/// exact for polynomials of degree 17 [Abramowitz 1964, table 25.6]. Two of its points are the ends
/// of the interval, moved inwards by some units of round-off: at rest a law may be 0 / 0.
struct LobattoSum {
  double integral = 0.0;
  double of_magnitude = 0.0;  ///< the integral of |f|
};

template <typename Function>
LobattoSum lobatto(double from, double to, const Function& f) {
  // positive half of the inner points on [-1, 1]
  constexpr std::array<double, 4> kPoints = {
      0.1652789576663870, 0.4779249498104445, 0.7387738651055050, 0.9195339081664589};
  constexpr std::array<double, 4> kWeights = {
      0.3275397611838975, 0.2920426836796838, 0.2248893420631265, 0.1333059908510701};
  constexpr double kEndWeight = 1.0 / 45.0;
  constexpr double kInside = 1e-14;
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  LobattoSum out;
  const auto add = [&](double weight, double x) {
    const double value = weight * half * f(x);
    out.integral += value;
    out.of_magnitude += std::abs(value);
  };
  add(kEndWeight, from + kInside * (to - from));
  add(kEndWeight, to - kInside * (to - from));
  for (std::size_t i = 0; i < kPoints.size(); ++i)
    for (const double sign : {-1.0, 1.0})
      add(kWeights[i], middle + sign * kPoints[i] * half);
  return out;
}

/// Integral of f from 0 to u. Pieces are halved until that changes nothing, at kinks and jumps as
/// well; parts of a law narrower than 4 % of u may stay unseen between the first points. NaN if f
/// is not finite at a point that is used.
template <typename Function>
double integral_from_zero(double u, const Function& f) {
  constexpr double kNothing = 1e-11;  // change that counts as none, relative to the integral of |f|
  constexpr std::size_t kDepth = 60;  // halvings of one piece
  constexpr int kMostPieces = 2000;   // for functions that are nothing but noise
  struct Piece {
    double from, to;
    LobattoSum sum;
  };
  std::array<Piece, kDepth> waiting;
  waiting[0] = {0.5 * u, u, lobatto(0.5 * u, u, f)};
  waiting[1] = {0.0, 0.5 * u, lobatto(0.0, 0.5 * u, f)};
  std::size_t count = 2;
  double scale = waiting[0].sum.of_magnitude + waiting[1].sum.of_magnitude, total = 0.0;
  for (int pieces = 1; count > 0; ++pieces) {
    const Piece piece = waiting[--count];
    const double middle = 0.5 * (piece.from + piece.to);
    const Piece left{piece.from, middle, lobatto(piece.from, middle, f)};
    const Piece right{middle, piece.to, lobatto(middle, piece.to, f)};
    const double halves = left.sum.integral + right.sum.integral;
    if (!std::isfinite(halves)) return halves - halves;
    scale = std::max(scale, left.sum.of_magnitude + right.sum.of_magnitude);
    if (std::abs(halves - piece.sum.integral) <= kNothing * scale || count + 2 > kDepth ||
        pieces >= kMostPieces) {
      total += halves;
      continue;
    }
    waiting[count++] = right;
    waiting[count++] = left;
  }
  return total;
}

}  // namespace femflex::laws

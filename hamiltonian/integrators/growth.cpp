// Computes by which factor each integration method multiplies the amplitude of the oscillator
// x'' + c x' + k x = 0  in one step.
#include "integrators/growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "integrators/composition.h"

namespace femflex::hamiltonian {
namespace {

// Maximum number of steps of the root search. The cubic's roots converge quadratically, so this is
// enough from any start.
constexpr int kMaxRootSteps = 100;
constexpr double kRootSettled = 1e-15;

using Complex = std::complex<double>;

/// Size of the larger root of w^2 + b w + c.
double larger_root(Complex b, Complex c) {
  const Complex root = std::sqrt(b * b - 4.0 * c);
  return std::max(std::abs(0.5 * (-b + root)), std::abs(0.5 * (-b - root)));
}

}  // namespace

double growth(Integrator integrator, Complex z) {
  switch (integrator) {
    case Integrator::euler:
      return std::abs(1.0 + z);
    case Integrator::adams_bashforth_2:
      return larger_root(-(1.0 + 1.5 * z), 0.5 * z);
    case Integrator::adams_bashforth_3: {
      // w^3 - (1 + 23/12 z) w^2 + 16/12 z w - 5/12 z by simultaneous iteration on three roots
      const std::array<Complex, 3> c = {-(1.0 + 23.0 / 12.0 * z), 16.0 / 12.0 * z, -5.0 / 12.0 * z};
      std::array<Complex, 3> w = {Complex(1.0, 0.0), Complex(0.4, 0.9), Complex(-0.65, 0.72)};
      double moved = 1.0;
      for (int i = 0; i < kMaxRootSteps && moved > kRootSettled; ++i) {
        moved = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
          const Complex value = ((w[k] + c[0]) * w[k] + c[1]) * w[k] + c[2];
          const Complex others = (w[k] - w[(k + 1) % 3]) * (w[k] - w[(k + 2) % 3]);
          if (std::abs(others) < 1e-300) continue;
          w[k] -= value / others;
          moved = std::max(moved, std::abs(value / others));
        }
      }
      return std::max({std::abs(w[0]), std::abs(w[1]), std::abs(w[2])});
    }
    default:  // Runge-Kutta of order 4; the order-5 pair controls itself
      return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
  }
}

double splitting_growth(Integrator integrator, double x) {
  // the growth follows from half the trace of the step's matrix, whose determinant is 1
  double half_trace = 1.0 - 0.5 * x * x;
  if (integrator == Integrator::symplectic_4) {
    constexpr auto& drift = Composition::kDrift;
    constexpr auto& kick = Composition::kKick;
    std::array<double, 4> m = {1.0, 0.0, 0.0, 1.0};
    for (std::size_t s = 0; s < drift.size(); ++s) {
      m = {m[0] + drift[s] * x * m[2], m[1] + drift[s] * x * m[3], m[2], m[3]};
      if (s < kick.size()) m = {m[0], m[1], m[2] - kick[s] * x * m[0], m[3] - kick[s] * x * m[1]};
    }
    half_trace = 0.5 * (m[0] + m[3]);
  }
  return std::abs(half_trace) <= 1.0
             ? 1.0
             : std::abs(half_trace) + std::sqrt(half_trace * half_trace - 1.0);
}

double semi_implicit_growth(double hc, double hhk) {
  // p+ = (1 - h c) p - h k q, q+ = q + h p+
  return larger_root(Complex(hc + hhk - 2.0), Complex(1.0 - hc));
}

}  // namespace femflex::hamiltonian

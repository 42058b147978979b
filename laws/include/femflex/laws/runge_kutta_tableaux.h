// Coefficients of the explicit Runge-Kutta methods that several integrators use.
#pragma once

#include <array>
#include <cstddef>

namespace femflex::laws {

/// Coefficients of an explicit Runge-Kutta pair for y' = f(t, y):
///
///   k_s = f(t + c_s h, y + h sum_{r < s} a_sr k_r),   error = h sum_s error_s k_s
///
/// The last row of `a` contains the weights of the step, so the last stage is also the first stage
/// of the next step.
template <std::size_t Stages>
struct EmbeddedTableau {
  /// row by row; zero on and above the diagonal
  std::array<std::array<double, Stages - 1>, Stages> a;
  std::array<double, Stages> c;  ///< row sums of `a`
  /// weights of the step minus weights of the embedded formula
  std::array<double, Stages> error;
};

/// The classical method of order 4: each stage reads the slope of the one before,
/// k_s = f(t + c_s h, y + c_s h k_(s-1)), and the step is h sum_s b_s k_s. [Hairer 1993, II.1]
struct ClassicalTableau {
  std::array<double, 4> c, b;
};
inline constexpr ClassicalTableau kRungeKutta4 = {
    .c = {0.0, 0.5, 0.5, 1.0}, .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};

/// Orders 5 and 4, seven stages: J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta
/// formulae, J. Comp. Appl. Math. 6 (1980) 19-26, table 2.
inline constexpr EmbeddedTableau<7> kDormandPrince = {
    .a = {{{},
           {1.0 / 5.0},
           {3.0 / 40.0, 9.0 / 40.0},
           {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
           {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
           {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
           {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}}},
    .c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0},
    .error = {71.0 / 57600.0,
              0.0,
              -71.0 / 16695.0,
              71.0 / 1920.0,
              -17253.0 / 339200.0,
              22.0 / 525.0,
              -1.0 / 40.0}};

}  // namespace femflex::laws

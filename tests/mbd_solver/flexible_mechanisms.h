// Mechanisms with flexible beams, for the tests of the multibody solver: a beam on a hub, a
// slider-crank, a beam in segments. The shapes of the beams are powers of x / L.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/system.h"

namespace femflex::testing {

/// Gauss-Legendre points and weights on [0, 1].
struct Quadrature {
  Eigen::VectorXd x, w;
  explicit Quadrature(Eigen::Index n) : x(n), w(n) {
    for (Eigen::Index k = 0; k < n; ++k) {
      double z = std::cos(M_PI * (static_cast<double>(k) + 0.75) / (static_cast<double>(n) + 0.5)),
             slope = 1.0;
      for (int it = 0; it < 50; ++it) {
        double p0 = 1.0, p1 = z;
        for (Eigen::Index j = 2; j <= n; ++j) {
          const auto d = static_cast<double>(j);
          const double p2 = ((2.0 * d - 1.0) * z * p1 - (d - 1.0) * p0) / d;
          p0 = p1;
          p1 = p2;
        }
        slope = static_cast<double>(n) * (z * p1 - p0) / (z * z - 1.0);
        z -= p1 / slope;
      }
      x(n - 1 - k) = 0.5 * (1.0 + z);
      w(n - 1 - k) = 1.0 / ((1.0 - z * z) * slope * slope);
    }
  }
};

/// A displacement shape of a beam. at(x) returns value, slope and curvature.
struct Shape {
  int direction = 1;  // 0 axial, 1 y, 2 z
  std::function<Eigen::Vector3d(double)> at;
};
/// The shape (x / L)^exponent.
Shape power(int direction, int exponent, double L);

/// A beam along x from `hub` to hub + L, with mass points at Gauss points and massless nodes at the
/// ends. Node 1 is at the root, the last node at the tip. `stiffened` adds geometric stiffness by
/// spin.
FlexBody beam(double L,
              double EI,
              double EA,
              double rhoA,
              const std::vector<Shape>& shapes,
              double hub,
              bool stiffened);
mbd_solver::System on_a_hub(FlexBody flex_body, const mbd_solver::Value& angle);
mbd_solver::System flexible_slider_crank();
/// A cantilever of length 1 and E I = 1 under the transverse force `load` at its tip. It is divided
/// into `pieces` flexible bodies, each with one quadratic and one cubic shape and welded to the
/// next.
mbd_solver::System cut_beam(int pieces, double load);

}  // namespace femflex::testing

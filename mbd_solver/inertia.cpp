// Checks principal moments of inertia against those of mass distributions.
#include "femflex/mbd_solver/inertia.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/dense.h"

namespace femflex::mbd_solver {

InertiaFault inertia_fault(const Eigen::Matrix3d& J, bool is_planar) {
  // round-off of a rotated tensor, relative to the largest principal moment
  constexpr double kRoundOff = 1e-9;
  // what files with six digits lose, relative to the largest principal moment
  constexpr double kFileRounding = 1e-6;
  using Kind = InertiaFault::Kind;
  if (is_planar)
    return J(2, 2) < 0.0 ? InertiaFault{Kind::negative,
                                        fmt::format("the moment about z is negative: {}", J(2, 2))}
                         : InertiaFault{};
  const Eigen::Vector3d j =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = std::abs(j(2));
  InertiaFault out;
  if (j(0) < -kRoundOff * largest)
    out.kind = Kind::negative;
  else if (j(0) + j(1) < j(2) - kFileRounding * largest)
    out.kind = Kind::too_large;
  if (out.kind != Kind::none)
    out.text = fmt::format("principal moments {} {} {}: no body has these", j(0), j(1), j(2));
  return out;
}

}  // namespace femflex::mbd_solver

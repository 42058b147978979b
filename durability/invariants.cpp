// Computes the scalars of stress states. Plane states: Mohr's circle. Spatial states: trigonometric
// solution of the cubic equation for the principal stresses,
//    s_k = p + 2 r cos(phi - 2 pi k / 3),  cos 3 phi = det(dev / r) / 2,  r^2 = |dev|^2 / 6,
// with the mean stress p and the deviator dev.
#include "femflex/durability/invariants.h"

#include <cmath>
#include <numbers>

namespace femflex::durability {
namespace {

using Array = Eigen::ArrayXd;
using History = Eigen::Map<const Array>;

void plane_invariants(const Array& xx, const Array& yy, const Array& xy, Invariants& out) {
  const Array middle = 0.5 * (xx + yy);
  const Array radius = ((0.5 * (xx - yy)).square() + xy.square()).sqrt();
  out.principal_max = middle + radius;
  out.principal_min = middle - radius;
  out.signed_von_mises = (middle.square() + 3.0 * radius.square()).sqrt();
  out.signed_von_mises = (middle < 0.0).select(-out.signed_von_mises, out.signed_von_mises);
  out.tresca = out.principal_max.max(0.0) - out.principal_min.min(0.0);
}

void spatial_invariants(const std::array<Array, 6>& s, Invariants& out) {
  const Array p = (s[0] + s[1] + s[2]) / 3.0;
  const Array x = s[0] - p;
  const Array y = s[1] - p;
  const Array z = s[2] - p;
  const Array J2 =
      0.5 * (x.square() + y.square() + z.square()) + s[3].square() + s[4].square() + s[5].square();
  const Array J3 = x * y * z + 2.0 * s[3] * s[4] * s[5] - x * s[4].square() - y * s[5].square() -
                   z * s[3].square();
  const Array r = (J2 / 3.0).sqrt();
  const Array cube = r.cube();
  // if r is 0 the state is hydrostatic and the angle does not matter
  const Array cosine = (cube > 0.0).select(0.5 * J3 / cube, 0.0).max(-1.0).min(1.0);
  const Array phi = cosine.acos() / 3.0;
  constexpr double kThird = 2.0 * std::numbers::pi / 3.0;
  out.principal_max = p + 2.0 * r * phi.cos();
  out.principal_min = p + 2.0 * r * (phi + kThird).cos();
  out.tresca = out.principal_max - out.principal_min;
  out.signed_von_mises = (3.0 * J2).sqrt();
  // the principal stress of largest absolute value is negative if the largest and the smallest have
  // a negative sum
  out.signed_von_mises = (out.principal_max + out.principal_min < 0.0)
                             .select(-out.signed_von_mises, out.signed_von_mises);
}

}  // namespace

void compute_invariants(const SixHistories& stress, Eigen::Index count, Invariants& out) {
  std::array<Array, 6> s;
  for (std::size_t k = 0; k < 6; ++k)
    s[k] = stress[k] == nullptr ? Array::Zero(count) : Array(History(stress[k], count));
  if (stress[2] == nullptr && stress[4] == nullptr && stress[5] == nullptr)
    plane_invariants(s[0], s[1], s[3], out);
  else
    spatial_invariants(s, out);
}

Eigen::ArrayXd signs_against(const SixHistories& stress, Eigen::Index count, Eigen::Index r) {
  const auto at_r = [&](std::size_t k) { return stress[k] == nullptr ? 0.0 : stress[k][r]; };
  const double p = (at_r(0) + at_r(1) + at_r(2)) / 3.0;
  Array product = Array::Zero(count);
  // of one of the two factors the deviator suffices
  for (std::size_t k = 0; k < 6; ++k)
    if (stress[k] != nullptr)
      product += (k < 3 ? at_r(k) - p : 2.0 * at_r(k)) * History(stress[k], count);
  return (product < 0.0).select(Array::Constant(count, -1.0), Array::Constant(count, 1.0));
}

}  // namespace femflex::durability

// Computes the differences between the inertia invariants of two bodies, relative to scales from
// mass, radius of gyration and modal masses; errors.of[k - 1] belongs to invariant k.
#include "femflex/flexfile/invariant_errors.h"

#include <algorithm>
#include <cmath>

#include "femflex/largest.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Largest entry of a - b, each divided by modal(j) of its mode j; a mode has `per_mode` columns.
double by_mode(const MatrixXd& a, const MatrixXd& b, Index per_mode, const Eigen::VectorXd& modal) {
  double worst = 0.0;
  for (Index j = 0; j < modal.size(); ++j)
    worst = std::max(
        worst,
        largest(a.middleCols(per_mode * j, per_mode) - b.middleCols(per_mode * j, per_mode)) /
            modal(j));
  return worst;
}

}  // namespace

double InvariantErrors::worst() const {
  return *std::max_element(of.begin(), of.end());
}

double InvariantErrors::rigid() const {
  return std::max({of[0], of[1], of[6]});
}

int InvariantErrors::worst_number() const {
  return 1 + static_cast<int>(std::max_element(of.begin(), of.end()) - of.begin());
}

InvariantScales scales_of(const InertiaInvariants& i) {
  InvariantScales scales;
  scales.mass = i.mass > 0.0 ? i.mass : 1.0;
  if (i.mass > 0.0) scales.centre = i.first_moment / i.mass;
  // the trace of invariant 7 is twice the polar moment
  const double polar = 0.5 * i.inertia.trace() - scales.mass * scales.centre.squaredNorm();
  const double about_origin = 0.5 * i.inertia.trace();
  constexpr double kRoundOff = 1e-14;  // relative round-off of the difference of two moments
  scales.radius = polar > kRoundOff * std::abs(about_origin) ? std::sqrt(polar / scales.mass) : 1.0;
  scales.modal = i.modal.diagonal();
  for (double& m : scales.modal)
    m = m > 0.0 ? std::sqrt(m) : 1.0;
  return scales;
}

bool has_partial_coupling(const InertiaInvariants& i) {
  return i.modes() > 0 && i.translation_rate.isZero(0.0) && i.inertia_rate.isZero(0.0) &&
         i.inertia_curvature.isZero(0.0);
}

InvariantErrors invariant_errors(const InertiaInvariants& a, const InertiaInvariants& b) {
  const InvariantScales scales = scales_of(b);
  const double r = std::hypot(scales.radius, scales.centre.norm());
  const double root_mass = std::sqrt(scales.mass);
  const Index n = b.modes();
  InvariantErrors errors;
  errors.of[0] = std::abs(a.mass - b.mass) / scales.mass;
  errors.of[1] = (a.first_moment - b.first_moment).norm() / (scales.mass * r);
  errors.of[2] = by_mode(a.translation, b.translation, 1, scales.modal) / root_mass;
  errors.of[3] = by_mode(a.rotation, b.rotation, 1, scales.modal) / (root_mass * r);
  errors.of[6] = largest(a.inertia - b.inertia) / (scales.mass * r * r);
  errors.of[7] = by_mode(a.inertia_rate, b.inertia_rate, 3, scales.modal) / (root_mass * r);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k) {
      const double scale = scales.modal(j) * scales.modal(k);
      const auto update = [&](std::size_t number, double difference) {
        errors.of[number - 1] = std::max(errors.of[number - 1], difference / scale);
      };
      update(5, largest(a.translation_rate.col(n * j + k) - b.translation_rate.col(n * j + k)));
      update(6, std::abs(a.modal(j, k) - b.modal(j, k)));
      update(9,
             largest(a.inertia_curvature.block<3, 3>(3 * j, 3 * k) -
                     b.inertia_curvature.block<3, 3>(3 * j, 3 * k)));
    }
  if (has_partial_coupling(b)) errors.of[4] = errors.of[7] = errors.of[8] = 0.0;
  return errors;
}

}  // namespace femflex::flexfile

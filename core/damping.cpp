// Converts between damping ratio and damping d of a mode (d = 2 damping_ratio sqrt(k m)) and builds
// the damping matrix of a flexible body.
#include "femflex/damping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace femflex {

double damping_from_ratio(double ratio, double stiffness, double mass) {
  const double km = stiffness * mass;
  if (!std::isfinite(ratio) || ratio == 0.0 || !(km > 0.0)) return 0.0;
  return 2.0 * ratio * std::sqrt(km);
}

double ratio_from_damping(double damping, double stiffness, double mass) {
  const double km = stiffness * mass;
  if (!(km > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  return damping / (2.0 * std::sqrt(km));
}

double adams_damping_ratio(double frequency_hz) {
  // default ratios of Adams/Flex [Adams]
  constexpr double kLowBand = 100.0;    // [Hz]
  constexpr double kHighBand = 1000.0;  // [Hz]
  constexpr double kLowRatio = 0.01;
  constexpr double kMiddleRatio = 0.1;
  constexpr double kCriticalRatio = 1.0;
  if (!(frequency_hz >= kLowBand)) return kLowRatio;
  return frequency_hz < kHighBand ? kMiddleRatio : kCriticalRatio;
}

Eigen::MatrixXd damping_matrix(const FlexBody& body) {
  if (body.damping) return *body.damping;
  const Eigen::Index n = body.mode_count();
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(n, n);
  const Eigen::Index count = std::min(n, static_cast<Eigen::Index>(body.modes.size()));
  for (Eigen::Index i = 0; i < count; ++i)
    d(i, i) = damping_from_ratio(body.modes[static_cast<std::size_t>(i)].damping_ratio,
                                 body.stiffness(i, i),
                                 body.mass(i, i));
  return d;
}

Eigen::MatrixXd true_mode_damping(const Eigen::MatrixXd& mass,
                                  const Eigen::MatrixXd& V,
                                  const Eigen::VectorXd& lambda,
                                  const Eigen::VectorXd& damping_ratios) {
  // below this fraction of the largest eigenvalue a motion is rigid and has no frequency
  constexpr double kRigidEigenvalue = 1e-12;
  const double least = lambda.size() > 0 ? kRigidEigenvalue * lambda.maxCoeff() : 0.0;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(lambda.size());
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (lambda(i) > least) d(i) = damping_from_ratio(damping_ratios(i), lambda(i), 1.0);
  const Eigen::MatrixXd mV = mass * V;
  return mV * d.asDiagonal() * mV.transpose();
}

}  // namespace femflex

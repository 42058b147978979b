// Computes the error of the interface frequency response if only some of the fixed-interface modes
// are kept. The error of leaving out a single mode follows from a rank-one update of the receptance
// H.
#include "methods/interface_error.h"

#include <algorithm>
#include <complex>
#include <numeric>

#include "dense/symmetric_eigen.h"

namespace femflex::modal {

Eigen::MatrixXcd Interface::stiffness(double w2, const Choice& modes) const {
  const std::complex<double> s = damped_square(w2, loss_factor);
  Eigen::MatrixXd columns(p.rows(), static_cast<Eigen::Index>(modes.size()));
  Eigen::VectorXcd factor(columns.cols());
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    const Eigen::Index j = modes[static_cast<std::size_t>(k)];
    columns.col(k) = p.col(j);
    factor(k) = s * s / (lambda(j) - s);
  }
  Eigen::MatrixXd real = k_bb - s.real() * m_bb;
  Eigen::MatrixXd imaginary = -s.imag() * m_bb;
  add_product(real, columns * factor.real().asDiagonal(), columns.transpose(), -1.0);
  add_product(imaginary, columns * factor.imag().asDiagonal(), columns.transpose(), -1.0);
  Eigen::MatrixXcd Z(real.rows(), real.cols());
  Z.real() = real - loss_factor * imaginary;
  Z.imag() = imaginary + loss_factor * real;
  return Z;
}
Choice Interface::all() const {
  Choice modes(static_cast<std::size_t>(lambda.size()));
  std::iota(modes.begin(), modes.end(), Eigen::Index{0});
  return modes;
}
Interface interface_of(const InterfaceSampler& sampler, const NormalModes& normal) {
  Interface inter;
  inter.k_bb = sampler.k_bb();
  inter.m_bb = sampler.m_bb();
  inter.p = transposed_product(sampler.coupling(), normal.X);
  inter.lambda = normal.lambda;
  inter.loss_factor = sampler.loss_factor();
  return inter;
}

Target target_of(const InterfaceScale& scale, const InterfaceSample& sample) {
  Target target{sample.w2, scale.receptance(sample.Z, sample.w2), 0.0};
  target.size = target.H.norm();
  return target;
}

double error_at(const Interface& inter,
                const InterfaceScale& scale,
                const Target& target,
                const Choice& modes) {
  return (scale.receptance(inter.stiffness(target.w2, modes), target.w2) - target.H).norm() /
         target.size;
}

double max_error(const Interface& inter,
                 const InterfaceScale& scale,
                 const std::vector<Target>& targets,
                 const Choice& modes,
                 std::size_t stride) {
  double largest = 0.0;
  for (std::size_t k = 0; k < targets.size(); k += stride)
    largest = std::max(largest, error_at(inter, scale, targets[k], modes));
  return largest;
}

bool meets_tolerance(const Interface& inter,
                     const InterfaceScale& scale,
                     std::vector<Target>& targets,
                     const Choice& modes,
                     double tolerance) {
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (error_at(inter, scale, targets[k], modes) <= tolerance) continue;
    std::rotate(targets.begin(),
                targets.begin() + static_cast<std::ptrdiff_t>(k),
                targets.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return false;
  }
  return true;
}

// Removing -c p p' from Z, c = (1 + i g) s^2 / (lambda - s), changes H by - H p p' H / (1 / c + p'
// H p).
Eigen::VectorXd omission_errors(const Interface& inter,
                                const InterfaceScale& scale,
                                const std::vector<Target>& targets) {
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(inter.lambda.size());
  for (const Target& target : targets) {
    const Eigen::MatrixXcd scaled =
        (scale.at(target.w2).cwiseInverse().asDiagonal() * inter.p).cast<std::complex<double>>();
    const Eigen::MatrixXcd Hp = target.H * scaled;
    const std::complex<double> s = damped_square(target.w2, inter.loss_factor);
    for (Eigen::Index j = 0; j < errors.size(); ++j) {
      const std::complex<double> pHp = scaled.col(j).transpose() * Hp.col(j);
      const std::complex<double> inverse_c = (inter.lambda(j) - s) / (s * target.w2);
      errors(j) =
          std::max(errors(j), Hp.col(j).squaredNorm() / (std::abs(inverse_c + pHp) * target.size));
    }
  }
  return errors;
}

}  // namespace femflex::modal

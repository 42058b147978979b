#include "methods/interface_response.h"

#include <cmath>
#include <complex>
#include <utility>

#include <Eigen/LU>

#include "dense/symmetric_eigen.h"

namespace femflex::modal {

std::vector<InterfaceSample> full_interface_samples(CraigBamptonSolver& solver,
                                                    const FeModel& model,
                                                    const FrequencyBand& band,
                                                    int count,
                                                    Progress& progress) {
  const Partition& part = solver.parts().part;
  const Eigen::MatrixXd K_bb = mirrored(part.K_bb);
  const Eigen::MatrixXd M_bb = mirrored(part.M_bb);
  std::vector<InterfaceSample> samples;
  progress.begin("frequency response", count, "points");
  for (int k = 0; k < count; ++k) {
    InterfaceSample sample;
    sample.hz = band.from_hz + (band.to_hz - band.from_hz) * (k + 1.0) / static_cast<double>(count);
    sample.w2 = eigenvalue_of_hz(model, sample.hz);
    sample.Z = K_bb - sample.w2 * M_bb;
    if (!part.i.empty()) {
      // a sample on a fixed-interface resonance says nothing: step aside
      for (int aside = 0; aside < 4 && !solver.factor().at(sample.w2); ++aside)
        sample.w2 *= 1.0 + 1e-6;
      const Eigen::MatrixXd Z_ib =
          Eigen::MatrixXd(part.K_ib) - sample.w2 * Eigen::MatrixXd(part.M_ib);
      Eigen::MatrixXd x = Z_ib;
      solver.factor().solve(x);
      sample.Z = K_bb - sample.w2 * M_bb - transposed_product(Z_ib, x);
    }
    samples.push_back(std::move(sample));
    progress.step(k + 1.0);
  }
  progress.end();
  return samples;
}

DampedReceptance::DampedReceptance(const Eigen::MatrixXd& k_bb, double loss_factor)
    : d_(k_bb.diagonal()), g_(loss_factor) {
  for (Eigen::Index i = 0; i < d_.size(); ++i)
    d_(i) = d_(i) > 0.0 ? 1.0 / std::sqrt(d_(i)) : 1.0;
  k_ = d_.asDiagonal() * k_bb * d_.asDiagonal();
}

Eigen::MatrixXcd DampedReceptance::of_stiffness(const Eigen::MatrixXd& Z) const {
  Eigen::MatrixXcd damped = (d_.asDiagonal() * Z * d_.asDiagonal()).cast<std::complex<double>>();
  damped += std::complex<double>(0.0, g_) * k_.cast<std::complex<double>>();
  return damped.partialPivLu().inverse();
}

Eigen::MatrixXcd DampedReceptance::of_receptance(const Eigen::MatrixXd& R) const {
  const Eigen::VectorXd e = d_.cwiseInverse();
  const Eigen::MatrixXcd scaled =
      (e.asDiagonal() * R * e.asDiagonal()).cast<std::complex<double>>();
  Eigen::MatrixXcd left =
      std::complex<double>(0.0, g_) * (scaled * k_.cast<std::complex<double>>());
  left.diagonal().array() += 1.0;
  return left.partialPivLu().solve(scaled);
}

}  // namespace femflex::modal

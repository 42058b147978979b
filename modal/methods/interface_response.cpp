#include "methods/interface_response.h"

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "dense/symmetric_eigen.h"

namespace femflex::modal {

InterfaceSample full_interface_sample(CraigBamptonSolver& solver, double w2) {
  const Partition& part = solver.parts().part;
  InterfaceSample sample{w2, {}};
  // a sample on a fixed-interface resonance says nothing: step aside
  for (int aside = 0; aside < 4 && !part.i.empty() && !solver.factor().at(sample.w2); ++aside)
    sample.w2 *= 1.0 + 1e-6;
  sample.Z = mirrored(part.K_bb) - sample.w2 * mirrored(part.M_bb);
  if (part.i.empty()) return sample;
  const Eigen::MatrixXd Z_ib = part.K_ib - sample.w2 * part.M_ib;
  Eigen::MatrixXd x = Z_ib;
  solver.factor().solve(x);
  sample.Z -= transposed_product(Z_ib, x);
  return sample;
}

std::vector<InterfaceSample> full_interface_samples(CraigBamptonSolver& solver,
                                                    const FeModel& model,
                                                    const FrequencyBand& band,
                                                    int count,
                                                    Progress& progress) {
  std::vector<InterfaceSample> samples;
  progress.begin("frequency response", count, "points");
  for (int k = 0; k < count; ++k) {
    const double share = (k + 1.0) / static_cast<double>(count);
    const double hz = band.from_hz + (band.to_hz - band.from_hz) * share;
    samples.push_back(full_interface_sample(solver, eigenvalue_of_hz(model, hz)));
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

Eigen::MatrixXcd DampedReceptance::of_modes(const Eigen::MatrixXd& Phi_b,
                                            const Eigen::VectorXd& lambda,
                                            double w2) const {
  constexpr double resonance = 1e-2;  // gaps below this share of w^2 must not divide
  const std::complex<double> ig(0.0, g_);
  std::vector<Eigen::Index> far;
  std::vector<Eigen::Index> near;
  for (Eigen::Index j = 0; j < lambda.size(); ++j)
    (std::abs(lambda(j) - w2) < resonance * w2 ? near : far).push_back(j);
  const Eigen::MatrixXd Phi = d_.cwiseInverse().asDiagonal() * Phi_b;
  const Eigen::MatrixXd Phi_f = Phi(Eigen::all, far);
  const Eigen::VectorXd gap = lambda.array() - w2;
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(Phi.rows(), Phi.rows());
  add_product(R, Phi_f * gap(far).cwiseInverse().asDiagonal(), Phi_f.transpose());
  Eigen::MatrixXcd left = ig * (R * k_).cast<std::complex<double>>();
  left.diagonal().array() += 1.0;
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(left);
  Eigen::MatrixXcd H = lu.solve(R.cast<std::complex<double>>());
  if (near.empty()) return H;
  const Eigen::MatrixXd Phi_n = Phi(Eigen::all, near);
  const Eigen::MatrixXcd B = lu.solve(Phi_n.cast<std::complex<double>>());
  Eigen::MatrixXcd small = ig * ((Phi_n.transpose() * k_).cast<std::complex<double>>() * B);
  small.diagonal() += gap(near).cast<std::complex<double>>();
  return H + B * small.partialPivLu().solve(B.transpose());
}

}  // namespace femflex::modal

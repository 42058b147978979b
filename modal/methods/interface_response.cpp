#include "methods/interface_response.h"

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include <Eigen/LU>
#include <Eigen/QR>

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Orthonormal columns that span those of X, less what they have along V; columns that are nothing
/// but round-off go.
Eigen::MatrixXd new_directions(const Eigen::MatrixXd& V, Eigen::MatrixXd X) {
  constexpr double vanished = 1e-13;  // of a length squared
  for (int pass = 0; pass < 2; ++pass) {
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (const double length = X.col(j).norm(); length > 0.0) X.col(j) /= length;
    if (V.cols() > 0) add_tall_product(X, V, tall_transposed_product(V, X, 1), -1.0, 1);
    const DenseEigen gram = symmetric_eigen(tall_transposed_product(X, X, 1));
    Eigen::Index first = 0;
    while (first < gram.values.size() && !(gram.values(first) > vanished))
      ++first;
    const Eigen::Index kept = gram.values.size() - first;
    X = X * (gram.vectors.rightCols(kept) *
             gram.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
  }
  return X;
}

}  // namespace

InterfaceSampler::InterfaceSampler(CraigBamptonSolver& solver, double loss_factor)
    : solver_(solver), g_(loss_factor) {
  const CraigBampton& parts = solver.parts();
  const Partition& part = parts.part;
  k_bb_ = parts.k_bb;
  coupling_ = symmetric_product(part.M_ii, parts.psi) + Eigen::MatrixXd(part.M_ib);
  m_bb_ = transposed_product(parts.psi, coupling_) + part.M_ib.transpose() * parts.psi +
          Eigen::MatrixXd(mirrored(part.M_bb));
  m_bb_ = 0.5 * (m_bb_ + m_bb_.transpose()).eval();
}

void InterfaceSampler::free_of(const Eigen::MatrixXd& X_b) {
  if (X_b.cols() == 0) return;
  // in coordinates that give K_bb, before condensation, a unit diagonal
  Eigen::VectorXd d = solver_.parts().part.K_bb.diagonal();
  for (Eigen::Index i = 0; i < d.size(); ++i)
    d(i) = d(i) > 0.0 ? std::sqrt(d(i)) : 1.0;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(d.asDiagonal() * X_b);
  const Eigen::MatrixXd Q = Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
  Eigen::MatrixXd k = d.cwiseInverse().asDiagonal() * k_bb_ * d.cwiseInverse().asDiagonal();
  k -= Q * (Q.transpose() * k);
  k -= (k * Q) * Q.transpose();
  k_bb_ = d.asDiagonal() * (0.5 * (k + k.transpose())) * d.asDiagonal();
}

/// A^-1 B, B the coupling, by the factor of A = K_ii - tau M_ii that the solver then holds, tau at
/// w^2 or beside it: so close to a fixed-interface eigenvalue that its shape drowns all others,
/// A^-1 B would say nothing.
Eigen::MatrixXd InterfaceSampler::answers_near(double w2) {
  const Partition& part = solver_.parts().part;
  ShiftedFactor& factor = solver_.factor();
  Eigen::MatrixXd X;
  double tau = w2;
  for (int aside = 1;; ++aside) {
    const bool last = aside > 4;
    if (factor.at(tau) || last) {
      X = coupling_;
      factor.solve(X);
      if (last) return X;
      Eigen::Index largest = 0;
      X.colwise().squaredNorm().maxCoeff(&largest);
      const Eigen::MatrixXd x = X.col(largest);
      const double strain = x.col(0).dot(symmetric_product(part.K_ii, x).col(0));
      const double motion = x.col(0).dot(symmetric_product(part.M_ii, x).col(0));
      if (!(std::abs(strain - tau * motion) < 1e-4 * tau * motion)) return X;
    }
    tau = w2 * (1.0 + 2e-3 * aside);
  }
}

// B' (K_ii - s M_ii)^-1 B. The way from tau to s is short, and the vectors A^-1 B, A^-1 M A^-1 B,
// ... follow it: q blocks match 2 q moments about tau and find the resonances that lie as close.
Eigen::MatrixXcd InterfaceSampler::beyond_static(double w2, std::complex<double> s) {
  const Partition& part = solver_.parts().part;
  const Eigen::Index nb = coupling_.cols();
  const int blocks = nb <= 60 ? 3 : nb <= 120 ? 2 : 1;
  Eigen::MatrixXd X = answers_near(w2);
  Eigen::MatrixXd V(coupling_.rows(), 0);
  for (int block = 0;; ++block) {
    X = new_directions(V, std::move(X));
    const Eigen::Index before = V.cols();
    V.conservativeResize(Eigen::NoChange, before + X.cols());
    V.rightCols(X.cols()) = X;
    if (block + 1 == blocks || X.cols() == 0) break;
    X = symmetric_product(part.M_ii, X);
    solver_.factor().solve(X);
  }
  if (V.cols() == 0) return Eigen::MatrixXcd::Zero(nb, nb);
  Eigen::MatrixXcd middle = project(part.K_ii, V).cast<std::complex<double>>();
  middle -= s * project(part.M_ii, V);
  const Eigen::MatrixXcd end =
      tall_transposed_product(V, coupling_, 1).cast<std::complex<double>>();
  return end.transpose() * middle.partialPivLu().solve(end);
}

InterfaceSample InterfaceSampler::at(double w2) {
  InterfaceSample sample{w2, {}};
  const std::complex<double> s = damped_square(w2, g_);
  sample.Z = k_bb().cast<std::complex<double>>() - s * m_bb_;
  if (coupling_.rows() > 0) sample.Z -= s * s * beyond_static(w2, s);
  sample.Z *= std::complex<double>(1.0, g_);
  return sample;
}

std::vector<InterfaceSample> InterfaceSampler::over(const FeModel& model,
                                                    const FrequencyBand& band,
                                                    int count,
                                                    Progress& progress) {
  std::vector<InterfaceSample> samples;
  progress.begin("frequency response", count, "points");
  for (int k = 0; k < count; ++k) {
    const double share = (k + 1.0) / static_cast<double>(count);
    const double hz = band.from_hz + (band.to_hz - band.from_hz) * share;
    samples.push_back(at(eigenvalue_of_hz(model, hz)));
    progress.step(k + 1.0);
  }
  progress.end();
  return samples;
}

Eigen::VectorXd InterfaceScale::at(double w2) const {
  Eigen::VectorXd d = k_.cwiseMax(0.0) + w2 * m_.cwiseMax(0.0);
  for (Eigen::Index i = 0; i < d.size(); ++i)
    d(i) = d(i) > 0.0 ? std::sqrt(d(i)) : 1.0;
  return d;
}

Eigen::MatrixXcd InterfaceScale::receptance(const Eigen::MatrixXcd& Z, double w2) const {
  const Eigen::VectorXd d = at(w2);
  const Eigen::MatrixXcd scaled = d.cwiseInverse().asDiagonal() * Z * d.cwiseInverse().asDiagonal();
  return scaled.partialPivLu().inverse();
}

}  // namespace femflex::modal

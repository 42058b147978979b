// Computes the frequency response of the full model at its interface: the condensed dynamic
// stiffness from fixed-interface modes and, for all higher modes, from moments of K_ii^-1. Large
// components are factored at each frequency instead.
#include "methods/interface_response.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "methods/local_response.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// True if `remainder` is negligible compared with a mass: remainder' M^-1 remainder <= mass, with
/// M replaced by its diagonal.
bool is_round_off(const Eigen::MatrixXd& remainder,
                  const SparseMatrix& M,
                  const Eigen::VectorXd& mass) {
  constexpr double kZeroSquaredShare = 1e-22;  // a share of 1e-11, squared
  const Eigen::VectorXd d =
      Eigen::VectorXd(M.diagonal()).unaryExpr([](double x) { return x > 0.0 ? 1.0 / x : 0.0; });
  const Eigen::VectorXd left = (d.asDiagonal() * remainder.cwiseAbs2()).colwise().sum();
  return (left.array() <= kZeroSquaredShare * mass.array()).all();
}

/// The matrices s^k B' K^-1 (M K^-1)^k B with s = `top`, for the part of B that the modes X do not
/// contain. All further modes lie above `top`, so the sum over k converges as (top / lambda)^k. The
/// series ends when the terms are negligible compared with `mass`.
std::vector<Eigen::MatrixXd> moments_beyond(ShiftedFactor& factor,
                                            const NormalModes& modes,
                                            const Eigen::MatrixXd& B,
                                            const Eigen::VectorXd& mass,
                                            double top) {
  constexpr double kNegligibleTerm = 1e-14;  // smallest term that counts, relative to m_ii
  constexpr std::size_t kMaxTerms = 400;     // 2.25^-k is then below 1e-140
  const SparseMatrix& M = factor.M();
  const bool has_modes = modes.X.cols() > 0;
  Eigen::MatrixXd remainder = B;
  if (has_modes)
    add_product(remainder, symmetric_product(M, modes.X), transposed_product(modes.X, B), -1.0);
  std::vector<Eigen::MatrixXd> out;
  if (is_round_off(remainder, M, mass)) return out;
  if (!factor.at(0.0))
    throw NumericalError("singular", "K of the part with its interface held is singular");
  Eigen::MatrixXd solution;
  /// Adds a term; true if it was the last one. (top B' ... B)_ii is at most m_ii.
  const auto add = [&](const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
    const Eigen::MatrixXd moment = transposed_product(left, right);
    out.emplace_back(0.5 * (moment + moment.transpose()));
    double share = 0.0;
    for (Eigen::Index i = 0; i < mass.size(); ++i)
      if (mass(i) > 0.0) share = std::max(share, top * out.back()(i, i) / mass(i));
    return share <= kNegligibleTerm;
  };
  while (out.size() < kMaxTerms) {
    solution = remainder;
    factor.solve(solution);
    if (has_modes)  // otherwise round-off along the modes would grow
      add_product(
          solution, modes.X, transposed_product(modes.X, symmetric_product(M, solution)), -1.0);
    if (add(remainder, solution)) return out;
    remainder = top * symmetric_product(M, solution);
    if (add(solution, remainder)) return out;
  }
  throw NumericalError("no-convergence",
                       fmt::format("the frequency response does not converge with the {} modes of "
                                   "the held part that were found",
                                   modes.X.cols()),
                       {},
                       "narrow the band");
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

void InterfaceSampler::remove_rigid_stiffness(const Eigen::MatrixXd& X_b) {
  if (X_b.cols() == 0) return;
  // in coordinates in which K_bb, before condensation, has a unit diagonal
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

void InterfaceSampler::prepare_modes(double top, std::int64_t max_modes, Progress& progress) {
  constexpr double kSearchedSquare = 2.25;  // factor on w^2: modes up to 1.5 times the band's end
  p_.resize(0, 0);
  moments_.clear();
  top_ = 0.0;
  if (coupling_.rows() == 0) return;
  ShiftedFactor& factor = solver_.factor();
  const std::int64_t possible = solver_.possible_modes();
  // largest number of unknowns for which all modes may be found by dense matrices
  constexpr Eigen::Index kDenseUnknowns = 2500;
  if (factor.size() > kDenseUnknowns && factor.count_below(kSearchedSquare * top) > max_modes)
    return;
  NormalRequest request;
  request.limit = kSearchedSquare * top;
  solver_.find_normal_modes(request, progress);
  const NormalModes& normal = solver_.parts().normal;
  p_ = transposed_product(coupling_, normal.X);
  lambda_ = normal.lambda;
  top_ = top;
  if (normal.lambda.size() < possible)
    moments_ = moments_beyond(factor, normal, coupling_, m_bb_.diagonal(), top);
}

bool InterfaceSampler::has_modes_to(double top) const {
  constexpr double kSameEnd = 1e-9;  // the end of the band itself, after conversions of its unit
  return coupling_.rows() == 0 || top <= top_ * (1.0 + kSameEnd);
}

// B' (K_ii - s M_ii)^-1 B from the modes found and the moments of all higher modes; or, if no modes
// were found, by factoring K_ii - s M_ii.
Eigen::MatrixXcd InterfaceSampler::dynamic_part(double w2, std::complex<double> s) {
  if (!has_modes_to(w2))
    return local_response(solver_.factor(), coupling_, m_bb_.diagonal(), w2, s);
  const Eigen::VectorXcd share =
      (lambda_.cast<std::complex<double>>().array() - s).inverse().matrix();
  Eigen::MatrixXcd sum(m_bb_.rows(), m_bb_.cols());
  Eigen::MatrixXd real = Eigen::MatrixXd::Zero(m_bb_.rows(), m_bb_.cols());
  Eigen::MatrixXd imaginary = real;
  std::complex<double> power = 1.0;
  for (const Eigen::MatrixXd& moment : moments_) {
    real += power.real() * moment;
    imaginary += power.imag() * moment;
    power *= s / top_;
  }
  if (p_.cols() > 0) {
    add_product(real, p_ * share.real().asDiagonal(), p_.transpose(), 1.0);
    add_product(imaginary, p_ * share.imag().asDiagonal(), p_.transpose(), 1.0);
  }
  sum.real() = real;
  sum.imag() = imaginary;
  return sum;
}

InterfaceSample InterfaceSampler::at(double w2) {
  InterfaceSample sample{w2, {}};
  const std::complex<double> s = damped_square(w2, g_);
  sample.Z = k_bb().cast<std::complex<double>>() - s * m_bb_;
  if (coupling_.rows() > 0) sample.Z -= s * s * dynamic_part(w2, s);
  sample.Z *= std::complex<double>(1.0, g_);
  return sample;
}

double search_step(const InterfaceSampler& sampler, double top) {
  // Step in widths of a resonance. It is large if a response is expensive: if it needs a
  // factorisation or, where the modes are known, products of large interface matrices.
  constexpr double kWidthsIfFactored = 8.0;
  constexpr double kWidthsIfNarrow = 0.5;
  constexpr double kWidthsIfWide = 1.0;
  constexpr double kWidthsIfWidest = 4.0;
  const Eigen::Index nb = sampler.k_bb().rows();
  const double widths = !sampler.has_modes_to(top) ? kWidthsIfFactored
                        : nb <= kWideInterface     ? kWidthsIfNarrow
                        : nb <= kWidestInterface   ? kWidthsIfWide
                                                   : kWidthsIfWidest;
  return widths * sampler.loss_factor();
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

// Fits nodal masses to the invariants of a body: Newton's method on the dual problem, repeated from
// the previous result (proximal point method); then the rigid rows are satisfied exactly.
// Notation: x unknown masses, F rows of all equations, t their targets, mu multipliers, D
// tolerances of the equations.
#include "masses/mass_fit.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "femflex/dense.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Weight of the distance from x0 relative to the invariants: a deviation of x by its own size has
/// the same weight as an error of 1e-3 in the invariants.
constexpr double kDistanceWeight = 1e-6;
/// Tolerance of the rigid rows during the iteration, relative to that of the other rows: the
/// iteration ends even if the rigid rows cannot be satisfied. Afterwards they are made exact.
constexpr double kRigidTolerance = 1e-3;
constexpr int kMaxIterations = 200;
/// Number of rounds. Each takes the masses of the previous one as x0, so that the distance from x0
/// finally costs no accuracy of the invariants (proximal point method, Rockafellar 1976).
constexpr int kRounds = 3;
/// Fraction of x0 that an unknown keeps in the next round if it has become zero.
constexpr double kMinFraction = 0.01;

/// The dual problem: minimise phi(mu) = sum x0 max(0, 1 - F' mu)^2 / 2 + t' mu + mu' D mu / 2.
class DualProblem {
 public:
  DualProblem(const MassFeatures& features,
              const MassFeatures::Compressed& flexible,
              const VectorXd& x0,
              bool may_be_negative)
      : x0_(x0), unbounded_(may_be_negative ? features.node_count() : 0) {
    const Index rigid = features.rigid().rows();
    F_.resize(rigid + flexible.rows.rows(), features.size());
    F_ << features.rigid(), flexible.rows;
    t_.resize(F_.rows());
    t_ << features.rigid_target(), flexible.target;
    D_ = VectorXd::Constant(F_.rows(), kDistanceWeight);
    D_.head(rigid).array() *= kRigidTolerance * kRigidTolerance;
  }

  /// The masses at the minimum.
  VectorXd solve() const {
    VectorXd mu = VectorXd::Zero(F_.rows());
    VectorXd x = masses(mu);
    double value = objective(mu);
    for (int step = 0; step < kMaxIterations; ++step) {
      const VectorXd gradient = F_ * x - t_ - D_.cwiseProduct(mu);  // gradient of -phi
      const VectorXd direction = newton_direction(mu, gradient);
      const double slope = gradient.dot(direction);
      double length = 1.0;
      constexpr double kMinStepLength = 1e-9;
      // Armijo's condition: smallest decrease relative to the predicted one
      constexpr double kSufficientDecrease = 1e-4;
      double next = objective(mu + direction);
      while (next > value - kSufficientDecrease * length * slope && length > kMinStepLength) {
        length *= 0.5;
        next = objective(mu + length * direction);
      }
      if (!(next < value)) break;
      mu += length * direction;
      x = masses(mu);
      constexpr double kRoundOff = 1e-15;
      const bool is_done = value - next <= kRoundOff * std::abs(next);
      value = next;
      if (is_done) break;
    }
    return x;
  }

 private:
  /// x / x0 = 1 - F' mu, and at least zero for unknowns that must not be negative.
  VectorXd factors(const VectorXd& mu) const {
    VectorXd y = VectorXd::Ones(F_.cols()) - F_.transpose() * mu;
    y.tail(y.size() - unbounded_) = y.tail(y.size() - unbounded_).cwiseMax(0.0);
    return y;
  }
  VectorXd masses(const VectorXd& mu) const { return x0_.cwiseProduct(factors(mu)); }
  double objective(const VectorXd& mu) const {
    return 0.5 * x0_.dot(factors(mu).cwiseAbs2()) + t_.dot(mu) + 0.5 * mu.dot(D_.cwiseProduct(mu));
  }
  VectorXd newton_direction(const VectorXd& mu, const VectorXd& gradient) const {
    const VectorXd y = factors(mu);
    MatrixXd scaled = F_;
    for (Index u = 0; u < scaled.cols(); ++u)
      scaled.col(u) *= u < unbounded_ || y(u) > 0.0 ? std::sqrt(x0_(u)) : 0.0;
    MatrixXd H = MatrixXd::Zero(F_.rows(), F_.rows());
    H.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
    H.diagonal() += D_;
    constexpr double kRoundOff = 1e-15;
    H.diagonal().array() += kRoundOff * H.trace();
    return H.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
  }

  MatrixXd F_;
  VectorXd t_, D_;
  const VectorXd& x0_;
  Index unbounded_;  // number of unknowns at the start that have no lower bound
};

/// Satisfies the rigid rows to round-off by changes in proportion to x, which preserve its signs if
/// they are small.
void satisfy_rigid_rows(const MassFeatures& features, bool may_be_negative, VectorXd& x) {
  const MatrixXd& C = features.rigid();
  constexpr int kMaxCorrections = 20;
  for (int step = 0; step < kMaxCorrections; ++step) {
    const VectorXd missing = features.rigid_target() - C * x;
    constexpr double kRoundOff = 1e-15;
    if (missing.cwiseAbs().maxCoeff() <= kRoundOff) return;
    const VectorXd weight = x.cwiseAbs();
    const MatrixXd weighted = C * weight.asDiagonal();
    // for a body in a line or a plane some rows are zero
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(weighted * C.transpose()));
    constexpr double kMinEigenvalue = 1e-12;  // relative to the largest
    const double limit = kMinEigenvalue * eigen.eigenvalues().maxCoeff();
    VectorXd part = eigen.eigenvectors().transpose() * missing;
    for (Index k = 0; k < part.size(); ++k)
      part(k) = eigen.eigenvalues()(k) > limit ? part(k) / eigen.eigenvalues()(k) : 0.0;
    x += weighted.transpose() * (eigen.eigenvectors() * part);
    const Index free = may_be_negative ? features.node_count() : 0;
    x.tail(x.size() - free) = x.tail(x.size() - free).cwiseMax(0.0);
  }
}

}  // namespace

MassFit fit_masses(const MassFeatures& features,
                   const MassFeatures::Compressed& flexible,
                   const VectorXd& x0,
                   bool may_be_negative) {
  MassFit fit;
  VectorXd start = x0;
  for (int round = 0; round < kRounds; ++round) {
    fit.x = DualProblem(features, flexible, start, may_be_negative).solve();
    start = fit.x.cwiseAbs().cwiseMax(kMinFraction * start);
  }
  satisfy_rigid_rows(features, may_be_negative, fit.x);
  fit.rigid_error = (features.rigid() * fit.x - features.rigid_target()).cwiseAbs().maxCoeff();
  return fit;
}

}  // namespace femflex::flexfile

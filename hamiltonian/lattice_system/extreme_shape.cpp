// Finds the shape of a lattice with the largest frequency, damping, or combination of both, by
// Lanczos iterations without forming matrices. docs/theory/hamiltonian.md eq. (12), (13).
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include <Eigen/Core>

#include "femflex/dense.h"

#include "lattice_system/impl.h"
#include "lattice_system/linear_damping.h"

namespace femflex::hamiltonian {
namespace {

using Times = std::function<void(std::span<const double>, std::span<double>)>;

// number of DOFs up to which the Lanczos vectors are kept
constexpr std::size_t kMaxKeptDofs = 20000;
// The largest eigenvalue converges to a percent within a few dozen steps [Parlett 1998, ch. 13].
// More steps would cost more than the run whose step they limit.
constexpr std::size_t kLanczosSteps = 80;
constexpr std::size_t kShortLanczosSteps = 30;
// if the residual is below this share of the first Rayleigh quotient, the vectors span the whole
// space
constexpr double kInvariant = 1e-13;

struct Extreme {
  double value = 0.0;
  Eigen::VectorXd shape;  // M^1/2 x, of unit length
};

/// Finds the largest eigenvalue of M^-1/2 A M^-1/2 by the Lanczos method, within a few dozen
/// products with A. If orthogonality is lost, eigenvalues only appear several times.
class Lanczos {
 public:
  Lanczos(const std::vector<double>& inverse_mass, std::size_t held, Times times)
      : n_(inverse_mass.size()),
        steps_(std::min<std::size_t>(n_ - held,
                                     n_ > kMaxKeptDofs ? kShortLanczosSteps : kLanczosSteps)),
        times_(std::move(times)),
        root_(static_cast<Eigen::Index>(n_)) {
    for (std::size_t i = 0; i < n_; ++i)
      root_(static_cast<Eigen::Index>(i)) = std::sqrt(inverse_mass[i]);
  }

  void product(const Eigen::VectorXd& v, Eigen::VectorXd& w) {
    scaled_ = root_.cwiseProduct(v);
    w.resize(v.size());
    times_({scaled_.data(), n_}, {w.data(), n_});
    w = w.cwiseProduct(root_);
  }

  Extreme largest(bool with_shape) {
    Extreme extreme;
    const Eigen::VectorXd first = start();
    if (first.size() == 0) return extreme;
    sweep(first, [&](std::size_t, const Eigen::VectorXd& v) {
      if (n_ <= kMaxKeptDofs) basis_.push_back(v);
    });
    const auto size = static_cast<Eigen::Index>(diagonal_.size());
    off_.resize(diagonal_.size() - 1);
    const Eigen::Map<const Eigen::VectorXd> diagonal(diagonal_.data(), size);
    const Eigen::Map<const Eigen::VectorXd> off(off_.data(), size - 1);
    extreme.value = std::numeric_limits<double>::quiet_NaN();
    if (!diagonal.allFinite() || !off.allFinite()) return extreme;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, off);
    extreme.value = solver.eigenvalues()(size - 1);
    if (!with_shape) return extreme;
    const Eigen::VectorXd weights = solver.eigenvectors().col(size - 1);
    extreme.shape = Eigen::VectorXd::Zero(first.size());
    const auto gather = [&](std::size_t k, const Eigen::VectorXd& v) {
      if (static_cast<Eigen::Index>(k) < size)
        extreme.shape += weights(static_cast<Eigen::Index>(k)) * v;
    };
    if (basis_.empty()) sweep(first, gather);  // computes the same vectors once more
    for (std::size_t k = 0; k < basis_.size(); ++k)
      gather(k, basis_[k]);
    extreme.shape.normalize();
    return extreme;
  }

 private:
  Eigen::VectorXd start() const {
    Eigen::VectorXd v(static_cast<Eigen::Index>(n_));
    std::uint32_t seed = 12345;
    for (Eigen::Index i = 0; i < v.size(); ++i) {
      seed = seed * 1664525U + 1013904223U;
      const double random = static_cast<double>(seed >> 8U) / static_cast<double>(1U << 24U) - 0.5;
      v(i) = root_(i) > 0.0 ? random : 0.0;
    }
    if (v.norm() == 0.0) return {};
    v.normalize();
    return v;
  }

  template <typename See>
  void sweep(const Eigen::VectorXd& first, const See& see) {
    diagonal_.clear();
    off_.clear();
    Eigen::VectorXd v = first;
    Eigen::VectorXd previous = Eigen::VectorXd::Zero(v.size());
    Eigen::VectorXd w;
    for (std::size_t step = 0; step < steps_; ++step) {
      see(step, v);
      product(v, w);
      const double alpha = v.dot(w);
      w -= alpha * v;
      if (!off_.empty()) w -= off_.back() * previous;
      for (const Eigen::VectorXd& b : basis_)
        w -= b.dot(w) * b;
      diagonal_.push_back(alpha);
      const double beta = w.norm();
      if (!(beta > kInvariant * std::abs(diagonal_.front())) || step + 1 == steps_) break;
      off_.push_back(beta);
      previous = v;
      v = w / beta;
    }
  }

  std::size_t n_, steps_;
  Times times_;
  Eigen::VectorXd root_, scaled_;
  std::vector<double> diagonal_, off_;
  std::vector<Eigen::VectorXd> basis_;
};

}  // namespace

FastestMotion LatticeSystem::fastest_motion(const State& state) const {
  if (is_dissipative()) {
    const RayleighQuotients motion = extreme_shape(state, 0.0, 1.0);
    return {std::sqrt(std::max(0.0, motion.stiffness)), motion.damping};
  }
  Lanczos lanczos(
      impl_->inverse_mass, impl_->held.size(), [&](std::span<const double> x, std::span<double> y) {
        impl_->tangent_times(state.memory, state.q, x, y);
      });
  return {std::sqrt(std::max(0.0, lanczos.largest(false).value)), 0.0};
}

RayleighQuotients LatticeSystem::extreme_shape(const State& state, double a, double b) const {
  const Impl& m = *impl_;
  const Impl::LinearDamping damping(m, state);
  const auto stiff = [&](std::span<const double> x, std::span<double> y) {
    m.tangent_times(state.memory, state.q, x, y);
  };
  const auto damp = [&](std::span<const double> x, std::span<double> y) {
    std::fill(y.begin(), y.end(), 0.0);
    damping.add_times(1.0, x, y);
  };
  Lanczos mixed(m.inverse_mass, m.held.size(), [&](std::span<const double> x, std::span<double> y) {
    if (b != 0.0)
      stiff(x, y);
    else
      std::fill(y.begin(), y.end(), 0.0);
    for (double& value : y)
      value *= b;
    if (a != 0.0) damping.add_times(a, x, y);
  });
  const Extreme found = mixed.largest(true);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(found.value)) return {kUnknown, kUnknown};
  if (found.shape.size() == 0) return {};
  Eigen::VectorXd w;
  RayleighQuotients motion;
  Lanczos(m.inverse_mass, m.held.size(), damp).product(found.shape, w);
  motion.damping = found.shape.dot(w);
  if (a == 0.0) {
    motion.stiffness = found.value / b;
    return motion;
  }
  Lanczos(m.inverse_mass, m.held.size(), stiff).product(found.shape, w);
  motion.stiffness = found.shape.dot(w);
  return motion;
}

std::vector<std::complex<double>> LatticeSystem::eigenvalues(const State& state) const {
  const Impl& m = *impl_;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < dof_count(); ++i)
    if (m.inverse_mass[i] > 0.0) free.push_back(i);
  // number of DOFs up to which all eigenvalues are computed; that takes a tenth of a second
  constexpr std::size_t kFew = 150;
  if (free.empty() || free.size() > kFew) return {};
  const Impl::LinearDamping damping(m, state);
  const auto n = static_cast<Eigen::Index>(free.size());
  // matrix of the first-order system in x, then x'
  Eigen::MatrixXd flow = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  flow.topRightCorner(n, n).setIdentity();
  std::vector<double> x(dof_count());
  std::vector<double> pull(dof_count());
  std::vector<double> drag(dof_count());
  for (Eigen::Index c = 0; c < n; ++c) {
    std::fill(x.begin(), x.end(), 0.0);
    std::fill(drag.begin(), drag.end(), 0.0);
    x[free[static_cast<std::size_t>(c)]] = 1.0;
    m.tangent_times(state.memory, state.q, x, pull);
    damping.add_times(1.0, x, drag);
    for (Eigen::Index r = 0; r < n; ++r) {
      const std::size_t i = free[static_cast<std::size_t>(r)];
      flow(n + r, c) = -pull[i] * m.inverse_mass[i];
      flow(n + r, n + c) = -drag[i] * m.inverse_mass[i];
    }
  }
  if (!flow.allFinite()) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(flow, false);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

}  // namespace femflex::hamiltonian

// Balance: computes the unbalanced force and the energy of a lattice at rest, and factors its
// tangent (L D L'), with a pivot of their own for fixed DOFs.
#include "statics/balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace femflex::hamiltonian {
namespace {

// number of DOFs from which on the caller's factorisation replaces Eigen's
constexpr Eigen::Index kFastFrom = 2000;

std::span<const double> view(const Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

}  // namespace

double largest(const Eigen::VectorXd& v) {
  if (v.size() == 0) return 0.0;
  return v.allFinite() ? v.cwiseAbs().maxCoeff() : std::numeric_limits<double>::quiet_NaN();
}

Balance::Balance(const LatticeSystem& system, const State& start, double time)
    : system_(system), state_(start) {
  state_.time = time;
  system.set_prescribed(time, state_.q, state_.p);
  std::fill(state_.p.begin(), state_.p.end(), 0.0);
  const auto n = static_cast<Eigen::Index>(system.dof_count());
  load_ = Eigen::VectorXd::Zero(n);
  free_ = Eigen::VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (system.inverse_masses()[static_cast<std::size_t>(i)] == 0.0) free_(i) = 0.0;
  }
  system.add_load(instant(), {load_.data(), static_cast<std::size_t>(n)});
}

Instant Balance::instant() const {
  return Instant::lasting(state_.time);
}

Eigen::VectorXd Balance::start() const {
  return Eigen::Map<const Eigen::VectorXd>(state_.q.data(),
                                           static_cast<Eigen::Index>(state_.q.size()));
}

Eigen::VectorXd Balance::force(const Eigen::VectorXd& q, double lambda) const {
  Eigen::VectorXd f(q.size());
  system_.force(state_.memory, view(q), {}, {f.data(), static_cast<std::size_t>(f.size())});
  f += lambda * load_;
  return f;
}

double Balance::energy(const Eigen::VectorXd& q, double lambda) const {
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(q.size());
  return system_.energy(state_.memory, view(q), view(rest)).potential - lambda * load_.dot(q);
}

double Balance::force_scale(const Eigen::VectorXd& q, double lambda) const {
  double scale = external(lambda);
  for (const SpringReading& spring : system_.read_springs(state(q)))
    scale = std::max(scale, std::abs(spring.force));
  return scale;
}

double Balance::external(double lambda) const {
  double scale = std::abs(lambda) * load_.cwiseAbs().maxCoeff();
  const double g = system_.lattice().gravity.norm();
  for (const double mass : system_.masses())
    scale = std::max(scale, mass * g);
  return scale;
}

void Balance::use(std::unique_ptr<SymmetricFactor> fast) {
  if (free_.size() < kFastFrom) return;
  fast_ = std::move(fast);
  group_.resize(static_cast<std::size_t>(free_.size()));
  for (std::size_t i = 0; i < group_.size(); ++i)
    group_[i] = static_cast<std::int32_t>(i) / system_.lattice().dimension;
}

/// Factors a matrix. @return size of the smallest pivot; NaN if the matrix cannot be factored
double Balance::smallest_pivot(const SparseMatrix& shifted) {
  is_fast_ = fast_ != nullptr && fast_->factor(shifted, group_);
  // it succeeds only if no pivot is too small; if it fails, Eigen's tells how small they are
  if (is_fast_) return std::numeric_limits<double>::max();
  if (!analysed_) factor_.analyzePattern(shifted);
  analysed_ = true;
  factor_.factorize(shifted);
  return factor_.info() == Eigen::Success ? factor_.vectorD().cwiseAbs().minCoeff()
                                          : std::numeric_limits<double>::quiet_NaN();
}

bool Balance::factor(const Eigen::VectorXd& q, double shift, double least) {
  const auto is_good = [&] {
    return std::isfinite(known_smallest_) &&
           known_smallest_ > least * std::max(tangent_size_, kTinySize);
  };
  if (at_.size() != q.size() || at_ != q) {
    is_known_ = false;
    std::vector<double> inverse_mass;
    system_.tangent(state_.memory, view(q), tangent_, inverse_mass);
    at_ = q;
    double sum = 0.0;
    largest_stiffness_ = 0.0;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double diagonal = std::abs(tangent_.coeff(i, i)) * free_(i);
      sum += diagonal;
      largest_stiffness_ = std::max(largest_stiffness_, diagonal);
    }
    tangent_size_ = sum / std::max(1.0, free_.sum());
    analysed_ = false;  // exact zeros may appear and vanish, which changes the sparsity pattern
  }
  if (is_known_ && known_shift_ == shift) return is_good();
  // a pivot as large as the others, for fixed DOFs
  const double held = tangent_size_ > 0.0 ? tangent_size_ : 1.0;
  SparseMatrix shifted = tangent_;
  SparseMatrix diagonal(q.size(), q.size());
  diagonal.reserve(Eigen::VectorXi::Constant(q.size(), 1));
  for (Eigen::Index i = 0; i < q.size(); ++i)
    diagonal.insert(i, i) = free_(i) != 0.0 ? shift : held;
  shifted += diagonal;
  known_smallest_ = smallest_pivot(shifted);
  known_shift_ = shift;
  is_known_ = true;
  return is_good();
}

int Balance::negative() const {
  if (is_fast_) return static_cast<int>(fast_->negative());
  int count = 0;
  for (Eigen::Index i = 0; i < factor_.vectorD().size(); ++i)
    count += factor_.vectorD()(i) < 0.0;
  return count;
}

State Balance::state(const Eigen::VectorXd& q) const {
  State state = state_;
  state.q.assign(q.data(), q.data() + q.size());
  return state;
}

void Balance::follow(const Eigen::VectorXd& q) {
  state_ = state(q);
  const auto broken = state_.memory.broken;
  (void)system_.update_memory(state_);
  state_.memory.broken = broken;
}

bool Balance::break_overloaded(const Eigen::VectorXd& q) {
  state_ = state(q);
  const bool changed = system_.update_memory(state_);
  if (changed) at_.resize(0);  // the tangent has changed
  return changed;
}

double Balance::margin(const Eigen::VectorXd& q) const {
  return system_.break_margin(state_.memory, view(q));
}

void Balance::restore(const State& state) {
  const double time = state_.time;
  state_ = state;
  state_.time = time;
  at_.resize(0);  // the tangent has changed
}

}  // namespace femflex::hamiltonian

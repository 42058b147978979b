// Computes normal form, value and gradient of a polynomial. PolynomialSystem makes a polynomial a
// system that can be integrated: it sorts the terms into kinetic, potential and mixed ones.
#include "femflex/hamiltonian/polynomial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <Eigen/Core>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::hamiltonian {

Polynomial make_polynomial(Polynomial given) {
  const std::int32_t block = 2 * given.dimension;
  if (given.dimension < 1 || given.states % block != 0)
    throw ModelError("bad-polynomial",
                     std::to_string(given.states) + " states are not a whole number of blocks of " +
                         std::to_string(block));
  if (given.coefficients.size() != given.variables_per_term.size())
    throw ModelError("bad-polynomial", "each coefficient needs its number of variables");
  std::map<std::vector<std::int32_t>, double> terms;
  std::size_t at = 0;
  for (std::size_t t = 0; t < given.coefficients.size(); ++t) {
    const std::int32_t count = given.variables_per_term[t];
    if (count < 0 || static_cast<std::size_t>(count) > given.variables.size() - at)
      throw ModelError("bad-polynomial", "the terms use more variables than are given");
    if (!std::isfinite(given.coefficients[t]))
      throw ModelError("not-finite", "a coefficient is not finite");
    const auto begin = given.variables.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<std::int32_t> key(begin, begin + count);
    std::sort(key.begin(), key.end());
    if (!key.empty() && (key.front() < 0 || key.back() >= given.states))
      throw ModelError("bad-polynomial", "a term names a state that does not exist");
    terms[std::move(key)] += given.coefficients[t];
    at += static_cast<std::size_t>(count);
  }
  Polynomial out;
  out.dimension = given.dimension;
  out.states = given.states;
  for (const auto& [key, value] : terms) {
    if (value == 0.0) continue;
    out.coefficients.push_back(value);
    out.variables_per_term.push_back(static_cast<std::int32_t>(key.size()));
    out.variables.insert(out.variables.end(), key.begin(), key.end());
  }
  return out;
}

double evaluate(const Polynomial& polynomial, const std::vector<double>& states) {
  double sum = 0.0;
  const std::int32_t* variable = polynomial.variables.data();
  for (std::size_t t = 0; t < polynomial.coefficients.size(); ++t) {
    double product = polynomial.coefficients[t];
    for (std::int32_t v = 0; v < polynomial.variables_per_term[t]; ++v)
      product *= states[static_cast<std::size_t>(*variable++)];
    sum += product;
  }
  return sum;
}

std::vector<double> gradient(const Polynomial& polynomial, const std::vector<double>& states) {
  std::vector<double> out(states.size(), 0.0);
  const std::int32_t* variables = polynomial.variables.data();
  for (std::size_t t = 0; t < polynomial.coefficients.size(); ++t) {
    const std::int32_t count = polynomial.variables_per_term[t];
    for (std::int32_t i = 0; i < count; ++i) {  // product rule: leave one factor out
      double product = polynomial.coefficients[t];
      for (std::int32_t v = 0; v < count; ++v) {
        if (v != i) product *= states[static_cast<std::size_t>(variables[v])];
      }
      out[static_cast<std::size_t>(variables[i])] += product;
    }
    variables += count;
  }
  return out;
}

struct PolynomialSystem::Impl {
  /// A term whose variables are DOF numbers; momenta come after all positions.
  struct Term {
    double coefficient;
    std::int32_t first, count;
  };
  Polynomial polynomial;
  std::size_t dofs = 0;
  bool separable = true;
  // for each state its DOF number; for momenta the DOF number plus the number of DOFs
  std::vector<std::int32_t> where;
  std::vector<std::int32_t> variables;  // such a number for each variable of the terms
  std::vector<Term> kinetic, potential, mixed;

  double value(std::span<const double> q, std::span<const double> p, std::int32_t v) const {
    const auto i = static_cast<std::size_t>(v);
    return i < dofs ? q[i] : p[i - dofs];
  }
  /// Adds sign * dH/dx of some terms: for all positions x, or with `momenta` for all momenta x.
  void add_gradient(const std::vector<Term>& terms,
                    std::span<const double> q,
                    std::span<const double> p,
                    bool momenta,
                    double sign,
                    std::span<double> out) const {
    for (const Term& term : terms) {
      const std::int32_t* v = variables.data() + term.first;
      for (std::int32_t i = 0; i < term.count; ++i) {
        const auto at = static_cast<std::size_t>(v[i]);
        if ((at >= dofs) != momenta) continue;
        double product = sign * term.coefficient;
        for (std::int32_t k = 0; k < term.count; ++k) {
          if (k != i) product *= value(q, p, v[k]);
        }
        out[momenta ? at - dofs : at] += product;
      }
    }
  }
  double sum(const std::vector<Term>& terms,
             std::span<const double> q,
             std::span<const double> p) const {
    double total = 0.0;
    for (const Term& term : terms) {
      double product = term.coefficient;
      for (std::int32_t k = 0; k < term.count; ++k)
        product *= value(q, p, variables[static_cast<std::size_t>(term.first + k)]);
      total += product;
    }
    return total;
  }
};

PolynomialSystem::PolynomialSystem(Polynomial polynomial) : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  m.polynomial = make_polynomial(std::move(polynomial));
  m.dofs = static_cast<std::size_t>(m.polynomial.states / 2);
  const std::int32_t dim = m.polynomial.dimension;
  for (std::int32_t s = 0; s < m.polynomial.states; ++s) {
    const std::int32_t within = s % (2 * dim);
    const std::int32_t dof = s / (2 * dim) * dim + within % dim;
    m.where.push_back(within < dim ? dof : dof + static_cast<std::int32_t>(m.dofs));
  }
  std::int32_t first = 0;
  for (std::size_t t = 0; t < m.polynomial.coefficients.size(); ++t) {
    const std::int32_t count = m.polynomial.variables_per_term[t];
    bool has_q = false;
    bool has_p = false;
    for (std::int32_t v = 0; v < count; ++v) {
      const std::int32_t at = m.where[static_cast<std::size_t>(
          m.polynomial.variables[static_cast<std::size_t>(first + v)])];
      m.variables.push_back(at);
      (static_cast<std::size_t>(at) < m.dofs ? has_q : has_p) = true;
    }
    const Impl::Term term{m.polynomial.coefficients[t], first, count};
    (has_q && has_p ? m.mixed : has_p ? m.kinetic : m.potential).push_back(term);
    first += count;
  }
  m.separable = m.mixed.empty();
}

PolynomialSystem::~PolynomialSystem() = default;
const Polynomial& PolynomialSystem::polynomial() const {
  return impl_->polynomial;
}
std::size_t PolynomialSystem::dof_count() const {
  return impl_->dofs;
}
bool PolynomialSystem::is_separable() const {
  return impl_->separable;
}

State PolynomialSystem::state(const std::vector<double>& states) const {
  if (states.size() != impl_->where.size())
    throw UsageError("state-size",
                     std::to_string(states.size()) + " states given, the polynomial has " +
                         std::to_string(impl_->where.size()));
  State out;
  out.q.resize(impl_->dofs);
  out.p.resize(impl_->dofs);
  for (std::size_t s = 0; s < states.size(); ++s) {
    const auto at = static_cast<std::size_t>(impl_->where[s]);
    (at < impl_->dofs ? out.q[at] : out.p[at - impl_->dofs]) = states[s];
  }
  return out;
}

std::vector<double> PolynomialSystem::states(const State& state) const {
  std::vector<double> out(impl_->where.size());
  for (std::size_t s = 0; s < out.size(); ++s)
    out[s] = impl_->value(state.q, state.p, impl_->where[s]);
  return out;
}

void PolynomialSystem::velocity(std::span<const double> q,
                                std::span<const double> p,
                                std::span<double> q_dot) const {
  std::fill(q_dot.begin(), q_dot.end(), 0.0);
  impl_->add_gradient(impl_->kinetic, q, p, true, 1.0, q_dot);
  impl_->add_gradient(impl_->mixed, q, p, true, 1.0, q_dot);
}

void PolynomialSystem::force(const Memory& /*memory*/,
                             std::span<const double> q,
                             std::span<const double> p,
                             std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  impl_->add_gradient(impl_->potential, q, p, false, -1.0, f);
  impl_->add_gradient(impl_->mixed, q, p, false, -1.0, f);
}

Energy PolynomialSystem::energy(const Memory& /*memory*/,
                                std::span<const double> q,
                                std::span<const double> p) const {
  return {impl_->sum(impl_->kinetic, q, p) + impl_->sum(impl_->mixed, q, p),
          impl_->sum(impl_->potential, q, p)};
}

FastestMotion PolynomialSystem::fastest_motion(const State& state) const {
  // Computes eigenvalues of J H'' by differences of the gradient, for few DOFs only.
  // number of DOFs up to which eigenvalues are computed; they take a tenth of a second
  constexpr Eigen::Index kMostEigenvalues = 100;
  // difference step, near the third root of the unit round-off
  constexpr double kDifference = 1e-5;
  const auto n = static_cast<Eigen::Index>(impl_->dofs);
  if (n == 0 || n > kMostEigenvalues) return {};
  Eigen::MatrixXd flow(2 * n, 2 * n);
  const auto column = [&](double shift, Eigen::Index c) {
    State moved = state;
    double& x =
        c < n ? moved.q[static_cast<std::size_t>(c)] : moved.p[static_cast<std::size_t>(c - n)];
    x += shift;
    Eigen::VectorXd rate(2 * n);
    velocity(moved.q, moved.p, {rate.data(), impl_->dofs});
    force({}, moved.q, moved.p, {rate.data() + n, impl_->dofs});
    return rate;
  };
  for (Eigen::Index c = 0; c < 2 * n; ++c) {
    const double x =
        c < n ? state.q[static_cast<std::size_t>(c)] : state.p[static_cast<std::size_t>(c - n)];
    const double h = kDifference * std::max(1.0, std::abs(x));
    flow.col(c) = (column(h, c) - column(-h, c)) / (2.0 * h);
  }
  if (!flow.allFinite()) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(flow, false);
  return {solver.eigenvalues().imag().cwiseAbs().maxCoeff(), 0.0};
}

}  // namespace femflex::hamiltonian

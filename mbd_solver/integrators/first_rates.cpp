// Compares the rates at a state with the size of what changes; smaller ones are those of an
// equilibrium and become zero.
#include "integrators/first_rates.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// a state is not an equilibrium if the load along a free direction, relative to the sum of the
// magnitudes of its terms, exceeds this
constexpr double kUnbalanced = 1e-6;
// [1/s] force states rest if their rates, relative to their sizes, are below these: at rest, and in
// a steady motion
constexpr double kRestingRate = 1e-6;
constexpr double kSteadyRate = 0.01;

/// The body whose acceleration is largest in the units of the coordinates, with its acceleration.
std::string fastest_of(const Model& model, const VectorXd& acceleration) {
  double largest = 0.0;
  std::string out;
  constexpr int kTranslations = 3;
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c) {
      const double now = std::abs(acceleration(b.v0 + c));
      const double size = now / model.unit_of(b, c);
      if (size <= largest) continue;
      largest = size;
      if (c >= b.nr)
        out = fmt::format("mode {} of body {}", c - b.nr + 1, b.name);
      else
        out = fmt::format("body {} accelerates by {:.4g} {}",
                          b.name,
                          now,
                          b.dof[static_cast<std::size_t>(c)] < kTranslations ? "m/s^2" : "rad/s^2");
    }
  return out;
}

}  // namespace

bool is_unbalanced(const VectorXd& along, const VectorXd& strength) {
  return along.size() > 0 &&
         along.cwiseAbs().maxCoeff() > kUnbalanced * (strength.maxCoeff() + 1.0);
}

FirstRates first_rates(const Model& model,
                       const State& at,
                       const VectorXd& loads,
                       const MatrixXd& N,
                       const MatrixXd& A,
                       const std::vector<std::string>& names) {
  const Index f = N.cols(), nv = N.rows();
  FirstRates out;
  out.rates = VectorXd::Zero(A.rows());
  const bool at_rest = at.velocity.isZero(0.0);
  if (at_rest && f > 0) {
    const VectorXd balance = N.transpose() * loads.head(nv);
    const VectorXd strength = N.cwiseAbs().transpose() * loads.head(nv).cwiseAbs();
    if (is_unbalanced(balance, strength)) {
      out.rates.segment(f, f) = balance;
      out.movers.push_back(fastest_of(model, N * balance));
    }
  }
  const double slow = at_rest ? kRestingRate : kSteadyRate;
  for (Index k = 0; k < model.state_count; ++k) {
    const Index row = 2 * f + k;
    const double rate = loads(nv + k);
    const double size = model.state_unit(k) + std::abs(at.force_states(k));
    if (std::abs(rate) <= slow * std::max(1.0, std::abs(A(row, row))) * size) continue;
    out.rates(row) = rate;
    out.movers.push_back(
        fmt::format("{} changes by {:.4g} per second", names[static_cast<std::size_t>(row)], rate));
  }
  return out;
}

}  // namespace femflex::mbd_solver

// Equilibrium paths by arc length: docs/theory/hamiltonian.md eq. (16).
#include <algorithm>
#include <cmath>

#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_statics.h"

#include "statics/balance.h"

namespace femflex::hamiltonian {
namespace {

/// A point of the path with the direction in which it goes on.
struct Place {
  Eigen::VectorXd q;
  double lambda = 0.0;
  Eigen::VectorXd q_dir;  // unit tangent of the path in (q, psi lambda)
  double lambda_dir = 1.0;
  int negative = 0;
  bool good = false;
};

class Path {
 public:
  Path(const LatticeSystem& system, const State& start, double time, Progress& progress)
      : balance_(system, start, time), progress_(progress) {}

  Balance& balance() { return balance_; }
  const Balance& balance() const { return balance_; }

  /// Equilibrium without load, and the way out of it.
  Place origin() {
    Place place;
    place.q = balance_.start();
    for (int i = 0; i < 100 && !place.good; ++i) {
      progress_.step(i);
      const Eigen::VectorXd f = balance_.force(place.q, 0.0);
      place.good = largest(f) <= 1e-10 * std::max(balance_.force_scale(place.q, 1.0), 1e-300) +
                                     balance_.noise(place.q);
      if (place.good) break;
      if (!balance_.factor(place.q, 0.0)) return place;
      place.q += balance_.solve(f);
    }
    if (!balance_.factor(place.q, 0.0)) {
      place.good = false;
      return place;
    }
    const Eigen::VectorXd a = balance_.solve(balance_.load());
    psi_ = std::max(a.norm(), 1e-300);  // load and displacement weigh alike at the start
    place.negative = balance_.negative();
    set_direction(place, a, nullptr);
    return place;
  }

  /// The point an arc further on.
  Place advance(const Place& from, double arc, int& iterations) {
    Place to = from;
    to.good = false;
    to.q += arc * from.q_dir;
    to.lambda += arc * from.lambda_dir / psi_;
    for (iterations = 0; iterations < 15; ++iterations) {
      progress_.step(iterations);
      const Eigen::VectorXd f = balance_.force(to.q, to.lambda);
      const double scale = std::max(balance_.force_scale(to.q, to.lambda), 1e-300);
      if (!f.allFinite()) return to;
      if (largest(f) <= 1e-10 * scale + balance_.noise(to.q)) {
        to.good = true;
        break;
      }
      if (!balance_.factor(to.q, 0.0)) return to;
      // bordered system: stay in the plane across the direction at `from`
      const Eigen::VectorXd a = balance_.solve(balance_.load());
      const Eigen::VectorXd b = balance_.solve(f);
      const double gap =
          from.q_dir.dot(to.q - from.q) + psi_ * from.lambda_dir * (to.lambda - from.lambda) - arc;
      const double under = from.q_dir.dot(a) + psi_ * from.lambda_dir;
      if (under == 0.0) return to;
      const double d_lambda = -(gap + from.q_dir.dot(b)) / under;
      to.q += b + d_lambda * a;
      to.lambda += d_lambda;
    }
    if (!to.good || !balance_.factor(to.q, 0.0)) {
      to.good = false;
      return to;
    }
    to.negative = balance_.negative();
    set_direction(to, balance_.solve(balance_.load()), &from);
    return to;
  }

  State state(const Place& place) { return balance_.state(place.q); }
  double psi() const { return psi_; }

 private:
  void set_direction(Place& place, const Eigen::VectorXd& a, const Place* from) const {
    const double length = std::sqrt(a.squaredNorm() + psi_ * psi_);
    place.q_dir = a / length;
    place.lambda_dir = psi_ / length;
    if (from == nullptr) return;
    if (from->q_dir.dot(place.q_dir) + from->lambda_dir * place.lambda_dir < 0.0) {
      place.q_dir = -place.q_dir;
      place.lambda_dir = -place.lambda_dir;
    }
  }
  Balance balance_;
  Progress& progress_;
  double psi_ = 1.0;
};

/// Inverse iteration on the tangent: the shape that costs least.
Eigen::VectorXd weakest_shape(Balance& balance, const Eigen::VectorXd& q) {
  Eigen::VectorXd v = balance.free();
  for (Eigen::Index i = 0; i < v.size(); ++i)
    v(i) *= 1.0 + 0.37 * static_cast<double>(i % 7);
  if (!balance.factor(q, 0.0) && !balance.factor(q, 1e-10 * balance.tangent_size())) return v;
  for (int i = 0; i < 30; ++i) {
    v = balance.solve(v).cwiseProduct(balance.free());
    v /= std::max(v.norm(), 1e-300);
  }
  Eigen::Index at = 0;
  v.cwiseAbs().maxCoeff(&at);
  return v / v(at);
}

/// @throws ModelError  there is nothing that could grow
void need_load(const Path& path) {
  if (largest(path.balance().load()) > 0.0) return;
  throw ModelError("no-load",
                   "the lattice has no load that could grow: gravity stays whole, loads that end "
                   "or are zero at this time do not count",
                   {},
                   "give it one under \"loads\"");
}

}  // namespace

Branch follow_branch(const LatticeSystem& system,
                     const State& start,
                     const BranchOptions& options,
                     Progress& progress) {
  progress.begin("branch", options.points, "points");
  Path path(system, start, options.time, progress);
  need_load(path);
  Branch branch;
  Place here = path.origin();
  if (!here.good) {
    branch.message = "no equilibrium without load to start from";
    return branch;
  }
  branch.points.push_back({here.lambda, here.negative, path.state(here)});
  const double first = options.first_step * path.psi() / here.lambda_dir;
  double arc = first;
  while (static_cast<int>(branch.points.size()) < options.points) {
    int iterations = 0;
    const Place next = path.advance(here, arc, iterations);
    if (!next.good) {
      arc *= 0.5;
      if (arc < options.smallest_step * first) {
        branch.message = "the path could not be followed further";
        progress.end();
        return branch;
      }
      continue;
    }
    // Arcs grow where the path is straight, so that points stand where it bends.
    const double along = here.q_dir.dot(next.q_dir) + here.lambda_dir * next.lambda_dir;
    here = next;
    (void)path.balance().break_overloaded(here.q);
    branch.points.push_back({here.lambda, here.negative, path.state(here)});
    if (std::abs(here.lambda) > options.largest_factor) break;
    if (iterations >= 7 || along < 0.9)
      arc *= 0.7;
    else if (iterations <= 5 && along > 0.99)
      arc = std::min(arc * 1.3, 10.0 * first);
  }
  if (std::abs(here.lambda) <= options.largest_factor)
    branch.message = "ended after " + std::to_string(branch.points.size()) +
                     " points at load factor " + std::to_string(here.lambda);
  progress.end();
  branch.complete = true;
  return branch;
}

Buckling find_buckling(const LatticeSystem& system,
                       const State& start,
                       const BranchOptions& options,
                       Progress& progress) {
  progress.begin("buckling", options.points, "points");
  Path path(system, start, options.time, progress);
  need_load(path);
  Buckling result;
  Place here = path.origin();
  if (!here.good || here.negative != 0) {
    result.message = here.good ? "the unloaded equilibrium is unstable already"
                               : "no equilibrium without load to start from";
    return result;
  }
  double arc = options.first_step * path.psi() / here.lambda_dir;
  const double first = arc;
  bool bracketed = false;
  for (int i = 0; i < options.points; ++i) {
    int iterations = 0;
    const Place next = path.advance(here, arc, iterations);
    if (!next.good) {
      arc *= 0.5;
      if (arc < options.smallest_step * first) break;
      continue;
    }
    if (next.negative > 0) {
      bracketed = true;
      // halve the arc until both sides agree to round-off
      if (std::abs(next.lambda - here.lambda) <= 1e-11 * std::abs(here.lambda) &&
          arc < 1e-7 * first) {
        here = next;
        break;
      }
      arc *= 0.5;
      if (arc < 1e-13 * first) break;
      continue;
    }
    here = next;
    (void)path.balance().break_overloaded(here.q);
    if (std::abs(here.lambda) > options.largest_factor) break;
    arc *= bracketed ? 0.5 : 1.2;
    if (arc < 1e-13 * first) break;
  }
  progress.end();
  if (!bracketed) {
    result.message = "no loss of stability up to load factor " + std::to_string(here.lambda);
    return result;
  }
  result.found = true;
  result.load_factor = here.lambda;
  result.state = path.state(here);
  const Eigen::VectorXd shape = weakest_shape(path.balance(), here.q);
  result.shape.assign(shape.data(), shape.data() + shape.size());
  // At a limit point the load works on the shape; at a bifurcation it does not.
  const Eigen::VectorXd& load = path.balance().load();
  result.is_limit_point =
      std::abs(shape.dot(load)) > 1e-4 * shape.norm() * std::max(load.norm(), 1e-300);
  return result;
}

}  // namespace femflex::hamiltonian

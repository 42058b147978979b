// find_equilibrium(): finds an equilibrium of a lattice by minimising its energy or by Newton's
// method. docs/theory/hamiltonian.md §6.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "femflex/hamiltonian/lattice_statics.h"

#include "statics/balance.h"

namespace femflex::hamiltonian {
namespace {

// Limits of the trust region. Lengths are relative to the structure's extent (times the square root
// of the number of DOFs).
constexpr double kFirstRadius = 0.1;
constexpr double kMinRadius = 1e-15;  // least radius, a rounding of a position
// the search diverges beyond this; no supported structure moves that far
constexpr double kMaxTravel = 1e4;
// longest Newton step in full_newton(); springs then do not reverse their direction
constexpr double kMaxNewtonStep = 0.2;
// maximum number of Newton steps in full_newton(); it converges within ten or not at all
constexpr int kMaxFullSteps = 25;
// maximum number of Newton steps in a row that do not halve the residual
constexpr int kMaxStalled = 40;
constexpr int kFullNewtonEvery = 20;  // number of iterations between calls of full_newton()
// push off a saddle point, far above round-off but hardly visible
constexpr double kPerturbation = 1e-3;

// Limits of the gain, relative to the gain that the quadratic model predicts [Nocedal 2006,
// algorithm 4.1].
constexpr double kMinGain = 1e-4;
constexpr double kGoodGain = 0.7;

// Shifts of the tangent, relative to its size.
constexpr double kFirstShift = 1e-6;
constexpr double kMinShift = 1e-8;
constexpr double kShiftGrowth = 4.0;
constexpr double kMaxShift = 1e30;  // largest shift; the step is then practically zero
// a step of up to this many radii is shortened; for a longer one the shift is raised
constexpr double kShortenUpTo = 4.0;
// round-off of a few hundred terms, relative to the energies that are subtracted
constexpr double kEnergyRounding = 1e-13;
// unbalanced force, relative to the largest force, that is accepted once the radius has vanished
constexpr double kGoodForce = 1e-8;

// largest unbalanced force that may be round-off, relative to the largest load or weight
constexpr double kMostNoise = 0.1;

// unbalanced force, relative to the largest force, at loads that only lead to the wanted ones
constexpr double kLeadingTolerance = 1e-2;

// Eigenvalues below these shares of the tangent's size count as zero: kNeutral for floating parts,
// whose shapes come from a solve; kZeroEigenvalue for the signs that are reported.
constexpr double kNeutral = 1e-9;
constexpr double kZeroEigenvalue = 1e-12;
constexpr double kTinyShift = 1e-290;  // shift used if the tangent itself is zero

/// A pseudo-random direction of unit length on the free DOFs, always the same.
Eigen::VectorXd random_direction(const Balance& balance) {
  Eigen::VectorXd v(balance.free().size());
  std::uint32_t seed = 2007;
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    v(i) = balance.free()(i) * (static_cast<double>(seed >> 8U) / (1U << 24U) - 0.5);
  }
  return v / std::max(v.norm(), kTinySize);
}

/// Size of the structure, the scale for step lengths: its length along the axis on which it is
/// longest, or its longest spring at rest. It does not depend on where the structure stands. If all
/// nodes are at one place and all springs have the free length 0, it is 1 m.
double extent(const Balance& balance, const Eigen::VectorXd& q) {
  if (q.size() == 0) return 1.0;
  const Lattice& lattice = balance.system().lattice();
  const Eigen::Index dim = lattice.dimension;
  const Eigen::Map<const Eigen::MatrixXd> positions(q.data(), dim, q.size() / dim);
  double size = (positions.rowwise().maxCoeff() - positions.rowwise().minCoeff()).maxCoeff();
  for (const Spring& spring : lattice.springs)
    if (spring.rest_length > size) size = spring.rest_length;
  return size > 0.0 ? size : 1.0;
}

/// Unbalanced force below which q counts as an equilibrium. The round-off of forces is estimated by
/// the tangent, which has no bound where the length of a spring with a hinge vanishes; but what
/// leaves loads and weights without balance is not round-off.
double limit(const Balance& balance,
             const Eigen::VectorXd& q,
             double lambda,
             const EquilibriumOptions& o) {
  const double external = balance.external(lambda);
  const double noise = balance.noise(q);
  return o.tolerance * std::max(balance.force_scale(q, lambda), kTinySize) +
         (external > 0.0 ? std::min(noise, kMostNoise * external) : noise);
}

/// Whether there are zero eigenvalues but no negative ones, so that q can drift without force, for
/// example if parts float or are slack.
bool is_neutral(Balance& balance, const Eigen::VectorXd& q) {
  return balance.factor(q, std::max(kNeutral * balance.tangent_size(), kTinyShift)) &&
         balance.negative() == 0;
}

/// Least size of an eigenvalue that round-off can distinguish from zero. After factor().
double zero_of(const Balance& balance) {
  return std::max(kZeroEigenvalue * balance.tangent_size(), kTinyShift);
}

/// Number of negative eigenvalues of the tangent; without its exact factors, of those that
/// round-off can distinguish from zero.
int negative_at(Balance& balance, const Eigen::VectorXd& q) {
  if (!balance.factor(q, 0.0)) (void)balance.factor(q, zero_of(balance), 0.0);
  return balance.negative();
}

/// Counts the signs of the tangent's eigenvalues; those that round-off cannot distinguish from zero
/// count as zero.
void count_signs(Balance& balance, const Eigen::VectorXd& q, Equilibrium& result) {
  result.negative = negative_at(balance, q);
  const double zero = zero_of(balance);
  const bool is_sure = balance.factor(q, -zero, 0.0);
  const int not_positive = balance.negative();
  if (is_sure && not_positive == 0 && result.negative == 0) return;
  (void)balance.factor(q, zero, 0.0);
  if (not_positive == balance.negative()) return;
  result.negative = balance.negative();
  result.neutral = not_positive - result.negative;
}

/// Explains why a search found no equilibrium.
std::string explain(const LatticeSystem& system,
                    const Equilibrium& result,
                    bool has_diverged,
                    int iterations) {
  const std::vector<SpringReading> springs = system.read_springs(result.state);
  for (std::size_t k = 0; k < springs.size(); ++k)
    if (!springs[k].broken && !std::isfinite(springs[k].force))
      return "no equilibrium: the force of spring " + std::to_string(k + 1) +
             " is not finite at a length of " + std::to_string(springs[k].length) + " m";
  if (!std::isfinite(result.residual)) return "no equilibrium: a load or moment is not finite";
  if (has_diverged && result.broken > 0)
    return "no equilibrium: " + std::to_string(result.broken) +
           (result.broken == 1 ? " spring" : " springs") +
           " broke, and nothing holds the structure any longer; lower loads may help";
  if (has_diverged)
    return "no equilibrium: nothing holds the structure against the loads; fix DOFs";
  return "no equilibrium within " + std::to_string(iterations) + " iterations, unbalanced force " +
         std::to_string(result.residual) + " N; more load steps or fixed DOFs may help";
}

/// The forces of the supports: minus those of springs, hinges, gravity and loads on fixed DOFs.
std::vector<double> reactions(const LatticeSystem& system,
                              const State& state,
                              const Instant& instant,
                              double load_factor) {
  const std::size_t n = system.dof_count();
  std::vector<double> out(n, 0.0);
  std::vector<double> f(n);
  std::vector<double> loads(n, 0.0);
  system.total_force(state.memory, state.q, f);
  system.add_load_on_supports(instant, loads);
  for (std::size_t i = 0; i < n; ++i)
    if (system.inverse_masses()[i] == 0.0) out[i] = -f[i] - load_factor * loads[i];
  return out;
}

struct Search {
  bool converged = false;
  bool has_diverged = false;  ///< true: the structure moves without end, because nothing holds it
  int iterations = 0;
  double residual = 0.0;
};

/// Makes full Newton steps while the tangent stays positive definite. They cross the narrow curved
/// energy valleys of stiff springs, in which pure descent steps are very slow. Leaves q unchanged
/// if they do not converge.
bool full_newton(Balance& balance,
                 Eigen::VectorXd& q,
                 double lambda,
                 const EquilibriumOptions& o,
                 Search& search,
                 Progress& progress) {
  Eigen::VectorXd here = q;
  const Eigen::VectorXd home = q;
  const double most =
      kMaxNewtonStep * extent(balance, q) * std::sqrt(static_cast<double>(q.size()));
  for (int i = 0; i < kMaxFullSteps; ++i) {
    const Eigen::VectorXd f = balance.force(here, lambda);
    const double residual = largest(f);
    if (!std::isfinite(residual) || !balance.factor(here, 0.0) || balance.negative() != 0) break;
    if (residual <= limit(balance, here, lambda, o)) {
      q = here;
      search.residual = residual;
      search.converged = true;
      return true;
    }
    progress.step(++search.iterations);
    Eigen::VectorXd step = balance.solve(f);
    if (!step.allFinite()) break;
    if (step.norm() > most) step *= most / step.norm();
    here += step;
    balance.follow(here);
  }
  balance.follow(home);
  return false;
}

/// A descent step of (K + shift 1) no longer than the radius, with the least shift for which the
/// matrix is positive definite.
struct ShiftedStep {
  Eigen::VectorXd step;
  double shift = 0.0;
};

/// @param positive  whether the tangent without a shift, which is factored now, is positive
///                  definite
/// @param lowest    shift of the previous step
/// @return empty if no shift works
std::optional<ShiftedStep> shifted_step(Balance& balance,
                                        const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& f,
                                        double radius,
                                        bool positive,
                                        double lowest) {
  // If all springs are slack, there is no stiffness to scale a shift. The force is used instead: a
  // shift of |f| / radius gives a step as long as the radius.
  const double size = std::max({balance.tangent_size(), f.norm() / radius, kTinySize});
  double shift = positive ? 0.0 : std::max(lowest / kShiftGrowth, kMinShift * size);
  while (true) {
    if (shift > 0.0) positive = balance.factor(q, shift) && balance.negative() == 0;
    if (positive) {
      Eigen::VectorXd step = balance.solve(f);
      if (step.allFinite() && step.norm() <= radius) return ShiftedStep{std::move(step), shift};
      if (step.allFinite() && shift == 0.0 && step.norm() < kShortenUpTo * radius) {
        step *= radius / step.norm();
        return ShiftedStep{std::move(step), shift};
      }
    }
    shift = shift == 0.0 ? kFirstShift * size : kShiftGrowth * shift;
    if (!(shift < kMaxShift * size)) return std::nullopt;
  }
}

/// Minimises V(q) - lambda F q by Newton steps within a trust radius [Moré 1983]. Ends at a point
/// whose tangent has no negative eigenvalue.
Search minimise(Balance& balance,
                Eigen::VectorXd& q,
                double lambda,
                const EquilibriumOptions& o,
                Progress& progress) {
  Search search;
  double radius = kFirstRadius * extent(balance, q) * std::sqrt(static_cast<double>(q.size()));
  double energy = balance.energy(q, lambda);
  bool pushed = false;
  int tries = 1;  // number of attempts at full_newton() that are left
  double lowest_shift = 0.0;
  const Eigen::VectorXd home = q;
  const double far = kMaxTravel * extent(balance, q) * std::sqrt(static_cast<double>(q.size()));
  for (; search.iterations < o.max_iterations; ++search.iterations) {
    progress.step(search.iterations);
    const Eigen::VectorXd f = balance.force(q, lambda);
    search.residual = largest(f);
    const bool balanced = search.residual <= limit(balance, q, lambda, o);
    const bool positive = balance.factor(q, 0.0) && balance.negative() == 0;
    if (balanced && (positive || pushed || is_neutral(balance, q))) {
      search.converged = true;
      return search;
    }
    if (balanced) {  // at a saddle point: leave it along a random direction, once
      pushed = true;
      q += kPerturbation * extent(balance, q) * random_direction(balance);
      energy = balance.energy(q, lambda);
      continue;
    }
    pushed = false;
    if (positive && tries-- > 0) {
      if (full_newton(balance, q, lambda, o, search, progress)) return search;
      (void)balance.factor(q, 0.0);
    } else if (search.iterations % kFullNewtonEvery == 0) {
      tries = 1;
    }
    const auto found = shifted_step(balance, q, f, radius, positive, lowest_shift);
    if (!found) return search;
    const auto& [step, shift] = *found;
    lowest_shift = shift;
    const Eigen::VectorXd next = q + step;
    const double next_energy = balance.energy(next, lambda);
    const double gained = energy - next_energy;
    // gain predicted by the quadratic model: f s - s'K s / 2, with K s = f - shift s along the
    // solution
    const double promised = 0.5 * (f.dot(step) + shift * step.squaredNorm());
    const double noise =
        kEnergyRounding * (std::abs(energy) + std::abs(lambda * balance.load().dot(q)));
    // the energy difference is round-off, so forces are compared
    const bool small = promised < 10.0 * noise;
    const bool accepted = small ? largest(balance.force(next, lambda)) < 1.001 * search.residual
                                : gained > kMinGain * promised;
    if (accepted) {
      q = next;
      energy = next_energy;
      search.has_diverged = (q - home).norm() > far;
      if (search.has_diverged) return search;
      balance.follow(q);
      // shifts grow by factors of four, so that a shifted step may be much shorter than the radius
      if (small || gained > kGoodGain * promised)
        radius = std::max(shift > 0.0 ? 2.0 * radius : radius, 2.0 * step.norm());
    } else {
      radius = 0.25 * std::min(radius, step.norm());
      if (radius < kMinRadius * extent(balance, q)) {  // further gains would be round-off
        search.converged = search.residual <= kGoodForce * balance.force_scale(q, lambda);
        // the result then shows which force is not a number
        if (!search.converged && !balance.force(next, lambda).allFinite()) q = next;
        return search;
      }
    }
  }
  return search;
}

/// Newton's method from q, irrespective of the signs of the tangent.
Search newton(Balance& balance,
              Eigen::VectorXd& q,
              double lambda,
              const EquilibriumOptions& o,
              Progress& progress) {
  Search search;
  const double most =
      kMaxNewtonStep * extent(balance, q) * std::sqrt(static_cast<double>(q.size()));
  double best = HUGE_VAL;
  int stalled = 0;
  for (; search.iterations < o.max_iterations; ++search.iterations) {
    progress.step(search.iterations);
    const Eigen::VectorXd f = balance.force(q, lambda);
    search.residual = largest(f);
    if (search.residual <= limit(balance, q, lambda, o)) {
      search.converged = true;
      return search;
    }
    stalled = search.residual < 0.5 * best ? 0 : stalled + 1;
    best = std::min(best, search.residual);
    if (stalled > kMaxStalled) break;
    if (!balance.factor(q, 0.0) && !balance.factor(q, kNeutral * balance.tangent_size())) break;
    Eigen::VectorXd step = balance.solve(f);
    if (!step.allFinite()) break;
    if (step.norm() > most) step *= most / step.norm();
    q += step;
    balance.follow(q);
  }
  search.converged = search.residual <= kGoodForce * balance.force_scale(q, lambda);
  return search;
}

}  // namespace

Lattice without_current_references(Lattice lattice) {
  for (Spring& spring : lattice.springs) {
    if (spring.reference != Reference::current) continue;
    spring.law = SpringLaw::linear;
    spring.stiffness = 0.0;
    spring.rest_length = (lattice.nodes[static_cast<std::size_t>(spring.b)].position -
                          lattice.nodes[static_cast<std::size_t>(spring.a)].position)
                             .norm();  // its mass follows from it
    spring.reference = Reference::value;
    for (double* limit : {&spring.break_force, &spring.break_elongation, &spring.break_stress})
      *limit = std::numeric_limits<double>::infinity();
  }
  for (RotationalSpring& hinge : lattice.hinges) {
    if (hinge.reference != Reference::current) continue;
    hinge.stiffness = 0.0;
    hinge.moment = {};
    hinge.reference = Reference::value;
  }
  return lattice;
}

Equilibrium find_equilibrium(const LatticeSystem& system,
                             const State& start,
                             const EquilibriumOptions& options,
                             Progress& progress) {
  Balance balance(system, start, options.time);
  if (options.make_factor) balance.use(options.make_factor());
  Eigen::VectorXd q = balance.start();
  Equilibrium result;
  const int parts = std::max(1, options.load_steps);
  progress.begin("equilibrium", 0.0, "iterations");
  Search search;
  for (int part = 1; part <= parts;) {
    const double lambda = options.load_factor * part / parts;
    EquilibriumOptions here = options;
    // where nothing can break, lower loads only lead the way
    if (part < parts && !system.can_break())
      here.tolerance = std::max(here.tolerance, kLeadingTolerance);
    search = options.stable ? minimise(balance, q, lambda, here, progress)
                            : newton(balance, q, lambda, here, progress);
    result.iterations += search.iterations;
    if (!search.converged) break;
    // if springs break, the next equilibrium is sought under the same loads
    if (!balance.break_overloaded(q)) ++part;
  }
  progress.end();
  result.converged = search.converged;
  result.load_factor = options.load_factor;
  result.residual = search.residual;
  result.state = balance.state(q);
  result.state.step = 0;
  result.state.history.clear();
  for (std::size_t k = 0; k < result.state.memory.broken.size(); ++k)
    if (result.state.memory.broken[k] != 0 && start.memory.broken[k] == 0) ++result.broken;
  count_signs(balance, q, result);
  result.potential = balance.energy(q, 0.0);
  if (!result.converged)
    result.message = explain(system, result, search.has_diverged, options.max_iterations);
  result.reactions = reactions(system, result.state, balance.instant(), options.load_factor);
  return result;
}

int count_negative(const LatticeSystem& system, const State& state) {
  Balance balance(system, state, state.time);
  return negative_at(balance, balance.start());
}

}  // namespace femflex::hamiltonian

// Computes the longest stable step of each integration method on  x'' + C x' + K x = 0.
// docs/theory/hamiltonian.md §5
//
// An eigenvalue lambda with shape x solves  lambda^2 + c lambda + k = 0, where c and k are the
// Rayleigh quotients of x with C and K. Therefore a bound for the pairs (c, k) of all shapes holds
// for the system, whether or not C and K share eigenvectors.
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include "femflex/hamiltonian/integrate.h"

#include "integrators/growth.h"
#include "integrators/methods.h"

namespace femflex::hamiltonian {
namespace {

using Complex = std::complex<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The sweep over step lengths h, as shares of 1 / rate: from far below any limit, in steps of two
// per cent, to beyond the limit of every explicit method here; then bisection to the last bit.
constexpr double kShortestStep = 1e-6;
// number of further factors of ten, for long runs of methods that grow at any step
constexpr int kMaxShortenings = 4;
constexpr double kSweep = 1.02;
constexpr double kLongestStep = 20.0;
constexpr int kBisections = 40;

constexpr double kMinFactor = 1e-300;  // keeps a logarithm or quotient finite

// Maximum number of iterations that approach an extreme value, and the relative changes below which
// these have converged.
constexpr int kMaxRises = 10;
constexpr double kRiseTolerance = 1e-4;
constexpr double kShrinkTolerance = 1e-5;

// maximum number of attempts to prove a bound, which is raised by kSweep or widened by kWiden each
// time
constexpr int kMaxProofs = 60;
constexpr double kWiden = 4.0;
constexpr int kMaxLowerBounds = 30;
constexpr double kBoundOffsetGrowth = 6.0;
constexpr double kDampingRounding = 1e-12;  // round-off of damping, relative to the largest
constexpr double kTwofold = 1.2;            // just below 2 ln 2; see prove_lower_bounds()

// Lanczos iterations approach the extreme eigenvalues from inside; this share of the step found is
// safe.
constexpr double kSafetyShare = 0.98;

/// Whether amplitudes grow less than twofold over the run.
bool is_stable(double factor, double h, double duration) {
  const double steps = std::max(1.0, duration / h);
  return steps * std::log(std::max(factor, kMinFactor)) <= std::log(2.0);
}

/// The step length from which on steps fail, found by a fine sweep on a logarithmic scale and
/// bisection; 0 if no step is stable. `rate` is the largest rate of the system.
template <typename Growth>
double first_failure(double rate, double duration, const Growth& factor) {
  const auto holds = [&](double h) { return is_stable(factor(h), h, duration); };
  double good = kShortestStep / rate;
  for (int i = 0; i < kMaxShortenings && !holds(good); ++i)
    good *= 0.1;
  if (!holds(good)) return 0.0;
  while (good * rate < kLongestStep && holds(good * kSweep))
    good *= kSweep;
  double bad = good * kSweep;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (good + bad);
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

/// Known bounds of the pairs (c, k) of all shapes of a damped system.
struct Pairs {
  struct LowerBound {
    double slope, offset;
  };
  double k_max = 0.0;
  double c_max = 0.0;
  double decay = 0.0;                    // no real eigenvalue lies beyond -decay
  std::vector<LowerBound> lower_bounds;  // proven bounds c >= slope k - offset
  std::vector<double> k_grid;

  double c_min(double k) const {
    double least = 0.0;
    for (const LowerBound& floor : lower_bounds)
      least = std::max(least, floor.slope * k - floor.offset);
    return least;
  }
  void make_grid() {
    double part = 1.0;
    for (int i = 0; i < 40; ++i, part *= 0.8)
      k_grid.push_back(part * k_max);
    const auto add = [&](double k) {
      if (k > 0.0 && k < k_max) k_grid.push_back(k);
    };
    for (const LowerBound& a : lower_bounds) {
      if (a.slope > 0.0) add(a.offset / a.slope);
      for (const LowerBound& b : lower_bounds)
        if (a.slope > b.slope) add((a.offset - b.offset) / (a.slope - b.slope));
    }
  }
};

/// Largest (c + sqrt(c^2 - 4 k)) / 2 that a shape has: this is the mu at which mu^2 - mu C + K
/// becomes indefinite. The search starts from c_max / 2, so that it rises to the outermost root.
double fastest_decay(const StabilityBounds& bounds,
                     const State& state,
                     const RayleighQuotients& most) {
  double mu = 0.5 * most.damping;
  RayleighQuotients shape = most;
  for (int i = 0; i < kMaxRises; ++i) {
    const double root = shape.damping * shape.damping - 4.0 * std::max(0.0, shape.stiffness);
    const double larger = root > 0.0 ? 0.5 * (shape.damping + std::sqrt(root)) : 0.0;
    if (i > 0 && larger <= mu * (1.0 + kRiseTolerance)) return std::max(mu, larger);
    mu = std::max(mu, larger);
    shape = bounds.extreme_shape(state, mu, -1.0);
  }
  return mu;
}

using Proof = std::function<bool(double, double, double)>;  // proves a C + b K + d M > 0

/// Raises the estimates of the Lanczos iteration until they are proven to be bounds.
void prove_upper_bounds(const Proof& proof, Pairs& pairs) {
  const auto raise = [](double& value, const auto& holds) {
    for (int i = 0; i < kMaxProofs && value > 0.0 && !holds(value); ++i)
      value *= kSweep;
  };
  raise(pairs.k_max, [&](double k) { return proof(0.0, -1.0, k); });
  raise(pairs.c_max, [&](double c) { return proof(-1.0, 0.0, c); });
  pairs.decay = std::max(pairs.decay, 0.5 * pairs.c_max);
  // mu^2 - mu C + K > 0 here and, since c < 2 mu, for all that is faster
  raise(pairs.decay, [&](double mu) { return proof(-mu, 1.0, mu * mu); });
}

/// Largest proven slope of c >= slope k - offset, within 2 percent, if there is one.
double steepest(const Proof& proof, double offset, double guess) {
  const auto holds = [&](double slope) { return proof(1.0, -slope, offset); };
  double good = guess;
  double bad = guess;
  if (holds(guess)) {
    for (int i = 0; i < kMaxProofs && holds(bad *= kWiden); ++i)
      good = bad;
  } else {
    good = guess / kWiden;
    for (int i = 0; i < kMaxProofs && !holds(good); ++i, good /= kWiden)
      bad = good;
    if (!holds(good)) return 0.0;
  }
  while (bad > kSweep * good) {
    const double middle = std::sqrt(good * bad);
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

/// Adds proven lower bounds of the damping: straight lines below all pairs (c, k). They matter
/// because without damping Euler and AB2 grow at any step. Single nodes and springs give two lines;
/// if a factorisation is cheap, it proves more.
void prove_lower_bounds(const StabilityBounds& bounds,
                        const State& state,
                        const Proof& proof,
                        double duration,
                        Pairs& pairs) {
  const DampingBound line = bounds.damping_bound(state);
  pairs.lower_bounds.push_back({line.slope, line.offset});
  pairs.lower_bounds.push_back({0.0, -line.least});
  if (!proof || !(pairs.k_max > 0.0) || !(pairs.c_max > 0.0)) return;
  // Twofold growth allows  h k - c <= 2 ln 2 / duration;  lines with a larger offset matter for
  // AB2, because the damping that it needs rises with k^2.
  const double round_off = kDampingRounding * pairs.c_max;
  const double least = std::max(kTwofold / duration, round_off);
  double slope = least / pairs.k_max;
  double offset = least;
  for (int i = 0; i < kMaxLowerBounds && offset < 2.0 * pairs.c_max;
       ++i, offset *= kBoundOffsetGrowth) {
    slope = steepest(proof, offset, std::max(slope, offset / pairs.k_max));
    if (!(slope > 0.0)) return;
    pairs.lower_bounds.push_back({slope, offset});
  }
}

/// Longest stable step of semi-implicit Euler. At this step 4 - 2 h C - h^2 K becomes indefinite,
/// and the motion grows with alternating signs.
double semi_implicit_limit(const StabilityBounds& bounds,
                           const State& state,
                           const RayleighQuotients& stiffest,
                           const RayleighQuotients& most) {
  const auto root = [](const RayleighQuotients& shape) {  // root h of h^2 k + 2 h c = 4
    const double k = std::max(0.0, shape.stiffness);
    const double c = shape.damping;
    return c + k > 0.0 ? 4.0 / (c + std::sqrt(c * c + 4.0 * k)) : kInfinity;
  };
  double h = std::min(root(stiffest), root(most));
  for (int i = 0; i < kMaxRises && std::isfinite(h); ++i) {
    const double shorter = root(bounds.extreme_shape(state, 2.0 * h, h * h));
    if (!(shorter < h * (1.0 - kShrinkTolerance))) break;
    h = shorter;
  }
  return h;
}

/// Largest growth of all pairs (c, k) at the step h, evaluated on a grid over the region that the
/// bounds allow, including its boundary and the corners of its lower side.
double largest_growth(Integrator integrator, const Pairs& pairs, double h) {
  double worst = 0.0;
  for (const double k : pairs.k_grid) {
    const double part = k / std::max(pairs.k_max, kMinFactor);
    const double least = pairs.c_min(k);
    const double most = std::min(pairs.c_max, 2.0 * std::sqrt(k));
    for (int i = 0; i <= 4 && least <= most; ++i) {
      const double c = least + 0.25 * i * (most - least);
      const Complex lambda(-0.5 * c, std::sqrt(std::max(0.0, k - 0.25 * c * c)));
      worst = std::max(worst, growth(integrator, h * lambda));
    }
    worst = std::max(worst, growth(integrator, -h * part * pairs.decay));
  }
  return worst;
}

}  // namespace

double stable_step(Integrator integrator, const FastestMotion& fastest, double duration) {
  const Treatment treatment = method_of(integrator).treatment;
  const double omega = fastest.omega;
  const double c = fastest.damping;
  const double rate = std::max(omega, c);
  if (method_of(integrator).is_stable_at_any_step || !(rate > 0.0) || !std::isfinite(rate))
    return kInfinity;
  if (treatment == Treatment::splitting) {
    // Decay shrinks momenta, and with them the quadratic form that a stable undamped step
    // preserves.
    if (!(omega > 0.0)) return kInfinity;
    return first_failure(
        omega, duration, [&](double h) { return splitting_growth(integrator, omega * h); });
  }
  if (treatment == Treatment::in_turn)
    return first_failure(rate, duration, [&](double h) {
      return semi_implicit_growth(h * c, h * h * omega * omega);
    });
  const Complex discriminant = std::sqrt(Complex(0.25 * c * c - omega * omega, 0.0));
  return first_failure(rate, duration, [&](double h) {
    return std::max(growth(integrator, h * (-0.5 * c + discriminant)),
                    growth(integrator, h * (-0.5 * c - discriminant)));
  });
}

double stable_step(Integrator integrator,
                   const HamiltonianSystem& system,
                   const State& state,
                   const FastestMotion& fastest,
                   double duration) {
  if (method_of(integrator).is_stable_at_any_step) return kInfinity;
  const Treatment treatment = method_of(integrator).treatment;
  const ExternalForces* outer = system.external_forces();
  if (outer == nullptr || !outer->is_dissipative() || system.stability_bounds() == nullptr)
    return stable_step(integrator, fastest, duration);
  const StabilityBounds& bounds = *system.stability_bounds();
  const RayleighQuotients most = bounds.extreme_shape(state, 1.0, 0.0);
  if (!std::isfinite(fastest.omega) || !std::isfinite(most.damping)) return kInfinity;
  if (treatment == Treatment::splitting) {
    const double undamped = stable_step(integrator, FastestMotion{fastest.omega, 0.0}, duration);
    if (outer->decay(0.0, {})) return undamped;
    // half a step of decay by the explicit midpoint rule is stable if h c / 2 < 2
    return most.damping > 0.0 ? std::min(undamped, 4.0 / most.damping) : undamped;
  }
  const RayleighQuotients stiffest{fastest.damping, fastest.omega * fastest.omega};
  if (treatment == Treatment::in_turn)
    return kSafetyShare * semi_implicit_limit(bounds, state, stiffest, most);

  if (std::vector<Complex> all = bounds.eigenvalues(state); !all.empty()) {
    double rate = 0.0;
    for (Complex& lambda : all) {
      lambda.real(std::min(lambda.real(), 0.0));  // an unstable motion does not limit the step
      rate = std::max(rate, std::abs(lambda));
    }
    std::erase_if(all, [](const Complex& lambda) { return lambda.imag() < 0.0; });
    if (!(rate > 0.0)) return kInfinity;
    return kSafetyShare * first_failure(rate, duration, [&](double h) {
             double worst = 0.0;
             for (const Complex& lambda : all)
               worst = std::max(worst, growth(integrator, h * lambda));
             return worst;
           });
  }
  Pairs pairs;
  pairs.k_max = stiffest.stiffness;
  pairs.c_max = std::max(0.0, most.damping);
  pairs.decay = fastest_decay(bounds, state, most);
  const Proof proof = bounds.definiteness_test(state);
  if (proof) prove_upper_bounds(proof, pairs);
  if (integrator == Integrator::euler || integrator == Integrator::adams_bashforth_2)
    prove_lower_bounds(bounds, state, proof, duration, pairs);
  pairs.make_grid();
  const double rate = std::max({std::sqrt(pairs.k_max), pairs.c_max, pairs.decay});
  if (!(rate > 0.0)) return kInfinity;
  return kSafetyShare * first_failure(rate, duration, [&](double h) {
           return largest_growth(integrator, pairs, h);
         });
}

}  // namespace femflex::hamiltonian

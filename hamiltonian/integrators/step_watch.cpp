// Keeps the longest stable step of a run up to date while springs stiffen. Recomputes the largest
// frequency when a cheap bound shows that it may have doubled.
#include "integrators/step_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "integrators/methods.h"

namespace femflex::hamiltonian {

std::string short_number(double value) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

namespace {

// advised step as a share of the stable step, or of a radian of the fastest motion
constexpr double kAdvised = 0.2;
constexpr double kMinTolerance = 1e-12;
// target error of an advised step, relative to the moving energy
constexpr double kGoodError = 1e-3;

}  // namespace

StepWatch::StepWatch(const HamiltonianSystem& system,
                     const State& begin,
                     Integrator integrator,
                     double duration)
    : system_(system),
      integrator_(integrator),
      duration_(duration),
      stable_at_start_(std::numeric_limits<double>::infinity()),
      stable_(stable_at_start_) {
  add(system, begin);
  stable_at_start_ = stable_;
  const StabilityBounds* bounds = system.stability_bounds();
  if (bounds == nullptr) return;
  bound_ = bounds->stiffness_bound(begin);
  if (const std::unique_ptr<HamiltonianSystem> tight = bounds->with_slack_springs_tight(begin)) {
    add(*tight, begin);
    if (const StabilityBounds* of_tight = tight->stability_bounds())
      bound_ = std::max(bound_, of_tight->stiffness_bound(begin));
  }
}

void StepWatch::add(const HamiltonianSystem& system, const State& state) {
  const FastestMotion fastest = system.fastest_motion(state);
  if (fastest.omega > omega_) omega_ = fastest.omega;
  const double stable = stable_step(integrator_, system, state, fastest, duration_);
  if (stable < stable_) stable_ = stable;
}

double StepWatch::advised() const {
  if (std::isfinite(stable_) && stable_ > 0.0) return kAdvised * stable_;
  return omega_ > 0.0 ? kAdvised / omega_ : 0.0;
}

double StepWatch::stable_at(const State& state, Integrator integrator) const {
  return stable_step(integrator, system_, state, system_.fastest_motion(state), duration_);
}

bool StepWatch::check(const State& state, bool must) {
  // a check is due if the bound of omega^2 has grown by this factor (twice the frequency)
  constexpr double kBoundGrowth = 4.0;
  const StabilityBounds* bounds = system_.stability_bounds();
  const double bound = bounds != nullptr ? bounds->stiffness_bound(state) : 0.0;
  if (!std::isfinite(bound) || (bound <= kBoundGrowth * bound_ && !must)) return false;
  bound_ = std::max(bound, bound_);
  const double before = stable_;
  add(system_, state);
  return stable_ < before;
}

std::string energy_warning(const RunResult& result,
                           const RunOptions& options,
                           double error_of_moving,
                           double advised) {
  constexpr double kVisibleError = 0.02;  // relative energy error that is visible in a plot
  if (!(error_of_moving > kVisibleError)) return {};
  const std::string off = "the energy is off by up to " +
                          short_number(100.0 * std::min(error_of_moving, 99.99)) +
                          " % of what moves: ";
  const Method& method = method_of(options.integrator);
  if (method.is_adaptive)
    return off + "take a tighter relative tolerance than " +
           short_number(options.relative_tolerance) + ", such as " +
           short_number(std::max(kMinTolerance, kGoodError * options.relative_tolerance));
  double step =
      result.step * std::pow(kGoodError / std::min(error_of_moving, 1.0), 1.0 / method.order);
  if (advised > 0.0 && advised < result.step) step = std::min(step, advised);
  return off + "a step of " + short_number(result.step) + " s is too long, try " +
         short_number(step) + " s";
}

}  // namespace femflex::hamiltonian

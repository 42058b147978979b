#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"

#include "integrators/stepper.h"

namespace femflex::hamiltonian {
namespace {

struct Named {
  Integrator integrator;
  std::string_view name;
  bool explicit_symplectic;
};
constexpr std::array kNames = {Named{Integrator::euler, "euler", false},
                               Named{Integrator::semi_implicit_euler, "semi-implicit-euler", true},
                               Named{Integrator::adams_bashforth_2, "ab2", false},
                               Named{Integrator::adams_bashforth_3, "ab3", false},
                               Named{Integrator::leapfrog, "leapfrog", true},
                               Named{Integrator::runge_kutta_4, "rk4", false},
                               Named{Integrator::symplectic_4, "symplectic4", true},
                               Named{Integrator::implicit_midpoint, "implicit-midpoint", false},
                               Named{Integrator::dormand_prince, "dormand-prince", false}};

std::string number(double value) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

bool all_finite(const std::vector<double>& values) {
  double sum = 0.0;  // 0 times anything finite is 0
  for (const double value : values)
    sum += 0.0 * value;
  return sum == 0.0;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values)
    most = std::max(most, std::abs(value));
  return most;
}

/// Keeps the account: what loads, dissipation and supports did, and how far H departs from it.
class Account {
 public:
  Account(const HamiltonianSystem& system, const State& state)
      : system_(system),
        start_(system.energy(state.memory, state.q, state.p)),
        scale_(std::max(std::abs(start_.total()), start_.kinetic)),
        last_(start_),
        follows_(system.is_dissipative() || system.has_loads() || system.has_motions()),
        every_step_(state.q.size() <= 3000 && !system.has_dear_energy()) {
    if (!follows_) return;
    before_ = state;
    force_.resize(state.q.size());
    lost_ = dissipation(state);
  }

  bool every_step() const { return every_step_; }
  double work() const { return work_; }
  void set_work(double work) { work_ = work; }
  double error() const { return worst_; }
  const Energy& start() const { return start_; }

  /// Work of one step, by the mean force over it; exact for constant loads.
  void add_step(const State& after, double h) {
    if (!follows_) return;
    std::fill(force_.begin(), force_.end(), 0.0);
    const double middle = before_.time + 0.5 * h;
    system_.add_load({middle, middle, before_.step}, force_);
    std::vector<double> lost = dissipation(after);
    for (std::size_t i = 0; i < force_.size(); ++i)
      work_ += (force_[i] + 0.5 * (lost_[i] + lost[i])) * (after.q[i] - before_.q[i]);
    if (system_.has_motions()) work_ += system_.support_work(before_, after);
    lost_.swap(lost);
    before_ = after;
  }

  /// @return false where the energy is not finite
  bool look(const State& state) {
    last_ = system_.energy(state.memory, state.q, state.p);
    if (!std::isfinite(last_.total())) return false;
    scale_ = std::max({scale_, last_.kinetic, std::abs(work_)});
    const double off = std::abs(last_.total() - start_.total() - work_);
    if (off > 0.0 && scale_ > 0.0) worst_ = std::max(worst_, off / scale_);
    return true;
  }
  const Energy& last() const { return last_; }

 private:
  std::vector<double> dissipation(const State& state) const {
    std::vector<double> f(state.q.size(), 0.0);
    if (system_.is_dissipative()) system_.add_dissipation(state.memory, state.q, state.p, f);
    return f;
  }
  const HamiltonianSystem& system_;
  Energy start_;
  double scale_;
  Energy last_;
  bool follows_, every_step_;
  State before_;
  std::vector<double> force_, lost_;
  double work_ = 0.0, worst_ = 0.0;
};

/// -(potential of lasting constant loads): their work between two states is the difference.
double constant_load_work(const HamiltonianSystem& system, const State& state) {
  if (!system.has_loads()) return 0.0;
  std::vector<double> f(state.q.size(), 0.0);
  system.add_load({state.time, state.time, state.step}, f);
  double work = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i)
    work += f[i] * state.q[i];
  return work;
}

void check(const HamiltonianSystem& system, const State& state, const RunOptions& options) {
  if (state.q.size() != system.freedoms() || state.p.size() != system.freedoms())
    throw UsageError("state-size", "the state does not belong to this model");
  if (!std::isfinite(options.step) || options.step < 0.0)
    throw UsageError("bad-step", "the step must be positive", {}, "give --dt");
  if (!std::isfinite(options.end) || options.end < state.time)
    throw UsageError("bad-end", "the end lies before the start of the run");
  for (const Named& named : kNames) {
    if (named.integrator == options.integrator && named.explicit_symplectic &&
        !system.is_separable())
      throw UsageError("not-separable",
                       std::string(named.name) + " needs H = T(p) + V(q); this H mixes them",
                       {},
                       "use implicit-midpoint, rk4 or dormand-prince");
  }
}

}  // namespace

std::string_view name_of(Integrator integrator) {
  return kNames[static_cast<std::size_t>(integrator)].name;
}

Integrator parse_integrator(std::string_view name) {
  std::string known;
  for (const Named& named : kNames) {
    if (named.name == name) return named.integrator;
    known += (known.empty() ? "" : ", ") + std::string(named.name);
  }
  throw UsageError("unknown-integrator", "no integrator '" + std::string(name) + "'", {}, known);
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Named& named : kNames)
    names.emplace_back(named.name);
  return names;
}

RunResult run(const HamiltonianSystem& system,
              State state,
              const RunOptions& options,
              SampleSink* sink,
              Diagnostics& diagnostics,
              Progress& progress) {
  check(system, state, options);
  RunResult result;
  const FastestMotion fastest = system.fastest_motion(state);
  const double duration = options.end - state.time;
  result.stable_step = stable_step(options.integrator, fastest, duration);
  const bool adaptive = options.integrator == Integrator::dormand_prince;
  double h = options.step;
  if (h == 0.0) {
    h = std::isfinite(result.stable_step) && result.stable_step > 0.0
            ? 0.2 * result.stable_step
            : (fastest.omega > 0.0 ? 0.2 / fastest.omega : duration / 1000.0);
    if (duration > 0.0) h = duration / std::ceil(duration / h - 1e-9);
  }
  result.step = h;
  if (!adaptive && h > result.stable_step) {
    const std::string remedy =
        result.stable_step > 0.0
            ? "a step of " + number(result.stable_step) + " s or less is stable"
            : "no step of " + std::string(name_of(options.integrator)) + " is; leapfrog is up to " +
                  number(stable_step(Integrator::leapfrog, fastest, duration)) + " s";
    diagnostics.warn("unstable-step",
                     "step " + number(h) + " s is not stable with " +
                         std::string(name_of(options.integrator)) + " at the start: " + remedy);
  }
  if (!adaptive && !(duration / h < 9e15))
    throw UsageError(
        "steps",
        "a run of " + number(duration) + " s in steps of " + number(h) + " s never ends",
        {},
        "take a longer step");
  const double output = options.output_step > 0.0 ? options.output_step : duration / 100.0;
  const auto stride = std::max<std::int64_t>(1, std::llround(output / h));
  const auto total = static_cast<std::int64_t>(std::llround(duration / h));
  if (!adaptive && std::abs(static_cast<double>(total) * h - duration) > 1e-6 * h)
    diagnostics.warn("end-between-steps",
                     "the end is no whole number of steps away; the run ends at " +
                         number(state.time + static_cast<double>(total) * h) + " s");

  Account account(system, state);
  result.start = account.start();
  result.state = state;
  if (!std::isfinite(account.start().total()) || !all_finite(state.q) || !all_finite(state.p)) {
    result.status = RunStatus::unstable;
    result.message = "the start is not finite";
    return result;
  }
  const auto show = [&] {
    result.state = state;
    if (sink != nullptr) sink->sample({state, account.last(), account.work()});
  };
  const auto give_up = [&](RunStatus status, const std::string& what) {
    const FastestMotion now = system.fastest_motion(result.state);
    // where the step was too long from the start, the state at the end tells nothing
    const double stable = h > result.stable_step ? result.stable_step
                                                 : stable_step(options.integrator, now, duration);
    result.status = status;
    result.message =
        what + " at step " + std::to_string(state.step) + ", t = " + number(state.time) + " s";
    if (stable > 0.0 && std::isfinite(stable))
      result.message += "; a step of " + number(stable) + " s would be stable";
    else if (!adaptive)
      result.message += "; leapfrog up to " +
                        number(stable_step(Integrator::leapfrog, now, duration)) + " s is stable";
  };

  const auto conclude = [&] {
    if (result.status == RunStatus::finished) result.state = std::move(state);
    result.end = system.energy(result.state.memory, result.state.q, result.state.p);
    result.work = account.work();
    result.largest_energy_error = account.error();
    return result;
  };

  system.impose(state.time, state.q, state.p);
  (void)account.look(state);
  show();
  if (options.integrator == Integrator::leapfrog) {
    if (const auto fast = system.fast_leapfrog()) {
      const double origin = state.time - static_cast<double>(state.step) * h;
      const double base = std::abs(origin) < 1e-6 * h ? 0.0 : origin;
      fast->load(state, h);
      progress.begin("lattice", duration, "s");
      const double weight = constant_load_work(system, state);
      while (result.steps < total) {
        const std::int64_t wanted = std::min(stride - result.steps % stride, total - result.steps);
        const std::int64_t done = fast->advance(wanted, options.threads);
        state.step += done;
        result.steps += done;
        state.time = base + static_cast<double>(state.step) * h;
        fast->store(state);
        account.set_work(constant_load_work(system, state) - weight);
        if (done < wanted || !account.look(state)) {
          give_up(RunStatus::unstable,
                  done < wanted ? "a coordinate left the finite range"
                                : "the energy left the finite range");
          break;
        }
        show();
        progress.step(state.time);
      }
      progress.end();
      return conclude();
    }
  }
  Stepper stepper(system, options);
  // time = base + step h, so that a run cut in two gives the same bits
  double base = state.time - static_cast<double>(state.step) * h;
  if (std::abs(base) < 1e-6 * h) base = 0.0;
  const std::int64_t first = state.step;
  progress.begin("lattice", duration, "s");
  double next_output = state.time + output;
  const double end = options.end;
  while (adaptive ? state.time < end : state.step - first < total) {
    const double before = state.time;
    bool sampled = false;
    if (adaptive) {
      const double most = std::min({next_output, end, system.next_event(state.time)}) - state.time;
      if (state.last_step == 0.0) state.last_step = std::min(most, h);
      const double taken = stepper.advance_adaptively(state, most, result.rejected_steps);
      if (taken == 0.0) {
        give_up(RunStatus::not_converged, "the step became too small");
        break;
      }
      if (taken == most && next_output - state.time < 1e-12 * output) state.time = next_output;
      if (std::abs(end - state.time) < 1e-12 * duration) state.time = end;
      sampled = state.time >= next_output || state.time >= end;
      if (state.time >= next_output) next_output += output;
    } else {
      if (!stepper.advance(state, before, h)) {
        give_up(RunStatus::not_converged, "the implicit step did not converge");
        break;
      }
      state.time = base + static_cast<double>(state.step) * h;
      sampled = (state.step - first) % stride == 0 || state.step - first == total;
    }
    ++result.steps;
    const bool finite = all_finite(state.q) && all_finite(state.p);
    if (finite) account.add_step(state, state.time - before);
    const bool looks = sampled || account.every_step() || largest(state.p) > 1e60;
    if (!finite || (looks && !account.look(state))) {
      give_up(RunStatus::unstable,
              finite ? "the energy left the finite range" : "a coordinate left the finite range");
      break;
    }
    if (sampled) {
      show();
      progress.step(state.time);
    } else if (account.every_step()) {
      result.state = state;  // should the next step blow up
    }
  }
  progress.end();
  return conclude();
}

}  // namespace femflex::hamiltonian

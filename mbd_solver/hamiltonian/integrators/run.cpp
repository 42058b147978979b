#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"

#include "integrators/account.h"
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

/// Names what is not finite about a step from `last` that ended in `state`.
std::string trouble(const HamiltonianSystem& system, const State& last, const State& state) {
  std::vector<double> ahead(last.q.size());
  std::vector<double> speed(last.q.size());
  const double h = std::max(state.time - last.time, last.last_step);
  system.velocity(last.q, last.p, speed);
  for (std::size_t i = 0; i < ahead.size(); ++i)
    ahead[i] = last.q[i] + h * speed[i];
  const std::array<std::span<const double>, 3> places = {last.q, state.q, ahead};
  for (const double part : {0.0, 1e-9, 0.2, 0.5, 0.8, 1.0}) {
    for (const std::span<const double> q : places) {
      const std::string found = system.not_finite(last.time + part * h, q);
      if (!found.empty()) return found;
    }
  }
  return {};
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
  result.stable_step = stable_step(options.integrator, system, state, fastest, duration);
  const bool is_small = state.q.size() <= 3000;  // its state is kept at each step
  const bool is_leapfrog = options.integrator == Integrator::leapfrog;
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
                  number(stable_step(Integrator::leapfrog, system, state, fastest, duration)) +
                  " s";
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
  const State begin = state;
  result.start = account.start();
  result.state = state;
  if (!std::isfinite(account.start().total()) || !all_finite(state.q) || !all_finite(state.p)) {
    result.status = RunStatus::unstable;
    const std::string named = system.not_finite(state.time, state.q);
    result.message = "the start is not finite" + (named.empty() ? "" : ": " + named);
    return result;
  }
  const auto show = [&] {
    result.state = state;
    if (sink != nullptr) sink->sample({state, account.last(), account.work()});
  };
  const auto give_up = [&](RunStatus status, const std::string& what) {
    result.status = status;
    const std::string at =
        " at step " + std::to_string(state.step) + ", t = " + number(state.time) + " s";
    const std::string named = trouble(system, result.state, state);
    result.message = (named.empty() ? what : named) + at;
    if (!named.empty() || adaptive) return;
    // where the step was too long from the start, the state at the end tells nothing
    const bool was_long = h > result.stable_step;
    const FastestMotion now = was_long ? fastest : system.fastest_motion(result.state);
    const State& there = was_long ? begin : result.state;
    const double step = stable_step(options.integrator, system, there, now, duration);
    const double leap = stable_step(Integrator::leapfrog, system, there, now, duration);
    // a step as long as the one that has just failed is no advice
    if (step > 0.0 && step < h)
      result.message += "; a step of " + number(step) + " s would be stable";
    else if (!is_leapfrog && leap > 0.0 && std::isfinite(leap) && (was_long || leap < h))
      result.message += "; leapfrog up to " + number(leap) + " s is stable";
    else
      result.message += "; take steps shorter than " + number(h) + " s";
  };
  const auto looks_well = [&] {
    if (!account.look(state)) {
      give_up(RunStatus::unstable, "the energy left the finite range");
    } else if (account.has_run_away()) {
      give_up(RunStatus::unstable,
              "the energy has grown beyond a million times what start, loads and supports gave");
    } else {
      return true;
    }
    return false;
  };

  const auto conclude = [&] {
    if (result.status == RunStatus::finished) result.state = std::move(state);
    result.end = system.energy(result.state.memory, result.state.q, result.state.p);
    result.work = account.work();
    result.broken_energy = account.broken();
    result.largest_energy_error = account.error();
    return result;
  };

  system.impose(state.time, state.q, state.p);
  (void)account.look(state);
  show();
  if (is_leapfrog) {
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
        if (done < wanted) {
          give_up(RunStatus::unstable, "a coordinate left the finite range");
          break;
        }
        if (!looks_well()) break;
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
    if (!finite) {
      give_up(RunStatus::unstable, "a coordinate left the finite range");
      break;
    }
    if (looks && !looks_well()) break;
    if (sampled) {
      show();
      progress.step(state.time);
    } else if (is_small) {
      result.state = state;  // should the next step blow up
    }
  }
  progress.end();
  return conclude();
}

}  // namespace femflex::hamiltonian

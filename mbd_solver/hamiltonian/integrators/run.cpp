#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"

#include "integrators/account.h"
#include "integrators/stepper.h"

namespace femflex::hamiltonian {
namespace {

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

/// The explicit symplectic methods move positions and momenta in turn.
bool splits(Integrator integrator) {
  return integrator == Integrator::semi_implicit_euler || integrator == Integrator::leapfrog ||
         integrator == Integrator::symplectic_4;
}

void check(const HamiltonianSystem& system, const State& state, const RunOptions& options) {
  if (state.q.size() != system.freedoms() || state.p.size() != system.freedoms())
    throw UsageError("state-size", "the state does not belong to this model");
  if (!std::isfinite(options.step) || options.step < 0.0)
    throw UsageError("bad-step", "the step must be positive", {}, "give --dt");
  if (!std::isfinite(options.end) || options.end < state.time)
    throw UsageError("bad-end", "the end lies before the start of the run");
  if (splits(options.integrator) && !system.is_separable())
    throw UsageError(
        "not-separable",
        std::string(name_of(options.integrator)) + " needs H = T(p) + V(q); this H mixes them",
        {},
        "use implicit-midpoint, rk4 or dormand-prince");
}

/// One run from its first state to its last.
class Run {
 public:
  Run(const HamiltonianSystem& system,
      State state,
      const RunOptions& options,
      SampleSink* sink,
      Progress& progress)
      : system_(system),
        options_(options),
        sink_(sink),
        progress_(progress),
        begin_(std::move(state)),
        state_(begin_),
        account_(system, begin_),
        fastest_(system.fastest_motion(begin_)),
        duration_(options.end - begin_.time),
        adaptive_(options.integrator == Integrator::dormand_prince) {
    result_.start = account_.start();
    result_.state = begin_;
  }

  RunResult go(Diagnostics& diagnostics) {
    choose_step(diagnostics);
    if (!starts_finite()) return std::move(result_);
    system_.impose(state_.time, state_.q, state_.p);
    (void)account_.look(state_);
    show();
    progress_.begin("lattice", duration_, "s");
    std::unique_ptr<FastLeapfrog> fast;
    if (options_.integrator == Integrator::leapfrog) fast = system_.fast_leapfrog();
    if (fast) {
      leap(*fast);
    } else if (adaptive_) {
      step_adaptively();
    } else {
      step_evenly();
    }
    progress_.end();
    if (result_.status == RunStatus::finished) result_.state = std::move(state_);
    const State& last = result_.state;
    result_.end = system_.energy(last.memory, last.q, last.p);
    result_.work = account_.work();
    result_.broken_energy = account_.broken();
    result_.largest_energy_error = account_.error();
    return std::move(result_);
  }

 private:
  double stable(Integrator integrator, const State& state, const FastestMotion& fastest) const {
    return stable_step(integrator, system_, state, fastest, duration_);
  }

  void choose_step(Diagnostics& diagnostics) {
    result_.stable_step = stable(options_.integrator, begin_, fastest_);
    h_ = options_.step;
    if (h_ == 0.0) {
      h_ = std::isfinite(result_.stable_step) && result_.stable_step > 0.0
               ? 0.2 * result_.stable_step
               : (fastest_.omega > 0.0 ? 0.2 / fastest_.omega : duration_ / 1000.0);
      if (duration_ > 0.0) h_ = duration_ / std::ceil(duration_ / h_ - 1e-9);
    }
    result_.step = h_;
    output_ = options_.output_step > 0.0 ? options_.output_step : duration_ / 100.0;
    stride_ = std::max<std::int64_t>(1, std::llround(output_ / h_));
    if (adaptive_) return;
    if (h_ > result_.stable_step) {
      const std::string name(name_of(options_.integrator));
      const std::string remedy =
          result_.stable_step > 0.0
              ? "a step of " + number(result_.stable_step) + " s or less is stable"
              : "no step of " + name + " is; leapfrog is up to " +
                    number(stable(Integrator::leapfrog, begin_, fastest_)) + " s";
      diagnostics.warn(
          "unstable-step",
          "step " + number(h_) + " s is not stable with " + name + " at the start: " + remedy);
    }
    if (!(duration_ / h_ < 9e15))
      throw UsageError(
          "steps",
          "a run of " + number(duration_) + " s in steps of " + number(h_) + " s never ends",
          {},
          "take a longer step");
    total_ = static_cast<std::int64_t>(std::llround(duration_ / h_));
    // time = base + step h, so that a run cut in two gives the same bits
    base_ = begin_.time - static_cast<double>(begin_.step) * h_;
    if (std::abs(base_) < 1e-6 * h_) base_ = 0.0;
    if (std::abs(static_cast<double>(total_) * h_ - duration_) > 1e-6 * h_)
      diagnostics.warn("end-between-steps",
                       "the end is no whole number of steps away; the run ends at " +
                           number(begin_.time + static_cast<double>(total_) * h_) + " s");
  }

  bool starts_finite() {
    if (std::isfinite(account_.start().total()) && all_finite(begin_.q) && all_finite(begin_.p))
      return true;
    result_.status = RunStatus::unstable;
    const std::string named = system_.not_finite(begin_.time, begin_.q);
    result_.message = "the start is not finite" + (named.empty() ? "" : ": " + named);
    return false;
  }

  /// Large networks: many steps a call.
  void leap(FastLeapfrog& fast) {
    fast.load(state_, h_);
    const double weight = constant_load_work(system_, state_);
    while (result_.steps < total_) {
      const std::int64_t wanted =
          std::min(stride_ - result_.steps % stride_, total_ - result_.steps);
      const std::int64_t done = fast.advance(wanted, options_.threads);
      state_.step += done;
      result_.steps += done;
      state_.time = base_ + static_cast<double>(state_.step) * h_;
      fast.store(state_);
      account_.set_work(constant_load_work(system_, state_) - weight);
      if (done < wanted) {
        give_up(RunStatus::unstable, kNotFinite);
        return;
      }
      if (!looks_well()) return;
      show();
      progress_.step(state_.time);
    }
  }

  void step_evenly() {
    Stepper stepper(system_, options_);
    while (result_.steps < total_) {
      const double before = state_.time;
      if (!stepper.advance(state_, before, h_)) {
        give_up(RunStatus::not_converged, "the implicit step did not converge");
        return;
      }
      state_.time = base_ + static_cast<double>(state_.step) * h_;
      ++result_.steps;
      if (!goes_on(before, result_.steps % stride_ == 0 || result_.steps == total_)) return;
    }
  }

  void step_adaptively() {
    Stepper stepper(system_, options_);
    const double end = options_.end;
    double next_output = state_.time + output_;
    while (state_.time < end) {
      const double before = state_.time;
      const double most = std::min({next_output, end, system_.next_event(before)}) - before;
      if (state_.last_step == 0.0) state_.last_step = std::min(most, h_);
      const double taken = stepper.advance_adaptively(state_, most, result_.rejected_steps);
      if (taken == 0.0) {
        give_up(RunStatus::not_converged, "the step became too small");
        return;
      }
      if (taken == most && next_output - state_.time < 1e-12 * output_) state_.time = next_output;
      if (std::abs(end - state_.time) < 1e-12 * duration_) state_.time = end;
      ++result_.steps;
      const bool sampled = state_.time >= next_output || state_.time >= end;
      if (state_.time >= next_output) next_output += output_;
      if (!goes_on(before, sampled)) return;
    }
  }

  /// Books a step, shows its end where that is a sample.
  bool goes_on(double before, bool sampled) {
    if (!all_finite(state_.q) || !all_finite(state_.p)) {
      give_up(RunStatus::unstable, kNotFinite);
      return false;
    }
    account_.add_step(state_, state_.time - before);
    const bool looks = sampled || account_.every_step() || largest(state_.p) > 1e60;
    if (looks && !looks_well()) return false;
    if (sampled) {
      show();
      progress_.step(state_.time);
    } else if (state_.q.size() <= 3000) {
      result_.state = state_;  // should the next step blow up
    }
    return true;
  }

  void show() {
    result_.state = state_;
    if (sink_ != nullptr) sink_->sample({state_, account_.last(), account_.work()});
  }

  bool looks_well() {
    if (!account_.look(state_)) {
      give_up(RunStatus::unstable, "the energy left the finite range");
    } else if (account_.has_run_away()) {
      give_up(RunStatus::unstable,
              "the energy has grown beyond a million times what start, loads and supports gave");
    } else {
      return true;
    }
    return false;
  }

  void give_up(RunStatus status, const std::string& what) {
    result_.status = status;
    const std::string named = trouble(system_, result_.state, state_);
    result_.message = (named.empty() ? what : named) + " at step " + std::to_string(state_.step) +
                      ", t = " + number(state_.time) + " s";
    if (named.empty() && !adaptive_) result_.message += "; " + advice();
  }

  /// Which step would have been stable.
  std::string advice() const {
    // where the step was too long from the start, the state at the end tells nothing
    const bool was_long = h_ > result_.stable_step;
    const FastestMotion now = was_long ? fastest_ : system_.fastest_motion(result_.state);
    const State& there = was_long ? begin_ : result_.state;
    const double step = stable(options_.integrator, there, now);
    const double leap = stable(Integrator::leapfrog, there, now);
    const bool is_leapfrog = options_.integrator == Integrator::leapfrog;
    // a step as long as the one that has just failed is no advice
    if (step > 0.0 && step < h_) return "a step of " + number(step) + " s would be stable";
    if (!is_leapfrog && leap > 0.0 && std::isfinite(leap) && (was_long || leap < h_))
      return "leapfrog up to " + number(leap) + " s is stable";
    return "take steps shorter than " + number(h_) + " s";
  }

  static constexpr const char* kNotFinite = "a coordinate left the finite range";

  const HamiltonianSystem& system_;
  const RunOptions& options_;
  SampleSink* sink_;
  Progress& progress_;
  const State begin_;
  State state_;
  Account account_;
  const FastestMotion fastest_;  // at the start
  const double duration_;        // [s]
  const bool adaptive_;
  double h_ = 0.0, output_ = 0.0, base_ = 0.0;  // [s]
  std::int64_t stride_ = 1, total_ = 0;         // steps between samples, and of the run
  RunResult result_;
};

}  // namespace

RunResult run(const HamiltonianSystem& system,
              State state,
              const RunOptions& options,
              SampleSink* sink,
              Diagnostics& diagnostics,
              Progress& progress) {
  check(system, state, options);
  return Run(system, std::move(state), options, sink, progress).go(diagnostics);
}

}  // namespace femflex::hamiltonian

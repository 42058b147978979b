// run(): integrates a Hamiltonian system over time. Chooses the step, makes steps from sample to
// sample (evenly, adaptively, or by the fast leapfrog), watches the energy, and explains why a run
// ended early.
#include "femflex/hamiltonian/integrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "femflex/errors.h"

#include "integrators/account.h"
#include "integrators/methods.h"
#include "integrators/run_checks.h"
#include "integrators/step_watch.h"
#include "integrators/stepper.h"

namespace femflex::hamiltonian {
namespace {

constexpr double kDefaultRows = 100.0;
// step as a share of the row distance, if no motion determines a step
constexpr double kStepPerRow = 0.1;
constexpr double kRowRoundOff = 1e-9;  // a smaller fraction of a row distance is rounding of times
// a smaller fraction of a step is rounding of times and decimal steps
constexpr double kStepRoundOff = 1e-6;
// most steps of a run, less than 2^53 so that times and step numbers stay exact
constexpr double kMaxRunSteps = 9e15;
constexpr double kMaxParts = 1e6;  // most parts of a step; with more parts the run would never end
// [kg m/s]: a momentum above this triggers a check of the energy
constexpr double kNearOverflow = 1e60;

/// One run from its first state to its last.
class Run {
 public:
  Run(const HamiltonianSystem& system,
      State state,
      const RunOptions& options,
      SampleSink* sink,
      Progress& progress)
      : dynamics_(system),
        options_(options),
        sink_(sink),
        progress_(progress),
        begin_(std::move(state)),
        state_(begin_),
        account_(dynamics_, begin_),
        duration_(options.end - begin_.time),
        watch_(system, begin_, options.integrator, duration_),
        adaptive_(method_of(options.integrator).is_adaptive) {
    if (state_.step == 0) state_.origin = state_.time;
    result_.start = account_.start();
    result_.state = begin_;
  }

  RunResult go(Diagnostics& diagnostics) {
    diagnostics_ = &diagnostics;
    choose_step();
    if (!starts_finite()) return std::move(result_);
    if (state_.step == 0) dynamics_.set_prescribed(state_.time, state_.q, state_.p);
    (void)account_.check(state_);
    send_sample();
    progress_.begin("lattice", duration_, "s");
    std::unique_ptr<FastLeapfrog> fast;
    if (options_.integrator == Integrator::leapfrog) fast = dynamics_.system().fast_leapfrog();
    is_fast_ = fast != nullptr && fast->load(state_, h_);
    if (is_fast_) {
      advance_fast(*fast);
    } else if (adaptive_) {
      step_adaptively();
    } else {
      step_evenly();
    }
    progress_.end();
    if (result_.status == RunStatus::finished || result_.status == RunStatus::stopped)
      result_.state = std::move(state_);
    const State& last = result_.state;
    result_.end = dynamics_.energy(last.memory, last.q, last.p);
    result_.work = account_.work();
    result_.broken_energy = account_.broken();
    result_.largest_energy_error = account_.error();
    if (result_.status == RunStatus::finished) {
      const std::string complaint =
          energy_warning(result_, options_, account_.error_of_moving(), watch_.advised());
      if (!complaint.empty()) diagnostics.warn("energy-error", complaint);
    }
    return std::move(result_);
  }

 private:
  void choose_step() {
    result_.stable_step = watch_.stable();
    output_ = options_.output_step > 0.0 ? options_.output_step : duration_ / kDefaultRows;
    h_ = options_.step;
    const bool has_stored_step = !adaptive_ && begin_.step_length > 0.0;
    if (has_stored_step && (h_ == 0.0 || options_.prefer_stored_step)) h_ = begin_.step_length;
    is_step_chosen_ = h_ == 0.0;
    if (is_step_chosen_) {
      // where nothing holds the start, the advice is far longer than the run
      const double advised = watch_.advised();
      const bool is_advised = advised > 0.0 && advised * kRowRoundOff < duration_;
      h_ = is_advised ? advised : kStepPerRow * output_;
      // Chooses equal steps that end at the end of the run. If rows are requested, the step divides
      // their distance and is the same for any end on a row.
      const double rows = duration_ / output_;
      const bool ends_on_row =
          options_.output_step > 0.0 && std::abs(rows - std::round(rows)) < kRowRoundOff * rows;
      const double span = ends_on_row ? output_ : duration_;
      if (!adaptive_ && duration_ > 0.0)
        h_ = span / std::max(1.0, std::ceil(span / h_ - kRowRoundOff));
    }
    result_.step = h_;
    // rows farther apart than any run is long leave the first and the last row
    const double per_row = std::min(output_ / h_, kMaxRunSteps);
    stride_ = std::max<std::int64_t>(1, std::llround(per_row));
    if (adaptive_) return;
    if (h_ > watch_.stable()) warn_of_step();
    if (!(duration_ / h_ < kMaxRunSteps))
      throw UsageError("steps",
                       "a run of " + short_number(duration_) + " s in steps of " +
                           short_number(h_) + " s would take too many steps",
                       {},
                       "take a longer step");
    total_ = static_cast<std::int64_t>(std::llround(duration_ / h_));
    if (total_ == 0 && duration_ > kStepRoundOff * h_)
      throw UsageError("steps",
                       "a step of " + short_number(h_) + " s is longer than the run of " +
                           short_number(duration_) + " s",
                       {},
                       "take a shorter step or a later end");
    set_step_length(h_);
    const double row = static_cast<double>(stride_) * h_;
    if (options_.output_step > 0.0 && !is_step_chosen_ && per_row < kMaxRunSteps &&
        std::abs(row - output_) > kStepRoundOff * h_)
      diagnostics_->warn("output-between-steps",
                         "the output step of " + short_number(output_) +
                             " s is not a whole number of steps: a row comes every " +
                             short_number(row) + " s");
    if (std::abs(static_cast<double>(total_) * h_ - duration_) > kStepRoundOff * h_)
      diagnostics_->warn("end-between-steps",
                         "the end is not a whole number of steps away; the run ends at " +
                             short_number(begin_.time + static_cast<double>(total_) * h_) + " s");
  }

  void warn_of_step() {
    const std::string name(name_of(options_.integrator));
    const bool at_once = h_ > watch_.stable_at_start();
    const std::string remedy =
        watch_.stable() > 0.0
            ? "a step of " + short_number(watch_.stable()) + " s or less is stable"
            : "no step of " + name + " is known to be stable; leapfrog is stable up to " +
                  short_number(watch_.stable_at(begin_, Integrator::leapfrog)) + " s";
    diagnostics_->warn("unstable-step",
                       "step " + short_number(h_) + " s " +
                           (dynamics_.is_dissipative() ? "may not be" : "is not") +
                           " stable with " + name +  // the estimate is conservative for dampers
                           (at_once ? " at the start: " : " once slack springs are taut: ") +
                           remedy);
  }

  /// Counts time as base + step h, so that an interrupted run gives the same bits.
  void set_step_length(double h) {
    h_ = h;
    if (state_.step_length == h) return;
    // the stored rates belong to another step length
    if (state_.step_length > 0.0) state_.history.clear();
    state_.step_length = h;
    state_.step_base = state_.time - static_cast<double>(state_.step) * h;
    if (std::abs(state_.step_base) < kStepRoundOff * h) state_.step_base = 0.0;
  }

  double time_now() const {
    return state_.step_base + static_cast<double>(state_.step) * state_.step_length;
  }

  bool starts_finite() {
    if (std::isfinite(account_.start().total()) && all_finite(begin_.q) && all_finite(begin_.p))
      return true;
    result_.status = RunStatus::unstable;
    const std::string named = dynamics_.system().not_finite(begin_.time, begin_.q);
    result_.message = "the start is not finite" + (named.empty() ? "" : ": " + named);
    return false;
  }

  /// Advances a large network by many steps per call.
  void advance_fast(FastLeapfrog& fast) {
    double loaded = h_;
    FastLeapfrog::Work before;  // work until the step was last shortened
    while (result_.steps < total_) {
      const std::int64_t wanted = std::min(stride_ - since_sample_, total_ - result_.steps);
      const std::int64_t done = advance_unless_stopped(fast, wanted);
      state_.step += done;
      result_.steps += done;
      state_.time = time_now();
      fast.store(state_);
      const FastLeapfrog::Work work = fast.work();
      account_.set_work(before + work);
      if (done < wanted) {
        if (!stop_is_due()) end_early(RunStatus::unstable, kNotFinite);
        return;
      }
      if (!energy_is_sound()) return;
      send_sample();
      if (stop_is_due()) return;
      check_step();
      if (loaded == h_) continue;
      before = before + work;
      (void)fast.load(state_, h_);  // succeeds, because it took the longer step
      loaded = h_;
    }
  }

  std::int64_t advance_unless_stopped(FastLeapfrog& fast, std::int64_t wanted) {
    // About a tenth of a second, but enough steps for the tiles to advance several at a time.
    constexpr std::size_t kCoordinates = 30'000'000;
    constexpr std::size_t kMinSteps = 64;
    const auto most =
        static_cast<std::int64_t>(std::max(kMinSteps, kCoordinates / (1 + state_.q.size())));
    std::int64_t done = 0;
    while (done < wanted) {
      const std::int64_t piece = std::min(wanted - done, most);
      const std::int64_t got = fast.advance(piece, options_.threads);
      done += got;
      if (got < piece || progress_.stop_requested()) break;
    }
    return done;
  }

  /// Number of steps that take some milliseconds in all, so that Ctrl-C takes effect at once even
  /// if rows are far apart.
  std::int64_t steps_between_polls() const {
    constexpr std::size_t kCoordinates = 100'000;
    return static_cast<std::int64_t>(1 + kCoordinates / (1 + state_.q.size()));
  }

  /// Reports progress. @return true if the user wants the run to end here
  bool stop_is_due() {
    if (progress_.stop_requested()) {
      result_.status = RunStatus::stopped;
      return true;
    }
    progress_.update(state_.time - begin_.time);
    return false;
  }

  void step_evenly() {
    Stepper stepper(dynamics_.system(), options_);
    while (result_.steps < total_) {
      const double before = state_.time;
      if (!stepper.advance(state_, before, h_)) {
        end_early(RunStatus::not_converged, "the implicit step did not converge");
        return;
      }
      state_.time = time_now();
      ++result_.steps;
      ++since_sample_;
      const bool sampled = since_sample_ == stride_ || result_.steps == total_;
      if (!record_step(h_, stepper.force_at_end(), sampled)) return;
      if (sampled) check_step();
      if (sampled) since_sample_ = 0;
    }
  }

  /// The first output time after now, and its number since the run began.
  double output_after(std::int64_t& number) const {
    const double passed = (state_.time - state_.origin) / output_;
    number = static_cast<std::int64_t>(std::floor(passed + kRowRoundOff)) + 1;
    return state_.origin + static_cast<double>(number) * output_;
  }

  void step_adaptively() {
    Stepper stepper(dynamics_.system(), options_);
    account_.break_overloaded(state_);
    // origin + k output, so a resumed run has the same output times as an uninterrupted one
    std::int64_t number = 0;
    double next_output = output_after(number);
    const double outputs = (options_.end - state_.origin) / output_;
    const bool ends_on_output = std::abs(outputs - std::round(outputs)) < kRowRoundOff;
    const double end =
        ends_on_output ? state_.origin + std::round(outputs) * output_ : options_.end;
    while (state_.time < end) {
      const double before = state_.time;
      const double goal = std::min({next_output, end, dynamics_.next_event(before)});
      const double most = goal - before;
      if (state_.last_step == 0.0) state_.last_step = std::min(most, h_);
      const double taken = stepper.advance_adaptively(state_, most, result_.rejected_steps);
      if (taken == 0.0) {
        end_early(RunStatus::not_converged, "the step became too small");
        return;
      }
      if (taken == most) state_.time = goal;
      ++result_.steps;
      const bool sampled = state_.time >= next_output || state_.time >= end;
      if (state_.time >= next_output)
        next_output = state_.origin + static_cast<double>(++number) * output_;
      if (!record_step(taken, stepper.force_at_end(), sampled)) return;
    }
  }

  /// Checks whether springs have become stiffer than when the step was chosen.
  void check_step() {
    // number of steps between checks; a check costs as much as a few steps
    constexpr std::int64_t kStepsBetweenChecks = 50;
    constexpr double kErrorForCheck = 0.01;
    constexpr double kNearlyUnstable = 0.5;
    const bool suspicious = !has_warned_ && account_.error_of_moving() > kErrorForCheck;
    const bool is_cheap = !is_fast_ || state_.q.size() <= kSmallSystem;
    const bool due =
        is_step_chosen_ && is_cheap && result_.steps - last_check_ >= kStepsBetweenChecks;
    if (!suspicious && !due) return;
    last_check_ = result_.steps;
    has_warned_ = has_warned_ || suspicious;
    if (!watch_.check(state_, suspicious)) return;
    result_.stable_step = watch_.stable();
    if (h_ <= kNearlyUnstable * watch_.stable()) return;
    const double advised = watch_.advised();
    if (!is_step_chosen_ || dynamics_.first_load_ending_at_step() > 0 || !(advised > 0.0)) {
      if (h_ > watch_.stable())
        diagnostics_->warn("unstable-step",
                           "at t = " + short_number(state_.time) +
                               " s the springs are so stiff that a step of " +
                               short_number(watch_.stable()) + " s or less is stable, not " +
                               short_number(h_) + " s");
      return;
    }
    const double parts = std::ceil(h_ / advised);
    if (!(parts < kMaxParts)) return;
    diagnostics_->warn("step-shortened",
                       "at t = " + short_number(state_.time) +
                           " s the springs have grown so stiff that the steps of " +
                           short_number(h_) + " s continue as steps of " +
                           short_number(h_ / parts) + " s",
                       {});
    const auto times = static_cast<std::int64_t>(parts);
    stride_ = std::min(stride_, total_) * times;
    total_ = result_.steps + (total_ - result_.steps) * times;
    set_step_length(h_ / parts);
    result_.step = h_;
  }

  /// Records the work of a step of length h and sends its end to the sink if that is a sample.
  bool record_step(double h, std::span<const double> force, bool sampled) {
    if (!all_finite(state_.q) || !all_finite(state_.p)) {
      end_early(RunStatus::unstable, kNotFinite);
      return false;
    }
    account_.add_step(state_, h, force);
    const bool looks = sampled || account_.every_step() || largest(state_.p) > kNearOverflow;
    if (looks && !energy_is_sound()) return false;
    if (sampled) send_sample();
    if ((sampled || result_.steps % steps_between_polls() == 0) && stop_is_due()) return false;
    if (!sampled && state_.q.size() <= kSmallSystem)
      result_.state = state_;  // is kept in case the next step diverges
    return true;
  }

  void send_sample() {
    result_.state = state_;
    if (sink_ != nullptr) sink_->sample({state_, account_.last(), account_.work()});
  }

  bool energy_is_sound() {
    if (!account_.check(state_)) {
      end_early(RunStatus::unstable, "the energy left the finite range");
    } else if (account_.has_diverged()) {
      end_early(
          RunStatus::unstable,
          "the energy has grown beyond a million times that of the start, loads and supports");
    } else {
      return true;
    }
    return false;
  }

  void end_early(RunStatus status, const std::string& what) {
    result_.status = status;
    const std::string named = find_not_finite(dynamics_.system(), result_.state, state_);
    result_.message = (named.empty() ? what : named) + " at step " + std::to_string(state_.step) +
                      ", t = " + short_number(state_.time) + " s";
    if (named.empty() && !adaptive_) result_.message += "; " + advice();
  }

  /// Says which step would have been stable.
  std::string advice() const {
    // if the step was too long from the start, the state at the end is not a guide
    const bool was_long = h_ > watch_.stable();
    const State& there = was_long ? begin_ : result_.state;
    const double leapfrog_step = watch_.stable_at(there, Integrator::leapfrog);
    const double step = was_long ? watch_.stable() : watch_.stable_at(there, options_.integrator);
    const bool is_leapfrog = options_.integrator == Integrator::leapfrog;
    // a step as long as the one that has just failed would be no help
    if (step > 0.0 && step < h_) return "a step of " + short_number(step) + " s would be stable";
    if (!is_leapfrog && leapfrog_step > 0.0 && std::isfinite(leapfrog_step) &&
        (was_long || leapfrog_step < h_))
      return "leapfrog up to " + short_number(leapfrog_step) + " s is stable";
    return "take steps shorter than " + short_number(h_) + " s";
  }

  static constexpr const char* kNotFinite = "a coordinate left the finite range";

  const Dynamics dynamics_;
  const RunOptions& options_;
  SampleSink* sink_;
  Progress& progress_;
  const State begin_;
  State state_;
  Account account_;
  const double duration_;  // [s]
  StepWatch watch_;
  const bool adaptive_;
  Diagnostics* diagnostics_ = nullptr;
  double h_ = 0.0, output_ = 0.0;        // [s]
  std::int64_t stride_ = 1, total_ = 0;  // number of steps between samples, and of the whole run
  std::int64_t since_sample_ = 0, last_check_ = 0;
  bool is_step_chosen_ =
      false;  // true if the step was neither given nor taken from a resumed state
  bool is_fast_ = false;
  bool has_warned_ = false;
  RunResult result_;
};

}  // namespace

RunResult run(const HamiltonianSystem& system,
              State state,
              const RunOptions& options,
              SampleSink* sink,
              Diagnostics& diagnostics,
              Progress& progress) {
  check_run(system, state, options);
  return Run(system, std::move(state), options, sink, progress).go(diagnostics);
}

}  // namespace femflex::hamiltonian

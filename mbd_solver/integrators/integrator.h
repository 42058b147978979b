// TimeIntegrator: the interface of time integrators, and the functions that create the three
// integrators. simulate() and Stepping use it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/progress.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

class KeptSteps;
class StepFollower;

/// Advances a State in time. One object per run; the workspace is allocated in the constructor.
class TimeIntegrator {
 public:
  TimeIntegrator() = default;
  TimeIntegrator(const TimeIntegrator&) = delete;
  TimeIntegrator& operator=(const TimeIntegrator&) = delete;
  TimeIntegrator(TimeIntegrator&&) = delete;
  TimeIntegrator& operator=(TimeIntegrator&&) = delete;
  virtual ~TimeIntegrator() = default;

  /// Starts a run at a state that fulfils the constraints and has accelerations and multipliers.
  virtual void start(State& state) = 0;
  /// Advances `state` to exactly `t` in one or more steps. Returns false if a step fails; `state`
  /// is then the last good one, and reason() gives the cause.
  virtual bool advance(State& state, double t) = 0;
  /// Sets the work done before the run was resumed [J]. Call it before start().
  virtual void set_work(double work) { work_ = work; }
  /// Until the next start(), no step evaluates anything after this time. Call it before start().
  virtual void stop_at(double /*time*/) {}
  /// Passes every accepted step to `follower`. Call it before start(). Returns false if the steps
  /// of this integrator cannot be followed.
  virtual bool follow_steps(StepFollower& /*follower*/) { return false; }
  /// Makes one step of exactly length h, regardless of its error, to repeat a step for which
  /// follow_explicit() was called. Returns false if it fails.
  virtual bool repeat(State& /*state*/, double /*h*/, double /*t*/) { return false; }
  /// Sets the Progress that is polled for a stop request before every step, because output rows may
  /// be far apart.
  void set_progress(const Progress& progress) { progress_ = &progress; }
  /// Stores in `state` the data that start() needs to continue as if there had been no pause.
  virtual void store(State& state) const { state.memory = {}; }
  /// Gives a copy of the state after every step to `kept`, which somebody empties. Call it before
  /// start(). Integrators that choose many short steps keep none.
  virtual void keep_steps(KeptSteps& /*kept*/) {}

  /// Why the last advance() failed.
  const std::string& reason() const { return reason_; }
  /// A note for the user about the steps so far; empty if there is none.
  const std::string& note() const { return note_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t rejected() const { return rejected_; }
  std::int64_t iterations() const { return iterations_; }
  double work() const { return work_; }  ///< work of all forces without a potential [J]

 protected:
  /// @throws Cancelled  a stop was requested
  void check_for_stop() const {
    if (progress_ != nullptr && progress_->stop_requested()) throw Cancelled();
  }

  const Progress* progress_ = nullptr;
  std::string reason_, note_;
  std::int64_t steps_ = 0, rejected_ = 0, iterations_ = 0;
  double work_ = 0.0;
};

std::unique_ptr<TimeIntegrator> make_generalised_alpha(Engine& engine,
                                                       const DynamicOptions& options);
std::unique_ptr<TimeIntegrator> make_runge_kutta(Engine& engine, const DynamicOptions& options);
/// @throws UsageError  the build is without SUNDIALS
std::unique_ptr<TimeIntegrator> make_bdf(Engine& engine, const DynamicOptions& options);
bool bdf_available();

}  // namespace femflex::mbd_solver

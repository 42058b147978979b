// The interface of a time integrator, and the functions that create the three integrators.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/progress.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

class StepFollower;

/// Moves a State through time. One object per run; its workspace is allocated in the constructor.
class TimeIntegrator {
 public:
  TimeIntegrator() = default;
  TimeIntegrator(const TimeIntegrator&) = delete;
  TimeIntegrator& operator=(const TimeIntegrator&) = delete;
  TimeIntegrator(TimeIntegrator&&) = delete;
  TimeIntegrator& operator=(TimeIntegrator&&) = delete;
  virtual ~TimeIntegrator() = default;

  /// Begins a run at a state that fulfils the constraints and has accelerations and multipliers.
  virtual void start(State& state) = 0;
  /// Moves `state` to exactly `t` in one or more steps. Returns false if a step fails; `state` is
  /// then the last good one and reason() gives the cause.
  virtual bool advance(State& state, double t) = 0;
  /// Sets the work done before the run was resumed [J]; to be called before start().
  virtual void set_work(double work) { work_ = work; }
  /// To be called before start(): until the next start(), no step evaluates anything beyond this
  /// time.
  virtual void stop_at(double /*time*/) {}
  /// Hands every accepted step to `follower`; to be called before start(). False: these steps
  /// cannot be followed.
  virtual bool follow_steps(StepFollower& /*follower*/) { return false; }
  /// Makes one step of exactly this length, whatever its error, where follow_explicit() was called
  /// for a like one. False: it fails.
  virtual bool repeat(State& /*state*/, double /*h*/, double /*t*/) { return false; }
  /// Sets the Progress that is polled before every step for a request to stop, because output rows
  /// may be far apart.
  void set_progress(const Progress& progress) { progress_ = &progress; }
  /// Stores in `state` the data that start() needs to continue as if there had been no pause.
  virtual void store(State& state) const { state.memory = {}; }

  /// Why the last advance() failed.
  const std::string& reason() const { return reason_; }
  /// What a user should know about the steps made so far; empty if there is nothing.
  const std::string& note() const { return note_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t rejected() const { return rejected_; }
  std::int64_t iterations() const { return iterations_; }
  double work() const { return work_; }  ///< work of all forces without a potential [J]

 protected:
  /// @throws Cancelled  thrown between two steps if a stop was requested
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
/// Whether the build has SUNDIALS, which bdf needs.
bool bdf_available();

}  // namespace femflex::mbd_solver

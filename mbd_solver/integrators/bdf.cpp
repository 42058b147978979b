// The integrator bdf: calls SUNDIALS IDA on the stabilised form, projects output rows onto the
// constraints, and passes singular positions by Runge-Kutta. Phi are the constraint residuals, G is
// their Jacobian. Equations: docs/theory/multibody.md.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/integrator.h"

#if FEMFLEX_HAVE_SUNDIALS

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "integrators/stabilised_form.h"

namespace femflex::mbd_solver {
namespace {

// IDA is stuck if its step falls below this share of its longest step so far or of the requested
// step, whichever is shorter. The first steps, of order 1, may be short.
constexpr double kMinStepShare = 1e-4;
// maximum number of failed error tests in a row; steps may shrink by 4^25
constexpr int kMaxErrorFailures = 25;
// G nearly loses rank if a row's pivot divided by its scale is below this
constexpr double kNearlySingular = 0.1;
// largest |Phi| / system size of a row taken as redundant
constexpr double kMaxRedundantViolation = 1e-9;
// first step divided by the requested one; order 1 needs short steps
constexpr double kFirstStep = 1e-3;
// smallest iteration limit of Newton's method; 4, the default of IDA, is too small with a reused
// matrix
constexpr int kMinIterations = 6;
// Constants of the convergence test, after IDA's [Hindmarsh 2005]. IDA accepts a rate estimate
// below 1 x tolerance, here 0.1, because a constraint violation does not shrink in later steps; a
// first correction is never accepted by the rate of an earlier step. A first correction below this
// share of the tolerance needs no second one.
constexpr double kSingleCorrection = 1e-4;
constexpr double kMaxRate = 0.9;  // convergence rate above which corrections no longer shrink
// share of the tolerance that the omitted next correction may have
constexpr double kErrorShare = 0.1;
// share of the tolerance below which a correction is accepted although corrections do not shrink
constexpr double kStalled = 0.3;
constexpr double kStalledByNoise = 3.0;  // the same if corrections are only round-off
constexpr double kBdfClosed = 1e-14;     // |Phi| / system size below this is round-off
constexpr int kRowPasses = 5;            // maximum number of projection passes for an output row
// maximum number of Runge-Kutta advances in one crossing, each at most one requested step long
constexpr int kMaxCrossingSteps = 100;
// maximum number of attempts to cross one singular position, and to pass a position where the step
// became too short although G is regular
constexpr int kMaxSingularCrossings = 6;
constexpr int kMaxRegularCrossings = 3;
// a crossing was successful if IDA then takes more steps than this
constexpr std::int64_t kStepsAfterCrossing = 20;
// in each further attempt the crossing ends at a pivot larger by this factor
constexpr double kPivotGrowth = 10.0;

/// Integrates the stabilised index-2 form by IDA's variable-order BDF. eq. (36-40)
class Bdf final : public TimeIntegrator {
 public:
  Bdf(Engine& engine, const DynamicOptions& options)
      : engine_(engine), options_(options), form_(engine) {
    SUNContext_Create(nullptr, &context_);
    for (N_Vector* v : {&y_, &y_dot_, &interpolated_, &tolerance_, &id_}) {
      *v = N_VNew_Serial(form_.size(), context_);
      N_VConst(0.0, *v);
    }
    linear_ = SUNLinSolNewEmpty(context_);
    linear_->content = this;
    linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_MATRIX_EMBEDDED; };
    linear_->ops->solve =
        [](SUNLinearSolver self, SUNMatrix, N_Vector x, N_Vector b, realtype) -> int {
      return static_cast<Bdf*>(self->content)->solve(N_VGetArrayPointer(x), N_VGetArrayPointer(b));
    };
  }
  Bdf(const Bdf&) = delete;
  Bdf& operator=(const Bdf&) = delete;
  Bdf(Bdf&&) = delete;
  Bdf& operator=(Bdf&&) = delete;
  ~Bdf() override {
    IDAFree(&ida_);
    SUNNonlinSolFree(newton_);
    SUNLinSolFreeEmpty(linear_);
    for (N_Vector v : {y_, y_dot_, interpolated_, tolerance_, id_})
      N_VDestroy(v);
    SUNContext_Free(&context_);
  }

  void stop_at(double time) override {
    if (crossing_ != nullptr)
      keep_crossing();
    else if (ida_ != nullptr)
      keep_counts();
    stop_ = std::min(time, options_.end);
  }

  void set_work(double work) override { form_.work(N_VGetArrayPointer(y_)) = work_ = work; }

  void start(State& state) override {
    state.algorithmic_acceleration.resize(0);
    state.algorithmic_rates.resize(0);
    form_.set(state, N_VGetArrayPointer(y_), N_VGetArrayPointer(y_dot_));
    form_.set_tolerances(
        options_.absolute_tolerance, N_VGetArrayPointer(tolerance_), N_VGetArrayPointer(id_));
    IDAFree(&ida_);
    ida_ = IDACreate(context_);
    IDASetErrFile(ida_, nullptr);  // messages go to reason_ instead
    const auto function = [](realtype t, N_Vector u, N_Vector u_dot, N_Vector r, void* self) {
      Bdf& bdf = *static_cast<Bdf*>(self);
      ++bdf.iterations_;
      const bool finite = bdf.form_.residual(
          t, N_VGetArrayPointer(u), N_VGetArrayPointer(u_dot), N_VGetArrayPointer(r));
      return finite ? 0 : 1;
    };
    const auto weigh = [](N_Vector u, N_Vector weight, void* self) {
      const Bdf& bdf = *static_cast<Bdf*>(self);
      bdf.form_.weigh(bdf.options_.relative_tolerance,
                      N_VGetArrayPointer(bdf.tolerance_),
                      N_VGetArrayPointer(u),
                      N_VGetArrayPointer(weight));
      return 0;
    };
    const bool ready = IDAInit(ida_, function, state.time, y_, y_dot_) == IDA_SUCCESS &&
                       IDASetUserData(ida_, this) == IDA_SUCCESS &&
                       IDAWFtolerances(ida_, weigh) == IDA_SUCCESS &&
                       IDASetLinearSolver(ida_, linear_, nullptr) == IDA_SUCCESS;
    if (!ready) throw NumericalError("ida", "IDA could not be set up");
    // without a set-up before the solve, IDA's own test accepts the first correction unchecked
    SUNNonlinSolFree(newton_);
    newton_ = SUNNonlinSol_Newton(y_, context_);
    if (newton_ == nullptr || IDASetNonlinearSolver(ida_, newton_) != IDA_SUCCESS)
      throw NumericalError("ida", "IDA could not be set up");
    SUNNonlinSolSetConvTestFn(
        newton_,
        [](SUNNonlinearSolver solver,
           N_Vector,
           N_Vector change,
           realtype tolerance,
           N_Vector weights,
           void* self) {
          int iteration = 0;
          SUNNonlinSolGetCurIter(solver, &iteration);
          return static_cast<Bdf*>(self)->test_convergence(
              iteration, N_VWrmsNorm(change, weights), tolerance);
        },
        this);
    IDASetId(ida_, id_);
    IDASetSuppressAlg(ida_, 1);
    IDASetMaxOrd(ida_, options_.max_order);
    IDASetMaxNumSteps(ida_, -1);
    IDASetMaxNonlinIters(ida_, std::max(options_.max_newton, kMinIterations));
    if (options_.max_step > 0.0) IDASetMaxStep(ida_, options_.max_step);
    IDASetMinStep(ida_, options_.min_step);
    IDASetMaxErrTestFails(ida_, kMaxErrorFailures);
    longest_step_ = 0.0;
    IDASetInitStep(ida_, kFirstStep * options_.step);
    reached_ = state.time;
    set_stop_time();
    must_choose_rows_ = false;
  }

  bool advance(State& state, double t) override {
    const Model& m = engine_.model;
    row_ = t;
    if (m.network.has_events) set_stop_time();
    while (reached_ < t) {
      check_for_stop();
      if (crossing_ != nullptr) {
        if (!continue_crossing(state, t)) return false;
        continue;
      }
      if (must_choose_rows_ && !restart_here(state)) return false;
      const int flag = IDASolve(ida_, options_.end, &reached_, y_, y_dot_, IDA_ONE_STEP);
      count();
      if (flag < 0) {
        set_reason(flag);
        if (!begin_crossing(state, flag)) return false;
        continue;
      }
      raise_min_step();
      const double* y = N_VGetArrayPointer(y_);
      bool has_event = false;
      if (m.has_memory()) {
        form_.get(y, state);
        engine_.set_position(reached_, state.position);
        if (m.event_count > 0) engine_.set_velocity(state.velocity);
        has_event = engine_.update_memory(state);
      }
      must_choose_rows_ =
          has_event || form_.wants_other_rows(reached_, y, kMaxRedundantViolation * m.length_scale);
    }
    if (crossing_ != nullptr) {  // Runge-Kutta computed this row
      work_ = form_.work(N_VGetArrayPointer(y_)) + crossing_->work();
      return true;
    }
    if (IDAGetDky(ida_, t, 0, interpolated_) != IDA_SUCCESS) {
      reason_ = fmt::format("IDA keeps no solution at t = {:.9g} s", t);
      return false;
    }
    work_ = form_.work(N_VGetArrayPointer(interpolated_));
    return output_state(state, t, N_VGetArrayPointer(interpolated_));
  }

 private:
  /// Stops IDA at stop_, because loads may not be defined after it. The memory of relays and plays
  /// cannot be interpolated, so a system with them also stops at every output row.
  void set_stop_time() {
    const bool ends_at_rows = engine_.model.network.has_events && row_ > reached_;
    IDASetStopTime(ida_, ends_at_rows ? std::min(row_, stop_) : stop_);
  }

  /// Linear solve of IDA's Newton iteration. Returns 0; 1 if the matrix cannot be factored; -1
  /// if IDA gives no data.
  int solve(double* out, const double* b) {
    double t = 0.0, cj = 0.0;
    N_Vector y = nullptr, y_dot = nullptr, predicted = nullptr, predicted_dot = nullptr,
             res = nullptr;
    void* data = nullptr;
    if (IDAGetNonlinearSystemData(
            ida_, &t, &predicted, &predicted_dot, &y, &y_dot, &res, &cj, &data) != IDA_SUCCESS)
      return -1;
    return form_.newton_step(t, cj, N_VGetArrayPointer(y), b, out) ? 0 : 1;
  }

  /// Convergence test of Newton's method. A second correction is made unless the first is tiny,
  /// because one correction does not give the convergence rate, and the error of an accepted step
  /// does not shrink later.
  int test_convergence(int iteration, double size, double tolerance) {
    const double last = last_change_;
    last_change_ = size;
    if (iteration == 0)
      return size <= kSingleCorrection * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
    const double rate = size / last;
    // if G nearly loses rank, the remaining correction is only round-off of Phi divided by the
    // square of the smallest singular value of G
    const bool noise = form_.weakest_row() < kNearlySingular &&
                       engine_.largest_phi() < kBdfClosed * engine_.model.length_scale;
    if (rate > kMaxRate)
      return size <= (noise ? kStalledByNoise : kStalled) * tolerance ? SUN_NLS_SUCCESS
                                                                      : SUN_NLS_CONV_RECVR;
    return rate * size <= kErrorShare * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  /// Sets `state` to y at t and projects it, because IDA fulfils the constraints only within its
  /// tolerance. Returns false and sets reason_ if the accelerations cannot be computed.
  bool output_state(State& state, double t, const double* y) {
    const Model& m = engine_.model;
    form_.get(y, state);
    state.time = t;
    engine_.ws.state_constants = state.force_states;
    if (m.nl > 0) engine_.project_position(t, state.position, kRowPasses, kBdfClosed);
    engine_.set_position(t, state.position);
    engine_.update_angles(state);
    if (engine_.project_velocity(state.velocity) &&
        engine_.accelerations(state.acceleration, state.multipliers))
      return true;
    reason_ = engine_.kkt.failure();
    return false;
  }

  /// Restarts IDA from its present state and chooses the rows of Phi anew there.
  bool restart_here(State& state) {
    if (!output_state(state, reached_, N_VGetArrayPointer(y_))) return false;
    keep_counts();
    start(state);
    return true;
  }

  /// Called if IDA's step became very small. If G loses rank there, Runge-Kutta on the index-1 form
  /// crosses the singular position, and IDA restarts after it. Returns false if further crossings
  /// do not help: then the cause is not a singular position.
  bool begin_crossing(State& state, int flag) {
    const Model& m = engine_.model;
    // besides constraints, force states with a kink in their rates (bristles) may stop IDA
    if ((m.nl == 0 && m.state_count == 0) || (flag != IDA_ERR_FAIL && flag != IDA_CONV_FAIL))
      return false;
    if (steps_since_start() > kStepsAfterCrossing) crossings_ = 0;
    if (!output_state(state, reached_, N_VGetArrayPointer(y_))) return false;
    const double weakest = m.nl > 0 ? engine_.kkt.weakest_row(m) : 1.0;
    if (++crossings_ > (weakest < kNearlySingular ? kMaxSingularCrossings : kMaxRegularCrossings))
      return false;
    pivot_goal_ = weakest < kNearlySingular
                      ? std::min(kNearlySingular, std::pow(kPivotGrowth, crossings_) * weakest)
                      : 0.0;
    keep_counts();
    crossing_ = make_runge_kutta(engine_, options_);
    crossing_->start(state);
    crossing_steps_ = 0;
    return true;
  }

  bool continue_crossing(State& state, double t) {
    const bool has_advanced = crossing_->advance(state, std::min(reached_ + options_.step, t));
    count_crossing();
    if (!has_advanced) {
      reason_ = crossing_->reason();
      return false;
    }
    reached_ = state.time;
    engine_.set_position(state.time, state.position);  // the last Runge-Kutta stage was at another
                                                       // state
    engine_.set_velocity(state.velocity);
    if (!engine_.accelerations(state.acceleration, state.multipliers)) {
      reason_ = engine_.kkt.failure();
      return false;
    }
    if (engine_.model.nl > 0 && engine_.kkt.weakest_row(engine_.model) < pivot_goal_ &&
        ++crossing_steps_ < kMaxCrossingSteps)
      return true;
    form_.work(N_VGetArrayPointer(y_)) += crossing_->work();
    keep_crossing();
    start(state);
    reason_.clear();
    return true;
  }

  /// Sets IDA's smallest step to a share of its longest step so far, so that a collapse of the step
  /// is detected early.
  void raise_min_step() {
    double last = 0.0;
    IDAGetLastStep(ida_, &last);
    if (!(last > longest_step_)) return;
    longest_step_ = last;
    IDASetMinStep(
        ida_, std::max(options_.min_step, kMinStepShare * std::min(longest_step_, options_.step)));
  }

  std::int64_t steps_since_start() const {
    long steps = 0;
    IDAGetNumSteps(ida_, &steps);
    return steps;
  }

  /// Sets the numbers of steps and rejected steps while IDA advances. Its residual counts the
  /// iterations.
  void count() {
    long failures = 0;
    IDAGetNumErrTestFails(ida_, &failures);
    steps_ = earlier_steps_ + steps_since_start();
    rejected_ = earlier_failures_ + failures;
  }
  /// The same, with the iterations, while Runge-Kutta crosses a singular position.
  void count_crossing() {
    steps_ = earlier_steps_ + crossing_->steps();
    rejected_ = earlier_failures_ + crossing_->rejected();
    iterations_ = earlier_iterations_ + crossing_->iterations();
  }
  /// Keeps the numbers so far, before IDA or a crossing starts.
  void keep_counts() {
    count();
    earlier_steps_ = steps_;
    earlier_failures_ = rejected_;
    earlier_iterations_ = iterations_;
  }
  void keep_crossing() {
    count_crossing();
    earlier_steps_ = steps_;
    earlier_failures_ = rejected_;
    crossing_.reset();
  }

  void set_reason(int flag) {
    double t = reached_;
    IDAGetCurrentTime(ida_, &t);
    std::string who;
    if (IDAGetEstLocalErrors(ida_, interpolated_) == IDA_SUCCESS)
      who = form_.fastest(N_VGetArrayPointer(interpolated_));
    const char* why = "IDA gave up";
    if (flag == IDA_ERR_FAIL)
      why = options_.max_order > 2
                ? "the step fell below its limit (fast motions with little damping need max_order "
                  "2, or Runge-Kutta)"
                : "the step fell below its limit";
    if (flag == IDA_CONV_FAIL) why = "Newton's method did not converge";
    if (flag == IDA_REP_RES_ERR || flag == IDA_FIRST_RES_FAIL) why = "the forces are not finite";
    reason_ = fmt::format("{} at t = {:.9g} s{}{}", why, t, who.empty() ? "" : "; worst: ", who);
  }

  Engine& engine_;
  const DynamicOptions& options_;
  StabilisedForm form_;
  double reached_ = 0.0;
  double stop_ = options_.end;
  double row_ = 0.0;           // time to which advance() goes
  double longest_step_ = 0.0;  // longest step of IDA since its start
  bool must_choose_rows_ = false;
  std::unique_ptr<TimeIntegrator> crossing_;  // not null while a singular position is crossed
  double pivot_goal_ = 0.0;                   // IDA restarts if the weakest pivot is at least this
  int crossing_steps_ = 0;
  int crossings_ = 0;  // number of crossings since IDA last continued by itself
  std::int64_t earlier_steps_ = 0, earlier_failures_ = 0, earlier_iterations_ = 0;
  SUNContext context_ = nullptr;
  void* ida_ = nullptr;
  N_Vector y_ = nullptr, y_dot_ = nullptr, interpolated_ = nullptr, tolerance_ = nullptr,
           id_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver newton_ = nullptr;
  double last_change_ = 0.0;
};

}  // namespace

bool bdf_available() {
  return true;
}

std::unique_ptr<TimeIntegrator> make_bdf(Engine& engine, const DynamicOptions& options) {
  return std::make_unique<Bdf>(engine, options);
}

}  // namespace femflex::mbd_solver

#else

namespace femflex::mbd_solver {

bool bdf_available() {
  return false;
}

std::unique_ptr<TimeIntegrator> make_bdf(Engine& /*engine*/, const DynamicOptions& /*options*/) {
  throw UsageError("no-bdf",
                   "the integrator bdf needs SUNDIALS, which is not in this build",
                   {},
                   "install libsundials-dev and build again, or use generalised-alpha or "
                   "runge-kutta");
}

}  // namespace femflex::mbd_solver

#endif

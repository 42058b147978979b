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

#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Map = Eigen::Map<VectorXd>;
using ConstMap = Eigen::Map<const VectorXd>;

constexpr double kSmallest =
    1e-4;  // step of IDA over the first one: below, it stands before a wall

/// Gear-Gupta-Leimkuhler form of index 2 by IDA's variable-order BDF. eq. (36-38)
/// Unknowns: positions with quaternions (nq), velocities (nv), multipliers lambda and mu (nl each),
/// and the work of everything without potential.
class Bdf final : public TimeIntegrator {
 public:
  Bdf(Engine& engine, const DynamicOptions& options)
      : engine_(engine), options_(options), position_kkt_(engine.model) {
    const Model& m = engine.model;
    size_ = m.nq + m.nv + 2 * m.nl + 1;
    q_ = m.initial.position;
    for (VectorXd* x : {&twist_, &a_, &x_, &w_, &dv_, &base_, &r1_})
      x->setZero(m.nv);
    for (VectorXd* y : {&lambda_, &dl_, &c_})
      y->setZero(m.nl);
    SUNContext_Create(nullptr, &context_);
    for (N_Vector* v : {&y_, &y_dot_, &dense_, &tolerance_, &id_}) {
      *v = N_VNew_Serial(size_, context_);
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
    for (N_Vector v : {y_, y_dot_, dense_, tolerance_, id_})
      N_VDestroy(v);
    SUNContext_Free(&context_);
  }

  void start(State& state) override {
    state.algorithmic_acceleration.resize(0);
    const Model& m = engine_.model;
    double* y = N_VGetArrayPointer(y_);
    double* y_dot = N_VGetArrayPointer(y_dot_);
    Map(y, m.nq) = state.position;
    Map(y + m.nq, m.nv) = state.velocity;
    Map(y + m.nq + m.nv, m.nl) = state.multipliers;
    Map(y_dot + m.nq, m.nv) = state.acceleration;
    rates_of(state.position, state.velocity, y_dot);
    engine_.set_all(state);
    y_dot[size_ - 1] = input_power(m, engine_.ws);
    set_tolerances();
    IDAFree(&ida_);
    ida_ = IDACreate(context_);
    IDASetErrFile(ida_, nullptr);  // reasons are ours to give
    const auto function = [](realtype t, N_Vector u, N_Vector u_dot, N_Vector r, void* self) {
      return static_cast<Bdf*>(self)->equations(
          t, N_VGetArrayPointer(u), N_VGetArrayPointer(u_dot), N_VGetArrayPointer(r));
    };
    const bool ready =
        IDAInit(ida_, function, state.time, y_, y_dot_) == IDA_SUCCESS &&
        IDASetUserData(ida_, this) == IDA_SUCCESS &&
        IDASVtolerances(ida_, options_.relative_tolerance, tolerance_) == IDA_SUCCESS &&
        IDASetLinearSolver(ida_, linear_, nullptr) == IDA_SUCCESS;
    if (!ready) throw NumericalError("ida", "IDA could not be set up");
    // IDA's own test takes the first correction on trust where no set-up precedes the solve
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
          return static_cast<Bdf*>(self)->judge(iteration, N_VWrmsNorm(change, weights), tolerance);
        },
        this);
    IDASetId(ida_, id_);
    IDASetSuppressAlg(ida_, 1);
    IDASetMaxOrd(ida_, options_.max_order);
    IDASetMaxNumSteps(ida_, -1);
    IDASetMaxNonlinIters(ida_, std::max(options_.max_newton, 6));
    if (options_.max_step > 0.0) IDASetMaxStep(ida_, options_.max_step);
    IDASetMinStep(ida_, std::max(options_.min_step, kSmallest * options_.step));
    IDASetInitStep(ida_, 1e-3 * options_.step);
    IDASetStopTime(ida_, options_.end);  // loads may not be defined beyond
    reached_ = state.time;
  }

  bool advance(State& state, double t) override {
    const Model& m = engine_.model;
    while (reached_ < t) {
      const int flag = IDASolve(ida_, options_.end, &reached_, y_, y_dot_, IDA_ONE_STEP);
      count();
      if (flag < 0) {
        explain(flag);
        if (!bridge(state, flag, t)) return false;
        continue;
      }
      if (m.turns > 0) {
        normalise(N_VGetArrayPointer(y_));
        engine_.set_position(reached_, q_);
        update_turns(m, engine_.ws, state.joint_angles);
        engine_.ws.turns = state.joint_angles;
      }
    }
    if (IDAGetDky(ida_, t, 0, dense_) != IDA_SUCCESS) {
      reason_ = fmt::format("IDA keeps no solution at t = {:.9g} s", t);
      return false;
    }
    const double* y = N_VGetArrayPointer(dense_);
    normalise(y);
    state.time = t;
    state.position = q_;
    state.velocity = ConstMap(y + m.nq, m.nv);
    work_ = y[size_ - 1];
    // what IDA holds within its tolerance is brought onto the constraints for those who look
    if (m.nl > 0) engine_.project_position(t, state.position, 5, 1e-14);
    engine_.set_position(t, state.position);
    if (m.turns > 0) {
      update_turns(m, engine_.ws, state.joint_angles);
      engine_.ws.turns = state.joint_angles;
    }
    if (!engine_.project_velocity(state.velocity) ||
        !engine_.accelerations(state.acceleration, state.multipliers)) {
      reason_ = engine_.kkt.failure();
      return false;
    }
    return true;
  }

 private:
  /// q_ := positions of y with unit quaternions.
  void normalise(const double* y) {
    const Model& m = engine_.model;
    q_ = ConstMap(y, m.nq);
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k)
      q_.segment<4>(m.bodies[k].q0 + 3).normalize();
  }

  /// q' of velocities v. eq. (1)
  void rates_of(const VectorXd& q, const VectorXd& v, double* rates) const {
    const Model& m = engine_.model;
    std::fill(rates, rates + m.nq, 0.0);
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
      const BodyModel& b = m.bodies[k];
      Vector3d w = Vector3d::Zero();
      for (int c = 0; c < b.nr; ++c) {
        const int d = b.dof[static_cast<std::size_t>(c)];
        (d < 3 ? rates[b.q0 + d] : w(d - 3)) = v(b.v0 + c);
      }
      turn(q.data() + b.q0 + 3, w, rates + b.q0 + 3);
      for (int c = 0; c < b.n; ++c)
        rates[b.q0 + 7 + c] = v(b.v0 + b.nr + c);
    }
  }

  /// 1/2 q w, quaternions as w x y z.
  static void turn(const double* q, const Vector3d& w, double* out) {
    const Eigen::Quaterniond product =
        Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Eigen::Quaterniond(0.0, w.x(), w.y(), w.z());
    out[0] = 0.5 * product.w();
    for (int c = 0; c < 3; ++c)
      out[1 + c] = 0.5 * product.vec()(c);
  }

  void set_tolerances() {
    const Model& m = engine_.model;
    const double unit = options_.absolute_tolerance;
    double* tol = N_VGetArrayPointer(tolerance_);
    double* id = N_VGetArrayPointer(id_);
    std::fill(tol, tol + size_, 1e30);  // multipliers and work follow
    std::fill(id, id + size_, 0.0);
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
      const BodyModel& b = m.bodies[k];
      const double modal = unit * m.length_scale * std::sqrt(std::max(b.mass, 1e-12));
      for (int c = 0; c < 7 + b.n; ++c)
        tol[b.q0 + c] = c < 3 ? unit * m.length_scale : (c < 7 ? unit : modal);
      for (int c = 0; c < b.nr + b.n; ++c)
        tol[m.nq + b.v0 + c] =
            c >= b.nr ? modal
                      : (b.dof[static_cast<std::size_t>(c)] < 3 ? unit * m.length_scale : unit);
    }
    std::fill(id, id + m.nq + m.nv, 1.0);
  }

  // eq. (36-38); per body the rows of q' are those of its free velocities, one that keeps the
  // quaternion's length, and q' = 0 where it cannot move
  int equations(double t, const double* y, const double* y_dot, double* r) {
    const Model& m = engine_.model;
    ++iterations_;
    if (!ConstMap(y, m.nq + m.nv).allFinite()) return 1;
    normalise(y);
    v_ = ConstMap(y + m.nq, m.nv);
    lambda_ = ConstMap(y + m.nq + m.nv, m.nl);
    engine_.set_position(t, q_);
    engine_.set_velocity(v_);
    constraint_rates(m, engine_.ws, false);
    std::fill(r, r + m.nq, 0.0);
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
      const BodyModel& b = m.bodies[k];
      const double* q = y + b.q0;
      const double* q_dot = y_dot + b.q0;
      const Eigen::Quaterniond p(q[3], q[4], q[5], q[6]),
          p_dot(q_dot[3], q_dot[4], q_dot[5], q_dot[6]);
      const Vector3d w = (2.0 / p.squaredNorm()) * (p.conjugate() * p_dot).vec();
      bool free[7] = {};
      for (int c = 0; c < b.nr; ++c) {
        const int d = b.dof[static_cast<std::size_t>(c)];
        twist_(b.v0 + c) = (d < 3 ? q_dot[d] : w(d - 3)) - v_(b.v0 + c);
        free[slot(d)] = true;
      }
      for (int c = 0; c < b.n; ++c)
        twist_(b.v0 + b.nr + c) = q_dot[7 + c] - v_(b.v0 + b.nr + c);
      for (int c = 0; c < 7; ++c)
        if (!free[c]) r[b.q0 + c] = q_dot[c];
      if (turns(b)) r[b.q0 + 3] = p.dot(p_dot) + (p.squaredNorm() - 1.0);
    }
    a_ = ConstMap(y_dot + m.nq, m.nv);
    residual(m, engine_.ws, engine_.zero_v, nullptr);
    base_ = engine_.ws.force;
    residual(m, engine_.ws, twist_, nullptr);
    r1_ = engine_.ws.force - base_;  // M (q' - v)
    residual(m, engine_.ws, a_, &lambda_);
    c_ = ConstMap(y + m.nq + m.nv + m.nl, m.nl);
    add_jacobian_transposed_times(m, engine_.ws, c_, r1_);
    scatter(r1_, r);
    Map(r + m.nq, m.nv) = engine_.ws.force;
    Map(r + m.nq + m.nv, m.nl) = engine_.ws.phi;
    c_ = engine_.ws.phi_t;
    add_jacobian_times(m, engine_.ws, v_, c_);
    Map(r + m.nq + m.nv + m.nl, m.nl) = c_;
    engine_.ws.multipliers = lambda_;
    r[size_ - 1] = y_dot[size_ - 1] - input_power(m, engine_.ws);
    return Map(r, size_).allFinite() ? 0 : 1;
  }

  static int slot(int d) { return d < 3 ? d : d + 1; }  // of a velocity in p, quaternion
  static bool turns(const BodyModel& b) {
    return b.nr > 0 && b.dof[static_cast<std::size_t>(b.nr - 1)] >= 3;
  }
  void scatter(const VectorXd& x, double* rows) const {
    for (std::size_t k = 0; k + 1 < engine_.model.bodies.size(); ++k) {
      const BodyModel& b = engine_.model.bodies[k];
      for (int c = 0; c < b.nr; ++c)
        rows[b.q0 + slot(b.dof[static_cast<std::size_t>(c)])] = x(b.v0 + c);
      for (int c = 0; c < b.n; ++c)
        rows[b.q0 + 7 + c] = x(b.v0 + b.nr + c);
    }
  }

  // Newton's step in two halves that share G: positions with [M G'; G 0], velocities with
  // [cj M + C + K / cj, G'; G 0]. eq. (39)
  int solve(double* out, const double* b) {
    const Model& m = engine_.model;
    double t = 0.0, cj = 0.0;
    N_Vector y_n = nullptr, y_dot_n = nullptr, predicted = nullptr, predicted_dot = nullptr,
             res = nullptr;
    void* data = nullptr;
    if (IDAGetNonlinearSystemData(
            ida_, &t, &predicted, &predicted_dot, &y_n, &y_dot_n, &res, &cj, &data) != IDA_SUCCESS)
      return -1;
    // the equations have just been evaluated here: kinematics, G and forces stand
    const double* y = N_VGetArrayPointer(y_n);
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
      const BodyModel& body = m.bodies[k];
      for (int c = 0; c < body.nr; ++c)
        w_(body.v0 + c) = b[body.q0 + slot(body.dof[static_cast<std::size_t>(c)])];
      for (int c = 0; c < body.n; ++c)
        w_(body.v0 + body.nr + c) = b[body.q0 + 7 + c];
    }
    r1_ = w_;
    dv_ = ConstMap(b + m.nq, m.nv);
    const ConstMap b_phi(b + m.nq + m.nv, m.nl), b_rate(b + m.nq + m.nv + m.nl, m.nl);
    if (!position_kkt_.factor(m, engine_.ws, 0.0, 0.0) ||
        !engine_.kkt.factor(m, engine_.ws, 1.0 / cj, 1.0 / (cj * cj)))
      return 1;
    c_ = cj * b_phi;
    position_kkt_.solve(m, engine_.ws, r1_, c_, w_, dl_);
    // what this move of positions alone does to the forces
    base_ = engine_.ws.force;
    x_ = w_ / cj;
    saved_ = q_;
    move(m, saved_, x_, q_);
    position_only(t);
    residual(m, engine_.ws, a_, &lambda_);
    dv_ -= engine_.ws.force - base_;
    q_ = saved_;
    position_only(t);
    dv_ /= cj;
    c_ = b_rate;
    engine_.kkt.solve(m, engine_.ws, dv_, c_, x_, dl_);
    dv_ = x_;
    Map(out + m.nq, m.nv) = dv_;
    Map(out + m.nq + m.nv, m.nl) = cj * dl_;
    c_ = cj * b_phi - b_rate;
    position_kkt_.solve(m, engine_.ws, r1_, c_, w_, dl_);
    Map(out + m.nq + m.nv + m.nl, m.nl) = dl_;
    x_ = (dv_ + w_) / cj;
    for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
      const BodyModel& body = m.bodies[k];
      double* to = out + body.q0;
      for (int c = 0; c < 7; ++c)
        to[c] = b[body.q0 + c] / cj;
      Vector3d w = Vector3d::Zero();
      for (int c = 0; c < body.nr; ++c) {
        const int d = body.dof[static_cast<std::size_t>(c)];
        (d < 3 ? to[d] : w(d - 3)) = x_(body.v0 + c);
      }
      if (turns(body)) {
        const double* p = y + body.q0 + 3;
        const double stretch = b[body.q0 + 3] / (cj + 2.0);
        turn(p, w, to + 3);
        for (int c = 0; c < 4; ++c)
          to[3 + c] += stretch * p[c];
      }
      for (int c = 0; c < body.n; ++c)
        to[7 + c] = x_(body.v0 + body.nr + c);
    }
    out[size_ - 1] = b[size_ - 1] / cj;
    return Map(out, size_).allFinite() ? 0 : 1;
  }

  /// A second correction is always made: what the first one leaves is not known before, and an
  /// error in accepted steps does not shrink with the next ones.
  int judge(int iteration, double size, double tolerance) {
    const double last = last_change_;
    last_change_ = size;
    if (iteration == 0) return size <= 1e-4 * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
    const double rate = size / last;
    if (rate > 0.9) return size <= 0.3 * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONV_RECVR;
    return rate * size <= 0.1 * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  void position_only(double t) {
    engine_.set_position(t, q_);
    engine_.set_velocity(v_);
  }

  std::int64_t steps_since_start() const {
    long steps = 0;
    IDAGetNumSteps(ida_, &steps);
    return steps;
  }

  void count() {
    long failures = 0;
    IDAGetNumErrTestFails(ida_, &failures);
    steps_ = earlier_steps_ + steps_since_start();
    rejected_ = earlier_failures_ + failures;
  }

  /// Where the step collapses because G loses rank one step of the index-1 form leads across, and
  /// IDA starts anew behind. Where that does not help it is no singular position.
  bool bridge(State& state, int flag, double t) {
    const Model& m = engine_.model;
    if (m.nl == 0 || (flag != IDA_ERR_FAIL && flag != IDA_CONV_FAIL)) return false;
    if (steps_since_start() > 20) bridges_ = 0;
    if (++bridges_ > 3) return false;
    normalise(N_VGetArrayPointer(y_));
    const double* y = N_VGetArrayPointer(y_);
    state.time = reached_;
    state.position = q_;
    state.velocity = ConstMap(y + m.nq, m.nv);
    const double work = y[size_ - 1];
    engine_.project_position(reached_, state.position, 5, 1e-14);
    if (!engine_.project_velocity(state.velocity) ||
        !engine_.accelerations(state.acceleration, state.multipliers))
      return false;
    const std::unique_ptr<TimeIntegrator> across = make_runge_kutta(engine_, options_);
    across->start(state);
    if (!across->advance(state, std::min(reached_ + options_.step, t))) return false;
    earlier_steps_ += across->steps() + steps_since_start();
    earlier_failures_ = rejected_;
    engine_.set_position(state.time, state.position);  // RK's last stage is not quite here
    engine_.set_velocity(state.velocity);
    if (!engine_.accelerations(state.acceleration, state.multipliers)) return false;
    N_VGetArrayPointer(y_)[size_ - 1] = work + across->work();
    start(state);
    reason_.clear();
    return true;
  }

  void explain(int flag) {
    const Model& m = engine_.model;
    double t = reached_, step = 0.0;
    IDAGetCurrentTime(ida_, &t);
    IDAGetLastStep(ida_, &step);
    std::string who;
    if (IDAGetEstLocalErrors(ida_, dense_) == IDA_SUCCESS) {
      const double* error = N_VGetArrayPointer(dense_);
      x_ = ConstMap(error + m.nq, m.nv);
      engine_.size_of(x_, &who);
    }
    const char* why = "IDA gave up";
    if (flag == IDA_ERR_FAIL) why = "the step fell below its limit";
    if (flag == IDA_CONV_FAIL) why = "Newton's method did not converge";
    if (flag == IDA_REP_RES_ERR || flag == IDA_FIRST_RES_FAIL) why = "the forces are not finite";
    reason_ = fmt::format("{} at t = {:.9g} s{}{}", why, t, who.empty() ? "" : "; worst: ", who);
  }

  Engine& engine_;
  const DynamicOptions& options_;
  KktMatrix position_kkt_;
  Eigen::Index size_ = 0;
  double reached_ = 0.0;
  int bridges_ = 0;  // since IDA last went on by itself
  std::int64_t earlier_steps_ = 0, earlier_failures_ = 0;
  SUNContext context_ = nullptr;
  void* ida_ = nullptr;
  N_Vector y_ = nullptr, y_dot_ = nullptr, dense_ = nullptr, tolerance_ = nullptr, id_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver newton_ = nullptr;
  double last_change_ = 0.0;
  VectorXd q_, saved_, v_, twist_, a_, x_, w_, dv_, base_, r1_, lambda_, dl_, c_;
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
                   "the integrator bdf needs SUNDIALS, which this build is without",
                   {},
                   "install libsundials-dev and build again, or use generalised-alpha or "
                   "runge-kutta");
}

}  // namespace femflex::mbd_solver

#endif

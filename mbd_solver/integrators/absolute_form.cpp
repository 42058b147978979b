// The coordinates of runge-kutta for every model: moves of all bodies, with constraints. Index-1
// form with projection. eq. (24, 25) of docs/theory/multibody.md.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integrators/step_form.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::VectorXd;

// share of the tolerance; the change of the rates by a shorter projection is negligible
constexpr double kSmallProjection = 0.5;
constexpr double kProjected = 1e-14;  // a projection ends if |Phi| is below this round-off level

class AbsoluteForm final : public StepForm {
 public:
  AbsoluteForm(Engine& engine, const DynamicOptions& options)
      : engine_(engine),
        scale_(engine.model, options),
        baumgarte_(options.baumgarte),
        refinements_(refinements_for(options)),
        q_(engine.model.initial.position),
        from_q_(q_),
        from_v_(engine.model.initial.velocity),
        moved_(from_v_),
        change_(from_v_),
        zero_(VectorXd::Zero(engine.model.nv)),
        lambda_(VectorXd::Zero(engine.model.nl)) {}

  Eigen::Index size() const override { return engine_.model.nv; }

  bool fits(const State& /*state*/) override { return true; }

  void begin(const State& state, VectorXd& v) override { v = state.velocity; }

  bool rates(const State& state,
             double t,
             const VectorXd& x,
             const VectorXd& v,
             VectorXd& x_dot,
             VectorXd& v_dot) override {
    const Model& model = engine_.model;
    move(model, state.position, x, q_);
    engine_.set_position(t, q_);
    engine_.set_velocity(v);
    if (!engine_.accelerations(v_dot, lambda_, baumgarte_, refinements_)) return false;
    x_dot = v;
    for (const BodyModel& b : model.bodies) {
      const Vector6d theta = rigid_components(b, x.data() + b.v0);
      Vector6d rate = rigid_components(b, v.data() + b.v0);
      rate.tail<3>() = inverse_tangent(theta.tail<3>(), rate.tail<3>());
      set_rigid_components(b, rate, x_dot.data() + b.v0);
    }
    engine_.ws.multipliers = lambda_;
    return true;
  }

  double error_size(const State& state,
                    const VectorXd& x,
                    const VectorXd& v,
                    const Eigen::Ref<const VectorXd>& x_error,
                    const Eigen::Ref<const VectorXd>& v_error) override {
    double ratio = 0.0;
    for (const BodyModel& b : engine_.model.bodies)
      for (int c = 0; c < b.nr + b.n; ++c) {
        const Eigen::Index i = b.v0 + c;
        double size = 1.0;
        if (c >= b.nr)
          size = std::abs(state.position(b.q0 + 7 + c - b.nr)) + std::abs(x(i));
        else if (const int d = b.dof[static_cast<std::size_t>(c)]; d < 3)
          size = scale_.place(state.position(b.q0 + d)) + std::abs(x(i));
        const double speed = std::max(std::abs(state.velocity(i)), std::abs(v(i)));
        ratio = std::max({ratio, scale_.of(x_error(i), size), scale_.of(v_error(i), speed)});
      }
    return ratio;
  }

  End end(State& state, double t, const VectorXd& x, VectorXd& v, const VectorXd& v_dot) override {
    const Model& model = engine_.model;
    from_q_ = state.position;
    from_v_ = state.velocity;
    move(model, from_q_, x, state.position);
    state.velocity = v;
    End out = End::kept;
    if (model.nl > 0 && baumgarte_ <= 0.0) {
      if (engine_.project_nearby(t, state.position, state.velocity, moved_)) {
        change_ = v - state.velocity;
        v = state.velocity;
        if (!(error_size(state, zero_, v, moved_, change_) < kSmallProjection)) out = End::moved;
      } else {
        out = End::moved;
        if (!project(state, t)) {
          state.position = from_q_;
          state.velocity = from_v_;
          return End::refused;
        }
        v = state.velocity;
      }
    } else {
      engine_.set_position(t, state.position);
      engine_.set_velocity(state.velocity);
    }
    state.acceleration = v_dot;
    state.multipliers = lambda_;
    return out;
  }

  bool complete(State& /*state*/) override { return true; }

  std::string fastest(const VectorXd& change) const override {
    std::string who;
    engine_.size_of(change, &who);
    return who;
  }

  std::string explain_refusal() const override {
    return fmt::format("{} stays open by {:.3g}", violated_joint_, violation_);
  }

 private:
  /// Projects with new factors of the matrix. A non-zero Phi remains if the mechanism has no
  /// position at t, for example after a dead centre, or if motions contradict each other.
  bool project(State& state, double t) {
    violation_ = engine_.project_position(t, state.position, 5, kProjected);
    if (!engine_.is_closed(violation_, kMaxPhi))
      violation_ = engine_.project_position(t, state.position, 20, kProjected);
    if (engine_.is_closed(violation_, kMaxPhi) && engine_.project_velocity(state.velocity))
      return true;
    Eigen::Index row = 0;
    engine_.ws.phi.cwiseAbs().maxCoeff(&row);
    violated_joint_ = engine_.joint_name_of_row(row);
    return false;
  }

  Engine& engine_;
  ErrorScale scale_;
  double baumgarte_;
  int refinements_;
  double violation_ = 0.0;      // |Phi| after the last rejected projection
  std::string violated_joint_;  // the joint with the largest |Phi| after the last rejected
                                // projection
  VectorXd q_, from_q_, from_v_, moved_, change_, zero_, lambda_;
};

}  // namespace

int refinements_for(const DynamicOptions& options) {
  constexpr double kNone = 1e-6, kOne = 1e-9;
  const double tolerance = std::min(options.relative_tolerance, options.absolute_tolerance);
  return tolerance >= kNone ? 0 : tolerance >= kOne ? 1 : 2;
}

std::unique_ptr<StepForm> make_absolute_form(Engine& engine, const DynamicOptions& options) {
  return std::make_unique<AbsoluteForm>(engine, options);
}

}  // namespace femflex::mbd_solver

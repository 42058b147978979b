// The coordinates of runge-kutta for trees of rigid bodies: those that the joints leave free,
// without constraints. docs/theory/multibody.md, section 12.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "integrators/step_form.h"
#include "recursive/tree_dynamics.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Share of the tolerances that the error of a step may reach. Errors of joints add up along a
/// chain, which projections onto constraints would spread over its bodies: with this share the
/// worst place of chains of 10, 100 and 1000 bars errs as in the coordinates of all bodies.
constexpr double kShare = 0.1;
constexpr double kTightest = 1e-13;  // tolerances below are not reduced further

DynamicOptions tightened(DynamicOptions options) {
  for (double* each : {&options.absolute_tolerance, &options.relative_tolerance})
    *each = std::max(kShare * *each, std::min(*each, kTightest));
  return options;
}

class TreeForm final : public StepForm {
 public:
  TreeForm(Engine& engine, Tree tree, const DynamicOptions& options)
      : engine_(engine),
        dynamics_(engine.model, std::move(tree)),
        scale_(engine.model, tightened(options)),
        refinements_(refinements_for(options)),
        other_(engine.ws.bodies),
        other_q_(engine.model.initial.position),
        other_v_(engine.model.initial.velocity),
        other_x_(VectorXd::Zero(dynamics_.size())),
        other_s_(other_x_) {}

  Eigen::Index size() const override { return dynamics_.size(); }

  /// False if the joints are open, or closed in another way than their coordinates express: with
  /// opposite axes.
  bool fits(const State& state) override {
    dynamics_.begin(state, other_s_);
    other_x_.setZero();
    dynamics_.move(other_x_, other_s_, other_, other_q_, other_v_);
    const double limit = engine_.phi_limit(kMaxPhi);
    const double speed = std::max(1.0, state.velocity.lpNorm<Eigen::Infinity>());
    for (int k = 0; k < engine_.model.ground(); ++k) {
      const BodyModel& b = engine_.model.bodies[static_cast<std::size_t>(k)];
      const Eigen::Quaterniond Q = attitude(state.position.data() + b.q0);
      const Eigen::Quaterniond other = attitude(other_q_.data() + b.q0);
      const Vector3d moved = state.position.segment<3>(b.q0) - other_q_.segment<3>(b.q0);
      const bool is_near = moved.lpNorm<Eigen::Infinity>() <= limit &&
                           (Q.conjugate() * other).vec().lpNorm<Eigen::Infinity>() <= kMaxPhi;
      if (!is_near) return false;
    }
    return (state.velocity - other_v_).lpNorm<Eigen::Infinity>() <= kMaxPhi * speed;
  }

  void begin(const State& state, VectorXd& v) override { dynamics_.begin(state, v); }

  bool rates(const State& /*state*/,
             double t,
             const VectorXd& x,
             const VectorXd& v,
             VectorXd& x_dot,
             VectorXd& v_dot) override {
    const Model& model = engine_.model;
    Workspace& ws = engine_.ws;
    ws.t = t;
    dynamics_.move(x, v, ws.bodies, ws.q, ws.v);
    if (dynamics_.tree().reads_places) {
      marker_positions(model, ws);
      marker_velocities(model, ws);
    }
    residual(model, ws, engine_.zero_v, nullptr);
    dynamics_.coordinate_rates(x, v, x_dot);
    return dynamics_.accelerations(ws, v_dot);
  }

  /// Compares places and velocities of bodies, because errors of joints add up along a chain.
  double error_size(const State& state,
                    const VectorXd& x,
                    const VectorXd& v,
                    const Eigen::Ref<const VectorXd>& x_error,
                    const Eigen::Ref<const VectorXd>& v_error) override {
    other_x_ = x - x_error;
    other_s_ = v - v_error;
    dynamics_.move(other_x_, other_s_, other_, other_q_, other_v_);
    const Workspace& ws = engine_.ws;
    double ratio = 0.0;
    for (int k = 0; k < engine_.model.ground(); ++k) {
      const auto index = static_cast<std::size_t>(k);
      const BodyModel& b = engine_.model.bodies[index];
      const BodyKinematics& now = ws.bodies[index];
      const BodyKinematics& other = other_[index];
      const Vector3d moved = now.p - other.p;
      const Eigen::Matrix3d turn = other.R.transpose() * now.R;
      const Vector3d turned(
          turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
      for (int c = 0; c < 3; ++c) {
        const double from = state.position(b.q0 + c);
        const double size = scale_.place(from) + std::abs(now.p(c) - from);
        ratio = std::max({ratio, scale_.of(moved(c), size), scale_.of(0.5 * turned(c), 1.0)});
      }
      for (int c = b.v0; c < b.v0 + 6; ++c) {
        const double speed = std::max(std::abs(state.velocity(c)), std::abs(ws.v(c)));
        ratio = std::max(ratio, scale_.of(ws.v(c) - other_v_(c), speed));
      }
    }
    return ratio;
  }

  End end(State& state,
          double t,
          const VectorXd& /*x*/,
          VectorXd& /*v*/,
          const VectorXd& /*v_dot*/) override {
    engine_.ws.t = t;
    state.position = engine_.ws.q;
    state.velocity = engine_.ws.v;
    dynamics_.copy_accelerations(engine_.ws, state.acceleration);
    return End::kept;
  }

  bool complete(State& state) override {
    engine_.set_position(state.time, state.position);
    engine_.set_velocity(state.velocity);
    return engine_.accelerations(state.acceleration, state.multipliers, 0.0, refinements_);
  }

  std::string fastest(const VectorXd& change) const override {
    Eigen::Index k = 0;
    if (change.size() == 0 || !(change.cwiseAbs().maxCoeff(&k) > 0.0)) return {};
    const int body = dynamics_.body_of(k);
    return fmt::format("body {}", engine_.model.bodies[static_cast<std::size_t>(body)].name);
  }

 private:
  Engine& engine_;
  TreeDynamics dynamics_;
  ErrorScale scale_;
  int refinements_;
  std::vector<BodyKinematics> other_;  // by the method of lower order, at the end of a step
  VectorXd other_q_, other_v_, other_x_, other_s_;
};

}  // namespace

std::unique_ptr<StepForm> make_tree_form(Engine& engine, const DynamicOptions& options) {
  if (options.baumgarte > 0.0) return nullptr;
  std::optional<Tree> tree = find_tree(engine.model);
  if (!tree || tree->n == 0) return nullptr;
  return std::make_unique<TreeForm>(engine, std::move(*tree), options);
}

}  // namespace femflex::mbd_solver

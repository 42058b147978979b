// M, C and K column by column, by differences of the residual; G from its blocks.
#include "integrators/tangent.h"

#include <algorithm>

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Steps of central differences, whose errors are h^2 times the third derivative and round-off
// divided by h.
// step relative to the velocity or to 1; forces are quadratic in velocities except for dampers
constexpr double kRateStep = 1e-4;
// step relative to Model::unit_of(); both errors are near 1e-10
constexpr double kPositionStep = 1e-5;

}  // namespace

MatrixXd dense_jacobian(const Engine& engine) {
  const Model& model = engine.model;
  MatrixXd G = MatrixXd::Zero(model.nl, model.nv);
  for (const JointModel& j : model.joints)
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = model.bodies[static_cast<std::size_t>(
          model.markers[static_cast<std::size_t>(j.legs[leg])].body)];
      const int width = b.nr + b.n;
      if (b.nr == 0) continue;
      for (int r = 0; r < j.m; ++r)
        for (int c = 0; c < width; ++c)
          G(j.l0 + r, b.v0 + c) += engine.ws.g[static_cast<std::size_t>(j.g[leg] + r * width + c)];
    }
  return G;
}

Tangent tangent(Engine& engine, const State& state, bool moving) {
  const Model& model = engine.model;
  const Index n = model.nv;
  Tangent T;
  T.M.setZero(n, n);
  T.C.setZero(n, n);
  T.K.resize(n, n);
  engine.set_all(state);
  T.G = dense_jacobian(engine);
  VectorXd e = VectorXd::Zero(n), a = state.acceleration, q = state.position;
  residual(model, engine.ws, a, nullptr);
  const VectorXd base = engine.ws.force;
  // acceleration step [m/s^2, ...], large so that light masses are visible next to large forces
  constexpr double kAccelerationStep = 1e6;
  for (Index j = 0; moving && j < n; ++j) {  // linear in a: any step is exact
    const double step = kAccelerationStep * std::max(1.0, std::abs(a(j)));
    VectorXd perturbed = a;
    perturbed(j) += step;
    residual(model, engine.ws, perturbed, nullptr);
    T.M.col(j) = (engine.ws.force - base) / step;
  }
  if (moving) {
    // Quadratic in v apart from dampers: central differences are exact. For v |v| at rest they give
    // the step length instead of 0, so two steps are combined: 2 D(h/2) - D(h) has no part that is
    // linear in h.
    for (Index j = 0; j < n; ++j) {
      const auto difference = [&](double step) -> VectorXd {
        VectorXd forces_at[2];
        for (int side = 0; side < 2; ++side) {
          VectorXd v = state.velocity;
          v(j) += side == 0 ? step : -step;
          engine.set_velocity(v);
          residual(model, engine.ws, a, nullptr);
          forces_at[side] = engine.ws.force;
        }
        return (forces_at[0] - forces_at[1]) / (2.0 * step);
      };
      const double step = kRateStep * std::max(1.0, std::abs(state.velocity(j)));
      T.C.col(j) = 2.0 * difference(0.5 * step) - difference(step);
    }
    engine.set_velocity(state.velocity);
  }
  engine.ws.at_rest = !moving;
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c) {
      const Index j = b.v0 + c;
      const double step = kPositionStep * model.unit_of(b, c);
      VectorXd forces_at[2];
      for (int side = 0; side < 2; ++side) {
        e.setZero();
        e(j) = side == 0 ? step : -step;
        move(model, state.position, e, q);
        engine.set_position(state.time, q);
        engine.set_velocity(state.velocity);
        residual(model, engine.ws, a, &state.multipliers);
        forces_at[side] = engine.ws.force;
      }
      T.K.col(j) = (forces_at[0] - forces_at[1]) / (2.0 * step);
    }
  engine.ws.at_rest = false;
  engine.set_all(state);
  return T;
}

}  // namespace femflex::mbd_solver

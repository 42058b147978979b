// Linearises the equations of motion about a state. M, C, K and the derivatives by force states are
// finite differences of the residual, column by column; G comes from the constraint blocks.
#include "integrators/tangent.h"

#include <algorithm>
#include <cmath>

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Steps h of finite differences. The truncation error of a central difference is h^2 f'''/6, its
// round-off error about eps f / h.

// Relative to the larger of |v| and 1. Most forces are quadratic in velocities, so that a central
// difference has no truncation error; the step must be short for dampers and friction only.
constexpr double kRateStep = 1e-4;
// Relative to the velocity at which the tanh of friction bends; its slope then has an error of
// 1e-7.
constexpr double kFrictionRateStep = 1e-3;
// relative to the typical size Model::unit_of() of the coordinate; both errors are near 1e-10
constexpr double kPositionStep = 1e-5;
constexpr double kStateStep = 1e-5;  // relative to |z| plus the typical size of the force state z
// Relative to the larger of |a| and 1. The residual is linear in a, so there is no truncation
// error. The step is large so that the inertia of light masses exceeds the round-off of large
// forces.
constexpr double kAccelerationStep = 1e6;

/// The last residual(), with the sign of M a - f, followed by the rates of the first `states` force
/// states.
VectorXd residual_and_rates(const Workspace& ws, Index states) {
  VectorXd out(ws.force.size() + states);
  out << ws.force, ws.state_rates.head(states);
  return out;
}

}  // namespace

MatrixXd dense_jacobian(const Engine& engine) {
  const Model& model = engine.model;
  MatrixXd G = MatrixXd::Zero(model.nl, model.nv);
  for (const JointModel& j : model.joints)
    for (std::size_t leg = 0; leg < j.legs.size(); ++leg) {
      const BodyModel& b = model.bodies[static_cast<std::size_t>(
          model.markers[static_cast<std::size_t>(j.legs[leg])].body)];
      if (b.nr == 0) continue;  // the ground has no columns
      const int width = b.nr + b.n;
      for (int r = 0; r < j.m; ++r)
        for (int c = 0; c < width; ++c)
          G(j.l0 + r, b.v0 + c) += engine.ws.g[static_cast<std::size_t>(j.g[leg] + r * width + c)];
    }
  return G;
}

namespace {

/// Fills T.M by forward differences, which are exact for a residual that is linear in a.
void by_acceleration(Engine& engine, const State& state, Tangent& T) {
  const Model& model = engine.model;
  residual(model, engine.ws, state.acceleration, nullptr);
  const VectorXd base = engine.ws.force;
  for (Index j = 0; j < model.nv; ++j) {
    const double step = kAccelerationStep * std::max(1.0, std::abs(state.acceleration(j)));
    VectorXd perturbed = state.acceleration;
    perturbed(j) += step;
    residual(model, engine.ws, perturbed, nullptr);
    T.M.col(j) = (engine.ws.force - base) / step;
  }
}

/// Fills T.C and T.rates_by_velocity. The residual is quadratic in v except for dampers and
/// friction, so the central difference D(h) with the step h is exact for the rest. For a damper
/// force v |v| at v = 0, D(h) is h instead of 0. Therefore the slope is 2 D(h/2) - D(h), in which
/// errors linear in h cancel.
void by_velocity(Engine& engine, const State& state, Index ns, Tangent& T) {
  const Index n = engine.model.nv;
  for (Index j = 0; j < n; ++j) {
    const auto difference = [&](double step) -> VectorXd {
      VectorXd values_at[2];
      for (int side = 0; side < 2; ++side) {
        VectorXd v = state.velocity;
        v(j) += side == 0 ? step : -step;
        engine.set_velocity(v);
        residual(engine.model, engine.ws, state.acceleration, nullptr);
        values_at[side] = residual_and_rates(engine.ws, ns);
      }
      return (values_at[0] - values_at[1]) / (2.0 * step);
    };
    const double step = std::min(kRateStep * std::max(1.0, std::abs(state.velocity(j))),
                                 kFrictionRateStep * engine.model.velocity_scale);
    const VectorXd slope = 2.0 * difference(0.5 * step) - difference(step);
    T.C.col(j) = slope.head(n);
    T.rates_by_velocity.col(j) = slope.tail(ns);
  }
  engine.set_velocity(state.velocity);
}

/// Fills T.force_by_states and T.rates_by_states.
void by_force_states(Engine& engine, const State& state, Index ns, Tangent& T) {
  const Model& model = engine.model;
  for (Index k = 0; k < ns; ++k) {
    VectorXd values_at[2];
    const double step = kStateStep * (model.state_unit(k) + std::abs(state.force_states(k)));
    for (int side = 0; side < 2; ++side) {
      engine.ws.state_constants = state.force_states;
      engine.ws.state_constants(k) += side == 0 ? step : -step;
      residual(model, engine.ws, state.acceleration, nullptr);
      values_at[side] = residual_and_rates(engine.ws, ns);
    }
    const VectorXd slope = (values_at[0] - values_at[1]) / (2.0 * step);
    T.force_by_states.col(k) = slope.head(model.nv);
    T.rates_by_states.col(k) = slope.tail(ns);
  }
  engine.ws.state_constants = state.force_states;
}

/// Fills T.K and T.rates_by_position.
void by_position(Engine& engine, const State& state, Index ns, Tangent& T) {
  const Model& model = engine.model;
  VectorXd e = VectorXd::Zero(model.nv), q = state.position;
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c) {
      const Index j = b.v0 + c;
      const double step = kPositionStep * model.unit_of(b, c);
      VectorXd values_at[2];
      for (int side = 0; side < 2; ++side) {
        e.setZero();
        e(j) = side == 0 ? step : -step;
        move(model, state.position, e, q);
        engine.set_position(state.time, q);
        engine.set_velocity(state.velocity);
        // K contains the derivative of G' lambda by position, so it needs the multipliers
        residual(model, engine.ws, state.acceleration, &state.multipliers);
        values_at[side] = residual_and_rates(engine.ws, ns);
      }
      const VectorXd slope = (values_at[0] - values_at[1]) / (2.0 * step);
      T.K.col(j) = slope.head(model.nv);
      T.rates_by_position.col(j) = slope.tail(ns);
    }
}

}  // namespace

Tangent tangent(Engine& engine, const State& state, bool is_moving) {
  const Model& model = engine.model;
  const Index n = model.nv;
  const Index ns = is_moving ? model.state_count : 0;
  Tangent T;
  T.M.setZero(n, n);
  T.C.setZero(n, n);
  T.K.resize(n, n);
  T.force_by_states.resize(n, ns);
  T.rates_by_position.resize(ns, n);
  T.rates_by_velocity.resize(ns, n);
  T.rates_by_states.resize(ns, ns);
  engine.set_all(state);
  T.G = dense_jacobian(engine);
  if (is_moving) {
    by_acceleration(engine, state, T);
    by_velocity(engine, state, ns, T);
    by_force_states(engine, state, ns, T);
  }
  engine.ws.at_rest = !is_moving;  // residual() then omits terms with v and a, which are zero
  by_position(engine, state, ns, T);
  engine.ws.at_rest = false;
  engine.set_all(state);
  return T;
}

}  // namespace femflex::mbd_solver

// Computes what joints and supports carry at rest by least squares, and the forces that are left.
#include "integrators/static_balance.h"

#include <algorithm>
#include <limits>

#include <Eigen/QR>

#include "femflex/dense.h"

#include "integrators/free_stiffness.h"
#include "integrators/tangent.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Velocity that leads from the initial position to `position` in kRestingTime, so that force
/// states that depend on the path, such as those of a leaf spring, follow this path. It is
/// negligible for all other loads. Zero without force states.
VectorXd slow_velocity(const Model& model, const VectorXd& position) {
  VectorXd v = VectorXd::Zero(model.nv);
  if (model.state_count == 0) return v;
  const VectorXd& from = model.initial.position;
  const auto rotation = [](const VectorXd& q, const BodyModel& b) {
    return attitude(q.data() + b.q0).toRotationMatrix();
  };
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    Vector6d way;
    way << position.segment<3>(b.q0) - from.segment<3>(b.q0),
        log_rotation(rotation(from, b).transpose() * rotation(position, b));
    set_rigid_components(b, way / kRestingTime, v.data() + b.v0);
    v.segment(b.v0 + b.nr, b.n) =
        (position.segment(b.q0 + 7, b.n) - from.segment(b.q0 + 7, b.n)) / kRestingTime;
  }
  return v;
}

/// Removes from a force what the rows carry. Rows that repeat each other only to some digits, as
/// the axes of hinges, would leave their difference: the free directions of free_stiffness() are
/// those of the same rows.
void remove_carried(const MatrixXd& rows, VectorXd& force) {
  const Eigen::HouseholderQR<MatrixXd> qr(rows.transpose());
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(rows.cols(), rows.rows());
  force -= Q * (Q.transpose() * force);
}

}  // namespace

void add_stiffness_of_states(Engine& engine, const State& state, MatrixXd& K) {
  const Model& model = engine.model;
  if (model.state_count == 0) return;
  constexpr double kStep = 1e-6;  // step of differences, relative to the coordinates' units
  const VectorXd steps = kStep * units_of(model);
  for (Eigen::Index j = 0; j < model.nv; ++j) {
    VectorXd force;
    for (const double side : {1.0, -1.0}) {
      VectorXd v = state.velocity;
      v(j) += side * steps(j) / kRestingTime;
      engine.set_velocity(v);
      residual(model, engine.ws, state.acceleration, nullptr);
      if (side > 0.0)
        force = engine.ws.force;
      else
        K.col(j) += (force - engine.ws.force) / (2.0 * steps(j));
    }
  }
  engine.set_velocity(state.velocity);
}

Balance balance_at_rest(Engine& engine, State& state) {
  Balance b;
  const Model& model = engine.model;
  state.velocity = slow_velocity(model, state.position);
  state.acceleration.setZero();
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  residual(model, engine.ws, state.acceleration, nullptr);
  b.force = engine.ws.force;
  b.G = dense_jacobian(engine);
  const VectorXd units = units_of(model);
  b.unbalanced = units.cwiseProduct(b.force);
  b.scale = b.unbalanced.size() > 0 ? b.unbalanced.cwiseAbs().maxCoeff() : 0.0;
  b.lambda.setZero(b.G.rows());
  if (b.G.rows() > 0) {
    const MatrixXd rows = scaled_rows(b.G, units);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(kRankTolerance);
    solver.compute(rows.transpose());
    const VectorXd multipliers = solver.solve(-b.unbalanced);
    b.unbalanced += rows.transpose() * multipliers;
    if (solver.rank() < rows.rows()) remove_carried(independent_rows(rows), b.unbalanced);
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      if (const double norm = b.G.row(r).cwiseProduct(units.transpose()).norm(); norm > 0.0)
        b.lambda(r) = multipliers(r) / norm;
  }
  for (const PairLoad& load : engine.ws.loads)
    b.scale = std::max(b.scale, load.force_b.norm() * model.local_length);
  for (const BodyModel& body : model.bodies)
    b.scale = std::max(b.scale, body.mass * engine.ws.gravity.norm() * model.local_length);
  b.scale = std::max(b.scale, std::numeric_limits<double>::min());
  state.multipliers = b.lambda;
  return b;
}

}  // namespace femflex::mbd_solver

#include "integrators/quasi_static.h"

#include <algorithm>

#include <Eigen/LU>

#include "integrators/tangent.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kForceDifference = 1e-6;   // step of force differences, in units of the coordinate
constexpr double kConverged = 1e-12;        // converged if the scaled correction is below this
constexpr double kLargestCorrection = 0.3;  // largest scaled correction per iteration
constexpr double kNoStiffness = 1e-9;  // smaller stiffness relative to the largest is round-off
constexpr int kMaxIterations = 100;    // maximum number of iterations

/// Velocity coordinates without inertia: all six of a body without mass, only the rotations of one
/// that has mass but lacks rotational inertia.
std::vector<Index> massless_coordinates(const Model& model) {
  std::vector<Index> out;
  for (const BodyModel& b : model.bodies)
    for (int c = 0; b.massless && c < b.nr; ++c)
      if (b.mass <= 0.0 || b.dof[static_cast<std::size_t>(c)] >= 3) out.push_back(b.v0 + c);
  return out;
}

VectorXd forces(Engine& engine, const State& state, const VectorXd& position) {
  engine.set_position(state.time, position);
  engine.set_velocity(state.velocity);
  residual(engine.model, engine.ws, engine.zero_v, nullptr);
  return engine.ws.force;
}

}  // namespace

bool settle_massless(Engine& engine, State& state, double& moved) {
  const Model& model = engine.model;
  const std::vector<Index> massless = massless_coordinates(model);
  const auto n = static_cast<Index>(massless.size());
  VectorXd unit(model.nv);
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c)
      unit(b.v0 + c) = model.unit_of(b, c);
  VectorXd position = state.position, beside = position;
  moved = 0.0;
  for (int k = 0; k < kMaxIterations; ++k) {
    const VectorXd force = forces(engine, state, position);
    const MatrixXd G = dense_jacobian(engine);
    const MatrixXd held = G(Eigen::all, massless);
    std::vector<Index> rows;  // constraint rows that involve the massless coordinates
    for (Index r = 0; r < held.rows(); ++r)
      if (held.row(r).cwiseAbs().maxCoeff() > 0.0) rows.push_back(r);
    const auto m = static_cast<Index>(rows.size());
    const VectorXd units = unit(massless);
    MatrixXd A = MatrixXd::Zero(n + m, n + m);
    A.topRightCorner(n, m) = (held(rows, Eigen::all) * units.asDiagonal()).transpose();
    A.bottomLeftCorner(m, n) = A.topRightCorner(n, m).transpose();
    for (Index j = 0; j < n; ++j) {
      VectorXd sides[2];
      for (int side = 0; side < 2; ++side) {
        const double step = (side == 0 ? kForceDifference : -kForceDifference) * units(j);
        move(model,
             position,
             VectorXd::Unit(model.nv, massless[static_cast<std::size_t>(j)]) * step,
             beside);
        sides[side] = forces(engine, state, beside)(massless);
      }
      A.col(j).head(n) = units.cwiseProduct(sides[0] - sides[1]) / (2.0 * kForceDifference);
    }
    const double stiffest = A.topLeftCorner(n, n).cwiseAbs().maxCoeff();
    if (!(stiffest > 0.0)) return false;
    A.topLeftCorner(n, n) /= stiffest;
    Eigen::FullPivLU<MatrixXd> lu(A);
    lu.setThreshold(kNoStiffness);
    if (!lu.isInvertible()) return false;
    VectorXd b = VectorXd::Zero(n + m);
    b.head(n) = -units.cwiseProduct(VectorXd(force(massless))) / stiffest;
    VectorXd dq = VectorXd::Zero(model.nv);
    dq(massless) = units.cwiseProduct(VectorXd(lu.solve(b).head(n)));
    const double size = engine.size_of(dq);
    if (!std::isfinite(size)) return false;
    if (size > kLargestCorrection) dq *= kLargestCorrection / size;
    move(model, VectorXd(position), dq, position);
    moved += std::min(size, kLargestCorrection);
    if (size > kConverged) continue;
    state.position = position;
    return true;
  }
  return false;
}

}  // namespace femflex::mbd_solver

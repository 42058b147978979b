#include "integrators/quasi_static.h"

#include <algorithm>

#include <Eigen/LU>

#include "integrators/tangent.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kStep = 1e-6;         // step of force differences, in units of the coordinate
constexpr double kSettled = 1e-12;     // converged if the scaled correction is below this
constexpr double kShort = 0.3;         // largest scaled correction per iteration
constexpr double kNoStiffness = 1e-9;  // smaller stiffness relative to the largest is round-off
constexpr int kMost = 100;             // maximum number of iterations

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
  const std::vector<Index> loose = massless_coordinates(model);
  const auto n = static_cast<Index>(loose.size());
  VectorXd unit(model.nv);
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c)
      unit(b.v0 + c) = model.unit_of(b, c);
  VectorXd position = state.position, beside = position;
  moved = 0.0;
  for (int k = 0; k < kMost; ++k) {
    const VectorXd force = forces(engine, state, position);
    const MatrixXd G = dense_jacobian(engine);
    const MatrixXd held = G(Eigen::all, loose);
    std::vector<Index> rows;  // constraint rows that involve the massless coordinates
    for (Index r = 0; r < held.rows(); ++r)
      if (held.row(r).cwiseAbs().maxCoeff() > 0.0) rows.push_back(r);
    const auto m = static_cast<Index>(rows.size());
    const VectorXd units = unit(loose);
    MatrixXd A = MatrixXd::Zero(n + m, n + m);
    A.topRightCorner(n, m) = (held(rows, Eigen::all) * units.asDiagonal()).transpose();
    A.bottomLeftCorner(m, n) = A.topRightCorner(n, m).transpose();
    for (Index j = 0; j < n; ++j) {
      VectorXd sides[2];
      for (int side = 0; side < 2; ++side) {
        const double step = (side == 0 ? kStep : -kStep) * units(j);
        move(model,
             position,
             VectorXd::Unit(model.nv, loose[static_cast<std::size_t>(j)]) * step,
             beside);
        sides[side] = forces(engine, state, beside)(loose);
      }
      A.col(j).head(n) = units.cwiseProduct(sides[0] - sides[1]) / (2.0 * kStep);
    }
    const double stiffest = A.topLeftCorner(n, n).cwiseAbs().maxCoeff();
    if (!(stiffest > 0.0)) return false;
    A.topLeftCorner(n, n) /= stiffest;
    Eigen::FullPivLU<MatrixXd> lu(A);
    lu.setThreshold(kNoStiffness);
    if (!lu.isInvertible()) return false;
    VectorXd b = VectorXd::Zero(n + m);
    b.head(n) = -units.cwiseProduct(VectorXd(force(loose))) / stiffest;
    VectorXd dq = VectorXd::Zero(model.nv);
    dq(loose) = units.cwiseProduct(VectorXd(lu.solve(b).head(n)));
    const double size = engine.size_of(dq);
    if (!std::isfinite(size)) return false;
    if (size > kShort) dq *= kShort / size;
    move(model, VectorXd(position), dq, position);
    moved += std::min(size, kShort);
    if (size > kSettled) continue;
    state.position = position;
    return true;
  }
  return false;
}

}  // namespace femflex::mbd_solver

// Newton's method on the coordinates without mass. Each iteration solves [K G'; G 0]. K is the
// derivative of the forces on these coordinates, by central differences; G are the constraint rows
// that contain these coordinates. All coordinates are scaled by Model::unit_of().
#include "integrators/quasi_static.h"

#include <algorithm>

#include "femflex/dense.h"

#include "integrators/free_stiffness.h"
#include "integrators/tangent.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDifferenceStep = 1e-6;  // step of central differences of forces, in units_of()
constexpr double kConverged = 1e-12;      // converged if the scaled correction is below this
constexpr double kMaxCorrection = 0.3;    // largest scaled correction per iteration
constexpr double kMasslessPivot = 1e-9;   // smaller pivots, relative to the largest one, count as
                                          // zero
constexpr int kMaxIterations = 100;

/// Velocity coordinates without inertia: all six of a body without mass; only the rotations of a
/// body with mass but without rotational inertia.
std::vector<Index> massless_coordinates(const Model& model) {
  std::vector<Index> out;
  for (const BodyModel& b : model.bodies)
    for (int c = 0; b.massless && c < b.nr; ++c)
      if (b.mass <= 0.0 || b.dof[static_cast<std::size_t>(c)] >= 3) out.push_back(b.v0 + c);
  return out;
}

/// Forces on all velocity coordinates at a position, with the sign of Workspace::force, at the
/// velocity of the state, without accelerations and constraint forces.
VectorXd forces(Engine& engine, const State& state, const VectorXd& position) {
  engine.set_position(state.time, position);
  engine.set_velocity(state.velocity);
  residual(engine.model, engine.ws, engine.zero_v, nullptr);
  return engine.ws.force;
}

}  // namespace

bool settle_massless(Engine& engine, State& state) {
  const Model& model = engine.model;
  const std::vector<Index> massless = massless_coordinates(model);
  const auto n = static_cast<Index>(massless.size());
  if (n == 0) return false;
  const VectorXd scale = units_of(model)(massless);
  VectorXd position = state.position, perturbed = position;
  for (int k = 0; k < kMaxIterations; ++k) {
    const VectorXd force = forces(engine, state, position);
    const MatrixXd G = dense_jacobian(engine);
    const MatrixXd G_massless = G(Eigen::all, massless);
    std::vector<Index> rows;  // constraint rows that contain the massless coordinates
    for (Index r = 0; r < G_massless.rows(); ++r)
      if (G_massless.row(r).cwiseAbs().maxCoeff() > 0.0) rows.push_back(r);
    const auto m = static_cast<Index>(rows.size());
    MatrixXd A = MatrixXd::Zero(n + m, n + m);  // [K G'; G 0] with K divided by its largest entry
    A.topRightCorner(n, m) = (G_massless(rows, Eigen::all) * scale.asDiagonal()).transpose();
    A.bottomLeftCorner(m, n) = A.topRightCorner(n, m).transpose();
    for (Index j = 0; j < n; ++j) {
      VectorXd forces_at[2];
      for (int side = 0; side < 2; ++side) {
        const double step = (side == 0 ? kDifferenceStep : -kDifferenceStep) * scale(j);
        move(model,
             position,
             VectorXd::Unit(model.nv, massless[static_cast<std::size_t>(j)]) * step,
             perturbed);
        forces_at[side] = forces(engine, state, perturbed)(massless);
      }
      A.col(j).head(n) = scale.cwiseProduct(forces_at[0] - forces_at[1]) / (2.0 * kDifferenceStep);
    }
    const double max_stiffness = A.topLeftCorner(n, n).cwiseAbs().maxCoeff();
    if (!(max_stiffness > 0.0)) return false;
    A.topLeftCorner(n, n) /= max_stiffness;
    Eigen::FullPivLU<MatrixXd> lu(A);
    lu.setThreshold(kMasslessPivot);
    if (!lu.isInvertible()) return false;
    VectorXd b = VectorXd::Zero(n + m);
    b.head(n) = -scale.cwiseProduct(VectorXd(force(massless))) / max_stiffness;
    VectorXd dq = VectorXd::Zero(model.nv);
    dq(massless) = scale.cwiseProduct(VectorXd(lu.solve(b).head(n)));
    const double correction = engine.size_of(dq);
    if (!std::isfinite(correction)) return false;
    if (correction > kMaxCorrection) dq *= kMaxCorrection / correction;
    move(model, VectorXd(position), dq, position);
    if (correction > kConverged) continue;
    state.position = position;
    return true;
  }
  return false;
}

}  // namespace femflex::mbd_solver
